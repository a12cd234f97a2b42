//! What a failed call means: the table of answer classes, decided here once for every operation.
//!
//! Owns what each answer to a request that carries one thing proves. A bulk request of several and
//! the matching of its items are the outbox's.

use crate::interface::{Error, ServiceError};

/// The one code the interface lists (part 7): a failure such as a product that is not found.
const BAD_REQUEST: &str = "BadRequestException";

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// A new token: 401 or 403.
    Token,
    /// A later time: 429.
    Rate,
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
