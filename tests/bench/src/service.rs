//! A service that answers at once, or after a set time: it checks nothing and keeps what it was sent
//! in memory, so that what is measured against it is the caller.
//!
//! Owns the answers' form, written from the interface, and the count of what was received.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Outcome, catalogue, report, sales};

/// What arrived since it began, or since it was told to begin anew.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Received {
    /// Contracts in bulk requests.
    pub contracts: u32,
    /// Transactions among them, each counted once.
    pub transactions: u32,
}

#[derive(Default)]
struct Kept {
    contracts: Vec<String>,
    transactions: HashSet<String>,
}

#[derive(Clone)]
struct Shared {
    kept: Arc<Mutex<Kept>>,
    delay: Duration,
}

impl Shared {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Deserialize)]
struct Asked<'a> {
    #[serde(borrow)]
    contracts: Vec<Item<'a>>,
}

/// Texts stay as they came, in their quotation marks.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    #[serde(borrow)]
    transaction_id: &'a RawValue,
    #[serde(borrow)]
    transaction_total: &'a RawValue,
    #[serde(borrow)]
    transaction_date: &'a RawValue,
    customer: Customer<'a>,
    product: Product<'a>,
    plan: Plan<'a>,
}

#[derive(Deserialize)]
struct Customer<'a> {
    #[serde(borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    email: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Product<'a> {
    #[serde(borrow)]
    reference_id: &'a RawValue,
    #[serde(borrow)]
    purchase_price: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Plan<'a> {
    #[serde(borrow)]
    plan_id: &'a RawValue,
    #[serde(borrow)]
    purchase_price: &'a RawValue,
}

/// Serves on a port of its own, says its address on standard output, and ends with standard input.
pub async fn serve(delay: Duration) -> Outcome<()> {
    let shared = Shared {
        kept: Arc::default(),
        delay,
    };
    let interface = Router::new()
        .route("/v1/contracts/bulk", post(create))
        .route("/v1/contracts/{id}", get(contract))
        .route("/v1/plans", get(plans))
        .route("/v1/plans/{id}", get(plan))
        .layer(middleware::from_fn_with_state(shared.clone(), late));
    let router = Router::new()
        .route("/received", get(received).delete(begin_anew))
        .merge(interface)
        .with_state(shared);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    report::say(&format!("http://{}", listener.local_addr()?))?;
    let listener = listener.tap_io(|stream| {
        // Without it an answer only comes a little later.
        let _ = stream.set_nodelay(true);
    });
    let asked_to_end = tokio::task::spawn_blocking(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    });
    tokio::select! {
        served = axum::serve(listener, router) => served?,
        ended = asked_to_end => ended?,
    }
    Ok(())
}

async fn late(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if !shared.delay.is_zero() {
        tokio::time::sleep(shared.delay).await;
    }
    next.run(request).await
}

async fn received(State(shared): State<Shared>) -> Json<Received> {
    let kept = shared.kept();
    let count = |length| u32::try_from(length).unwrap_or(u32::MAX);
    Json(Received {
        contracts: count(kept.contracts.len()),
        transactions: count(kept.transactions.len()),
    })
}

async fn begin_anew(State(shared): State<Shared>) -> StatusCode {
    *shared.kept() = Kept::default();
    StatusCode::NO_CONTENT
}

async fn create(State(shared): State<Shared>, body: Bytes) -> Response {
    let Ok(asked) = serde_json::from_slice::<Asked<'_>>(&body) else {
        return refused("the body is none");
    };
    let mut kept = shared.kept();
    let first = kept.contracts.len();
    for (number, item) in (first..).zip(&asked.contracts) {
        kept.contracts.push(contract_of(number, item));
        kept.transactions
            .insert(item.transaction_id.get().to_owned());
    }
    json(format!("[{}]", kept.contracts[first..].join(",")))
}

async fn contract(State(shared): State<Shared>, Path(id): Path<String>) -> Response {
    let number = id.strip_prefix("contract-").and_then(|it| it.parse().ok());
    let found = number.and_then(|number: usize| shared.kept().contracts.get(number).cloned());
    found.map_or_else(|| refused("there is no such contract"), json)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    product_id: String,
}

