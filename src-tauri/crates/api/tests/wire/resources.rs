//! Every field of every resource, as the service sends it (part 2).

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use warranty_api::{Amount, Contract, Lead, Plan, PlanWithProduct, Product, ServiceError};

fn address() -> Value {
    json!({
        "postalNumber": "100-0001",
        "prefecture": "東京都",
        "city": "千代田区",
        "address": "見本町1-2-3",
        "building": "見本ビル4階"
    })
}

fn contract_product() -> Value {
    json!({
        "id": "pr-1",
        "referenceId": "SKU-1",
        "title": "見本の冷蔵庫",
        "price": 98000,
        "imageUrl": "https://example.com/sku-1.png",
        "category": "冷蔵庫",
        "brand": "見本電機",
        "purchasePrice": 95000,
        "serialNumber": "SN-0001",
        "createdAt": "2026-11-01T00:00:00.000Z",
        "updatedAt": "2026-11-02T00:00:00.000Z"
    })
}

fn contract_plan() -> Value {
    json!({
        "id": "p-1",
        "title": "5年延長保証",
        "price": 20000,
        "termLength": 5,
        "serviceType": "repair",
        "protectionType": "extended",
        "url": "https://example.com/plans/p-1"
    })
}

fn contract() -> Value {
    json!({
        "id": "c-1",
        "inquiryCode": "INQ-1",
        "transactionId": "t-1",
        "transactionTotal": 118000,
        "transactionDate": "2026-11-21T10:00:00.250+09:00",
        "customer": {
            "id": "cu-1",
            "referenceId": "member-1",
            "name": "見本 太郎",
            "email": "taro@example.com",
            "phone": "03-0000-0000",
            "billingAddress": address(),
            "shippingAddress": address()
        },
        "product": contract_product(),
        "plan": contract_plan(),
        "store": {
            "id": "s-1",
            "name": "見本店",
            "webSite": "https://example.com",
            "logoUrl": "https://example.com/logo.png"
        },
        "isFulfilled": true,
        "status": "ACTIVE",
        "fraud": false,
        "startedAt": "2027-11-21T00:00:00.000+09:00",
        "endedAt": "2031-11-20T23:59:59.999+09:00",
        "createdAt": "2026-11-21T10:00:01.000+09:00",
        "updatedAt": "2026-11-21T10:00:02.000+09:00"
    })
}

fn plan() -> Value {
    let mut plan = contract_plan();
    plan["storeReferenceId"] = json!("W-5Y");
    plan
}

fn product() -> Value {
    json!({
        "id": "pr-1",
        "referenceId": "SKU-1",
        "title": "見本の冷蔵庫",
        "price": 98000,
        "imageUrl": "https://example.com/sku-1.png",
        "category": "冷蔵庫",
        "brand": "見本電機",
        "createdAt": "2026-11-01T00:00:00.000Z",
        "updatedAt": "2026-11-02T00:00:00.000Z",
        "plans": [plan()],
        "mfrWarranty": { "coverageDays": 365, "url": "https://example.com/warranty" }
    })
}

fn plan_with_product() -> Value {
    json!({
        "plan": plan(),
        "product": {
            "id": "pr-1",
            "referenceId": "SKU-1",
            "title": "見本の冷蔵庫",
            "price": 98000,
            "imageUrl": "https://example.com/sku-1.png",
            "createdAt": "2026-11-01T00:00:00.000Z",
            "updatedAt": "2026-11-02T00:00:00.000Z"
        }
    })
}

fn lead() -> Value {
    json!({
        "token": "lead-token-1",
        "transactionId": "t-1",
        "customer": { "email": "taro@example.com" },
        "product": contract_product(),
        "quantity": 1,
        "transactionDate": "2026-11-21T10:00:00.250+09:00",
        "status": "CREATED"
    })
}

#[track_caller]
fn assert_no_field_is_lost<T: DeserializeOwned + Serialize>(wire: &Value) {
    let read: T = serde_json::from_value(wire.clone()).unwrap();
    assert_eq!(&serde_json::to_value(read).unwrap(), wire);
}

#[test]
fn every_field_of_every_resource_is_read_and_kept() {
    assert_no_field_is_lost::<Contract>(&contract());
    assert_no_field_is_lost::<Product>(&product());
    assert_no_field_is_lost::<Plan>(&plan());
    assert_no_field_is_lost::<PlanWithProduct>(&plan_with_product());
    assert_no_field_is_lost::<Lead>(&lead());
    assert_no_field_is_lost::<ServiceError>(&json!({
        "requestId": "req-1",
        "code": "BadRequestException",
        "error": "Product not found"
    }));
}

