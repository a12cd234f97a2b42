//! Required headers and the error object, on every endpoint.

use warranty_sandbox::{Operation, Sandbox, TokenSeen, sample};

use crate::client::{Call, bulk, get, list, plain, request, sale};

fn valid_requests(sandbox: &Sandbox) -> [(Operation, Call); 7] {
    let plan = format!("/v1/plans/{}", sample::REFRIGERATOR_PLAN_3_YEARS);
    let product = serde_json::json!({
        "referenceId": "R-1", "title": "t", "price": 1, "imageUrl": "https://sample.invalid/1", "category": "c",
    });
    let lead = serde_json::json!({
        "transactionId": "T-1", "quantity": 1, "transactionDate": "2025-06-01T13:45:10.250+09:00",
        "product": { "referenceId": sample::PRODUCT_CAMERA, "purchasePrice": 1 },
    });
    let link = serde_json::json!({ "storeReferenceId": "S-1" });
    [
        (
            Operation::BulkCreateContracts,
            bulk(sandbox, &[sale("T-1")]),
        ),
        (Operation::GetContract, get(sandbox, "/v1/contracts/none")),
        (
            Operation::UpsertProduct,
            request(sandbox, "PUT", "/v1/products/upsert").json(&product),
        ),
        (
            Operation::UpdatePlan,
            request(sandbox, "PUT", &plan).json(&link),
        ),
        (
            Operation::ListPlans,
            list(sandbox, sample::PRODUCT_CAMERA, "Any"),
        ),
        (Operation::GetPlan, get(sandbox, &plan)),
        (
            Operation::CreateLead,
            request(sandbox, "POST", "/v1/leads").json(&lead),
        ),
    ]
}

#[tokio::test]
async fn content_type_and_accept_are_required_on_every_endpoint() {
    let sandbox = plain().await;
    for (operation, call) in valid_requests(&sandbox) {
        let refused = call.clone().without("content-type").send().await;
        assert!(
            refused.refused(415).1.contains("Content-Type"),
            "{operation:?}"
        );
        let refused = call
            .clone()
            .header("content-type", "text/plain")
            .send()
            .await;
        refused.refused(415);
        let refused = call.clone().without("accept").send().await;
        assert!(refused.refused(406).1.contains("Accept"), "{operation:?}");
        call.header("accept", "text/html, */*").refused(406).await;
    }
    assert!(sandbox.ledger().await.unwrap().is_empty());
}

#[tokio::test]
async fn media_types_may_have_parameters_and_be_listed_with_others() {
    let sandbox = plain().await;
    list(&sandbox, sample::PRODUCT_CAMERA, "Any")
        .header("content-type", "Application/JSON; charset=utf-8")
        .header("accept", "text/plain, application/json;q=0.9")
        .success()
        .await;
}

#[tokio::test]
async fn the_token_is_required_on_six_operations_and_not_on_the_listing() {
    let sandbox = plain().await;
    for (operation, call) in valid_requests(&sandbox) {
        for call in [
            call.clone().without("x-service-auth-token"),
            call.clone().header("x-service-auth-token", "another"),
        ] {
            let reply = call.send().await;
            if operation == Operation::ListPlans {
                reply.success();
            } else {
                assert_eq!(reply.refused(401).0, "UnauthorizedException");
            }
        }
    }
    assert!(sandbox.ledger().await.unwrap().is_empty());
    for seen in [TokenSeen::Absent, TokenSeen::Wrong] {
        let requests = sandbox.requests().into_iter();
        assert_eq!(requests.filter(|one| one.token == seen).count(), 7);
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_get_the_error_object_too() {
    let sandbox = plain().await;
    for path in [
        "/",
        "/v1",
        "/v2/plans",
        "/v1/plans/",
        "/v1/contracts/a/b",
        "/v1/contracts/%2e%2e/x",
    ] {
        get(&sandbox, path).refused(404).await;
    }
    let reply = request(&sandbox, "DELETE", "/v1/plans/x").send().await;
    reply.refused(405);
    let allowed = reply.header("allow").unwrap();
    assert!(
        allowed.contains("GET") && allowed.contains("PUT"),
        "{allowed}"
    );
    get(&sandbox, "/v1/leads").refused(405).await;
    get(&sandbox, "/v1/contracts/%ff").bad_request().await;
}

#[tokio::test]
async fn malformed_and_oversized_bodies_get_the_error_object() {
    let sandbox = plain().await;
    let call = bulk(&sandbox, &[]);
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\"x\"",
        "{\"contracts\": {}}",
        "{\"contracts\": \"\\ud800\"}",
    ] {
        call.clone().raw(body).bad_request().await;
    }
    call.clone().raw(vec![0xff; 10]).bad_request().await;
    call.clone().raw("[".repeat(10_000)).bad_request().await;
    let too_long = vec![b' '; 3 * 1024 * 1024];
    call.raw(too_long).refused(413).await;
}