async fn plans(Query(Listing { product_id }): Query<Listing>) -> Response {
    json(if catalogue::has(&product_id) {
        catalogue::listing(&product_id)
    } else {
        format!("[{}]", plan_json(&sales::plan_of(&product_id)))
    })
}

async fn plan(Path(id): Path<String>) -> Response {
    let product = id
        .strip_prefix("plan-")
        .and_then(|rest| rest.strip_suffix("-36"));
    let Some(product) = product else {
        return refused("there is no such plan");
    };
    json(format!(
        "{{\"plan\":{},\"product\":{{\"id\":\"product-{product}\",\"referenceId\":\"{product}\",\
         \"title\":\"冷蔵庫 500L\",\"price\":{},\"imageUrl\":\"https://sample.invalid/{product}.jpg\",\
         {MADE}}}}}",
        plan_json(&id),
        sales::PRICE
    ))
}

const MADE: &str = "\"createdAt\":\"2026-11-01T10:00:00.000+09:00\",\
                    \"updatedAt\":\"2026-11-01T10:00:00.000+09:00\"";
const NO_ADDRESS: &str = "{\"postalNumber\":\"\",\"prefecture\":\"\",\"city\":\"\",\"address\":\"\",\
                          \"building\":\"\"}";

fn plan_json(id: &str) -> String {
    format!(
        "{{\"id\":\"{id}\",\"title\":\"延長保証 3年\",\"price\":{},\"termLength\":36,\
         \"serviceType\":\"repair\",\"protectionType\":\"extended\",\
         \"url\":\"https://sample.invalid/{id}\"}}",
        sales::FEE
    )
}

/// A contract with every field of the interface.
fn contract_of(number: usize, item: &Item<'_>) -> String {
    format!(
        "{{\"id\":\"contract-{number}\",\"inquiryCode\":\"INQ-{number:08}\",\
         \"transactionId\":{},\"transactionTotal\":{},\"transactionDate\":{},\
         \"customer\":{{\"id\":\"customer-{number}\",\"referenceId\":\"\",\"name\":{},\"email\":{},\
         \"phone\":\"\",\"billingAddress\":{NO_ADDRESS},\"shippingAddress\":{NO_ADDRESS}}},\
         \"product\":{{\"id\":\"product-{number}\",\"referenceId\":{},\"title\":\"冷蔵庫 500L\",\
         \"price\":{},\"imageUrl\":\"https://sample.invalid/p.jpg\",\"category\":\"家電\",\
         \"brand\":\"見本電機\",\"purchasePrice\":{},\"serialNumber\":\"\",{MADE}}},\
         \"plan\":{{\"id\":{},\"title\":\"延長保証 3年\",\"price\":{},\"termLength\":36,\
         \"serviceType\":\"repair\",\"protectionType\":\"extended\",\
         \"url\":\"https://sample.invalid/plan\"}},\
         \"store\":{{\"id\":\"store-1\",\"name\":\"見本店\",\"webSite\":\"https://sample.invalid\",\
         \"logoUrl\":\"https://sample.invalid/logo.png\"}},\
         \"isFulfilled\":false,\"status\":\"Active\",\"fraud\":false,\
         \"startedAt\":\"2026-11-20T00:00:00.000+09:00\",\"endedAt\":\"2029-11-20T00:00:00.000+09:00\",\
         {MADE}}}",
        item.transaction_id,
        item.transaction_total,
        item.transaction_date,
        item.customer.name,
        item.customer.email,
        item.product.reference_id,
        sales::PRICE,
        item.product.purchase_price,
        item.plan.plan_id,
        item.plan.purchase_price,
    )
}

fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

fn refused(why: &str) -> Response {
    let body =
        format!("{{\"requestId\":\"bench\",\"code\":\"BadRequestException\",\"error\":\"{why}\"}}");
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::BAD_REQUEST, kind, body).into_response()
}
