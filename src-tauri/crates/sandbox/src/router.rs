//! Which path and method belong to which operation. Requests for anything else get an error object.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{Path, Request, State, rejection::PathRejection},
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post, put},
};

#[cfg(not(feature = "faults"))]
use crate::handler::respond;
use crate::request::{Incoming, Target};
use crate::{App, ErrorKind, ErrorResponse, Operation};
#[cfg(feature = "faults")]
use crate::{control, fault_handler::respond, header_checks::TokenSeen};

/// The routes of the interface and, with the feature `faults`, of the control endpoints.
pub(crate) fn router(app: Arc<App>) -> Router {
    let without_id = |operation| {
        move |State(app): State<Arc<App>>, request: Request| {
            handle(app, Ok((operation, String::new())), request)
        }
    };
    let with_id = |operation| {
        move |State(app): State<Arc<App>>,
              id: Result<Path<String>, PathRejection>,
              request: Request| { handle(app, target(operation, id), request) }
    };
    let routes = Router::new()
        .route(
            "/v1/contracts/bulk",
            post(without_id(Operation::BulkCreateContracts)),
        )
        .route(
            "/v1/contracts/{contractId}",
            get(with_id(Operation::GetContract)),
        )
        .route(
            "/v1/products/upsert",
            put(without_id(Operation::UpsertProduct)),
        )
        .route("/v1/plans", get(without_id(Operation::ListPlans)))
        .route(
            "/v1/plans/{planId}",
            get(with_id(Operation::GetPlan)).put(with_id(Operation::UpdatePlan)),
        )
        .route("/v1/leads", post(without_id(Operation::CreateLead)));
    #[cfg(feature = "faults")]
    let routes = routes.nest(
        "/_sandbox",
        control::endpoints()
            // A 405 would show a caller without the token that the path exists.
            .method_not_allowed_fallback(no_such_path)
            .route_layer(middleware::from_fn_with_state(
                Arc::clone(&app),
                require_token,
            )),
    );
    routes
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), check_host))
        .with_state(app)
}

/// Refuses requests whose `Host` is another one, before their body is read: with DNS rebinding, a web page can
/// make a browser on this computer connect here under the page's own host name.
async fn check_host(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let named = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if named.is_some_and(|host| names_listener(host, app.addr)) {
        return next.run(request).await;
    }
    StatusCode::MISDIRECTED_REQUEST.into_response()
}

/// Without the service's token a control endpoint answers like a path that does not exist.
#[cfg(feature = "faults")]
async fn require_token(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if TokenSeen::in_headers(request.headers(), &app.token) == TokenSeen::Present {
        return next.run(request).await;
    }
    no_such_path(State(app), request).await
}

/// Whether a `Host` names this listener: its address, or `localhost`, with its port.
fn names_listener(host: &str, addr: SocketAddr) -> bool {
    let port = format!(":{}", addr.port());
    // Clients leave the usual port out.
    let name = host.strip_suffix(&port).or((port == ":80").then_some(host));
    name.is_some_and(|name| name == "localhost" || format!("{name}{port}") == addr.to_string())
}

async fn handle(app: Arc<App>, target: Target, request: Request) -> Response {
    let incoming = Incoming::read(target, request, &app.token).await;
    respond(app, Arc::new(incoming)).await
}

fn target(operation: Operation, id: Result<Path<String>, PathRejection>) -> Target {
    let Path(id) = id.map_err(|rejection| {
        let why = rejection.body_text();
        ErrorResponse::bad_request(format!("the path is not readable: {why}"))
    })?;
    Ok((operation, id))
}

/// The answer to a path that the interface does not have.
async fn no_such_path(State(app): State<Arc<App>>, request: Request) -> Response {
    let error = ErrorResponse::not_found(format!("there is nothing at {}", request.uri().path()));
    handle(app, Err(error), request).await
}

async fn no_such_method(State(app): State<Arc<App>>, request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("{method} is not a method of {path}");
    let error = ErrorResponse::new(ErrorKind::METHOD_NOT_ALLOWED, message);
    handle(app, Err(error), request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_names_the_listener_with_its_port_or_without_the_usual_one() {
        for (addr, host, is_named) in [
            ("127.0.0.1:80", "127.0.0.1", true),
            ("127.0.0.1:80", "localhost", true),
            ("127.0.0.1:80", "127.0.0.1:80", true),
            ("[::1]:80", "[::1]", true),
            ("127.0.0.1:80", "sample.invalid", false),
            ("127.0.0.1:80", "127.0.0.1:8080", false),
            ("127.0.0.1:4010", "localhost:4010", true),
            ("127.0.0.1:4010", "127.0.0.1", false),
            ("127.0.0.1:4010", "localhost", false),
        ] {
            assert_eq!(
                names_listener(host, addr.parse().unwrap()),
                is_named,
                "{addr} {host}"
            );
        }
    }
}
