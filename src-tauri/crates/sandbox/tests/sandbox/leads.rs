//! Creation of leads (spec 4.7).

use serde_json::json;
use warranty_sandbox::sample;

use crate::client::{plain, request, sold};

#[tokio::test]
async fn a_lead_has_a_token_and_a_status_and_sells_nothing() {
    let sandbox = plain().await;
    let call = request(&sandbox, "POST", "/v1/leads").json(&json!({
        "transactionId": "T-9", "quantity": 2, "transactionDate": "2025-06-01T13:45:10.250+09:00",
        "product": { "referenceId": sample::PRODUCT_NOTEBOOK, "purchasePrice": 129_800 },
    }));
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
