//! What a failed call means: the table of answer classes, decided here once for every operation. And
//! the pause before a repeat.
//!
//! Owns what each answer to a request that carries one thing proves. A bulk request of several and
//! the matching of its items are the outbox's.

use std::time::Duration;

pub use warranty_model::call_outcome::{Hold, Outcome};

use crate::Desk;

/// Longest pause before the first repeat; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(400);

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
