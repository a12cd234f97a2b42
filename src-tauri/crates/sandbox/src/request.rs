//! A request as it arrived: what its path asks for, its headers and its body. Knows nothing of how it is answered.

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::request::Parts,
};
use futures::StreamExt;

use crate::header_checks::{KEY_HEADER, TokenSeen};
use crate::{ErrorKind, ErrorResponse, Operation};

/// The longest accepted body in bytes. Ten contracts take a few kilobytes.
const BODY_LIMIT: usize = 1024 * 1024;

/// How many bytes of a longer body are still read and discarded, so that the caller gets to read the error.
const DRAIN_LIMIT: usize = 64 * 1024 * 1024;

/// The operation that a path and a method ask for, with the id from the path or an empty one; otherwise why there
/// is none.
pub(crate) type Target = Result<(Operation, String), ErrorResponse>;

/// A request whose body has been read.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) target: Target,
    pub(crate) parts: Parts,
    pub(crate) token: TokenSeen,
    pub(crate) key: Option<String>,
    /// The body; of one that is too long, the number of bytes read.
    pub(crate) body: Result<Bytes, usize>,
}

impl Incoming {
    pub(crate) async fn read(target: Target, request: Request, token: &str) -> Self {
        let (parts, body) = request.into_parts();
        Self {
            target,
            token: TokenSeen::in_headers(&parts.headers, token),
            key: parts
                .headers
                .get(KEY_HEADER)
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
            parts,
            body: read_body(body).await,
        }
    }

    /// The operation it asks for, if its path and method belong to one.
    #[cfg(feature = "faults")]
    pub(crate) fn operation(&self) -> Option<Operation> {
        let (operation, _) = self.target.as_ref().ok()?;
        Some(*operation)
    }

    pub(crate) fn body(&self) -> Result<&[u8], ErrorResponse> {
        self.body.as_deref().map_err(|_| {
            let message = format!("the body is longer than {BODY_LIMIT} bytes");
            ErrorResponse::new(ErrorKind::TOO_LARGE, message)
        })
    }

    pub(crate) fn id(&self) -> &str {
        self.target.as_ref().map_or("", |(_, id)| id)
    }
}

/// The body, or how many bytes of it were read when it is too long.
async fn read_body(body: Body) -> Result<Bytes, usize> {
    let mut bytes = Vec::new();
    let mut length = 0;
    let mut chunks = body.into_data_stream();
    while let Some(Ok(chunk)) = chunks.next().await {
        length += chunk.len();
        if length <= BODY_LIMIT {
            bytes.extend_from_slice(&chunk);
        } else if length > DRAIN_LIMIT {
            break;
        }
    }
    if length <= BODY_LIMIT {
        Ok(bytes.into())
    } else {
        Err(length)
    }
}
