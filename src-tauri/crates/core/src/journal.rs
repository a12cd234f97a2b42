//! The journal: who did what and when. Append-only; it holds no secret and no customer's name.

use serde::{Deserialize, Serialize};
use warranty_api::Timestamp;

use crate::{Desk, Error};

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

#[allow(clippy::todo, unused_variables, clippy::unused_async)]
impl Desk {
    /// The newest lines, newest first.
    pub async fn journal(&self, limit: u32) -> Result<Vec<JournalEntry>, Error> {
        todo!()
    }
}
