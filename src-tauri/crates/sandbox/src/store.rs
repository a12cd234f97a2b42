//! The sandbox's own database: opening, schema, seed, and transactions off the async threads.
//! Knows nothing of HTTP.

use std::{
    fs::OpenOptions,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use chrono::{DateTime, Utc};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::options::{Database, StartError};
use crate::{Failure, catalogue, cipher, lock};

const MIGRATIONS: &[M<'static>] = &[M::up(include_str!("schema.sql"))];

/// Creation time of the sample catalogue.
const SEEDED_AT: &str = "2025-04-01T09:00:00.000+09:00";

const TOKEN_SETTING: &str = "token";

/// The one connection to the database, shared.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    connection: Arc<Mutex<Connection>>,
}

impl Store {
    /// Opens the database, creates and seeds it if it is new, and returns it with its token. A damaged
    /// file of practice data is replaced by a new one. Blocks.
    pub(crate) fn open(database: &Database) -> Result<(Self, String), StartError> {
        match (Self::open_as_found(database), database) {
            (Err(error), Database::Encrypted(path, _)) if is_damage(&error) => {
                tracing::warn!(%error, "the practice data is damaged and is replaced by a new file");
                for suffix in ["", "-wal", "-shm"] {
                    let mut file = path.clone().into_os_string();
                    file.push(suffix);
                    if let Err(error) = std::fs::remove_file(file)
                        && error.kind() != ErrorKind::NotFound
                    {
                        return Err(StartError::File(error));
                    }
                }
                Self::open_as_found(database)
            }
            (opened, _) => opened,
        }
    }

    fn open_as_found(database: &Database) -> Result<(Self, String), StartError> {
        let (mut connection, cipher) = match database {
            Database::Memory => (Connection::open_in_memory()?, None),
            Database::File(path) => (open_file(path)?, None),
            Database::Encrypted(path, cipher) => (open_file(path)?, Some(cipher)),
        };
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "secure_delete", true)?;
        connection.pragma_update(None, "temp_store", "memory")?;
        Migrations::from_slice(MIGRATIONS).to_latest(&mut connection)?;
        cipher::register_functions(&connection, cipher.cloned())?;
        if cipher.is_some_and(|cipher| cipher.is_persistent()) {
            cipher::delete_undecryptable(&connection)?;
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let token = match setting(&transaction, TOKEN_SETTING)? {
            Some(token) => token,
            None => seed(&transaction)?,
        };
        transaction.commit()?;
        let store = Self {
            connection: Arc::new(Mutex::new(connection)),
        };
        Ok((store, token))
    }

    /// Runs `work` in one transaction on a blocking thread. Commits unless it fails.
    pub(crate) async fn transact<T, W>(&self, work: W) -> Result<T, Failure>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    {
        let connection = Arc::clone(&self.connection);
        spawn_blocking(move || {
            let mut connection = lock(&connection);
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let outcome = work(&transaction)?;
            transaction.commit()?;
            Ok(outcome)
        })
        .await
        .map_err(|_| Failure::Interrupted)?
    }
}

/// Deletes contracts, leads and stored answers older than a moment from a file and its write-ahead log, even while
/// a service uses it.
/// Their age is not encrypted, so this needs no cipher.
///
/// # Errors
/// [`StartError`] when the file cannot be opened or changed; a missing file is no error.
pub async fn delete_before(file: PathBuf, moment: DateTime<Utc>) -> Result<(), StartError> {
    spawn_blocking(move || {
        if file.try_exists().map_err(StartError::File)? {
            let (store, _) = Store::open(&Database::File(file))?;
            let moment = moment.timestamp_millis();
            lock(&store.connection).execute_batch(&format!(
                "BEGIN IMMEDIATE;
                 DELETE FROM contract WHERE created_at_ms < {moment};
                 DELETE FROM lead WHERE created_at_ms < {moment};
                 DELETE FROM kept_answer WHERE kept_at_ms < {moment};
                 COMMIT;
                 PRAGMA wal_checkpoint(TRUNCATE);"
            ))?;
        }
        Ok(())
    })
    .await
    .map_err(|_| StartError::Interrupted)?
}

/// Creates a new file with access for its owner only; SQLite gives its log files the same permissions. An existing
/// file is left to SQLite: closing it here would release the POSIX locks of a service that uses it.
fn open_file(path: &Path) -> Result<Connection, StartError> {
    let mut file = OpenOptions::new();
    file.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    if let Err(error) = file.open(path)
        && error.kind() != ErrorKind::AlreadyExists
    {
        return Err(StartError::File(error));
    }
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    Ok(connection)
}

fn is_damage(error: &StartError) -> bool {
    let (StartError::Database(error)
    | StartError::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. })) = error
    else {
        return false;
    };
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

fn setting(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    connection
        .query_row("SELECT value FROM setting WHERE name = ?1", [name], |row| {
            row.get(0)
        })
        .optional()
}

/// Fills a new database with the catalogue and a generated token.
fn seed(transaction: &Transaction<'_>) -> rusqlite::Result<String> {
    let products = serde_json::to_string(&catalogue::products())
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    transaction.execute(
        "INSERT INTO product (id, reference_id, title, price, image_url, category, brand, display,
                              created_at, updated_at)
         SELECT value->>'id', value->>'referenceId', value->>'title', value->>'price', value->>'imageUrl',
                value->>'category', value->>'brand', value->>'display', ?2, ?2
         FROM json_each(?1)",
        [&*products, SEEDED_AT],
    )?;
    transaction.execute(
        "INSERT INTO plan (id, product_reference_id, store_reference_id, title, price, term_length,
                           service_type, protection_type, url)
         SELECT plan.value->>'id', product.value->>'referenceId', plan.value->>'storeReferenceId',
                plan.value->>'title', plan.value->>'price', plan.value->>'termLength',
                plan.value->>'serviceType', plan.value->>'protectionType', plan.value->>'url'
         FROM json_each(?1) AS product, json_each(product.value->'plans') AS plan",
        [products],
    )?;
    let token = format!("sandbox-{}", Uuid::new_v4().simple());
    transaction.execute(
        "INSERT INTO setting (name, value) VALUES (?1, ?2)",
        [TOKEN_SETTING, &token],
    )?;
    Ok(token)
}
