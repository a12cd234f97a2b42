//! How long to wait before trying again, and how often this process may.

use std::time::Duration;

/// The first wait is somewhere below this.
const FIRST: Duration = Duration::from_secs(2);
/// No wait by itself is longer than this.
pub const LONGEST: Duration = Duration::from_secs(60);
/// Nobody is at the window when nobody did anything for so long.
pub const ALONE_AFTER: Duration = Duration::from_secs(5 * 60);
/// No wait is shorter than this.
const SHORTEST: Duration = Duration::from_millis(200);
/// Ceilings of the waits between the sends of a request of unknown outcome.
const IN_DOUBT: [Duration; 5] = [
    Duration::from_secs(5),
    Duration::from_secs(20),
    Duration::from_secs(60),
    Duration::from_secs(120),
    Duration::from_secs(240),
];
/// So long a service may still be at work on a request whose sender died.
const STILL_AT_WORK: Duration = Duration::from_secs(20);
/// After a wait that the service asked for, what was entered just now goes within this.
const SPREAD_NOW: Duration = Duration::from_secs(5);
/// Bounds of the time over which the rest is spread after such a wait.
const SPREAD_REST: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(10 * 60)];
/// The service may ask for a wait up to this.
const LONGEST_ASKED: Duration = Duration::from_secs(60 * 60);

/// A wait after so many failures in a row: doubling, capped, with full jitter (`fraction` in
/// `0.0..1.0` takes any part of it).
pub fn backoff(failures: u32, fraction: f64) -> Duration {
    let ceiling = ceiling(failures).min(LONGEST);
    ceiling.mul_f64(fraction.clamp(0.0, 1.0)).max(SHORTEST)
}

/// As [`backoff`], with another longest wait, of which a try to reach the service takes at least half.
pub fn backoff_within(longest: Duration, failures: u32, fraction: f64) -> Duration {
    let ceiling = ceiling(failures).min(longest);
    let least = if ceiling == longest { 0.5 } else { 0.0 };
    let part = least + (1.0 - least) * fraction.clamp(0.0, 1.0);
    ceiling.mul_f64(part).max(SHORTEST)
}

fn ceiling(failures: u32) -> Duration {
    FIRST.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(16)))
}

/// A wait before a request of unknown outcome is repeated, after it was sent so often: ceilings that let the
/// few repeats there are reach over the time in which repeating is safe, so that a service gone for
/// minutes is still asked once it is back. Full jitter.
pub fn after_unknown(sends: u32, fraction: f64) -> Duration {
    let index = usize::try_from(sends.saturating_sub(1)).unwrap_or(usize::MAX);
    let ceiling = IN_DOUBT[index.min(IN_DOUBT.len() - 1)];
    ceiling.mul_f64(fraction.clamp(0.0, 1.0)).max(SHORTEST)
}

/// A wait before a request is repeated that was in flight when its process died.
pub fn after_a_death(sends: u32, fraction: f64) -> Duration {
    STILL_AT_WORK + after_unknown(sends, fraction)
}

/// The wait that the service asked for, within bounds.
pub fn wish(retry_after: Duration) -> Duration {
    retry_after.clamp(SHORTEST, LONGEST_ASKED)
}

/// Added to a wait that the service asked for, for what a person entered just now. Many desks are
/// asked for the same wait, or for the same date: without it they return in the same second.
pub fn jitter_now(fraction: f64) -> Duration {
    SPREAD_NOW.mul_f64(fraction.clamp(0.0, 1.0))
}

/// The same for all other work: spread over a quarter of the wait, at least 30 seconds and at most
/// 10 minutes.
pub fn jitter_rest(wait: Duration, fraction: f64) -> Duration {
    let [least, most] = SPREAD_REST;
    (wait / 4)
        .clamp(least, most)
        .mul_f64(fraction.clamp(0.0, 1.0))
}

/// Repeats this process may make: a bucket that holds a few and fills slowly, so that a service in
/// trouble is not hit by everything that failed at once.
#[derive(Debug)]
pub struct Budget {
    left: f64,
    filled_at: Duration,
}

impl Budget {
    const HOLDS: f64 = 30.0;
    const PER_SECOND: f64 = 2.0;

    /// A full bucket. Times are of the monotonic clock.
    pub fn new(now: Duration) -> Self {
        Self {
            left: Self::HOLDS,
            filled_at: now,
        }
    }

