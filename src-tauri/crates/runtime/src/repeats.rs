//! Repeats of requests and of store writes: the shared budget, the pauses, rate limits.
//!
//! Owns how long to wait and how often to try. What an answer means is decided in `model`.

use warranty_model::interface::Error as ApiError;
use warranty_model::outbox::backoff;

use crate::StoreError;
use crate::context::Context;
use crate::work::lock;
use std::time::Duration;

pub use warranty_model::call_outcome::{Hold, Outcome};

/// Maximum pause before the first repeat; it doubles with each repeat.
const FIRST_PAUSE: Duration = Duration::from_millis(400);

/// Longest `Retry-After` to wait for while a person waits for the answer.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(2);

/// How often an outcome is written before the error is returned.
const WRITE_ATTEMPTS: u32 = 6;
const WRITE_RETRY_WAIT: Duration = Duration::from_secs(1);

impl Context {
    /// Takes one repeat from the budget that all services share, after this error; `false` when none
    /// is left now, or the service asked for more than a short wait.
    pub fn may_repeat(&self, error: &ApiError) -> bool {
        let now = self.clock.monotonic();
        error.retry_after().unwrap_or_default() <= MAX_RETRY_AFTER
            && lock(&self.work.budget).take(now).is_ok()
    }

    /// Waits before repeat number `repeat`, from 0: what the service asked for, and exponential backoff
    /// with full jitter.
    pub async fn pause(&self, repeat: u32, error: &ApiError) {
        let longest = FIRST_PAUSE.saturating_mul(1 << repeat.min(4));
        let asked = error.retry_after().unwrap_or_default();
        tokio::time::sleep(asked + longest.mul_f64(self.ids.fraction())).await;
    }

    /// Records the wait that an answer asked for when it declined a request for its rate, or one of
    /// our own, which grows with the tries, when it named none.
    pub fn keep_rate_limit(&self, profile_id: &str, error: &ApiError, tries: u32) {
        if Outcome::of(error) == Outcome::Declined(Hold::Rate) {
            let own = || backoff::backoff(tries, self.ids.fraction());
            let wait = error.retry_after().map_or_else(own, backoff::wish);
            self.keep_retry_after(profile_id, wait);
        }
    }

    /// Records a wait that a profile's service asked for.
    pub fn keep_retry_after(&self, profile_id: &str, wait: Duration) {
        let now = self.clock.monotonic();
        let fraction = self.ids.fraction();
        self.work.keep_retry_after(profile_id, wait, now, fraction);
    }
}

/// Writes an outcome and retries when the write fails, unless the store is closed.
pub async fn retry_write<T, F>(write: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut attempts = 1;
    loop {
        match write().await {
            Err(error) if attempts < WRITE_ATTEMPTS && !matches!(error, StoreError::Closed) => {
                tracing::error!(%error, "an outcome could not be written; trying again");
                attempts += 1;
                tokio::time::sleep(WRITE_RETRY_WAIT).await;
            }
            answer => return answer,
        }
    }
}
