//! The control endpoints under `/_sandbox`: the ledger, the recorded requests and the personality, over HTTP. Knows
//! nothing of who may call them, which `router` checks.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::State,
    response::{IntoResponse, Response},
    routing::{get, put},
};
use serde_json::{Value, json};

use crate::faults::{Personality, sales};
use crate::{Answer, App, ErrorResponse, Failure, Reply, lock};

/// The control endpoints, by their paths under `/_sandbox`.
pub(crate) fn endpoints() -> Router<Arc<App>> {
    Router::new()
        .route("/ledger", get(read_ledger))
        .route("/requests", get(read_requests))
        .route("/personality", put(set_personality))
}

async fn read_ledger(State(app): State<Arc<App>>) -> Result<Answer, Failure> {
    app.store
        .transact(|transaction| Answer::success(&sales(transaction)?))
        .await
}

async fn read_requests(State(app): State<Arc<App>>) -> Result<Answer, Failure> {
    Answer::success(&app.faults.request_log.summary())
}

/// The body is the name of a personality, or an object of those settings that differ from the default.
async fn set_personality(State(app): State<Arc<App>>, body: Bytes) -> Result<Answer, Failure> {
    let personality = personality(&body)?;
    lock(&app.faults.script).set_personality(personality);
    Answer::success(&json!({}))
}

fn personality(body: &[u8]) -> Result<Personality, ErrorResponse> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        ErrorResponse::bad_request(format!("the body is not readable: {error}"))
    })?;
    match value.as_str() {
        Some(name) => {
            Personality::named(name).map_err(|error| ErrorResponse::bad_request(error.to_string()))
        }
        None => serde_json::from_value(value)
            .map_err(|error| ErrorResponse::bad_request(format!("not a personality: {error}"))),
    }
}

/// No fault and no personality applies to the answers of the control endpoints.
impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        Reply::json(self).into_response()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        self.answer().into_response()
    }
}
