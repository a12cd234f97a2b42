//! Listing, reading and linking of plans (spec 4.4 to 4.6).

use serde_json::{Value, json};
use warranty_sandbox::sample;

use crate::client::{get, list, plain, request};

fn ids(plans: &Value) -> Vec<&str> {
    let plans = plans.as_array().unwrap().iter();
    plans.map(|plan| plan["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_listing_filters_by_display_flag_and_by_store_reference() {
    let sandbox = plain().await;
    let plans = [
        sample::REFRIGERATOR_PLAN_3_YEARS,
        sample::REFRIGERATOR_PLAN_5_YEARS,
        sample::REFRIGERATOR_PLAN_10_YEARS,
    ];
    for (status, linked) in [("Any", 3), ("Live", 3), ("LiveInStore", 2)] {
        let listed = list(&sandbox, sample::PRODUCT_REFRIGERATOR, status);
        assert_eq!(ids(&listed.success().await), plans[..linked], "{status}");
    }
    let (hidden, store) = (sample::PRODUCT_NOT_DISPLAYED, sandbox.store_id());
    for (query, plans) in [
        (format!("productId={hidden}&storeId={store}&status=Any"), 3),
        (format!("productId={hidden}&storeId={store}&status=Live"), 0),
        (
            format!("productId={hidden}&storeId={store}&status=LiveInStore"),
            2,
        ),
        // Without a status all plans are shown.
        (format!("productId={hidden}&storeId={store}"), 3),
        (
            format!(
                "productId={}&storeId={store}",
                sample::PRODUCT_WITHOUT_PLANS
            ),
            0,
        ),
    ] {
        let listed = get(&sandbox, &format!("/v1/plans?{query}")).success().await;
        assert_eq!(ids(&listed).len(), plans, "{query}");
    }
}

#[tokio::test]
async fn a_listing_that_asks_for_something_else_is_a_bad_request() {
    let sandbox = plain().await;
    let camera = sample::PRODUCT_CAMERA;
    let store = sandbox.store_id();
    for (query, words) in [
        (format!("productId={camera}"), "storeId is missing"),
        (format!("storeId={store}"), "productId is missing"),
        (
            format!("productId={camera}&storeId=elsewhere"),
            "store \"elsewhere\"",
        ),
        (
            format!("productId=none&storeId={store}"),
            "product \"none\"",
        ),
        (
            format!("productId={camera}&storeId={store}&status=live"),
            "status must be",
        ),
        (
            format!("productId={camera}&storeId={store}&status="),
            "status must be",
        ),
        (
            format!("productId={camera}&productId={camera}&storeId={store}"),
            "given twice",
        ),
    ] {
        let message = get(&sandbox, &format!("/v1/plans?{query}"))
            .bad_request()
            .await;
        assert!(message.contains(words), "{query}: {message}");
    }
}

#[tokio::test]
async fn a_plan_is_read_with_its_product() {
    let sandbox = plain().await;
    let path = format!("/v1/plans/{}", sample::REFRIGERATOR_PLAN_5_YEARS);
    let read = get(&sandbox, &path).success().await;
    assert_eq!(read["plan"]["termLength"], 60);
    assert_eq!(read["product"]["referenceId"], sample::PRODUCT_REFRIGERATOR);
    assert_eq!(read["product"].as_object().unwrap().len(), 7);
    get(&sandbox, "/v1/plans/plan-none").refused(404).await;
}

#[tokio::test]
async fn linking_a_plan_shows_in_reads_and_in_the_store_listing() {
    let sandbox = plain().await;
    let path = format!("/v1/plans/{}", sample::REFRIGERATOR_PLAN_10_YEARS);
    let put = |body: Value| request(&sandbox, "PUT", &path).json(&body);
    let linked = put(json!({ "storeReferenceId": "店-10年" }))
        .success()
        .await;
    assert_eq!(linked["storeReferenceId"], "店-10年");
    let read = get(&sandbox, &path).success().await;
    assert_eq!(read["plan"], linked);
    let in_store = list(&sandbox, sample::PRODUCT_REFRIGERATOR, "LiveInStore")
        .success()
        .await;
    assert_eq!(ids(&in_store).len(), 3);
    put(json!({})).bad_request().await;
    put(json!({ "storeReferenceId": 1 })).bad_request().await;
    let none =
        request(&sandbox, "PUT", "/v1/plans/plan-none").json(&json!({ "storeReferenceId": "x" }));
    none.refused(404).await;
}

#[tokio::test]
async fn ids_in_the_path_are_percent_decoded() {
    let sandbox = plain().await;
    let encoded = sample::REFRIGERATOR_PLAN_5_YEARS.replace('-', "%2D");
    get(&sandbox, &format!("/v1/plans/{encoded}"))
        .success()
        .await;
}
