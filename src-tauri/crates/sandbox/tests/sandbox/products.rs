//! Upsert of products (spec 4.3).

use serde_json::{Value, json};
use warranty_sandbox::{Sandbox, sample};

use crate::client::{Call, list, plain, request};

fn product(reference: &str, title: &str) -> Value {
    json!({
        "referenceId": reference, "title": title, "price": 4_980,
        "imageUrl": "https://sample.invalid/new.jpg", "category": "調理家電",
    })
}

fn put(sandbox: &Sandbox, body: &Value) -> Call {
    request(sandbox, "PUT", "/v1/products/upsert").json(body)
}

#[tokio::test]
async fn an_unknown_reference_is_created_and_a_known_one_overwritten() {
    let sandbox = plain().await;
    let created = put(&sandbox, &product("NEW-1", "新しいケトル"))
        .success()
        .await;
    assert_eq!(created["plans"], json!([]));
    assert_eq!(created["mfrWarranty"]["coverageDays"], 365);
    let newer = product("NEW-1", "もっと新しいケトル");
    let updated = put(&sandbox, &newer).success().await;
    assert_eq!(updated["id"], created["id"]);
    assert_eq!(updated["createdAt"], created["createdAt"]);
    assert_eq!(updated["title"], "もっと新しいケトル");
    let plans = list(&sandbox, "NEW-1", "Any").success().await;
    assert_eq!(plans, json!([]));
}

#[tokio::test]
async fn an_upsert_cannot_change_the_brand_and_shows_the_plans() {
    let sandbox = plain().await;
    let mut body = product(sample::PRODUCT_REFRIGERATOR, "冷蔵庫");
    body["brand"] = json!("another");
    let updated = put(&sandbox, &body).success().await;
    assert_eq!(updated["brand"], "見本電機");
    assert_eq!(updated["price"], 4_980);
    let plans = updated["plans"].as_array().unwrap();
    assert_eq!(plans.len(), 3);
    assert!(plans[0]["storeReferenceId"].is_string());
    assert!(plans[2].get("storeReferenceId").is_none());
}
