//! Listing, reading and linking of plans (spec 4.4 to 4.6).

use serde_json::{Value, json};
use warranty_sandbox::{Personality, sample};

use crate::client::{list, request, sandbox};

fn ids(plans: &Value) -> Vec<&str> {
    let plans = plans.as_array().unwrap().iter();
    plans.map(|plan| plan["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_listing_filters_by_display_flag_and_by_store_reference() {
    let sandbox = sandbox(Personality::default()).await;
    let refrigerator = sample::PRODUCT_REFRIGERATOR;
    let all = [
        sample::REFRIGERATOR_PLAN_3_YEARS,
        sample::REFRIGERATOR_PLAN_5_YEARS,
        sample::REFRIGERATOR_PLAN_10_YEARS,
    ];
    assert_eq!(
        ids(&list(&sandbox, refrigerator, "Any").send().await.success()),
        all
    );
    assert_eq!(
        ids(&list(&sandbox, refrigerator, "Live").send().await.success()),
        all
    );
    let linked = list(&sandbox, refrigerator, "LiveInStore")
        .send()
        .await
        .success();
    assert_eq!(ids(&linked), all[..2]);
    let hidden = sample::PRODUCT_NOT_DISPLAYED;
    assert_eq!(
        list(&sandbox, hidden, "Any")
            .send()
            .await
            .success()
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(
        list(&sandbox, hidden, "Live").send().await.success(),
        json!([])
    );
    assert_eq!(
        list(&sandbox, hidden, "LiveInStore")
            .send()
            .await
            .success()
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let without = list(&sandbox, sample::PRODUCT_WITHOUT_PLANS, "Any")
        .send()
        .await
        .success();
    assert_eq!(without, json!([]));
}

#[tokio::test]
async fn a_listing_without_status_shows_all_plans() {
    let sandbox = sandbox(Personality::default()).await;
    let path = format!(
        "/v1/plans?productId={}&storeId={}",
        sample::PRODUCT_NOT_DISPLAYED,
        sandbox.store_id()
    );
    let plans = request(&sandbox, "GET", &path).send().await.success();
    assert_eq!(plans.as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_listing_that_asks_for_something_else_is_a_bad_request() {
    let sandbox = sandbox(Personality::default()).await;
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
        let message = request(&sandbox, "GET", &format!("/v1/plans?{query}"))
            .send()
            .await
            .bad_request();
        assert!(message.contains(words), "{query}: {message}");
    }
}

#[tokio::test]
async fn a_plan_is_read_with_its_product() {
    let sandbox = sandbox(Personality::default()).await;
    let path = format!("/v1/plans/{}", sample::REFRIGERATOR_PLAN_5_YEARS);
    let read = request(&sandbox, "GET", &path).send().await.success();
    assert_eq!(read["plan"]["termLength"], 60);
    assert_eq!(read["product"]["referenceId"], sample::PRODUCT_REFRIGERATOR);
    assert_eq!(read["product"].as_object().unwrap().len(), 7);
    request(&sandbox, "GET", "/v1/plans/plan-none")
        .send()
        .await
        .refused(404);
}

#[tokio::test]
async fn linking_a_plan_shows_in_reads_and_in_the_store_listing() {
    let sandbox = sandbox(Personality::default()).await;
    let path = format!("/v1/plans/{}", sample::REFRIGERATOR_PLAN_10_YEARS);
    let put = |body: Value| request(&sandbox, "PUT", &path).json(&body);
    let linked = put(json!({ "storeReferenceId": "店-10年" }))
        .send()
        .await
        .success();
    assert_eq!(linked["storeReferenceId"], "店-10年");
    let read = request(&sandbox, "GET", &path).send().await.success();
    assert_eq!(read["plan"], linked);
    let in_store = list(&sandbox, sample::PRODUCT_REFRIGERATOR, "LiveInStore")
        .send()
        .await
        .success();
    assert_eq!(ids(&in_store).len(), 3);
    put(json!({})).send().await.bad_request();
    put(json!({ "storeReferenceId": 1 }))
        .send()
        .await
        .bad_request();
    let none =
        request(&sandbox, "PUT", "/v1/plans/plan-none").json(&json!({ "storeReferenceId": "x" }));
    none.send().await.refused(404);
}

#[tokio::test]
async fn ids_in_the_path_are_percent_decoded() {
    let sandbox = sandbox(Personality::default()).await;
    let encoded = sample::REFRIGERATOR_PLAN_5_YEARS.replace('-', "%2D");
    request(&sandbox, "GET", &format!("/v1/plans/{encoded}"))
        .send()
        .await
        .success();
}
