//! The journal: who did what and when. Append-only; it holds no secret and no customer's name.

use serde::{Deserialize, Serialize};
use warranty_api::Timestamp;

use crate::store::journal::{self, Line};
use crate::{Desk, Error};

/// Most lines read at once.
const MOST_LINES: u32 = 10_000;

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

impl Desk {
    /// The newest lines, newest first; at most 10,000.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn journal(&self, limit: u32) -> Result<Vec<JournalEntry>, Error> {
        Ok(self
            .inner
            .store
            .call(move |connection| journal::newest(connection, limit.min(MOST_LINES)))
            .await?)
    }

    /// A line with this user and this moment, to be appended inside a transaction.
    pub(crate) fn journal_line(
        &self,
        action: &'static str,
        subject: impl Into<String>,
        detail: Option<&str>,
    ) -> Line {
        Line {
            at: self.inner.clock.now().timestamp_millis(),
            user: self.inner.user.clone(),
            action,
            subject: subject.into(),
            detail: detail.map(str::to_owned),
        }
    }

    /// Appends a line of its own.
    pub(crate) async fn journal_write(
        &self,
        action: &'static str,
        subject: &str,
        detail: Option<&str>,
    ) -> Result<(), Error> {
        let line = self.journal_line(action, subject, detail);
        Ok(self
            .inner
            .store
            .write(move |transaction| {
                journal::append(&transaction, &line)?;
                transaction.commit()
            })
            .await?)
    }
}
