//! A disk for simulations: it outlives the processes that work on it, and fails on demand.
//!
//! Work runs on the task that asks, so that on tokio's paused time nothing depends on a thread.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use rusqlite::{Connection, MAIN_DB, ffi};
use tokio::task::yield_now;

use super::connection::Engine;
use super::group_commit::{self, Change};
use super::{Store, prepare};

/// What becomes of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    Kept,
    /// The disk is full: nothing is kept, and the caller gets an error.
    Full,
    /// The disk fails: nothing is kept, and the caller gets an error.
    Broken,
    /// The process dies first: nothing is kept, and no caller gets an answer.
    DiesBefore,
    /// The process dies right after: it is kept, and no caller gets an answer.
    DiesAfter,
}

/// What is kept of a desk while processes come and go. Cheap to clone.
#[derive(Clone)]
pub struct Medium {
    shared: Arc<Shared>,
}

struct Shared {
    connection: Mutex<Connection>,
    /// Asked before each commit.
    disk: Box<dyn Fn() -> Fate + Send + Sync>,
    /// Counts births and deaths: odd, and the number of the process, while one lives.
    living: AtomicU64,
}

/// One process on the medium. Once it is dead nothing of it is ever answered: its futures wait
/// until they are dropped.
#[derive(Clone)]
pub(super) struct Life {
    shared: Arc<Shared>,
    number: u64,
}

impl std::fmt::Debug for Medium {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Medium")
    }
}

impl Medium {
    /// An empty desk with this version's tables.
    pub fn new(disk: impl Fn() -> Fate + Send + Sync + 'static) -> Self {
        static TABLES: OnceLock<Vec<u8>> = OnceLock::new();
        let tables = TABLES.get_or_init(|| {
            let mut connection = Connection::open_in_memory().unwrap();
            prepare(&mut connection, false, crate::DESK).unwrap();
            connection.serialize(MAIN_DB).unwrap().to_vec()
        });
        let mut connection = Connection::open_in_memory().unwrap();
        connection
            .deserialize_read_exact(MAIN_DB, tables.as_slice(), tables.len(), false)
            .unwrap();
        connection
            .execute_batch("PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF;")
            .unwrap();
        super::plan_once(&connection).unwrap();
        Self {
            shared: Arc::new(Shared {
                connection: Mutex::new(connection),
                disk: Box::new(disk),
                living: AtomicU64::new(0),
            }),
        }
    }

    /// A new process on it; the one before is dead from now on.
    pub fn store(&self) -> Store {
        self.crash();
        let number = self.shared.living.fetch_add(1, Ordering::SeqCst) + 1;
        Store::over(Engine::Inline(Life {
            shared: Arc::clone(&self.shared),
            number,
        }))
    }

    /// Kills the process that lives, wherever it is.
    pub fn crash(&self) {
        let living = &self.shared.living;
        // Without a live process there is nothing to do.
        let _ = living.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |number| {
            (number % 2 == 1).then_some(number + 1)
        });
    }

    /// Looks at what is kept, past every process.
    pub fn look<T>(&self, work: impl FnOnce(&Connection) -> T) -> T {
        work(&self.shared.connection.lock().unwrap())
    }
}

impl Life {
    /// Runs work that changes nothing.
    pub(super) async fn call<T>(&self, work: impl FnOnce(&mut Connection) -> T) -> T {
        yield_now().await;
        self.live().await;
        work(&mut self.shared.connection.lock().unwrap())
    }

    /// Makes a change and commits it as the disk decides.
    pub(super) async fn write(&self, change: Change) {
        yield_now().await;
        self.live().await;
        let fate = (self.shared.disk)();
        {
            let mut connection = self.shared.connection.lock().unwrap();
            group_commit::commit_all(&mut connection, vec![change], |transaction| match fate {
                Fate::Kept | Fate::DiesAfter => transaction.commit(),
                Fate::Full => Err(failure(ffi::SQLITE_FULL)),
                Fate::Broken => Err(failure(ffi::SQLITE_IOERR)),
                Fate::DiesBefore => transaction.rollback(),
            });
        }
        if matches!(fate, Fate::DiesBefore | Fate::DiesAfter) {
            self.end();
        }
        // A process may also be killed between a commit and its answer.
        yield_now().await;
        self.live().await;
    }

    pub(super) fn end(&self) {
        let next = self.number + 1;
        let living = &self.shared.living;
        // Unless another one lives already.
        let _ = living.compare_exchange(self.number, next, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Returns while this process lives, and never otherwise.
    async fn live(&self) {
        if self.shared.living.load(Ordering::SeqCst) != self.number {
            std::future::pending::<()>().await;
        }
    }
}

fn failure(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
}

#[cfg(test)]
#[path = "simulated_disk_tests.rs"]
mod tests;
