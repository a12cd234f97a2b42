//! What a support bundle reads: counts, times and codes. No column with an entry's content.

use serde::Serialize;
use warranty_model::interface::Timestamp;

use super::{Result, Store, check, sql_types, version};

/// How many entries of a profile are in a state, and when they were entered.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateCount {
    pub profile_id: String,
    pub state: String,
    pub count: u32,
    /// When the oldest was entered.
    pub oldest: Timestamp,
    /// When the newest was entered.
    pub newest: Timestamp,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptLine {
    pub started_at: Timestamp,
    /// When it ended; `None` while in flight or when the process died.
    pub finished_at: Option<Timestamp>,
    /// What the answer meant.
    pub class: Option<String>,
    /// HTTP status.
    pub status: Option<u16>,
    /// The service's name for the request.
    pub request_id: Option<String>,
}

/// The state of `desk.db`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileCheck {
    /// Steps of the schema that the file has taken.
    pub schema: usize,
    /// Version of SQLite.
    pub sqlite: &'static str,
    /// Whether SQLite's own check passes.
    pub sound: bool,
}

impl Store {
    pub async fn state_counts(&self) -> Result<Vec<StateCount>> {
        self.list(
            "SELECT profile_id, state, COUNT(*), MIN(entered_at), MAX(entered_at)
             FROM submission GROUP BY profile_id, state ORDER BY profile_id, state",
            [],
            |row| {
                Ok(StateCount {
                    profile_id: row.get(0)?,
                    state: row.get(1)?,
                    count: row.get(2)?,
                    oldest: sql_types::instant(row, 3)?,
                    newest: sql_types::instant(row, 4)?,
                })
            },
        )
        .await
    }

    /// The newest attempts, newest first.
    pub async fn newest_attempts(&self, limit: u32) -> Result<Vec<AttemptLine>> {
        self.list(
            "SELECT started_at, finished_at, class, status, request_id FROM attempt
             ORDER BY started_at DESC LIMIT ?1",
            [limit],
            |row| {
                Ok(AttemptLine {
                    started_at: sql_types::instant(row, 0)?,
                    finished_at: sql_types::instant_or_none(row, 1)?,
                    class: row.get(2)?,
                    status: row.get(3)?,
                    request_id: row.get(4)?,
                })
            },
        )
        .await
    }

    pub async fn check_file(&self) -> Result<FileCheck> {
        self.call(|connection| {
            Ok(FileCheck {
                schema: version(connection)?,
                sqlite: rusqlite::version(),
                sound: check::whole(connection).is_ok(),
            })
        })
        .await
    }
}
