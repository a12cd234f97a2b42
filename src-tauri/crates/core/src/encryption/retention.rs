//! Customers are kept for a time and then deleted: at opening, and once a day while the desk runs.
//!
//! Owns that a clock which jumped deletes nothing: the time it shows is believed a day later, when
//! it still fits.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::Encryption;
use crate::Error;
use crate::settings::USUAL_RETENTION_DAYS;
use warranty_store::retention::{Forgotten, Limits, Look};

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;

/// A rejected entry keeps its customer until a person has decided about it, and so long at most.
const UNDECIDED: i64 = 365 * DAY;
/// A look is due so long after the last one; a little less than a day, so that a desk opened each
/// morning looks each morning.
const DUE_AFTER: i64 = 20 * HOUR;
/// A clock this far ahead of the last look may be wrong. Nobody's desk rests longer by plan than
/// over a month's leave.
const JUMP_AHEAD: i64 = 35 * DAY;
/// A clock this far behind the last look is wrong, or was.
const JUMP_BACK: i64 = DAY;
/// How often a desk that runs sees whether a look is due.
const SEE_AGAIN: Duration = Duration::from_secs(60 * 60);

/// What a look at the clock leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// It is not due.
    Rest,
    /// The clock is looked at for the first time: it is believed a day later.
    First(Look),
    /// The clock jumped: it is believed a day later, if it goes on from there.
    Jumped(Look),
    /// What is over may be forgotten.
    Forget(Look),
}

fn turn(last: Option<Look>, now: i64) -> Turn {
    let anew = Look {
        at: now,
        not_before: now.saturating_add(DUE_AFTER),
    };
    let Some(last) = last else {
        return Turn::First(anew);
    };
    let passed = now.saturating_sub(last.at);
    if !(-JUMP_BACK..=JUMP_AHEAD).contains(&passed) {
        Turn::Jumped(anew)
    } else if passed < DUE_AFTER || now < last.not_before {
        Turn::Rest
    } else {
        Turn::Forget(Look { at: now, ..last })
    }
}

impl Encryption {
    /// Forgets what is over, if a look is due. What cannot be done now is done at the next look.
    pub(crate) async fn forget_when_due(&self) {
        if self.context.read_only
            || !self
                .keys
                .sees_again(self.context.clock.monotonic(), SEE_AGAIN)
        {
            return;
        }
        match self.forget_what_is_over().await {
            Ok(Forgotten { customers: 0, .. }) => {}
            Ok(forgotten) => tracing::info!(customers = forgotten.customers, "customers forgotten"),
            Err(error) => tracing::warn!(%error, "nothing could be forgotten now"),
        }
        if let Err(error) = self.forget_old_files().await {
            tracing::warn!(%error, "old files could not be deleted now");
        }
    }

    /// From before this moment nothing of a customer is kept for its own sake: neither copies of the
    /// desk's file, nor what the practice service holds. `None` while the clock is not believed.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn retention_cutoff(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let last = self.context.store.last_look().await?;
        let days = TimeDelta::days(self.retention_days().await?);
        let now = self.context.clock.now();
        let at = now.timestamp_millis();
        let believed = last.is_some_and(|last| {
            (-JUMP_BACK..=JUMP_AHEAD).contains(&at.saturating_sub(last.at)) && at >= last.not_before
        });
        Ok(now.checked_sub_signed(days).filter(|_| believed))
    }

    async fn retention_days(&self) -> Result<i64, Error> {
        let days = self.context.settings().await?.retention_days;
        Ok(i64::from(days.unwrap_or(USUAL_RETENTION_DAYS).max(1)))
    }

    async fn forget_old_files(&self) -> Result<(), Error> {
        let Some(before) = self.retention_cutoff().await? else {
            return Ok(());
        };
        let files = self.context.backups.forget_files(before).await?;
        if files > 0 {
            let said = format!("{files} files");
            self.context
                .journal_write("customers.filesForgotten", "desk.db", Some(&said))
                .await?;
        }
        Ok(())
    }

    async fn forget_what_is_over(&self) -> Result<Forgotten, Error> {
        let days = self.retention_days().await?;
        let now = self.context.clock.now().timestamp_millis();
        let subject = format!("{days} days");
        let store = &self.context.store;
        let last = store.last_look().await?;
        match turn(last, now) {
            Turn::Rest => {}
            Turn::First(look) => store.keep_look(last, look, None).await?,
            Turn::Jumped(look) => {
                let said = Some("the clock jumped; it is looked at again");
                let line = self
                    .context
                    .journal_line("customers.forgettingPutOff", &subject, said);
                store.keep_look(last, look, Some(line)).await?;
            }
            Turn::Forget(look) => {
                let limits = Limits {
                    believed_from: now - JUMP_AHEAD,
                    before: now - days * DAY,
                    undecided_before: now - UNDECIDED,
                };
                let line = self
                    .context
                    .journal_line("customers.forgotten", &subject, None);
                return Ok(store.forget_expired(last, look, limits, line).await?);
            }
        }
        Ok(Forgotten::default())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn seen(at: i64) -> Option<Look> {
        Some(Look { at, not_before: 0 })
    }

    #[test]
    fn a_first_look_and_a_jump_forget_nothing_for_a_day() {
        let anew = Look {
            at: NOW,
            not_before: NOW + DUE_AFTER,
        };
        assert_eq!(turn(None, NOW), Turn::First(anew));
        for before in [NOW - 36 * DAY, NOW + 2 * DAY, i64::MIN, i64::MAX] {
            assert_eq!(turn(seen(before), NOW), Turn::Jumped(anew), "{before}");
        }
    }

    #[test]
    fn a_clock_that_goes_on_after_a_jump_is_believed_a_day_later() {
        let Turn::Jumped(look) = turn(seen(NOW - 400 * DAY), NOW) else {
            panic!("no jump");
        };
        assert_eq!(turn(Some(look), NOW + HOUR), Turn::Rest);
        assert!(matches!(turn(Some(look), NOW + DAY), Turn::Forget(_)));
        // It was wrong: the true time jumps back, and is believed a day later itself.
        assert!(matches!(turn(Some(look), NOW - 399 * DAY), Turn::Jumped(_)));
    }

    #[test]
    fn a_desk_that_rested_over_a_leave_looks_once_a_day() {
        assert!(matches!(turn(seen(NOW - 34 * DAY), NOW), Turn::Forget(_)));
        assert_eq!(turn(seen(NOW - 19 * HOUR), NOW), Turn::Rest);
        assert_eq!(turn(seen(NOW + HOUR), NOW), Turn::Rest);
    }
}
