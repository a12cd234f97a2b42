//! The result of one operation, before it becomes an HTTP response.

use serde::Serialize;

use crate::error_response::{ErrorKind, ErrorResponse};

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
