//! What a failed call means: the table of answer classes, decided here once for every operation. And
//! the pause before a repeat.
//!
//! Owns what each answer to a request that carries one thing proves. A bulk request of several and
//! the matching of its items are the outbox's.

use warranty_model::interface::Error as ApiError;
use warranty_model::outbox::backoff;

use crate::StoreError;
use crate::context::Context;
use std::time::Duration;

pub use warranty_model::call_outcome::{Hold, Outcome};

/// Longest pause before the first repeat; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(400);

/// How often an outcome is tried to be written when the disk refuses.
const WRITES: u32 = 6;
/// The wait between those.
const WRITE_AGAIN: Duration = Duration::from_secs(1);

impl Context {
    /// Whether this process may repeat a request now: the outbox's budget is that of all.
    pub(crate) fn may_repeat(&self) -> bool {
        let now = self.clock.monotonic();
        self.work.grants_repeat(now)
    }

    /// Waits before a quick repeat, the first being number 0: backoff with full jitter.
    pub(crate) async fn pause(&self, repeat: u32) {
        let longest = FIRST_PAUSE.saturating_mul(1 << repeat.min(4));
        tokio::time::sleep(longest.mul_f64(self.ids.fraction())).await;
    }

    /// Keeps the wait that the answer to any request asked for, when it declined it for its rate.
    pub(crate) fn respect_rate(&self, profile_id: &str, error: &ApiError) {
        if Outcome::of(error) == Outcome::Declined(Hold::Rate)
            && let Some(asked) = error.retry_after()
        {
            self.asked_to_wait(profile_id, backoff::wish(asked));
        }
    }

    /// Keeps a wait that a profile's service asked for.
    pub(crate) fn asked_to_wait(&self, profile_id: &str, wait: Duration) {
        let now = self.clock.monotonic();
        self.work.asked_to_wait(profile_id, wait, now);
    }
}

/// Writes an outcome, again while the disk refuses.
pub(crate) async fn surely<T, F>(write: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut tries = 1;
    loop {
        match write().await {
            Err(error) if tries < WRITES && !matches!(error, StoreError::Closed) => {
                tracing::error!(%error, "an outcome could not be written; trying again");
                tries += 1;
                tokio::time::sleep(WRITE_AGAIN).await;
            }
            answer => return answer,
        }
    }
}
