//! The desk's durable file, `desk.db`: its connection, its tables and what SQLite's failures mean.
//!
//! Owns everything that names SQL, one file a subject. Knows nothing of the service: it keeps what
//! it is given, and a change is either whole on the disk or not there.

use std::borrow::Borrow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chrono::Utc;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, Savepoint};
use rusqlite_migration::{M, Migrations};

use self::connection::{Engine, READ_ONLY, READ_WRITE};
use self::file_identity::Place;

pub mod backup;
pub mod batches;
pub mod cases;
pub mod change_order;
mod check;
mod connection;
pub mod data_folder;
pub mod day;
pub mod drafts;
pub mod encryption_keys;
pub mod entry_index;
mod error;
mod file_identity;
pub mod files;
#[cfg(test)]
mod flips_tests;
mod group_commit;
pub mod high_water;
pub mod journal;
pub mod leads;
pub mod lock;
pub mod lookups;
#[cfg(test)]
mod model_tests;
pub mod open_work;
pub mod opening;
pub mod plans;
pub mod products;
pub mod profiles;
mod query;
pub mod recovery_reports;
pub mod registered_sales;
pub mod retention;
pub mod runs;
mod salvage;
pub mod settings;
#[cfg(any(test, feature = "simulation"))]
pub mod simulated_disk;
mod sql_types;
pub mod submission_queries;
pub mod submissions;
pub mod support;
#[cfg(any(test, feature = "simulation"))]
pub mod test_fixtures;
mod wal;
pub mod work_queue;

pub use error::StoreError;

/// What the store answers unless another error is named.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Steps that make tables, oldest first.
type Steps = &'static [M<'static>];

/// Tables of `desk.db`; a published step is never changed, only followed by another.
const DESK: Steps = &[M::up(include_str!("schema/desk.sql"))];

/// How long a reader or writer waits for the other process that has the file.
const BUSY: std::time::Duration = std::time::Duration::from_secs(5);

/// More than there are different statements.
const STATEMENTS_KEPT: usize = 256;

/// The desk's durable file, open. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Engine,
    /// Where its file is; `None` for one in memory.
    place: Option<Place>,
    changes: Arc<AtomicU64>,
    /// Set once SQLite said that the file is damaged: nothing more is written, and so nothing sent.
    damaged: Arc<AtomicBool>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}

impl Store {
    /// Opens the file, which must exist. Unless `read_only`, it is brought to this version's tables.
    pub async fn open(path: &Path, read_only: bool) -> Result<Self> {
        Self::open_with(path, read_only, DESK).await
    }

    async fn open_with(path: &Path, read_only: bool, known: Steps) -> Result<Self> {
        let flags = if read_only { READ_ONLY } else { READ_WRITE };
        let engine = Engine::open(path, flags).await?;
        let file = path.to_owned();
        engine
            .call(move |connection| {
                let taken = version(connection)?;
                if !read_only && (1..known.len()).contains(&taken) {
                    backup::keep_before_steps(&file, taken, Utc::now())?;
                }
                prepare(connection, read_only, known)
            })
            .await??;
        Ok(Self {
            place: Some(Place::of(path)?),
            ..Self::over(engine)
        })
    }

    fn over(engine: Engine) -> Self {
        Self {
            engine,
            place: None,
            changes: Arc::default(),
            damaged: Arc::default(),
        }
    }

    /// Runs one piece of work that changes nothing.
    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<T> {
        let answer = self.engine.call(move |connection| work(connection)).await?;
        self.note_damage(answer.map_err(meaning))
    }

