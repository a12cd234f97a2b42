//! Whether a request of unknown outcome may go out once more with the same key.
//!
//! Owns the window in which a repeat is safe, and every condition for it.

use std::time::Duration;

use super::CaseReason;
use super::record::{Instant, Record, Route, State};
use crate::profile::ProviderFacts;

/// How long after the first send a repeat is safe while the provider has not said.
const REPLAY_WINDOW: Duration = Duration::from_secs(10 * 60);
/// How often a request of unknown outcome is sent at most without a person.
const MOST_SENDS: u32 = 6;
/// The longest time a request may take: the service may read it this long after it was sent.
const A_REQUEST_LASTS: Duration = Duration::from_secs(60);
/// A longer wait that the service asks for is cut, so that one repeat comes this long before the window closes.
const LAST_REPEAT: Duration = Duration::from_secs(10);
/// If wall clock and monotonic clock differ by more than this, the window counts as over.
const STEADY_WITHIN: Duration = Duration::from_secs(2);

/// Whether a request of unknown outcome may be repeated.
pub enum Repeat {
    Now,
    /// Not now, and later perhaps.
    Later,
    /// Only a person can allow it.
    Never,
}

/// Whether it may go out once more over this route now.
pub fn repeat(record: &Record, route: Route, facts: &ProviderFacts, now: Instant) -> Repeat {
    let open = window_left(record, facts, now).is_some() && record.sends < MOST_SENDS;
    match route {
        Route::Same if open || record.replay_granted => Repeat::Now,
        // The service may be reachable again while the window is open.
        Route::Unavailable if open => Repeat::Later,
        Route::Same | Route::Other | Route::Elsewhere | Route::Unavailable => Repeat::Never,
    }
}

/// Whether the provider is known to have kept the key from the first send until now: then what it
/// answers now is its answer to the first send as well, and nothing was made twice.
pub fn key_was_kept(record: &Record, facts: &ProviderFacts, now: Instant) -> bool {
    let kept = facts.key_replay_seconds.map(u64::from);
    kept.zip(since_first_sent(record, now))
        .is_some_and(|(kept, passed)| passed <= Duration::from_secs(kept))
}

/// Whether more than one attempt may have made what a person found once at the provider.
pub fn made_more_than_once(
    state: State,
    record: &Record,
    facts: &ProviderFacts,
    now: Instant,
) -> bool {
    // The last attempt of such a case was refused. For one contract it made nothing; for several it
    // may have made a part.
    let made_nothing =
        state == State::NeedsPerson(CaseReason::RejectedAfterUnknown) && record.size == 1;
    let may_have_made = record.sends.saturating_sub(u32::from(made_nothing));
    // An older file knows neither how often it was sent since, nor when first.
    record.first_sent.is_none() || may_have_made > 1 && !key_was_kept(record, facts, now)
}

/// The longest that a request of unknown outcome waits when the service asks for more: until its last
/// repeat, or, when that is over, until its window is, after which only a person can resolve it. `None`
/// when the window is over.
pub fn longest_wait(record: &Record, facts: &ProviderFacts, now: Instant) -> Option<Duration> {
    let left = window_left(record, facts, now)?;
    let until_last = left.saturating_sub(LAST_REPEAT);
    Some(if until_last.is_zero() {
        left + Duration::from_millis(1)
    } else {
        until_last
    })
}

/// How much longer a request may be repeated; `None` once its window is over, or when it is not known
/// how much time has passed.
fn window_left(record: &Record, facts: &ProviderFacts, now: Instant) -> Option<Duration> {
    window(facts).checked_sub(since_first_sent(record, now)?)
}

/// How long after the first send a repeat is safe.
fn window(facts: &ProviderFacts) -> Duration {
    facts.key_replay_seconds.map_or(REPLAY_WINDOW, |seconds| {
        // The repeat must be read while the key is remembered, not only be sent by then.
        Duration::from_secs(seconds.into()).saturating_sub(A_REQUEST_LASTS)
    })
}

/// How long ago it first left, where both clocks agree on it.
fn since_first_sent(record: &Record, now: Instant) -> Option<Duration> {
    let first = record.first_sent?;
    // A count from another start says nothing of how much time has passed.
    if first.counted_from != now.counted_from {
        return None;
    }
    let elapsed = now.mono.checked_sub(first.mono)?;
    let by_the_wall = i128::from(now.wall) - i128::from(first.wall);
    let by_the_count = i128::try_from(elapsed.as_millis()).unwrap_or(i128::MAX);
    let parted = (by_the_wall - by_the_count).unsigned_abs();
    (parted <= STEADY_WITHIN.as_millis()).then_some(elapsed)
}

#[cfg(test)]
#[path = "replay_window_tests.rs"]
mod tests;
