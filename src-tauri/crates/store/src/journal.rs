//! The journal's table: appended to, read newest first, never changed.

use rusqlite::{Connection, params};

use crate::query::{Query as _, Read};
use crate::{Result, Store, sql_types};
use warranty_model::journal::JournalEntry;

/// The user in lines about what the program did by itself.
pub const PROGRAM: &str = "warranty-desk";

/// A line to write, with its time in milliseconds since 1970 UTC.
#[derive(Debug, Clone)]
pub struct Line {
    pub at: i64,
    pub user: String,
    /// A stable name, for instance `contract.registered`.
    pub action: &'static str,
    /// An id or a reference, never personal.
    pub subject: String,
    /// More of it, never personal.
    pub detail: Option<String>,
}

impl Line {
    /// The same, of this user.
    #[must_use]
    pub fn by(self, user: &str) -> Self {
        Self {
            user: user.to_owned(),
            ..self
        }
    }
}

impl Store {
    /// The newest lines below a number, newest first, each with its number.
    pub async fn journal_below(&self, number: i64, limit: u32) -> Result<Vec<(i64, JournalEntry)>> {
        self.list(
            "SELECT number, at, user, action, subject, detail FROM journal
             WHERE number < ?1 ORDER BY number DESC LIMIT ?2",
            (number, limit),
            |row| {
                let entry = JournalEntry {
                    at: sql_types::instant(row, 1)?,
                    user: row.get(2)?,
                    action: row.get(3)?,
                    subject: row.get(4)?,
                    detail: row.get(5)?,
                };
                Ok((row.get(0)?, entry))
            },
        )
        .await
    }

    pub async fn append_to_journal(&self, line: Line) -> Result<()> {
        self.write(move |transaction| append(transaction, &line))
            .await
    }
}

/// Appends a line; inside a transaction it is kept with the rest of it.
pub(crate) fn append(connection: &Connection, line: &Line) -> Read<()> {
    let sql = "INSERT INTO journal (at, user, action, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![line.at, line.user, line.action, line.subject, line.detail];
    connection.change(sql, values).map(drop)
}

/// When the newest line was written, in milliseconds since 1970 UTC; `None` before there is one.
pub(super) fn last_at(connection: &Connection) -> Read<Option<i64>> {
    let sql = "SELECT at FROM journal ORDER BY number DESC LIMIT 1";
    connection.find(sql, [], |row| row.get(0))
}
