//! Deletes expired customers and files: at opening, and once a day while the desk runs.
//!
//! Owns the protection against a wrong clock: after a jump, nothing is deleted for a day that had not
//! expired at the check before it.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::Encryption;
use crate::Result;
use warranty_model::retention::{self, ClockCheck, DAY, Decision, JUMP_AHEAD, UNDECIDED};
use warranty_runtime::settings::USUAL_RETENTION_DAYS;
use warranty_store::retention::{Forgotten, Limits};

/// How often a running desk checks whether a deletion is due.
const SEE_AGAIN: Duration = Duration::from_secs(60 * 60);

impl Encryption {
    /// Deletes expired data, if a check is due, and returns how many customers were deleted. A
    /// deletion that fails is repeated at the next check.
    pub(crate) async fn delete_expired(&self) -> usize {
        let now = self.context.clock.monotonic();
        if self.context.read_only || !self.keys.is_check_due(now, SEE_AGAIN) {
            return 0;
        }
        let customers = match self.delete_expired_customers().await {
            Ok(deleted) => deleted.customers,
            Err(error) => {
                tracing::warn!(%error, "expired customers could not be deleted now");
                0
            }
        };
        if customers > 0 {
            self.context.customers_deleted().await;
            tracing::info!(customers, "customers deleted");
        }
        if let Err(error) = self.delete_expired_files().await {
            tracing::warn!(%error, "old files could not be deleted now");
        }
        customers
    }

    /// Backups, files set aside and practice data from before this time have expired. `None` before
    /// the first check of the clock.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn retention_cutoff(&self) -> Result<Option<DateTime<Utc>>> {
        let Some(last) = self.context.store.last_clock_check().await? else {
            return Ok(None);
        };
        let now = self.context.clock.now().timestamp_millis();
        let certain = if last.is_believed(now) {
            now
        } else {
            last.passed
        };
        let kept_for = self.retention_days().await? * DAY;
        Ok(DateTime::from_timestamp_millis(
            certain.saturating_sub(kept_for),
        ))
    }

    async fn retention_days(&self) -> Result<i64> {
        let days = self.context.settings().await?.retention_days;
        Ok(i64::from(days.unwrap_or(USUAL_RETENTION_DAYS).max(1)))
    }

    async fn delete_expired_files(&self) -> Result<()> {
        let Some(before) = self.retention_cutoff().await? else {
            return Ok(());
        };
        let files = self.context.backups.delete_files_before(before).await?;
        if files > 0 {
            let detail = format!("{files} files");
            self.context
                .journal_write("customers.filesForgotten", "desk.db", Some(&detail))
                .await?;
        }
        Ok(())
    }

    async fn delete_expired_customers(&self) -> Result<Forgotten> {
        let days = self.retention_days().await?;
        let now = self.context.clock.now().timestamp_millis();
        let subject = format!("{days} days");
        let store = &self.context.store;
        let last = store.last_clock_check().await?;
        match retention::check(last, now) {
            Decision::NotDue => {}
            Decision::First(look) => store.keep_clock_check(last, look, None).await?,
            Decision::Jumped(look) => {
                let (context, action) = (&self.context, "customers.forgettingPutOff");
                let said = Some("the clock jumped; it is looked at again");
                let line = context.journal_line(action, &subject, said);
                store.keep_clock_check(last, look, Some(line)).await?;
                // A desk opened once in many weeks sees only jumps. The clock has gone past the last
                // check, so what had expired by then is deleted.
                if let Some(last) = last.filter(|last| last.at < now) {
                    return self.forget_by(Some(look), look, last.at, days).await;
                }
            }
            Decision::Delete(look) => return self.forget_by(last, look, now, days).await,
        }
        Ok(Forgotten::default())
    }

    /// Deletes what had expired at a time, in milliseconds since 1970 UTC, and keeps a check.
    async fn forget_by(
        &self,
        last: Option<ClockCheck>,
        look: ClockCheck,
        at: i64,
        days: i64,
    ) -> Result<Forgotten> {
        let limits = Limits {
            believed_from: look.at - JUMP_AHEAD,
            before: at - days * DAY,
            undecided_before: at - UNDECIDED,
        };
        let subject = format!("{days} days");
        let context = &self.context;
        let line = context.journal_line("customers.forgotten", &subject, None);
        let store = &context.store;
        Ok(store.forget_expired(last, look, limits, line).await?)
    }
}
