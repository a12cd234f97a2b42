//! Deletes expired customers and files, at opening and while the desk runs.
//!
//! Once a day, what had expired at the previous check is deleted: a clock that is wrong for less than
//! 20 hours deletes nothing. Where the time since the machine's start is known, it must be a day by that as well.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::Encryption;
use crate::Result;
use warranty_runtime::settings::USUAL_RETENTION_DAYS;
use warranty_runtime::work::millis;
use warranty_store::retention::{DAY, Forgotten};
use warranty_store::settings::{RETENTION_CHECKED, RETENTION_PREVIOUS, RETENTION_SINCE_START};

/// How often a running desk checks whether a deletion is due.
const SEE_AGAIN: Duration = Duration::from_secs(60 * 60);
/// A check is due so many milliseconds after the last one; a little less than a day, so that a desk opened
/// each morning checks each morning.
const DUE_AFTER: i64 = 20 * 60 * 60 * 1000;

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

    /// Backups, files set aside and practice data from before this time had expired at the previous check.
    /// `None` while there is none.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn retention_cutoff(&self) -> Result<Option<DateTime<Utc>>> {
        let Some(previous) = self.checked_at(RETENTION_PREVIOUS).await? else {
            return Ok(None);
        };
        let kept_for = self.retention_days().await? * DAY;
        Ok(DateTime::from_timestamp_millis(
            previous.saturating_sub(kept_for),
        ))
    }

    async fn checked_at(&self, name: &'static str) -> Result<Option<i64>> {
        let at = self.context.store.setting(name).await?;
        Ok(at.and_then(|at| at.parse().ok()))
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
        let now = self.context.clock.now().timestamp_millis();
        let last = self.checked_at(RETENTION_CHECKED).await?;
        // At the first check, and when the clock says earlier than the last, there is no previous one.
        let previous = last.filter(|last| *last <= now);
        let clock = &self.context.clock;
        let start = clock.counted_from().map(|start| start.to_string());
        let since_start = start.map(|start| (start, millis(clock.monotonic())));
        let at_last = self.context.store.setting(RETENTION_SINCE_START).await?;
        let at_last: Option<(String, i64)> =
            at_last.and_then(|at_last| serde_json::from_str(&at_last).ok());
        let is_soon = since_start
            .as_ref()
            .zip(at_last.as_ref())
            .is_some_and(|(now, last)| now.0 == last.0 && now.1.saturating_sub(last.1) < DUE_AFTER);
        // A clock that has gone back is believed at once, so that no check stays in the future.
        if previous.is_some_and(|last| is_soon || now.saturating_sub(last) < DUE_AFTER) {
            return Ok(Forgotten::default());
        }
        let since_start = since_start.and_then(|now| serde_json::to_string(&now).ok());
        let days = self.retention_days().await?;
        let subject = format!("{days} days");
        let line = (self.context).journal_line("customers.forgotten", &subject, None);
        let store = &self.context.store;
        Ok(store
            .forget_expired(previous, now, days, since_start, line)
            .await?)
    }
}
