//! The journal: who did what and when. Contains no secrets and no customers' names.

use serde::{Deserialize, Serialize};

use crate::interface::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    pub at: Timestamp,
    pub user: String,
    /// A stable name, for instance `contract.registered`.
    pub action: String,
    /// The id or reference that the action concerned.
    pub subject: String,
    /// Further details; never personal data.
    pub detail: Option<String>,
}
