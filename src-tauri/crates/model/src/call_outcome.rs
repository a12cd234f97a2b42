//! What a failed call means: the table of answer classes, decided here once for every operation.
//!
//! Owns what each answer to a request that carries one thing proves. A bulk request of several and
//! the matching of its items are the outbox's.

use serde::{Deserialize, Serialize};

use crate::interface::{Error, NotSent, ServiceError, Unreadable};

/// The one code the interface lists (part 7): a failure such as a product that is not found.
pub(crate) const BAD_REQUEST: &str = "BadRequestException";

/// What is known of a call that did not succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing left this machine.
    NotSent,
    /// 401 or 403 with an error object, or 429 with any body: nothing was done.
    Declined(Hold),
    /// An error object with the code for a bad request and a 2xx or 4xx status: nothing was done,
    /// and the same again changes nothing.
    Rejected,
    /// It may have been done: every other answer, or none. An error object with another code or
    /// status says nothing about what was done.
    Unknown,
}

/// What a declined request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Hold {
    /// A new token: 401 or 403.
    Token,
    /// A later time: 429.
    Rate,
}

/// What went wrong with a call. The text `failure.<name>` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CallFailure {
    NoNetwork,
    NotSecureConnection,
    ProxyAuthentication,
    ProxyRefused,
    CertificateTime,
    NoToken,
    Unsendable,
    NoAnswer,
    Unreadable,
    Redirected,
    TokenRefused,
    TooManyRequests,
    Refused,
    /// The service, or something in front of it, reports an error.
    ServiceFault,
    /// The service reports an error, and it is not known whether it did what was asked.
    UnclearError,
    /// The service reports an error that does not say that what was asked for is not there.
    ServiceError,
}

impl CallFailure {
    /// Of a call that changes something at the service, or only reads.
    pub fn of(changes: bool, error: &Error) -> Self {
        let outcome = Outcome::of(error);
        match error {
            _ if outcome == Outcome::Declined(Hold::Rate) => Self::TooManyRequests,
            Error::NotSent(NotSent::Name | NotSent::Connect) => Self::NoNetwork,
            Error::NotSent(NotSent::Tls) => Self::NotSecureConnection,
            Error::NotSent(NotSent::ProxyAuthentication) => Self::ProxyAuthentication,
            Error::NotSent(NotSent::ProxyRefused) => Self::ProxyRefused,
            Error::NotSent(NotSent::CertificateTime) => Self::CertificateTime,
            Error::NotSent(NotSent::NoToken) => Self::NoToken,
            Error::NotSent(NotSent::Unsendable) => Self::Unsendable,
            Error::NoAnswer(_) => Self::NoAnswer,
            Error::Unreadable { status: 500.., .. } => Self::ServiceFault,
            Error::Unreadable { reason, .. } => match reason {
                Unreadable::Redirect => Self::Redirected,
                Unreadable::Oversized
                | Unreadable::NotJson
                | Unreadable::OtherShape
                | Unreadable::Contradiction => Self::Unreadable,
            },
            Error::Refused { status, .. } => match outcome {
                Outcome::Declined(_) => Self::TokenRefused,
                Outcome::Unknown if *status >= 500 => Self::ServiceFault,
                Outcome::Unknown if changes => Self::UnclearError,
                Outcome::Unknown if *status != 404 => Self::ServiceError,
                Outcome::Unknown | Outcome::Rejected | Outcome::NotSent => Self::Refused,
            },
        }
    }
}

impl Outcome {
    pub fn of(error: &Error) -> Self {
        match error {
            Error::NotSent(_) => Self::NotSent,
            Error::NoAnswer(_) => Self::Unknown,
            Error::Unreadable { status: 429, .. } | Error::Refused { status: 429, .. } => {
                Self::Declined(Hold::Rate)
            }
            Error::Unreadable { .. } => Self::Unknown,
            Error::Refused {
                status: 401 | 403, ..
            } => Self::Declined(Hold::Token),
            Error::Refused {
                status: 200..=299 | 400..=499,
                error: ServiceError { code, .. },
                ..
            } if code == BAD_REQUEST => Self::Rejected,
            Error::Refused { .. } => Self::Unknown,
        }
    }
}
