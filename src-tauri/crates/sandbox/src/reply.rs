//! An answer on its way to the wire: status, headers, body, and how the body is delivered.

use std::{convert::Infallible, io, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use futures::{StreamExt, stream};

use crate::{outcome::Answer, personality::Personality};

/// What goes on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Content-Length and Date excepted: the server adds those.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    pub(crate) delivery: Delivery,
}

/// How the body is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    Whole,
    /// This many bytes, then the connection ends although Content-Length promised all of them.
    CutAfter(usize),
    /// In pieces.
    Drip {
        chunk_bytes: usize,
        pause: Duration,
    },
}

impl Reply {
    /// The answer as JSON, with the status the personality gives it.
    pub(crate) fn of(answer: Answer, personality: &Personality) -> Self {
        let status = if answer.refused {
            personality.error_status.of(answer.status)
        } else {
            answer.status
        };
        Self::with_type("application/json", status, answer.body)
    }

    pub(crate) fn with_type(content_type: &str, status: u16, body: String) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            body,
            delivery: Delivery::Whole,
        }
    }

    pub(crate) fn into_response(self) -> Response {
        let length = self.body.len();
        let body = Bytes::from(self.body);
        let body = match self.delivery {
            Delivery::Whole => Body::from(body),
            Delivery::CutAfter(kept) => {
                let start = Ok(body.slice(..kept.min(length)));
                // The pause lets the start leave before the error ends the connection.
                let end = stream::once(async {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Err(io::Error::from(io::ErrorKind::ConnectionAborted))
                });
                Body::from_stream(stream::iter([start]).chain(end))
            }
            Delivery::Drip { chunk_bytes, pause } => {
                let chunks: Vec<Bytes> = body
                    .chunks(chunk_bytes.max(1))
                    .map(Bytes::copy_from_slice)
                    .collect();
                Body::from_stream(stream::iter(chunks).then(move |chunk| async move {
                    tokio::time::sleep(pause).await;
                    Ok::<_, Infallible>(chunk)
                }))
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = status(self.status);
        let headers = response.headers_mut();
        for (name, value) in &self.headers {
            // A header that cannot exist is left out: faults are written by hand.
            if let (Ok(name), Ok(value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_str(value),
            ) {
                headers.insert(name, value);
            }
        }
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        response
    }
}

fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number)
        .ok()
        .filter(|status| (200..600).contains(&status.as_u16()))
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
