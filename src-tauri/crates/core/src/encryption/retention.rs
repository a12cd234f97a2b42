//! Customers are kept for a time and then deleted: at opening, and once a day while the desk runs.
//!
//! Owns that a clock which jumped deletes nothing: the time it shows is believed a day later, when
//! it still fits.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::Encryption;
use crate::Error;
use crate::settings::USUAL_RETENTION_DAYS;
use warranty_model::retention::{self, DAY, Decision, JUMP_AHEAD, UNDECIDED};
use warranty_store::retention::{Forgotten, Limits};

/// How often a desk that runs sees whether a look is due.
const SEE_AGAIN: Duration = Duration::from_secs(60 * 60);

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
        let last = self.context.store.last_clock_check().await?;
        let days = TimeDelta::days(self.retention_days().await?);
        let now = self.context.clock.now();
        let at = now.timestamp_millis();
        let believed = last.is_some_and(|last| last.is_believed(at));
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
        let last = store.last_clock_check().await?;
        match retention::check(last, now) {
            Decision::NotDue => {}
            Decision::First(look) => store.keep_clock_check(last, look, None).await?,
            Decision::Jumped(look) => {
                let said = Some("the clock jumped; it is looked at again");
                let line = self
                    .context
                    .journal_line("customers.forgettingPutOff", &subject, said);
                store.keep_clock_check(last, look, Some(line)).await?;
            }
            Decision::Delete(look) => {
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