/// Every address of a value inside `value`, as JSON pointers; the root is left out.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, v)| (name.clone(), v)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, v)| (index.to_string(), v))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (name, child) in children {
        let pointer = format!("{at}/{name}");
        pointers(child, &pointer, found);
        found.push(pointer);
    }
}

/// Spoils every single field in turn; the resource must stay legible unless we match on the field.
#[track_caller]
fn assert_only_these_matter<T: DeserializeOwned>(wire: &Value, mandatory: &[&str]) {
    let mut all = Vec::new();
    pointers(wire, "", &mut all);
    for pointer in &all {
        for wrong in [json!(null), json!({ "odd": [1] }), json!([[]]), json!(1.5)] {
            let mut spoilt = wire.clone();
            *spoilt.pointer_mut(pointer).unwrap() = wrong.clone();
            let legible = serde_json::from_value::<T>(spoilt).is_ok();
            assert_eq!(
                legible,
                !mandatory.contains(&pointer.as_str()),
                "{pointer} = {wrong}"
            );
        }
    }
    for pointer in mandatory {
        assert!(
            all.iter().any(|known| known == pointer),
            "no {pointer} here"
        );
    }
}

#[test]
fn only_what_we_match_on_can_make_a_resource_illegible() {
    assert_only_these_matter::<Contract>(
        &contract(),
        &[
            "/id",
            "/transactionId",
            "/customer",
            "/customer/email",
            "/product",
            "/product/referenceId",
            "/plan",
            "/plan/id",
        ],
    );
    assert_only_these_matter::<Product>(&product(), &["/referenceId"]);
    assert_only_these_matter::<Plan>(&plan(), &["/id"]);
    assert_only_these_matter::<PlanWithProduct>(&plan_with_product(), &["/plan", "/plan/id"]);
    assert_only_these_matter::<Lead>(&lead(), &["/token"]);
}

#[test]
fn absent_optional_fields_and_unknown_ones_are_tolerated() {
    let contract: Contract = serde_json::from_value(json!({
        "id": "c-1",
        "transactionId": "t-1",
        "customer": { "email": "taro@example.com" },
        "product": { "referenceId": "SKU-1" },
        "plan": { "id": "p-1", "storeReferenceId": "not expected here" },
        "addedLater": { "deep": [true] }
    }))
    .unwrap();
    assert_eq!(contract.inquiry_code, None);
    assert_eq!(contract.store, None);
    assert_eq!(contract.plan.title, None);
}

#[test]
fn an_id_that_is_empty_or_no_string_is_no_id() {
    for id in [json!(""), json!(" "), json!(".."), json!(7), json!(null)] {
        let mut wire = contract();
        wire["id"] = id.clone();
        assert!(serde_json::from_value::<Contract>(wire).is_err(), "{id}");
    }
}

#[test]
fn an_amount_too_large_to_be_shown_exactly_is_not_understood_rather_than_rounded() {
    for (number, expected) in [
        ("9007199254740991", Some(9_007_199_254_740_991)),
        ("9007199254740992", None),
        ("-9007199254740992", None),
        ("99999999999999999999999", None),
        ("1.5", None),
    ] {
        let plan: Plan =
            serde_json::from_str(&format!(r#"{{"id":"p-1","price":{number}}}"#)).unwrap();
        assert_eq!(plan.price.known().map(Amount::get), expected, "{number}");
    }
}

#[test]
fn an_illegible_plan_of_a_product_does_not_hide_the_others() {
    let mut wire = product();
    wire["plans"] = json!([{ "title": "no id" }, plan(), null, "odd"]);
    let product: Product = serde_json::from_value(wire).unwrap();
    let ids: Vec<&str> = product.plans.iter().map(|plan| plan.id.as_str()).collect();
    assert_eq!(ids, ["p-1"]);
}

#[test]
fn states_and_kinds_the_interface_does_not_list_are_shown_as_they_came() {
    let mut wire = contract();
    wire["status"] = json!("まだ知らない状態");
    wire["plan"]["serviceType"] = json!("SOMETHING_NEW");
    let contract: Contract = serde_json::from_value(wire).unwrap();
    assert_eq!(contract.status.known().as_deref(), Some("まだ知らない状態"));
    assert_eq!(contract.plan.service_type.as_deref(), Some("SOMETHING_NEW"));
}
