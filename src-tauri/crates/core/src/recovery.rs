//! What became of a desk's file that was damaged, or put back from an older copy: what was set aside,
//! what is in its place, and what a person must look at. Shown until a person has seen it.
//!
//! Owns the words of the report. The work on the files is the store's.

pub use warranty_model::recovery::{RescueCause, RescueReport, RescueSummary, RescuedRow};

use crate::profile::Profile;
use crate::{Desk, Error};

impl Desk {
    /// What happened when the desk's file had to be replaced, the oldest first; `None` when it never
    /// had, or a person has seen every report.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn rescue(&self) -> Result<Option<RescueReport>, Error> {
        Ok(self.inner.store.unseen_report().await?)
    }

    /// A person has seen the report of this number. What it lists as cases stays with the cases.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when it cannot be kept.
    pub async fn rescue_seen(&self, number: u32) -> Result<(), Error> {
        self.writable()?;
        let line = self.journal_line("desk.rescueSeen", "desk.db", None);
        self.inner.store.mark_report_seen(number, line).await?;
        if let Some(profile) = self.current_profile().await? {
            self.tell_overview_later(&profile.id);
        }
        Ok(())
    }

    /// Refuses rows of a file as long as there is a report that no person has seen.
    pub(crate) async fn nothing_unseen(&self, profile: &Profile) -> Result<(), Error> {
        self.compare_with_keychain(profile).await?;
        match self.rescue_summary().await? {
            Some(_) => Err(Error::RescueNotSeen),
            None => Ok(()),
        }
    }

    /// The same report in short.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn rescue_summary(&self) -> Result<Option<RescueSummary>, Error> {
        Ok(self.inner.store.unseen_report_summary().await?)
    }
}
