//! Requests without the token from the same computer, and requests of web pages under another host name.

use warranty_sandbox::TokenSeen;

use crate::client::{get, plain};

#[tokio::test]
async fn a_request_for_another_host_is_refused_and_not_recorded() {
    let sandbox = plain().await;
    let port = sandbox.addr().port();
    let plan = get(&sandbox, "/v1/plans/unknown");
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    for host in &own {
        assert_eq!(
            plan.clone().for_host(host).send().await.status,
            404,
            "{host}"
        );
    }
    for host in [
        format!("rebound.sample.invalid:{port}"),
        format!("127.0.0.1.sample.invalid:{port}"),
        "127.0.0.1:1".to_owned(),
        "localhost".to_owned(),
        String::new(),
    ] {
        for path in ["/v1/plans/unknown", "/_sandbox/ledger", "/elsewhere"] {
            let call = get(&sandbox, path).for_host(&host);
            assert_eq!(call.send().await.status, 421, "{host} {path}");
        }
    }
    assert_eq!(sandbox.requests().len(), own.len());
}

#[tokio::test]
async fn a_flood_without_the_token_takes_little_space_in_the_request_log() {
    let sandbox = plain().await;
    let long = "x".repeat(8_000);
    let flood = get(&sandbox, &format!("/v1/plans?productId={long}"))
        .without("X-Service-Auth-Token")
        .header("X-Filler", &long);
    for _ in 0..100 {
        flood.send().await;
    }
    let requests = sandbox.requests();
    assert_eq!(requests.len(), 100);
    for request in requests {
        assert_eq!(request.token, TokenSeen::Absent);
        let headers = request.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        let kept = request.path.len() + request.query.unwrap_or_default().len() + headers;
        assert!(kept < 2_000, "{kept} bytes are kept of one request");
    }
}
