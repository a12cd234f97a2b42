//! Error responses and the error object in their body (spec part 7). Knows nothing of why a request was refused.

use serde_json::json;
use uuid::Uuid;

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
