//! The answer to a request: what an operation came to, the error object (spec part 7), and both as HTTP sees them.
//! Knows nothing of why a request was refused.

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

/// A complete answer to a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Whether the body is an error object.
    pub(crate) is_error: bool,
    /// JSON text.
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn success(value: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self {
            status: 200,
            is_error: false,
            body: serde_json::to_string(value)?,
        })
    }

    pub(crate) fn error(error: &ErrorResponse) -> Self {
        Self {
            status: error.kind.status,
            is_error: true,
            body: error.body(),
        }
    }
}

/// Why an operation has no successful answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Refused(#[from] ErrorResponse),
    #[error("the sandbox's database failed: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("an answer could not be encoded: {0}")]
    Encoding(#[from] serde_json::Error),
    #[error("the sandbox's database thread ended early")]
    Interrupted,
}

impl Failure {
    pub(crate) fn answer(&self) -> Answer {
        match self {
            Self::Refused(error) => Answer::error(error),
            Self::Database(_) | Self::Encoding(_) | Self::Interrupted => {
                Answer::error(&ErrorResponse::new(ErrorKind::INTERNAL, self.to_string()))
            }
        }
    }
}

/// A kind of error: its HTTP status and the `code` of the error object. The specification only names
/// `BadRequestException`; the other codes and every status are this service's own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErrorKind {
    pub(crate) status: u16,
    pub(crate) code: &'static str,
}

impl ErrorKind {
    pub(crate) const BAD_REQUEST: Self = Self::new(400, "BadRequestException");
    pub(crate) const UNAUTHORIZED: Self = Self::new(401, "UnauthorizedException");
    pub(crate) const NOT_FOUND: Self = Self::new(404, "NotFoundException");
    pub(crate) const METHOD_NOT_ALLOWED: Self = Self::new(405, "MethodNotAllowedException");
    pub(crate) const NOT_ACCEPTABLE: Self = Self::new(406, "NotAcceptableException");
    pub(crate) const CONFLICT: Self = Self::new(409, "ConflictException");
    pub(crate) const TOO_LARGE: Self = Self::new(413, "PayloadTooLargeException");
    pub(crate) const UNSUPPORTED_MEDIA_TYPE: Self = Self::new(415, "UnsupportedMediaTypeException");
    pub(crate) const INTERNAL: Self = Self::new(500, "InternalServerErrorException");

    pub(crate) const fn new(status: u16, code: &'static str) -> Self {
        Self { status, code }
    }
}

/// A request that the service refuses, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ErrorResponse {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

impl ErrorResponse {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::BAD_REQUEST, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NOT_FOUND, message)
    }

    /// The error object as JSON text, with a new requestId.
    pub(crate) fn body(&self) -> String {
        let request_id = Uuid::new_v4();
        json!({ "requestId": request_id, "code": self.kind.code, "error": self.message })
            .to_string()
    }
}

/// An HTTP response before it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Without Content-Length and Date, which the server adds.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(answer: Answer) -> Self {
        Self::with_type("application/json", answer.status, answer.body)
    }

    pub(crate) fn with_type(content_type: &str, status: u16, body: String) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            body,
        }
    }

    /// The same with one more header, if it has a value.
    #[cfg(feature = "faults")]
    pub(crate) fn with(mut self, name: &str, value: Option<String>) -> Self {
        self.headers
            .extend(value.map(|value| (name.to_owned(), value)));
        self
    }

    pub(crate) fn into_response(self) -> Response {
        let length = self.body.len();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = status(self.status);
        let headers = response.headers_mut();
        for (name, value) in &self.headers {
            // Scripts of faults are written by hand; a header that HTTP does not allow is left out.
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

/// A status that HTTP allows for a final response; 500 for all others.
fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number)
        .ok()
        .filter(|status| (200..600).contains(&status.as_u16()))
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
