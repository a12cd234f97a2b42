//! What the work of one request ends in, before any of it is put on the wire.

use serde::Serialize;

use crate::error_response::ErrorResponse;

/// A complete answer: the truth, before a personality bends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Whether the body is an error object, so that only its status is remapped.
    pub(crate) refused: bool,
    /// JSON text.
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn success(value: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self {
            status: 200,
            refused: false,
            body: serde_json::to_string(value)?,
        })
    }

    pub(crate) fn error(error: &ErrorResponse) -> Self {
        Self {
            status: error.kind.status,
            refused: true,
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
