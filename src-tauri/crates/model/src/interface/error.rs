//! Classifies a call that did not succeed by what may have happened at the service.
//!
//! Owns the classes; whether to repeat is decided by those who know the operation and its key.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An answer that could be read, with its HTTP status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    pub status: u16,
    pub value: T,
}

impl<T> Answer<T> {
    /// The value, if it is about what was asked; else the answer says nothing of it.
    ///
    /// # Errors
    /// [`Unreadable::OtherShape`].
    pub fn about(self, asked: impl FnOnce(&T) -> bool) -> Result<T, Error> {
        if asked(&self.value) {
            return Ok(self.value);
        }
        Err(Error::Unreadable {
            status: self.status,
            reason: Unreadable::OtherShape,
            retry_after: None,
        })
    }
}

/// A call that did not succeed, classified by what may have happened at the service.
#[derive(Debug, Error)]
pub enum Error {
    /// The request never left this machine: nothing can have happened.
    #[error("not sent: {0}")]
    NotSent(NotSent),
    /// The request left and no whole answer came: it may have been processed.
    #[error("sent, and no answer: {0}")]
    NoAnswer(NoAnswer),
    /// An answer came that is not the service's: it may have been processed.
    #[error("answered with HTTP {status}, unreadable: {reason}")]
    Unreadable {
        status: u16,
        reason: Unreadable,
        /// `Retry-After` in seconds or as a date, turned into a wait from now.
        retry_after: Option<Duration>,
    },
    /// A well-formed error object, whatever the status.
    #[error("refused with HTTP {status}: {:?} ({:?})", .error.error, .error.code)]
    Refused {
        status: u16,
        error: ServiceError,
        /// `Retry-After` in seconds or as a date, turned into a wait from now.
        retry_after: Option<Duration>,
    },
}

impl Error {
    /// HTTP status of the answer, when one came.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::NotSent(_) | Self::NoAnswer(_) => None,
            Self::Unreadable { status, .. } | Self::Refused { status, .. } => Some(*status),
        }
    }

    /// The wait the service asked for, whatever the body of its answer was.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::NotSent(_) | Self::NoAnswer(_) => None,
            Self::Unreadable { retry_after, .. } | Self::Refused { retry_after, .. } => {
                *retry_after
            }
        }
    }

    /// What the service says of it in its own words.
    pub fn said(&self) -> Option<&ServiceError> {
        match self {
            Self::Refused { error, .. } => Some(error),
            Self::NotSent(_) | Self::NoAnswer(_) | Self::Unreadable { .. } => None,
        }
    }
}

/// Why nothing left this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NotSent {
    #[error("the host name could not be resolved")]
    Name,
    #[error("no connection could be made")]
    Connect,
    #[error("the proxy asks for a user and a password")]
    ProxyAuthentication,
    #[error("the proxy made no connection to the service")]
    ProxyRefused,
    /// By this computer's clock the certificate has expired or is not valid yet.
    #[error("by this computer's clock the certificate is not valid now")]
    CertificateTime,
    /// The TLS handshake failed: for instance an unknown authority or a wrong name.
    #[error("the secure connection could not be made")]
    Tls,
    #[error("no token is set")]
    NoToken,
    /// The request could not be put together, for instance a token that is no header value.
    #[error("the request could not be put together")]
    Unsendable,
}

impl NotSent {
    /// Whether the service could not be reached, as opposed to a request that could not be made.
    pub fn is_unreachable(self) -> bool {
        match self {
            Self::Name
            | Self::Connect
            | Self::ProxyAuthentication
            | Self::ProxyRefused
            | Self::CertificateTime
            | Self::Tls => true,
            Self::NoToken | Self::Unsendable => false,
        }
    }
}

/// How an answer failed to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NoAnswer {
    /// Time ran out after sending began.
    #[error("no answer in time")]
    Timeout,
    /// The connection broke after sending began, in the head or in the body.
    #[error("the connection broke")]
    Broken,
}

/// What is wrong with an answer that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Unreadable {
    /// A redirect: never followed, since it could carry the token to another host.
    #[error("a redirect to another address")]
    Redirect,
    #[error("larger than 2 MiB")]
    Oversized,
    /// A body that is not JSON, for instance a sign-in page of a network.
    #[error("not JSON")]
    NotJson,
    /// JSON, but neither the resource nor an error object.
    #[error("JSON of another shape")]
    OtherShape,
    /// The resource came with a status that is not 2xx.
    #[error("a status that contradicts the body")]
    Contradiction,
}

/// The error object of part 7.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceError {
    pub request_id: String,
    /// Kind of error, shown as it came.
    pub code: String,
    /// Message for people, shown as it came.
    pub error: String,
}
