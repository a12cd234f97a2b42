//! The desk's durable file, `desk.db`: its connection, its tables and what SQLite's failures mean.
//!
//! Owns everything that names SQL, one file a subject. Knows nothing of the service: it keeps what
//! it is told to keep, and a change is either whole on the disk or not there.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use rusqlite_migration::{M, Migrations};

use crate::StoreError;

pub(crate) mod agenda;
pub(crate) mod batches;
pub(crate) mod cases;
pub(crate) mod journal;
pub(crate) mod leads;
pub(crate) mod lookups;
pub(crate) mod plans;
pub(crate) mod products;
pub(crate) mod profiles;
pub(crate) mod rows;
#[cfg(test)]
pub(crate) mod samples;
pub(crate) mod settings;
pub(crate) mod submissions;

/// Tables of `desk.db`, oldest first; a published step is never changed, only followed by another.
const DESK: &[M<'_>] = &[
    M::up(include_str!("migrations/desk/01_profiles_settings.sql")),
    M::up(include_str!("migrations/desk/02_outbox.sql")),
    M::up(include_str!("migrations/desk/03_products_leads.sql")),
    M::up(include_str!("migrations/desk/04_journal_lookups.sql")),
    M::up(include_str!("migrations/desk/05_contract_once.sql")),
];

/// How long a reader or writer waits for the other process that has the file.
const BUSY: std::time::Duration = std::time::Duration::from_secs(5);

/// The connection to `desk.db`, on a thread of its own. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Store {
    connection: tokio_rusqlite::Connection,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}

impl Store {
    /// Opens the file. Unless `read_only`, it is made when missing and brought to this version's
    /// tables.
    pub(crate) async fn open(path: &Path, read_only: bool) -> Result<Self, StoreError> {
        let flags = if read_only {
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX
        } else {
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX
        };
        let connection = tokio_rusqlite::Connection::open_with_flags(path, flags)
            .await
            .map_err(|error| meaning(&error))?;
        let store = Self { connection };
        store
            .connection
            .call(move |connection| prepare(connection, read_only))
            .await
            .map_err(|error| ended_or(error, |error| error))?;
        Ok(store)
    }

    /// Runs one piece of work on the connection's thread.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.connection
            .call(work)
            .await
            .map_err(|error| ended_or(error, |error| meaning(&error)))
    }

    /// Ends the connection's thread after the work it has begun. Later calls say `Closed`.
    pub(crate) async fn close(&self) {
        if let Err(error) = self.connection.clone().close().await {
            tracing::warn!(%error, "the database did not close cleanly");
        }
    }
}

/// The meaning of the work's own failure; every other answer is that the thread has ended.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the foreign enum is non-exhaustive"
)]
fn ended_or<E>(
    error: tokio_rusqlite::Error<E>,
    meaning: impl FnOnce(E) -> StoreError,
) -> StoreError {
    match error {
        tokio_rusqlite::Error::Error(error) => meaning(error),
        _ => StoreError::Closed,
    }
}

/// Whether the file has fewer tables than this version knows: a reader cannot add them.
pub(crate) async fn is_behind(path: &Path) -> Result<bool, StoreError> {
    let connection = tokio_rusqlite::Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .await
    .map_err(|error| meaning(&error))?;
    let store = Store { connection };
    let version = store.call(|connection| version(connection)).await;
    store.close().await;
    Ok(version? < DESK.len())
}

fn prepare(connection: &mut Connection, read_only: bool) -> Result<(), StoreError> {
    let settings = |connection: &Connection| -> Result<(), rusqlite::Error> {
        connection.busy_timeout(BUSY)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        if !read_only {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            // A commit that was acknowledged survives a loss of power.
            connection.pragma_update(None, "synchronous", "FULL")?;
        }
        Ok(())
    };
    settings(connection).map_err(|error| meaning(&error))?;
    if version(connection).map_err(|error| meaning(&error))? > DESK.len() {
        return Err(StoreError::Newer);
    }
    if read_only {
        return Ok(());
    }
    Migrations::from_slice(DESK)
        .to_latest(connection)
        .map_err(|error| migration_meaning(&error))
}

/// How many steps of [`DESK`] the file has taken.
fn version(connection: &Connection) -> Result<usize, rusqlite::Error> {
    let taken: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    // A number that no version ever wrote counts as newer than all of them.
    Ok(usize::try_from(taken).unwrap_or(usize::MAX))
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the foreign enum is non-exhaustive"
)]
fn migration_meaning(error: &rusqlite_migration::Error) -> StoreError {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => meaning(err),
        rusqlite_migration::Error::MigrationDefinition(
            rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
        ) => StoreError::Newer,
        other => StoreError::Sqlite(other.to_string()),
    }
}

/// What a failure of SQLite means for a person, by its code.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the foreign enums are non-exhaustive"
)]
pub(crate) fn meaning(error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged,
        _ => StoreError::Sqlite(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[tokio::test]
    async fn a_file_of_a_newer_version_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        let store = Store::open(&path, false).await.unwrap();
        store
            .call(|connection| connection.pragma_update(None, "user_version", 1_000))
            .await
            .unwrap();
        store.close().await;
        assert!(matches!(
            Store::open(&path, false).await,
            Err(StoreError::Newer)
        ));
        assert!(matches!(
            Store::open(&path, true).await,
            Err(StoreError::Newer)
        ));
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        std::fs::write(&path, vec![7_u8; 8192]).unwrap();
        assert!(matches!(
            Store::open(&path, false).await,
            Err(StoreError::Damaged)
        ));
        assert_eq!(std::fs::read(&path).unwrap(), vec![7_u8; 8192]);
    }

    #[tokio::test]
    async fn a_reader_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        Store::open(&path, false).await.unwrap().close().await;
        let reader = Store::open(&path, true).await.unwrap();
        let answer = reader
            .call(|connection| connection.execute("DELETE FROM setting", []))
            .await;
        assert!(matches!(answer, Err(StoreError::ReadOnly)));
    }

    #[test]
    fn every_step_of_the_tables_is_sound() {
        Migrations::from_slice(DESK).validate().unwrap();
    }
}
