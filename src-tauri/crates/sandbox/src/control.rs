//! The control endpoints under `/_sandbox/`: the ledger, the recorded requests, the personality and the
//! script, over HTTP. They want the service's token, and without it there is nothing to be seen here.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
    routing::{get, post, put},
};
use serde_json::{Value, json};

use crate::{
    app::App,
    error_response::{ErrorKind, ErrorResponse},
    faults::ScriptedFault,
    handler::{Target, handle},
    ledger,
    outcome::{Answer, Failure},
    personality::Personality,
    reply::Reply,
    request_log::TokenSeen,
};

/// Where the control endpoints are.
pub(crate) const PREFIX: &str = "/_sandbox";

/// Routes below [`PREFIX`].
pub(crate) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/ledger", get(read_ledger))
        .route("/requests", get(read_requests))
        .route("/personality", put(set_personality).get(read_personality))
        .route("/script", post(extend_script))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), hide))
}

/// Without the token, answers as any path that does not exist.
async fn hide(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if TokenSeen::in_headers(request.headers(), &app.token) == TokenSeen::Present {
        return next.run(request).await;
    }
    let error = ErrorResponse::not_found(format!("there is nothing at {}", request.uri().path()));
    handle(app, Target::Nothing(error), request).await
}

async fn read_ledger(State(app): State<Arc<App>>) -> Response {
    respond(
        app.store
            .transact(|transaction| Answer::success(&ledger::sales(transaction)?))
            .await,
    )
}

async fn read_requests(State(app): State<Arc<App>>) -> Response {
    respond(Answer::success(&app.request_log.summary()))
}

async fn read_personality(State(app): State<Arc<App>>) -> Response {
    respond(Answer::success(&*app.fault_script.personality()))
}

/// The body is the name of a personality, or an object of those settings that differ from the default.
async fn set_personality(State(app): State<Arc<App>>, body: Bytes) -> Response {
    respond(
        personality(&body)
            .map_err(Failure::from)
            .and_then(|personality| {
                app.fault_script.set_personality(personality);
                Answer::success(&json!({}))
            }),
    )
}

fn personality(body: &[u8]) -> Result<Personality, ErrorResponse> {
    let value: Value = read(body)?;
    match value.as_str() {
        Some(name) => {
            Personality::named(name).map_err(|error| ErrorResponse::bad_request(error.to_string()))
        }
        None => serde_json::from_value(value)
            .map_err(|error| ErrorResponse::bad_request(format!("not a personality: {error}"))),
    }
}

/// The body is an array of scripted faults, added to those still waiting.
async fn extend_script(State(app): State<Arc<App>>, body: Bytes) -> Response {
    let faults: Result<Vec<ScriptedFault>, ErrorResponse> = read(&body);
    respond(faults.map_err(Failure::from).and_then(|faults| {
        app.fault_script.extend_script(faults);
        Answer::success(&json!({}))
    }))
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ErrorResponse> {
    serde_json::from_slice(body)
        .map_err(|error| ErrorResponse::bad_request(format!("the body is not readable: {error}")))
}

/// Control answers are never bent by a personality.
fn respond(outcome: Result<Answer, Failure>) -> Response {
    let answer = outcome.unwrap_or_else(|failure| match failure {
        Failure::Refused(error) => Answer::error(&error),
        Failure::Database(_) | Failure::Encoding(_) | Failure::Interrupted => Answer::error(
            &ErrorResponse::new(ErrorKind::Internal, failure.to_string()),
        ),
    });
    Reply::of(answer, &Personality::default()).into_response()
}
