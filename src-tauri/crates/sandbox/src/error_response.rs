//! Refusals and the error object they become (spec part 7). Knows nothing of why something was refused.

use serde::Serialize;
use uuid::Uuid;

/// The kinds of error this service knows. Only `BadRequestException` is named by the specification; the
/// other codes and all status codes are this service's own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    Conflict,
    TooLarge,
    UnsupportedMediaType,
    TooManyRequests,
    Internal,
}

impl ErrorKind {
    pub(crate) fn status(self) -> u16 {
        match self {
            ErrorKind::BadRequest => 400,
            ErrorKind::Unauthorized => 401,
            ErrorKind::Forbidden => 403,
            ErrorKind::NotFound => 404,
            ErrorKind::MethodNotAllowed => 405,
            ErrorKind::NotAcceptable => 406,
            ErrorKind::Conflict => 409,
            ErrorKind::TooLarge => 413,
            ErrorKind::UnsupportedMediaType => 415,
            ErrorKind::TooManyRequests => 429,
            ErrorKind::Internal => 500,
        }
    }

    fn code(self) -> &'static str {
        match self {
            ErrorKind::BadRequest => "BadRequestException",
            ErrorKind::Unauthorized => "UnauthorizedException",
            ErrorKind::Forbidden => "ForbiddenException",
            ErrorKind::NotFound => "NotFoundException",
            ErrorKind::MethodNotAllowed => "MethodNotAllowedException",
            ErrorKind::NotAcceptable => "NotAcceptableException",
            ErrorKind::Conflict => "ConflictException",
            ErrorKind::TooLarge => "PayloadTooLargeException",
            ErrorKind::UnsupportedMediaType => "UnsupportedMediaTypeException",
            ErrorKind::TooManyRequests => "TooManyRequestsException",
            ErrorKind::Internal => "InternalServerErrorException",
        }
    }
}

/// Something the service will not do, with its reason in words.
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
        Self::new(ErrorKind::BadRequest, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// The error object as JSON text, with a fresh requestId.
    pub(crate) fn body(&self) -> String {
        let object = ErrorObject {
            request_id: Uuid::new_v4().to_string(),
            code: self.kind.code(),
            error: &self.message,
        };
        // Three strings always encode; the empty object keeps this free of a second error path.
        serde_json::to_string(&object).unwrap_or_else(|_| "{}".to_owned())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorObject<'a> {
    request_id: String,
    code: &'static str,
    error: &'a str,
}
