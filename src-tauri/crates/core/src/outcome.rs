//! What a failed call means for those who may repeat it: the first table of the reliability rules,
//! for a request that carries one thing. And the pause before a repeat.

use std::time::Duration;

use warranty_api::Error;

use crate::Desk;

/// Longest pause before the first repeat; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(400);

/// What is known of a call that did not succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing left this machine.
    NotSent,
    /// 401, 403 or 429 with an error object: nothing was done.
    Declined,
    /// The service names what is wrong: nothing was done, and the same again changes nothing.
    Rejected,
    /// It may have been done.
    Unknown,
}

impl Outcome {
    /// Reads a failure.
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            _ if error.leaves_doubt() => Self::Unknown,
            Error::NotSent(_) => Self::NotSent,
            Error::Refused {
                status: 401 | 403 | 429,
                ..
            } => Self::Declined,
            Error::Refused { .. } => Self::Rejected,
            Error::NoAnswer(_) | Error::Unreadable { .. } => Self::Unknown,
        }
    }
}

impl Desk {
    /// Whether this process may repeat a request now: the outbox's budget is that of all.
    pub(crate) fn may_repeat(&self) -> bool {
        let now = self.inner.clock.monotonic();
        self.inner.outbox.grants_repeat(now)
    }

    /// Waits before a quick repeat, the first being number 0: backoff with full jitter.
    pub(crate) async fn pause(&self, repeat: u32) {
        let longest = FIRST_PAUSE.saturating_mul(1 << repeat.min(4));
        tokio::time::sleep(longest.mul_f64(self.inner.ids.fraction())).await;
    }
}

#[cfg(test)]
mod tests {
    use warranty_api::{NoAnswer, NotSent, ServiceError, Unreadable};

    use super::*;

    fn refused(status: u16) -> Error {
        Error::Refused {
            status,
            error: ServiceError {
                request_id: "r".to_owned(),
                code: "c".to_owned(),
                error: "e".to_owned(),
            },
            retry_after: None,
        }
    }

    #[test]
    fn only_what_certainly_changed_nothing_is_called_so() {
        for (error, outcome) in [
            (Error::NotSent(NotSent::Tls), Outcome::NotSent),
            (Error::NoAnswer(NoAnswer::Timeout), Outcome::Unknown),
            (
                Error::Unreadable {
                    status: 400,
                    reason: Unreadable::NotJson,
                },
                Outcome::Unknown,
            ),
            (refused(401), Outcome::Declined),
            (refused(403), Outcome::Declined),
            (refused(429), Outcome::Declined),
            (refused(400), Outcome::Rejected),
            (refused(200), Outcome::Rejected),
            (refused(404), Outcome::Rejected),
            (refused(302), Outcome::Unknown),
            (refused(500), Outcome::Unknown),
            (refused(503), Outcome::Unknown),
        ] {
            assert_eq!(Outcome::of(&error), outcome, "{error}");
        }
    }
}
