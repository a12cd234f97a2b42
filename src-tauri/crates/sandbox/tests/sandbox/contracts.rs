//! Bulk creation and lookup (spec 4.1, 4.2).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warranty_sandbox::{BulkFailure, Personality, Sandbox, Visibility, sample};

use crate::client::{behaving, bulk, get, plain, sale, sold};

fn with(mut sale: Value, pointer: &str, value: Value) -> Value {
    *sale.pointer_mut(pointer).unwrap() = value;
    sale
}

async fn look_up(sandbox: &Sandbox, id: &Value) -> crate::client::Reply {
    let path = format!("/v1/contracts/{}", id.as_str().unwrap());
    get(sandbox, &path).send().await
}

#[tokio::test]
async fn a_sale_becomes_a_contract_with_every_field_of_the_specification() {
    let sandbox = behaving(|it| it.visibility = Visibility::AfterMs(0)).await;
    let created = bulk(&sandbox, &[sale("T-1")]).success().await;
    let contract = &created[0];
    let names = |value: &Value| {
        let mut names: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(
        names(contract),
        "createdAt customer endedAt fraud id inquiryCode isFulfilled plan product startedAt status store \
         transactionDate transactionId transactionTotal updatedAt"
    );
    assert_eq!(
        names(&contract["customer"]),
        "billingAddress email id name phone referenceId shippingAddress"
    );
    assert_eq!(
        names(&contract["customer"]["billingAddress"]),
        "address building city postalNumber prefecture"
    );
    assert_eq!(
        names(&contract["product"]),
        "brand category createdAt id imageUrl price purchasePrice referenceId serialNumber title updatedAt"
    );
    assert_eq!(
        names(&contract["plan"]),
        "id price protectionType serviceType termLength title url"
    );
    assert_eq!(names(&contract["store"]), "id logoUrl name webSite");
    assert_eq!(contract["transactionDate"], "2025-06-01T13:45:10.250+09:00");
    assert_eq!(contract["endedAt"], "2028-06-01T13:45:10.250+09:00");
    assert_eq!(contract["customer"]["name"], "佐藤 花子");
    assert_eq!(
        &look_up(&sandbox, &contract["id"]).await.success(),
        contract
    );
}

#[tokio::test]
async fn the_ledger_says_what_was_sold_for_how_much_and_under_which_key() {
    let sandbox = plain().await;
    let created = bulk(&sandbox, &[sale("T-1")]).key("key-1").success().await;
    let ledger = sandbox.ledger().await.unwrap();
    assert_eq!(ledger.len(), 1);
    let sale = &ledger[0];
    assert_eq!(created[0]["id"], sale.contract_id.as_str());
    assert_eq!(sale.transaction_id, "T-1");
    assert_eq!(sale.transaction_total, 196_440);
    assert_eq!(sale.product_reference_id, sample::PRODUCT_REFRIGERATOR);
    assert_eq!(sale.product_purchase_price, 189_800);
    assert_eq!(sale.plan_id, sample::REFRIGERATOR_PLAN_3_YEARS);
    assert_eq!(sale.plan_purchase_price, 6_640);
    assert_eq!(sale.customer_email, "hanako.sato@sample.example");
    assert_eq!(sale.idempotency_key.as_deref(), Some("key-1"));
}

#[tokio::test]
async fn unknown_products_and_plans_and_plans_of_other_products_are_bad_requests() {
    let sandbox = plain().await;
    for (pointer, value, words) in [
        ("/product/referenceId", "2099999999999", "is not found"),
        ("/plan/planId", "plan-none", "is not found"),
        (
            "/product/referenceId",
            sample::PRODUCT_CAMERA,
            "is not offered for",
        ),
    ] {
        let wrong = with(sale("T-1"), pointer, json!(value));
        let message = bulk(&sandbox, &[sale("T-0"), wrong]).bad_request().await;
        assert!(
            message.contains(words) && message.contains("contracts[1]"),
            "{message}"
        );
    }
    assert!(sold(&sandbox).await.is_empty(), "all or nothing");
}

#[tokio::test]
async fn a_personality_may_create_only_some_contracts_of_a_request() {
    let wrong = || with(sale("T-1"), "/plan/planId", json!("plan-none"));
    for (bulk_failure, refused) in [
        (BulkFailure::PartialError, true),
        (BulkFailure::PartialCreated, false),
    ] {
        let sandbox = behaving(|it| it.bulk_failure = bulk_failure).await;
        let reply = bulk(&sandbox, &[sale("T-0"), wrong(), sale("T-2")])
            .send()
            .await;
        if refused {
            reply.refused(400);
        } else {
            assert_eq!(reply.success().as_array().unwrap().len(), 2);
        }
        assert_eq!(sold(&sandbox).await, ["T-0", "T-2"]);
    }
}

#[tokio::test]
async fn a_contract_is_found_only_after_the_delay_of_the_personality_in_force() {
    let delayed = Personality {
        visibility: Visibility::AfterMs(400),
        ..Personality::default()
    };
    let sandbox = crate::client::named("never-visible").await;
    let asked = Instant::now();
    let created = bulk(&sandbox, &[sale("T-1")]).success().await;
    let refused = look_up(&sandbox, &created[0]["id"]).await.refused(404);
    assert_eq!(refused.0, "NotFoundException");
    sandbox.set_personality(delayed);
    let found = loop {
        let reply = look_up(&sandbox, &created[0]["id"]).await;
        if reply.status == 200 {
            break reply;
        }
        assert!(asked.elapsed() < Duration::from_secs(20), "never visible");
    };
    assert!(asked.elapsed() >= Duration::from_millis(400));
    assert_eq!(found.success(), created[0]);
}
