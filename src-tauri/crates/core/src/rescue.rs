//! What became of a desk's file that was damaged: what was set aside, what was restored, and what
//! a person must look at. Shown until somebody has seen it.
//!
//! Owns the words of the report. The work on the files is the store's.

use serde::{Deserialize, Serialize};
use warranty_api::Timestamp;

use crate::outbox::SubmissionState;
use crate::store::rescued;
use crate::{Desk, Error};

/// What happened when the desk's file had to be replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RescueReport {
    /// Counts up with every rescue of this file.
    pub number: u32,
    /// When.
    pub at: Timestamp,
    /// Name of the file set aside, in the data folder; `None` when it was gone.
    pub set_aside: Option<String>,
    /// When the copy was taken that stands in its place; `None` when there was none and the desk
    /// began anew.
    pub backup_taken_at: Option<Timestamp>,
    /// Entries that came back with the copy.
    pub restored_rows: u32,
    /// Whether every entry of the damaged file could be read. When not, entries made after the
    /// copy was taken may be missing here.
    pub complete: bool,
    /// Entries a person must look at: those that were not finished, those that the damaged file
    /// knew otherwise, and those that only it had.
    pub pending: Vec<RescuedRow>,
}

/// An entry of a damaged file, without its customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RescuedRow {
    /// The store's own number of the sale.
    pub transaction_id: String,
    /// The product.
    pub product_reference_id: String,
    /// The plan.
    pub plan_id: String,
    /// Where it stood last, as far as is known.
    pub state: SubmissionState,
    /// The contract's id, when it had one.
    pub contract_id: Option<String>,
    /// When it was entered; `None` when that could not be read.
    pub entered_at: Option<Timestamp>,
    /// Whether the copy has it: then it is at this desk, as a case when it was not finished there.
    /// Otherwise it is in this report alone.
    pub in_backup: bool,
}

/// The same in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RescueSummary {
    /// The number of the report.
    pub number: u32,
    /// When.
    pub at: Timestamp,
    /// Name of the file set aside.
    pub set_aside: Option<String>,
    /// When the copy in its place was taken.
    pub backup_taken_at: Option<Timestamp>,
    /// How many entries a person must look at.
    pub pending: u32,
}

impl Desk {
    /// What happened when the desk's file had to be replaced, the oldest first; `None` when it never
    /// had, or a person has seen every report.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn rescue(&self) -> Result<Option<RescueReport>, Error> {
        Ok(self.inner.store.call(rescued::unseen).await?)
    }

    /// A person has seen the report of this number. What it lists as cases stays with the cases.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when it cannot be kept.
    pub async fn rescue_seen(&self, number: u32) -> Result<(), Error> {
        self.writable()?;
        let line = self.journal_line("desk.rescueSeen", "desk.db", None);
        Ok(self
            .inner
            .store
            .write(move |transaction| rescued::seen(transaction, number, &line))
            .await?)
    }

    /// The same report in short.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn rescue_summary(&self) -> Result<Option<RescueSummary>, Error> {
        Ok(self.inner.store.call(rescued::summary).await?)
    }
}
