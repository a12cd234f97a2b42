//! A hostile service: whatever it is asked, every text of its answers is hostile.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::corpus::corpus;

/// The running service. It accepts any token.
pub struct HostileService {
    addr: SocketAddr,
    words: Arc<Words>,
}

struct Words {
    texts: Vec<String>,
    /// Which text answers that carry only one are made of.
    current: AtomicUsize,
}

impl HostileService {
    /// Product whose plans it has: one for each text of the corpus, `plan-0` and so on.
    pub const PRODUCT: &str = "2000000000015";

    pub async fn start() -> Self {
        let words = Arc::new(Words {
            texts: corpus()
                .iter()
                .filter_map(|hostile| hostile.text())
                .collect(),
            current: AtomicUsize::new(0),
        });
        let router = Router::new()
            .route("/v1/plans", get(plans))
            .route(
                "/v1/plans/{id}",
                get(plan_with_product).put(plan_with_product_put),
            )
            .route("/v1/contracts/bulk", post(refuses))
            .route("/v1/contracts/{id}", get(contract))
            .route("/v1/products/upsert", put(product))
            .route("/v1/leads", post(lead))
            .with_state(words.clone());
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("there is a free port");
        let addr = listener.local_addr().expect("it has an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { addr, words }
    }

    /// Address staff type in.
    pub fn address(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Answers with this text of the corpus from now on.
    pub fn says(&self, number: usize) {
        self.words.current.store(number, Ordering::SeqCst);
    }
}

impl Words {
    fn now(&self) -> &str {
        &self.texts[self.current.load(Ordering::SeqCst)]
    }

    /// The text an id such as `plan-12` or `contract-12` stands for.
    fn of(&self, id: &str) -> &str {
        let number = id
            .rsplit('-')
            .next()
            .and_then(|number| number.parse::<usize>().ok());
        &self.texts[number.unwrap_or_default() % self.texts.len()]
    }
}

fn plan_of(id: &str, text: &str) -> Value {
    json!({
        "id": id, "storeReferenceId": text, "title": text, "price": 1000, "termLength": 36,
        "serviceType": text, "protectionType": text, "url": text,
    })
}

fn product_of(text: &str) -> Value {
    json!({
        "id": text, "referenceId": HostileService::PRODUCT, "title": text, "price": 5000,
        "imageUrl": text, "category": text, "brand": text, "purchasePrice": 5000,
        "serialNumber": text, "createdAt": "2026-11-21T10:00:00.000+09:00",
        "updatedAt": "2026-11-21T10:00:00.000+09:00",
    })
}

fn address_of(text: &str) -> Value {
    json!({
        "postalNumber": text, "prefecture": text, "city": text, "address": text, "building": text,
    })
}

async fn plans(State(words): State<Arc<Words>>) -> Json<Value> {
    // Longer ones would not fit into one answer; they are read one by one.
    let short = words
        .texts
        .iter()
        .enumerate()
        .filter(|(_, text)| text.len() < 5_000);
    Json(
        short
            .map(|(number, text)| plan_of(&format!("plan-{number}"), text))
            .collect(),
    )
}

async fn plan_with_product(State(words): State<Arc<Words>>, Path(id): Path<String>) -> Json<Value> {
    let text = words.of(&id);
    Json(json!({ "plan": plan_of(&id, text), "product": product_of(text) }))
}

async fn plan_with_product_put(
    State(words): State<Arc<Words>>,
    Path(id): Path<String>,
) -> Json<Value> {
    Json(plan_of(&id, words.of(&id)))
}

async fn contract(State(words): State<Arc<Words>>, Path(id): Path<String>) -> Json<Value> {
    // As much of it as still fits into every field of one answer.
    let text: String = words.of(&id).chars().take(20_000).collect();
    let text = text.as_str();
    Json(json!({
        "id": id, "inquiryCode": text, "transactionId": text, "transactionTotal": 5000,
        "transactionDate": "2026-11-21T10:00:00.000+09:00",
        "customer": {
            "id": text, "referenceId": text, "name": text, "email": text, "phone": text,
            "billingAddress": address_of(text), "shippingAddress": address_of(text),
        },
        "product": product_of(text),
        "plan": plan_of("plan-0", text),
        "store": { "id": text, "name": text, "webSite": text, "logoUrl": text },
        "isFulfilled": false, "status": text, "fraud": false,
        "startedAt": "2026-11-21T10:00:00.000+09:00", "endedAt": "2029-11-21T10:00:00.000+09:00",
        "createdAt": "2026-11-21T10:00:00.000+09:00", "updatedAt": "2026-11-21T10:00:00.000+09:00",
    }))
}

async fn product(State(words): State<Arc<Words>>) -> Json<Value> {
    let text = words.now();
    let mut product = product_of(text);
    product["plans"] = json!([plan_of("plan-0", text)]);
    product["mfrWarranty"] = json!({ "coverageDays": 365, "url": text });
    Json(product)
}

async fn lead(State(words): State<Arc<Words>>, Json(asked): Json<Value>) -> Json<Value> {
    let text = words.now();
    Json(json!({
        "token": text, "transactionId": asked["transactionId"], "customer": { "email": text },
        "product": product_of(text), "quantity": asked["quantity"],
        "transactionDate": asked["transactionDate"], "status": text,
    }))
}

async fn refuses(State(words): State<Arc<Words>>) -> (StatusCode, Json<Value>) {
    let text = words.now();
    (
        StatusCode::BAD_REQUEST,
        Json(json!({ "requestId": text, "code": "BadRequestException", "error": text })),
    )
}
