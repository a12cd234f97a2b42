//! The control endpoints under `/_sandbox`: the ledger, the recorded requests, the personality and the script,
//! over HTTP. They require the service's token; without it they answer like a path that does not exist.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
    routing::{get, post, put},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{action::ScriptedFault, ledger, personality::Personality};
use crate::{
    app::App,
    error_response::{ErrorKind, ErrorResponse},
    header_checks::TokenSeen,
    outcome::{Answer, Failure},
    reply::Reply,
    router::no_such_path,
};

/// Adds the control endpoints to the routes of the interface.
pub(crate) fn add_control_endpoints(routes: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    let endpoints = Router::new()
        .route("/ledger", get(read_ledger))
        .route("/requests", get(read_requests))
        .route("/personality", put(set_personality).get(read_personality))
        .route("/script", post(extend_script))
        // A 405 would tell a caller without the token that something is there.
        .method_not_allowed_fallback(no_such_path)
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(app),
            require_token,
        ));
    routes.nest("/_sandbox", endpoints)
}

async fn require_token(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if TokenSeen::in_headers(request.headers(), &app.token) == TokenSeen::Present {
        return next.run(request).await;
    }
    no_such_path(State(app), request).await
}

async fn read_ledger(State(app): State<Arc<App>>) -> Response {
    respond(
        app.store
            .transact(|transaction| Answer::success(&ledger::sales(transaction)?))
            .await,
    )
}

async fn read_requests(State(app): State<Arc<App>>) -> Response {
    respond(Answer::success(&app.faults.request_log.summary()))
}

async fn read_personality(State(app): State<Arc<App>>) -> Response {
    respond(Answer::success(&*app.faults.script.personality()))
}

/// The body is the name of a personality, or an object of those settings that differ from the default.
async fn set_personality(State(app): State<Arc<App>>, body: Bytes) -> Response {
    respond(
        personality(&body)
            .map_err(Failure::from)
            .and_then(|personality| {
                app.faults.script.set_personality(personality);
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
        app.faults.script.extend_script(faults);
        Answer::success(&json!({}))
    }))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ErrorResponse> {
    serde_json::from_slice(body)
        .map_err(|error| ErrorResponse::bad_request(format!("the body is not readable: {error}")))
}

/// No fault and no personality applies to the answers of the control endpoints.
fn respond(outcome: Result<Answer, Failure>) -> Response {
    let answer = outcome.unwrap_or_else(|failure| match failure {
        Failure::Refused(error) => Answer::error(&error),
        Failure::Database(_) | Failure::Encoding(_) | Failure::Interrupted => Answer::error(
            &ErrorResponse::new(ErrorKind::INTERNAL, failure.to_string()),
        ),
    });
    Reply::json(answer).into_response()
}
