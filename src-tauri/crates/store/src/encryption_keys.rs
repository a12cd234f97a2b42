//! What is encrypted at rest, and the keys it is encrypted with: by id, never the keys themselves.

use rusqlite::{Row, params};

use super::journal::{self, Line};
use super::{Result, Store, settings};
use crate::query::Read;
use warranty_model::encrypted::Encrypted;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    pub id: String,
    /// A known text encrypted with it.
    pub check_value: Vec<u8>,
    /// Whether the keychain holds it; a key that is not kept served one process.
    pub kept: bool,
}

/// An encrypted text in two columns that follow each other, key and bytes; `None` when it was deleted.
pub(super) fn at(row: &Row<'_>, column: usize) -> Read<Option<Encrypted>> {
    let key_id: Option<String> = row.get(column)?;
    let bytes: Option<Vec<u8>> = row.get(column + 1)?;
    let encrypted = key_id.zip(bytes).filter(|(_, bytes)| !bytes.is_empty());
    Ok(encrypted.map(|(key_id, bytes)| Encrypted { key_id, bytes }))
}

/// The same where nothing of it is ever deleted.
pub(super) fn kept_at(row: &Row<'_>, column: usize) -> Read<Encrypted> {
    Ok(Encrypted {
        key_id: row.get(column)?,
        bytes: row.get(column + 1)?,
    })
}

impl Store {
    /// The id of the key that new entries are encrypted with; `None` before there was one.
    pub async fn current_key(&self) -> Result<Option<String>> {
        self.call(|connection| settings::get(connection, settings::ENCRYPTION_KEY))
            .await
    }

    pub async fn encryption_key(&self, id: &str) -> Result<Option<KeyRow>> {
        self.find(
            "SELECT id, check_value, kept FROM encryption_key WHERE id = ?1",
            [id.to_owned()],
            |row| {
                Ok(KeyRow {
                    id: row.get(0)?,
                    check_value: row.get(1)?,
                    kept: row.get(2)?,
                })
            },
        )
        .await
    }

    /// Adds a key, with its line of the journal, and when it is a kept one takes it for new entries
    /// from now on. `at` is in milliseconds since 1970 UTC.
    pub async fn add_key(&self, key: KeyRow, at: i64, line: Option<Line>) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute(
                "INSERT INTO encryption_key (id, made_at, check_value, kept) VALUES (?1, ?2, ?3, ?4)",
                params![key.id, at, key.check_value, key.kept],
            )?;
            if key.kept {
                settings::set(transaction, settings::ENCRYPTION_KEY, Some(&key.id))?;
            }
            if let Some(line) = &line {
                journal::append(transaction, line)?;
            }
            Ok(())
        })
        .await
    }

    pub async fn is_key_used(&self, key_id: &str) -> Result<bool> {
        self.value(
            "SELECT EXISTS (SELECT 1 FROM submission_customer WHERE key_id = ?1)
                 OR EXISTS (SELECT 1 FROM batch WHERE body_key = ?1 AND length(body) > 0)
                 OR EXISTS (SELECT 1 FROM run_chunk WHERE key_id = ?1)
                 OR EXISTS (SELECT 1 FROM run WHERE layout_key = ?1 AND length(layout) > 0)
                 OR EXISTS (SELECT 1 FROM draft WHERE key_id = ?1)
                 OR EXISTS (SELECT 1 FROM lead WHERE token_key = ?1)
                 OR EXISTS (SELECT 1 FROM lead
                     WHERE store_key = ?1 AND state IN ('queued', 'unknown'))
                 OR EXISTS (SELECT 1 FROM lead WHERE note_key = ?1)",
            [key_id.to_owned()],
        )
        .await
    }
}
