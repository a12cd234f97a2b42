//! The report of a `desk.db` that was damaged, or restored from an older copy. Shown until a person
//! has seen it.

use serde::{Deserialize, Serialize};

use crate::interface::Timestamp;
use crate::submission_state::SubmissionState;

/// Why nothing in `desk.db` may be sent automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RescueCause {
    /// It was damaged or missing, and the program replaced it by a copy.
    Damaged,
    /// It is valid, but older than before: somebody replaced it by an earlier copy.
    PutBack,
}

/// What happened when `desk.db` was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RescueReport {
    /// Increases with every rescue of this file.
    pub number: u32,
    pub cause: RescueCause,
    pub at: Timestamp,
    /// Name of the damaged file that was kept, in the data folder; `None` when it was missing, or
    /// when the file was replaced by somebody.
    pub set_aside: Option<String>,
    /// When the copy was taken, or when a file restored by somebody was last used; `None` when
    /// there was no copy and the desk started empty.
    pub backup_taken_at: Option<Timestamp>,
    /// Entries restored from the copy.
    pub restored_rows: u32,
    /// Whether everything since the copy was taken is known: every entry of the damaged file could
    /// be read, or the copy is as new as the high-water mark. If not, entries made after the copy
    /// was taken may be missing here.
    pub complete: bool,
    /// Entries that a person must check: unfinished ones, those with another state in the damaged
    /// file, and those that only the damaged file had.
    pub pending: Vec<RescuedRow>,
}

/// An entry of a damaged file or of a newer copy, without its customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RescuedRow {
    /// The store's own number of the sale.
    pub transaction_id: String,
    pub product_reference_id: String,
    pub plan_id: String,
    pub state: SubmissionState,
    pub contract_id: Option<String>,
    /// When it was entered; `None` when that could not be read.
    pub entered_at: Option<Timestamp>,
    /// Whether the copy has the entry: then it is at this desk, and is a case if it was unfinished.
    /// Otherwise it is in this report only.
    pub in_backup: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RescueSummary {
    pub number: u32,
    pub cause: RescueCause,
    pub at: Timestamp,
    /// Name of the damaged file that was kept.
    pub set_aside: Option<String>,
    /// When the copy that replaced it was taken.
    pub backup_taken_at: Option<Timestamp>,
    /// Number of entries that a person must check.
    pub pending: u32,
}
