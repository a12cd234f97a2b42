//! The journal: who did what and when. It holds no secret and no customer's name.

use serde::{Deserialize, Serialize};

use crate::interface::Timestamp;

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    /// When.
    pub at: Timestamp,
    /// The OS user.
    pub user: String,
    /// A stable word, for instance `contract.registered`.
    pub action: String,
    /// What it was done to: an id or a reference.
    pub subject: String,
    /// More of it, never personal.
    pub detail: Option<String>,
}
