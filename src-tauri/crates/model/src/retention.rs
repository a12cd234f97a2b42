//! When customers' data expires, and whether the clock can be trusted.

/// A check of the clock. Times are in milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockCheck {
    pub at: i64,
    /// Nothing that expired after `passed` is deleted before this time.
    pub not_before: i64,
    /// A time that has passed, whatever the clock says: the last check before it jumped ahead.
    pub passed: i64,
}

const HOUR: i64 = 60 * 60 * 1000;
/// A day in milliseconds.
pub const DAY: i64 = 24 * HOUR;

/// A rejected entry keeps its customer until a person has decided about it, but not longer than
/// this.
pub const UNDECIDED: i64 = 365 * DAY;
/// A check is due this long after the last one; a little less than a day, so that a desk opened each
/// morning checks each morning.
const DUE_AFTER: i64 = 20 * HOUR;
/// A clock this far ahead of the last check may be wrong: no desk is expected to be unused for
/// longer.
pub const JUMP_AHEAD: i64 = 35 * DAY;
/// A clock this far behind the last check is wrong now, or was wrong then.
const JUMP_BACK: i64 = DAY;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    NotDue,
    /// The first check: the clock is trusted a day later.
    First(ClockCheck),
    /// The clock jumped: it is trusted a day later, if it does not jump again.
    Jumped(ClockCheck),
    /// Expired data may be deleted.
    Delete(ClockCheck),
}

/// The result of a check at `now`, after the last one.
pub fn check(last: Option<ClockCheck>, now: i64) -> Decision {
    let anew = ClockCheck {
        at: now,
        not_before: now.saturating_add(DUE_AFTER),
        passed: match last {
            Some(last) if last.at < now => last.at,
            Some(last) => last.passed.min(now),
            None => 0,
        },
    };
    let Some(last) = last else {
        return Decision::First(anew);
    };
    let passed = now.saturating_sub(last.at);
    if !(-JUMP_BACK..=JUMP_AHEAD).contains(&passed) {
        Decision::Jumped(anew)
    } else if passed < DUE_AFTER || now < last.not_before {
        Decision::NotDue
    } else {
        Decision::Delete(ClockCheck { at: now, ..last })
    }
}

impl ClockCheck {
    /// Whether the clock is trusted at `now`, after this check.
    pub fn is_believed(&self, now: i64) -> bool {
        (-JUMP_BACK..=JUMP_AHEAD).contains(&now.saturating_sub(self.at)) && now >= self.not_before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn seen(at: i64) -> Option<ClockCheck> {
        Some(ClockCheck {
            at,
            not_before: 0,
            passed: 1,
        })
    }

    #[test]
    fn a_first_look_and_a_jump_forget_nothing_newer_for_a_day() {
        let anew = |passed| ClockCheck {
            at: NOW,
            not_before: NOW + DUE_AFTER,
            passed,
        };
        assert_eq!(check(None, NOW), Decision::First(anew(0)));
        for (before, passed) in [
            (NOW - 36 * DAY, NOW - 36 * DAY),
            (NOW + 2 * DAY, 1),
            (i64::MIN, i64::MIN),
            (i64::MAX, 1),
        ] {
            let jumped = Decision::Jumped(anew(passed));
            assert_eq!(check(seen(before), NOW), jumped, "{before}");
        }
    }

    #[test]
    fn a_clock_that_goes_on_after_a_jump_is_believed_a_day_later() {
        let Decision::Jumped(look) = check(seen(NOW - 400 * DAY), NOW) else {
            panic!("no jump");
        };
        assert_eq!(check(Some(look), NOW + HOUR), Decision::NotDue);
        assert!(matches!(check(Some(look), NOW + DAY), Decision::Delete(_)));
        // It was wrong: the true time jumps back, and is believed a day later itself.
        assert!(matches!(
            check(Some(look), NOW - 399 * DAY),
            Decision::Jumped(_)
        ));
    }

    #[test]
    fn a_desk_that_rested_over_a_leave_looks_once_a_day() {
        assert!(matches!(
            check(seen(NOW - 34 * DAY), NOW),
            Decision::Delete(_)
        ));
        assert_eq!(check(seen(NOW - 19 * HOUR), NOW), Decision::NotDue);
        assert_eq!(check(seen(NOW + HOUR), NOW), Decision::NotDue);
    }
}
