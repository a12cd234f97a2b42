//! Upsert of products (spec 4.3).

use serde_json::{Value, json};
use warranty_sandbox::{Personality, sample};

use crate::client::{list, request, sandbox};

fn product(reference: &str, title: &str) -> Value {
    json!({
        "referenceId": reference, "title": title, "price": 4_980,
        "imageUrl": "https://sample.invalid/new.jpg", "category": "調理家電",
    })
}

#[tokio::test]
async fn an_unknown_reference_is_created_and_a_known_one_overwritten() {
    let sandbox = sandbox(Personality::default()).await;
    let put = |body: Value| request(&sandbox, "PUT", "/v1/products/upsert").json(&body);
    let created = put(product("NEW-1", "新しいケトル")).send().await.success();
    assert_eq!(created["plans"], json!([]));
    assert_eq!(created["mfrWarranty"]["coverageDays"], 365);
    let updated = put(product("NEW-1", "もっと新しいケトル"))
        .send()
        .await
        .success();
    assert_eq!(updated["id"], created["id"]);
    assert_eq!(updated["createdAt"], created["createdAt"]);
    assert_eq!(updated["title"], "もっと新しいケトル");
    assert_eq!(
        list(&sandbox, "NEW-1", "Any").send().await.success(),
        json!([])
    );
}

#[tokio::test]
async fn an_upsert_cannot_change_the_brand_and_shows_the_plans() {
    let sandbox = sandbox(Personality::default()).await;
    let mut body = product(sample::PRODUCT_REFRIGERATOR, "冷蔵庫");
    body["brand"] = json!("another");
    let updated = request(&sandbox, "PUT", "/v1/products/upsert")
        .json(&body)
        .send()
        .await
        .success();
    assert_eq!(updated["brand"], "見本電機");
    assert_eq!(updated["price"], 4_980);
    let plans = updated["plans"].as_array().unwrap();
    assert_eq!(plans.len(), 3);
    assert!(plans[0]["storeReferenceId"].is_string());
    assert!(plans[2].get("storeReferenceId").is_none());
}

#[tokio::test]
async fn all_five_fields_are_required() {
    let sandbox = sandbox(Personality::default()).await;
    for field in ["referenceId", "title", "price", "imageUrl", "category"] {
        let mut body = product(sample::PRODUCT_CAMERA, "t");
        body.as_object_mut().unwrap().remove(field);
        let message = request(&sandbox, "PUT", "/v1/products/upsert")
            .json(&body)
            .send()
            .await
            .bad_request();
        assert!(message.starts_with(field), "{message}");
    }
    for (field, wrong) in [
        ("price", json!(1.5)),
        ("imageUrl", json!("x")),
        ("title", json!(1)),
    ] {
        let mut body = product(sample::PRODUCT_CAMERA, "t");
        body[field] = wrong;
        request(&sandbox, "PUT", "/v1/products/upsert")
            .json(&body)
            .send()
            .await
            .bad_request();
    }
}
