//! A bare HTTP client: the floor of what sending can cost, and the bench's own questions.
//!
//! Keeps nothing, matches nothing, repeats nothing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::http::{Method, Request, header};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use crate::{Outcome, TOKEN};

/// Requests on their way at once, as many as the desk has.
pub const AT_ONCE: usize = 4;

/// A client for one service.
#[derive(Clone)]
pub struct Caller {
    client: Client<HttpConnector, Body>,
    address: String,
}

impl Caller {
    /// For the service at an address such as `http://127.0.0.1:1234`.
    pub fn new(address: &str) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            address: address.to_owned(),
        }
    }

    /// Makes a request and reads the whole answer.
    pub async fn call(&self, method: Method, path: &str, body: Bytes) -> Outcome<Bytes> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.address))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .header("X-Service-Auth-Token", TOKEN)
            .body(Body::from(body))?;
        let answer = self.client.request(request).await?;
        let status = answer.status();
        let body = axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await?;
        if status.is_success() {
            Ok(body)
        } else {
            Err(format!("{path} answered {status}").into())
        }
    }
}

/// Sends every line of a file as a bulk request, four at a time: the own floor.
pub async fn send_all(address: &str, bodies: &Path) -> Outcome<()> {
    let bodies: Vec<Bytes> = std::fs::read_to_string(bodies)?
        .lines()
        .map(|line| Bytes::from(line.to_owned()))
        .collect();
    let (bodies, next) = (Arc::new(bodies), Arc::new(AtomicUsize::new(0)));
    let caller = Caller::new(address);
    let senders: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (bodies, next, caller) = (bodies.clone(), next.clone(), caller.clone());
            tokio::spawn(async move {
                while let Some(body) = bodies.get(next.fetch_add(1, Ordering::Relaxed)) {
                    caller
                        .call(Method::POST, "/v1/contracts/bulk", body.clone())
                        .await?;
                }
                Outcome::Ok(())
            })
        })
        .collect();
    for sender in senders {
        sender.await??;
    }
    Ok(())
}
