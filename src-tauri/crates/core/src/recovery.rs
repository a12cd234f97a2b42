//! What became of a desk's file that was damaged, or put back from an older copy: what was set aside,
//! what is in its place, and what a person must look at. Shown until a person has seen it.
//!
//! Owns the words of the report. The work on the files is the store's.

pub use warranty_model::recovery::{RescueCause, RescueReport, RescueSummary, RescuedRow};

use std::sync::Arc;

use crate::Error;
use crate::context::Context;
use crate::high_water::HighWater;
use crate::overview::Overviews;
use crate::profile::Profile;

/// Reports of a desk's file that had to be replaced.
#[derive(Debug, Clone)]
pub struct Recovery {
    pub(crate) context: Arc<Context>,
    pub(crate) overviews: Overviews,
    pub(crate) high_water: HighWater,
}

impl Recovery {
    /// What happened when the desk's file had to be replaced, the oldest first; `None` when it never
    /// had, or a person has seen every report.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn unseen(&self) -> Result<Option<RescueReport>, Error> {
        Ok(self.context.store.unseen_report().await?)
    }

    /// A person has seen the report of this number. What it lists as cases stays with the cases.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when it cannot be kept.
    pub async fn mark_seen(&self, number: u32) -> Result<(), Error> {
        self.context.writable()?;
        let line = self
            .context
            .journal_line("desk.rescueSeen", "desk.db", None);
        self.context.store.mark_report_seen(number, line).await?;
        if let Some(profile) = self.context.current_profile().await? {
            self.overviews.notify_later(&profile.id);
        }
        Ok(())
    }

    /// Refuses rows of a file as long as there is a report that no person has seen.
    pub(crate) async fn expect_seen(&self, profile: &Profile) -> Result<(), Error> {
        self.high_water.compare_with_keychain(profile).await?;
        match self.unseen_summary().await? {
            Some(_) => Err(Error::RescueNotSeen),
            None => Ok(()),
        }
    }

    /// The same report in short.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn unseen_summary(&self) -> Result<Option<RescueSummary>, Error> {
        Ok(self.context.store.unseen_report_summary().await?)
    }
}
