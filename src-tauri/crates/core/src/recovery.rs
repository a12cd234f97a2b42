//! Reports of a `desk.db` that was damaged or restored from an older copy.
//!
//! Owns whether the user has seen them. The store handles the files.

pub use warranty_model::recovery::{RescueCause, RescueReport, RescueSummary, RescuedRow};

use std::sync::Arc;

use crate::profile::Profile;
use crate::{Error, Result};
use warranty_runtime::context::Context;
use warranty_runtime::high_water::HighWater;
use warranty_runtime::overview::Overviews;

/// Reports of a replaced `desk.db`.
#[derive(Debug, Clone)]
pub struct Recovery {
    pub(crate) context: Arc<Context>,
    pub(crate) overviews: Overviews,
    pub(crate) high_water: HighWater,
}

impl Recovery {
    /// The unseen reports, oldest first; `None` when there are none.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn unseen(&self) -> Result<Option<RescueReport>> {
        Ok(self.context.store.unseen_report().await?)
    }

    /// Marks the report of this number as seen. Its cases stay open.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when it cannot be stored.
    pub async fn mark_seen(&self, number: u32) -> Result<()> {
        let context = &self.context;
        context.writable()?;
        let line = context.journal_line("desk.rescueSeen", "desk.db", None);
        context.store.mark_report_seen(number, line).await?;
        if let Some(profile) = context.current_profile().await? {
            self.overviews.notify_later(&profile.id);
        }
        Ok(())
    }

    /// Refuses the import of rows while there is an unseen report, or it is not certain for which store
    /// they are sold.
    pub(crate) async fn expect_seen(&self, profile: &Profile) -> Result<()> {
        self.context.expect_certain(profile)?;
        self.high_water.compare_with_keychain(profile).await?;
        match self.unseen_summary().await? {
            Some(_) => Err(Error::RescueNotSeen),
            None => Ok(()),
        }
    }

    /// A summary of the unseen reports.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn unseen_summary(&self) -> Result<Option<RescueSummary>> {
        Ok(self.context.store.unseen_report_summary().await?)
    }
}
