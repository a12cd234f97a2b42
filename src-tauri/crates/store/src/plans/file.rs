//! The file of the plan cache: opened, or deleted and made again, or done without.

use std::path::Path;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use crate::connection::{READ_ONLY, READ_WRITE};
use crate::files::{make_file, remove_database};
use crate::{Result, Steps, StoreError};

/// Tables of the cache. A step to another form may drop them: what they hold can be asked for again.
const CACHE: Steps = &[M::up(include_str!("../schema/cache.sql"))];

/// What notes, for as long as the connection, which products a search has to read again.
const TOUCHED: &str = include_str!("../schema/cache_touched.sql");

/// How long one process waits for another that has the file.
const BUSY: std::time::Duration = std::time::Duration::from_secs(2);

/// Opens the file; one that cannot be used is deleted and made again. A reader never touches it.
pub(super) async fn open(path: &Path, read_only: bool) -> Option<tokio_rusqlite::Connection> {
    match try_open(path, read_only).await {
        Ok(connection) => return Some(connection),
        Err(error) => tracing::warn!(%error, "the plan cache cannot be opened"),
    }
    if read_only {
        return None;
    }
    delete(path);
    try_open(path, false)
        .await
        .inspect_err(|error| tracing::error!(%error, "plans are not remembered"))
        .ok()
}

/// Deletes the file and what belongs to it.
pub(super) fn delete(path: &Path) {
    if let Err(error) = remove_database(path) {
        tracing::warn!(%error, "the plan cache cannot be deleted");
    }
}

async fn try_open(path: &Path, read_only: bool) -> Result<tokio_rusqlite::Connection> {
    let flags = if read_only {
        READ_ONLY
    } else {
        drop(make_file(path)?);
        READ_WRITE
    };
    let connection = tokio_rusqlite::Connection::open_with_flags(path, flags).await?;
    prepare(connection, read_only).await
}

async fn prepare(
    connection: tokio_rusqlite::Connection,
    read_only: bool,
) -> Result<tokio_rusqlite::Connection> {
    let prepared = connection
        .call(move |connection| Ok::<_, rusqlite::Error>(prepare_here(connection, read_only)))
        .await;
    match prepared {
        Ok(Ok(())) => Ok(connection),
        Ok(Err(error)) => {
            // The file is about to be deleted: nothing may hold it open.
            drop(connection.close().await);
            Err(error)
        }
        Err(_) => Err(StoreError::Closed),
    }
}

fn prepare_here(connection: &mut Connection, read_only: bool) -> Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    if !read_only {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // What a loss of power takes can be asked for again.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
    }
    let version = crate::version(connection)?;
    if version > CACHE.len() || (read_only && version < CACHE.len()) {
        return Err(StoreError::Newer);
    }
    if !read_only {
        Migrations::from_slice(CACHE).to_latest(connection)?;
    }
    Ok(connection.execute_batch(TOUCHED)?)
}
