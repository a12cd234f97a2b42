//! Whether a request in doubt may go out once more with the same key. Pure.
//!
//! Owns the window in which a repeat is safe, and every condition for it.

use std::time::Duration;

use super::state::{Instant, Record, Route};
use crate::profile::ProviderFacts;

/// How long after the first send a repeat is safe while the provider has not said.
const REPLAY_WINDOW: Duration = Duration::from_secs(10 * 60);
/// A request in doubt leaves this machine at most so often by itself.
const MOST_SENDS: u32 = 6;
/// As long as a request may last: what is sent now may be read as late as this.
const A_REQUEST_LASTS: Duration = Duration::from_secs(60);
/// Wall clock and monotonic clock may part this far before the window counts as lost.
const STEADY_WITHIN: Duration = Duration::from_secs(2);

/// Whether a request in doubt may be repeated.
pub(super) enum Repeat {
    /// It may.
    Now,
    /// Not now, and later perhaps.
    Later,
    /// Only a person can allow it.
    Never,
}

/// Whether it may go out once more over this route now.
pub(super) fn repeat(record: &Record, route: Route, facts: &ProviderFacts, now: Instant) -> Repeat {
    let open = window_open(record, facts, now) && record.sends < MOST_SENDS;
    match route {
        Route::Same if open || record.replay_granted => Repeat::Now,
        // The way may come back while the window is open.
        Route::Unavailable if open => Repeat::Later,
        Route::Same | Route::Other | Route::Elsewhere | Route::Unavailable => Repeat::Never,
    }
}

fn window_open(record: &Record, facts: &ProviderFacts, now: Instant) -> bool {
    let Some(first) = record.first_sent else {
        return false;
    };
    // A count from another start says nothing of how much time has passed.
    if first.counted_from != now.counted_from {
        return false;
    }
    let Some(elapsed) = now.mono.checked_sub(first.mono) else {
        return false;
    };
    let by_the_wall = i128::from(now.wall) - i128::from(first.wall);
    let by_the_count = i128::try_from(elapsed.as_millis()).unwrap_or(i128::MAX);
    let parted = (by_the_wall - by_the_count).unsigned_abs();
    let window = facts.key_replay_seconds.map_or(REPLAY_WINDOW, |seconds| {
        // The repeat must be read while the key is remembered, not only be sent by then.
        Duration::from_secs(seconds.into()).saturating_sub(A_REQUEST_LASTS)
    });
    parted <= STEADY_WITHIN.as_millis() && elapsed <= window
}

#[cfg(test)]
#[path = "repeating_tests.rs"]
mod tests;
