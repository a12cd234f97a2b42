//! The report of a desk's file that was damaged, or put back from an older copy. Shown until a person
//! has seen it.

use serde::{Deserialize, Serialize};

use crate::interface::Timestamp;
use crate::submission_state::SubmissionState;

/// Why nothing of the desk's file may be sent by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum RescueCause {
    /// It was damaged or gone, and the program replaced it by a copy.
    #[default]
    Damaged,
    /// It is sound, and older than it was: somebody put an earlier copy in its place.
    PutBack,
}

/// What happened when the desk's file had to be replaced, or had been.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RescueReport {
    /// Counts up with every rescue of this file.
    pub number: u32,
    /// Why. A report of an earlier version names none.
    #[serde(default)]
    pub cause: RescueCause,
    /// When.
    pub at: Timestamp,
    /// Name of the file set aside, in the data folder; `None` when it was gone, or put back.
    pub set_aside: Option<String>,
    /// When the copy was taken that replaced it, or when a file put back was last worked
    /// with; `None` when there was none and the desk began again.
    pub backup_taken_at: Option<Timestamp>,
    /// Entries that came back with the copy.
    pub restored_rows: u32,
    /// Whether everything that happened since the copy was taken is known: every entry of the
    /// damaged file could be read, or a copy is level with the high-water mark. When not, entries
    /// made after the copy was taken may be missing here.
    pub complete: bool,
    /// Entries a person must look at: those that were not finished, those that the damaged file
    /// knew otherwise, and those that only it had.
    pub pending: Vec<RescuedRow>,
}

/// An entry of a damaged file or of a newer copy, without its customer.
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
    /// Why.
    pub cause: RescueCause,
    /// When.
    pub at: Timestamp,
    /// Name of the file set aside.
    pub set_aside: Option<String>,
    /// When the copy in its place was taken.
    pub backup_taken_at: Option<Timestamp>,
    /// How many entries a person must look at.
    pub pending: u32,
}
