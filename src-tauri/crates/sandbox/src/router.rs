//! Which path and method belong to which operation; everything else gets the error object too.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{Path, Request, State, rejection::PathRejection},
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post, put},
};

use crate::{
    app::App,
    control,
    error_response::{ErrorKind, ErrorResponse},
    handler::{Target, handle},
    operation::Operation,
};

/// The routes of the interface and of the control endpoints.
pub(crate) fn router(app: Arc<App>) -> Router {
    let plain = |operation| {
        move |State(app): State<Arc<App>>, request: Request| {
            handle(
                app,
                Target::Operation {
                    operation,
                    id: String::new(),
                },
                request,
            )
        }
    };
    let with_id = |operation| {
        move |State(app): State<Arc<App>>,
              id: Result<Path<String>, PathRejection>,
              request: Request| { handle(app, target(operation, id), request) }
    };
    Router::new()
        .route(
            "/v1/contracts/bulk",
            post(plain(Operation::BulkCreateContracts)),
        )
        .route(
            "/v1/contracts/{contractId}",
            get(with_id(Operation::GetContract)),
        )
        .route("/v1/products/upsert", put(plain(Operation::UpsertProduct)))
        .route("/v1/plans", get(plain(Operation::ListPlans)))
        .route(
            "/v1/plans/{planId}",
            get(with_id(Operation::GetPlan)).put(with_id(Operation::UpdatePlan)),
        )
        .route("/v1/leads", post(plain(Operation::CreateLead)))
        .nest(control::PREFIX, control::router(&app))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), own_host))
        .with_state(app)
}

/// Refuses what was meant for another host, before anything of it is read or recorded: a page on the
/// network can make a browser on this computer connect here under the page's own name.
async fn own_host(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let named = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if named.is_some_and(|host| is_own(host, app.addr)) {
        return next.run(request).await;
    }
    StatusCode::MISDIRECTED_REQUEST.into_response()
}

/// Whether a `Host` names this listener: its address, or `localhost`, with its port.
fn is_own(host: &str, addr: SocketAddr) -> bool {
    host == addr.to_string()
        || host
            .strip_prefix("localhost:")
            .is_some_and(|port| port == addr.port().to_string())
}

fn target(operation: Operation, id: Result<Path<String>, PathRejection>) -> Target {
    match id {
        Ok(Path(id)) => Target::Operation { operation, id },
        Err(rejection) => Target::Nothing(ErrorResponse::bad_request(format!(
            "the path is not readable: {}",
            rejection.body_text()
        ))),
    }
}

async fn no_such_path(State(app): State<Arc<App>>, request: Request) -> Response {
    let error = ErrorResponse::not_found(format!("there is nothing at {}", request.uri().path()));
    handle(app, Target::Nothing(error), request).await
}

async fn no_such_method(State(app): State<Arc<App>>, request: Request) -> Response {
    if request.uri().path().starts_with(control::PREFIX) {
        // Says nothing about the control endpoints to a caller who may not have the token.
        return no_such_path(State(app), request).await;
    }
    let error = ErrorResponse::new(
        ErrorKind::MethodNotAllowed,
        format!(
            "{} is not a method of {}",
            request.method(),
            request.uri().path()
        ),
    );
    handle(app, Target::Nothing(error), request).await
}
