//! Creation of leads (spec 4.7).

use serde_json::{Value, json};
use warranty_sandbox::sample;

use crate::client::{plain, request, sold};

fn lead(reference: &str) -> Value {
    json!({
        "transactionId": "T-9", "quantity": 2, "transactionDate": "2025-06-01T13:45:10.250+09:00",
        "product": { "referenceId": reference, "purchasePrice": 129_800 },
    })
}

#[tokio::test]
async fn a_lead_has_a_token_and_a_status_and_sells_nothing() {
    let sandbox = plain().await;
    let call = request(&sandbox, "POST", "/v1/leads").json(&lead(sample::PRODUCT_NOTEBOOK));
    let first = call.success().await;
    assert_eq!(first["status"], "Open");
    assert_eq!(first["quantity"], 2);
    assert_eq!(first["product"]["purchasePrice"], 129_800);
    assert!(first["customer"]["email"].is_string());
    let second = call.success().await;
    assert_ne!(
        first["token"], second["token"],
        "each request makes its own lead"
    );
    assert!(sold(&sandbox).await.is_empty());
}

#[tokio::test]
async fn a_lead_for_an_unknown_product_or_with_a_broken_field_is_a_bad_request() {
    let sandbox = plain().await;
    let call = request(&sandbox, "POST", "/v1/leads");
    call.clone().json(&lead("none")).bad_request().await;
    for (field, wrong) in [
        ("quantity", json!("2")),
        ("transactionDate", json!("today")),
        ("product", json!(1)),
    ] {
        let mut body = lead(sample::PRODUCT_NOTEBOOK);
        body[field] = wrong;
        call.clone().json(&body).bad_request().await;
    }
}