    /// The same for work about one id.
    async fn call_for<T: Send + 'static>(
        &self,
        id: &str,
        work: fn(&Connection, &str) -> Result<T, rusqlite::Error>,
    ) -> Result<T> {
        let id = id.to_owned();
        self.call(move |connection| work(connection, &id)).await
    }

    /// Makes one change, and returns once it is durable. Nothing of work that fails is kept; changes
    /// that wait at the same time share one commit.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<T> {
        self.write_savepoint(move |savepoint| {
            let made = work(&savepoint)?;
            savepoint.commit()?;
            Ok(made)
        })
        .await
    }

    /// The same for work that keeps nothing unless it commits the savepoint itself.
    async fn write_savepoint<T: Send + 'static>(
        &self,
        work: impl FnOnce(Savepoint<'_>) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<T> {
        if self.is_damaged() {
            return Err(StoreError::Damaged);
        }
        let (made, has_changed) = self.note_damage(self.engine.write(work).await)?;
        self.changes
            .fetch_add(u64::from(has_changed), Ordering::Relaxed);
        if let Some(place) = &self.place {
            place.check()?;
        }
        Ok(made)
    }

    /// Whether the file turned out damaged while it was worked with: only a new start repairs that.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::SeqCst)
    }

    /// Whether the file is still the one that was opened, and nothing was found wrong with it.
    pub fn is_as_opened(&self) -> bool {
        let in_place = |place: &Place| place.check().is_ok();
        !self.is_damaged() && self.place.as_ref().is_none_or(in_place)
    }

    /// Remembers that the file was found damaged, here or by who copied it.
    pub fn note_damage<T>(&self, answer: Result<T>) -> Result<T> {
        if matches!(answer, Err(StoreError::Damaged)) && !self.damaged.swap(true, Ordering::SeqCst)
        {
            tracing::error!("the desk's file is damaged: nothing more is sent until a new start");
        }
        answer
    }

    /// How many changes this process has made, without those that found nothing to change.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Whether the copy of the high-water mark could not be written last.
    pub fn has_unkept_mark(&self) -> bool {
        self.engine.has_unkept_mark()
    }

    /// Ends the connection's thread after the work in progress. Later calls say `Closed`.
    pub async fn close(&self) {
        self.engine.close().await;
    }
}

/// Whether the file has fewer tables than this version knows: a reader cannot add them.
pub async fn is_behind(path: &Path) -> Result<bool> {
    let store = Store::over(Engine::open(path, READ_ONLY).await?);
    let version = store.call(version).await;
    store.close().await;
    Ok(version? < DESK.len())
}

/// Pages of the write-ahead log after which they are put into the file: 16 MiB.
const CHECKPOINT_PAGES: u32 = 4_000;

/// Keeps statements once they are planned, whatever is bound to them: SQLite would otherwise plan
/// again what it has planned with the value of a bound limit, each time it is run.
fn plan_once(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn prepare(connection: &mut Connection, read_only: bool, known: Steps) -> Result<()> {
    connection.busy_timeout(BUSY)?;
    plan_once(connection)?;
    // What is deleted is gone from the file; what is sorted stays off the disk.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    if !read_only {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A commit that was acknowledged survives a loss of power.
        connection.pragma_update(None, "synchronous", "FULL")?;
        // A long queue writes the same pages again and again: they go into the file less often.
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        // macOS needs more than a flush for that; elsewhere these say nothing.
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    }
    let taken = version(connection)?;
    let is_newer = taken > known.len();
    if is_newer && (taken == NO_VERSION || !takes_reader_of(connection, known)) {
        return Err(StoreError::Newer);
    }
    if read_only {
        return Ok(());
    }
    if !is_newer {
        // A step may make a table again while others point at it; the steps check that all still fits.
        connection.pragma_update(None, "foreign_keys", false)?;
        Migrations::from_slice(known).to_latest(connection)?;
    }
    Ok(connection.pragma_update(None, "foreign_keys", true)?)
}

/// What a number counts as that no version ever wrote: newer than all, and nothing to work with.
const NO_VERSION: usize = usize::MAX;

/// How many steps the file has taken.
fn version(connection: &Connection) -> Result<usize, rusqlite::Error> {
    let taken: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(taken).unwrap_or(NO_VERSION))
}

/// Whether a newer file says that a program which knows only these steps can work with it.
fn takes_reader_of(connection: &Connection, known: Steps) -> bool {
    let least = settings::get(connection, "minReader").ok().flatten();
    let least = least.and_then(|least| least.parse::<usize>().ok());
    least.is_some_and(|least| least <= known.len())
}

impl From<rusqlite_migration::Error> for StoreError {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "the foreign enum is non-exhaustive"
    )]
    fn from(error: rusqlite_migration::Error) -> Self {
        match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => err.into(),
            other => Self::Sqlite(other.to_string()),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        meaning(error)
    }
}

/// What a failure of SQLite means for a person, by its code.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the foreign enums are non-exhaustive"
)]
pub(crate) fn meaning(error: impl Borrow<rusqlite::Error>) -> StoreError {
    let error: &rusqlite::Error = error.borrow();
    // Room for the memory shared by readers is the first that a full disk does not give, and SQLite
    // calls that an I/O error.
    let no_room =
        |error: &rusqlite::ffi::Error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        _ if error.sqlite_error().is_some_and(no_room) => StoreError::Full,
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged,
        _ => StoreError::Sqlite(error.to_string()),
    }
}

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
