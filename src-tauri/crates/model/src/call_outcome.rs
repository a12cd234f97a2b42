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

#[cfg(test)]
mod tests {
    use crate::interface::{NoAnswer, NotSent, Unreadable};

    use super::*;

    fn refused(status: u16, code: &str) -> Error {
        Error::Refused {
            status,
            error: ServiceError {
                request_id: "r".to_owned(),
                code: code.to_owned(),
                error: "e".to_owned(),
            },
            retry_after: None,
        }
    }

    fn unreadable(status: u16) -> Error {
        Error::Unreadable {
            status,
            reason: Unreadable::NotJson,
            retry_after: None,
        }
    }

    #[test]
    fn only_what_certainly_changed_nothing_is_called_so() {
        for (error, outcome) in [
            (Error::NotSent(NotSent::Tls), Outcome::NotSent),
            (Error::NoAnswer(NoAnswer::Timeout), Outcome::Unknown),
            (unreadable(400), Outcome::Unknown),
            // A page may come from a proxy: only the service itself refuses a token.
            (unreadable(401), Outcome::Unknown),
            (unreadable(403), Outcome::Unknown),
            (unreadable(503), Outcome::Unknown),
            (unreadable(429), Outcome::Declined(Hold::Rate)),
        ] {
            assert_eq!(Outcome::of(&error), outcome, "{error}");
        }
    }

    #[test]
    fn a_refused_token_and_a_rate_limit_decline_whatever_the_code() {
        for code in [BAD_REQUEST, "Whatever"] {
            for (status, hold) in [(401, Hold::Token), (403, Hold::Token), (429, Hold::Rate)] {
                let outcome = Outcome::of(&refused(status, code));
                assert_eq!(outcome, Outcome::Declined(hold), "{status} {code}");
            }
        }
    }

    #[test]
    fn only_a_bad_request_with_a_status_that_fits_is_rejected() {
        for status in [200, 204, 299, 400, 404, 408, 409, 422, 499] {
            let outcome = Outcome::of(&refused(status, BAD_REQUEST));
            assert_eq!(outcome, Outcome::Rejected, "{status}");
        }
        for (status, code) in [
            (302, BAD_REQUEST),
            (500, BAD_REQUEST),
            (503, BAD_REQUEST),
            (200, "InternalException"),
            (400, "ThrottlingException"),
            (404, "badrequestexception"),
            (408, "RequestTimeout"),
            (409, "RequestInProgress"),
        ] {
            let outcome = Outcome::of(&refused(status, code));
            assert_eq!(outcome, Outcome::Unknown, "{status} {code}");
        }
    }
}
