//! Refusals and the error object they become (spec part 7). Knows nothing of why something was refused.

use serde::Serialize;
use uuid::Uuid;

/// The kinds of refusal this service knows. Only `BadRequestException` is named by the specification; the
/// other codes and all status codes are this service's own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
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

impl Kind {
    pub(crate) fn status(self) -> u16 {
        match self {
            Kind::BadRequest => 400,
            Kind::Unauthorized => 401,
            Kind::Forbidden => 403,
            Kind::NotFound => 404,
            Kind::MethodNotAllowed => 405,
            Kind::NotAcceptable => 406,
            Kind::Conflict => 409,
            Kind::TooLarge => 413,
            Kind::UnsupportedMediaType => 415,
            Kind::TooManyRequests => 429,
            Kind::Internal => 500,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Kind::BadRequest => "BadRequestException",
            Kind::Unauthorized => "UnauthorizedException",
            Kind::Forbidden => "ForbiddenException",
            Kind::NotFound => "NotFoundException",
            Kind::MethodNotAllowed => "MethodNotAllowedException",
            Kind::NotAcceptable => "NotAcceptableException",
            Kind::Conflict => "ConflictException",
            Kind::TooLarge => "PayloadTooLargeException",
            Kind::UnsupportedMediaType => "UnsupportedMediaTypeException",
            Kind::TooManyRequests => "TooManyRequestsException",
            Kind::Internal => "InternalServerErrorException",
        }
    }
}

/// Something the service will not do, with its reason in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Refusal {
    pub(crate) kind: Kind,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, message)
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
