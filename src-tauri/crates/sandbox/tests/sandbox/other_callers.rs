//! Requests of web pages under another host name.

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