    /// Takes one repeat, or says how long until there is one.
    pub fn take(&mut self, now: Duration) -> Result<(), Duration> {
        self.fill(now);
        if self.left >= 1.0 {
            self.left -= 1.0;
            Ok(())
        } else {
            Err(Duration::from_secs_f64(
                (1.0 - self.left) / Self::PER_SECOND,
            ))
        }
    }

    /// Reserves one repeat, if necessary one of the repeats to come, and returns how long
    /// until it is there.
    pub fn reserve(&mut self, now: Duration) -> Duration {
        self.fill(now);
        self.left -= 1.0;
        Duration::from_secs_f64((-self.left).max(0.0) / Self::PER_SECOND)
    }

    fn fill(&mut self, now: Duration) {
        let elapsed = now.saturating_sub(self.filled_at).as_secs_f64();
        self.left = (self.left + elapsed * Self::PER_SECOND).min(Self::HOLDS);
        self.filled_at = self.filled_at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_of_the_service_is_honoured_and_capped() {
        let wish = |seconds| wish(Duration::from_secs(seconds));
        assert_eq!(wish(30), Duration::from_secs(30));
        let an_hour = Duration::from_secs(3_600);
        assert_eq!((wish(3_600), wish(u64::MAX)), (an_hour, an_hour));
        assert_eq!(wish(0), SHORTEST);
    }

    #[test]
    fn desks_that_are_asked_for_the_same_wait_return_spread_over_a_quarter_of_it() {
        let rest = |wait, fraction| jitter_rest(Duration::from_secs(wait), fraction).as_secs();
        assert_eq!((rest(1_200, 0.0), rest(1_200, 0.5)), (0, 150));
        assert_eq!(
            (rest(1, 1.0), rest(1_200, 1.0), rest(3_600, 1.0)),
            (30, 300, 600)
        );
        assert_eq!(jitter_now(1.0), Duration::from_secs(5));
    }

    #[test]
    fn the_ceiling_of_waits_doubles_up_to_a_minute() {
        let ceilings: Vec<u64> = (1..8).map(|n| backoff(n, 1.0).as_secs()).collect();
        assert_eq!(ceilings, [2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(
            (backoff(u32::MAX, 1.0), backoff(1, 0.0)),
            (LONGEST, SHORTEST)
        );
    }

    #[test]
    fn a_try_to_reach_the_service_takes_at_least_half_of_its_longest_wait() {
        let longest = Duration::from_secs(300);
        let wait = |failures, fraction| backoff_within(longest, failures, fraction);
        assert_eq!((wait(20, 1.0), wait(20, 0.0)), (longest, longest / 2));
        assert_eq!(wait(3, 0.0), SHORTEST);
    }

    #[test]
    fn the_repeats_of_a_request_in_doubt_reach_over_the_window() {
        let ceilings: Vec<u64> = (1..=5).map(|n| after_unknown(n, 1.0).as_secs()).collect();
        assert_eq!(ceilings, [5, 20, 60, 120, 240]);
        assert_eq!(after_unknown(9, 1.0), after_unknown(5, 1.0));
        assert_eq!(after_unknown(5, 0.0), SHORTEST);
        let whole: u64 = ceilings.iter().sum();
        assert!((300..600).contains(&whole), "{whole} s of ten minutes");
    }

    #[test]
    fn a_burst_of_repeats_empties_the_budget_and_time_fills_it() {
        let start = Duration::from_secs(5);
        let mut budget = Budget::new(start);
        let granted = (0..1000).filter(|_| budget.take(start).is_ok()).count();
        assert_eq!(granted, 30);
        let wait = budget.take(start).unwrap_err();
        assert!(budget.take(start + wait).is_ok());
        assert!(budget.take(start + wait).is_err());
    }

    #[test]
    fn repeats_that_are_made_anyway_are_spread_over_the_time_to_come() {
        let start = Duration::from_secs(5);
        let mut budget = Budget::new(start);
        let waits: Vec<Duration> = (0..40).map(|_| budget.reserve(start)).collect();
        assert!(waits[..30].iter().all(Duration::is_zero));
        assert_eq!(waits[30], Duration::from_millis(500));
        assert_eq!(waits[39], Duration::from_secs(5));
        assert!(
            budget.take(start + Duration::from_secs(5)).is_err(),
            "what was reserved is gone for others too"
        );
    }
}
