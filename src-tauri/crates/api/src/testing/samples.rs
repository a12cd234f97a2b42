//! An answer of each operation with every field of part 2 in it, and each answer's way back to JSON.

use reqwest::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::{Shape, items, list, object, read};
use crate::transport::{Body, Reply};
use crate::{Contract, Error, Lead, Plan, PlanWithProduct, Product};

/// How bytes are read as an operation's answer, and written again as JSON.
pub type Reader = fn(u16, &[u8]) -> Result<Value, Error>;

/// The answer in these bytes, as JSON.
pub fn read_as<T: Serialize>(shape: Shape<T>, status: u16, body: &[u8]) -> Result<Value, Error> {
    let reply = Reply {
        status: StatusCode::from_u16(status).unwrap(),
        retry_after: None,
        date: None,
        body: Body::Whole(body.to_vec()),
    };
    Ok(serde_json::to_value(read(reply, shape)?.value).unwrap())
}

/// Name, whole answer and reader of each of the seven.
pub fn answers() -> Vec<(&'static str, Value, Reader)> {
    vec![
        (
            "createContracts",
            json!([contract(), contract()]),
            |status, body| read_as(items::<Contract>, status, body),
        ),
        ("getContract", contract(), |status, body| {
            read_as(object::<Contract>, status, body)
        }),
        ("upsertProduct", product(), |status, body| {
            read_as(object::<Product>, status, body)
        }),
        ("updatePlan", plan(), |status, body| {
            read_as(object::<Plan>, status, body)
        }),
        ("listPlans", json!([plan(), plan()]), |status, body| {
            read_as(list::<Plan>, status, body)
        }),
        (
            "getPlan",
            json!({"plan": plan(), "product": plan_product()}),
            |status, body| read_as(object::<PlanWithProduct>, status, body),
        ),
        ("createLead", lead(), |status, body| {
            read_as(object::<Lead>, status, body)
        }),
    ]
}

/// The error object of part 7.
pub fn error_object() -> Value {
    json!({"requestId": "req-1", "code": "BadRequestException", "error": "Product not found"})
}

fn address() -> Value {
    json!({
        "postalNumber": "000-0000", "prefecture": "見本県", "city": "見本市",
        "address": "1-2-3", "building": "見本ビル",
    })
}

pub fn contract() -> Value {
    let mut plan = plan();
    plan.as_object_mut().unwrap().remove("storeReferenceId");
    json!({
        "id": "c-1", "inquiryCode": "Q-1", "transactionId": "t-1", "transactionTotal": 118_000,
        "transactionDate": "2026-11-21T10:00:00.000+09:00",
        "customer": {
            "id": "k-1", "referenceId": "r-1", "name": "見本 太郎", "email": "taro@example.com",
            "phone": "00-0000-0000", "billingAddress": address(), "shippingAddress": address(),
        },
        "product": contract_product(),
        "plan": plan,
        "store": {
            "id": "s-1", "name": "見本店", "webSite": "https://store.example/",
            "logoUrl": "https://store.example/logo.png",
        },
        "isFulfilled": false, "status": "Active", "fraud": false,
        "startedAt": "2026-11-21T10:00:00.000+09:00", "endedAt": "2031-11-21T10:00:00.000+09:00",
        "createdAt": "2026-11-21T10:00:00.000+09:00", "updatedAt": "2026-11-21T10:00:00.000+09:00",
    })
}

fn contract_product() -> Value {
    let mut product = plan_product();
    let more = json!({
        "category": "冷蔵庫", "brand": "見本", "purchasePrice": 98_000, "serialNumber": "SN-1",
    });
    let fields = product.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    product
}

fn plan_product() -> Value {
    json!({
        "id": "q-1", "referenceId": "SKU-1", "title": "見本の冷蔵庫", "price": 98_000,
        "imageUrl": "https://example.com/sku-1.png",
        "createdAt": "2026-11-21T10:00:00.000+09:00", "updatedAt": "2026-11-21T10:00:00.000+09:00",
    })
}

pub fn plan() -> Value {
    json!({
        "id": "p-1", "storeReferenceId": "W-5Y", "title": "5年保証", "price": 20_000,
        "termLength": 5, "serviceType": "Repair", "protectionType": "Natural",
        "url": "https://plans.example/p-1",
    })
}

pub fn product() -> Value {
    let mut product = plan_product();
    let more = json!({
        "category": "冷蔵庫", "brand": "見本", "plans": [plan()],
        "mfrWarranty": {"coverageDays": 365, "url": "https://maker.example/"},
    });
    let fields = product.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    product
}

fn lead() -> Value {
    json!({
        "token": "lead-1", "transactionId": "t-1", "customer": {"email": "taro@example.com"},
        "product": contract_product(), "quantity": 1,
        "transactionDate": "2026-11-21T10:00:00.000+09:00", "status": "Open",
    })
}

/// Every address of a value inside `value`, as JSON pointers; the root is left out.
pub fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
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
