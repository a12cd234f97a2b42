//! The control endpoints under `/_sandbox/`.

use crate::client::{bulk, get, list, plain, request, sale};

#[tokio::test]
async fn without_the_token_every_control_endpoint_is_not_found() {
    let sandbox = plain().await;
    for (method, path) in [
        ("GET", "/_sandbox/ledger"),
        ("GET", "/_sandbox/requests"),
        ("PUT", "/_sandbox/personality"),
        ("DELETE", "/_sandbox/ledger"),
    ] {
        let call = request(&sandbox, method, path);
        call.clone()
            .without("x-service-auth-token")
            .refused(404)
            .await;
        call.header("x-service-auth-token", "wrong")
            .refused(404)
            .await;
    }
}

#[tokio::test]
async fn requests_are_recorded_without_the_value_of_the_token() {
    let sandbox = plain().await;
    let call = bulk(&sandbox, &[sale("T-1")]).key("key-7");
    call.success().await;
    call.without("x-service-auth-token").refused(401).await;
    list(&sandbox, "x", "Live")
        .header("x-service-auth-token", "guess")
        .bad_request()
        .await;
    let read = get(&sandbox, "/_sandbox/requests").send().await;
    let text = String::from_utf8(read.body.clone()).unwrap();
    assert!(!text.contains(sandbox.token()) && !text.contains("guess"));
    let read = read.success();
    assert_eq!(read["count"], 3);
    let first = &read["requests"][0];
    assert_eq!(first["operation"], "bulkCreateContracts");
    assert_eq!(first["method"], "POST");
    assert_eq!(first["path"], "/v1/contracts/bulk");
    assert_eq!(first["token"], "present");
    assert_eq!(first["idempotencyKey"], "key-7");
    assert!(first["bodyLength"].as_u64().unwrap() > 100);
    assert_eq!(read["requests"][1]["token"], "absent");
    assert_eq!(read["requests"][2]["token"], "wrong");
    assert!(
        read["requests"][2]["query"]
            .as_str()
            .unwrap()
            .starts_with("productId=x&")
    );
    let in_process = sandbox.requests();
    assert_eq!(in_process[0].header("accept"), Some("application/json"));
    assert_eq!(
        in_process[0].header("x-service-auth-token"),
        Some("present")
    );
    assert_eq!(
        in_process
            .iter()
            .map(|request| request.number)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
}
