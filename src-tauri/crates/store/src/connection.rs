//! The one connection to `desk.db`, and where its work is done.
//!
//! Owns the thread, the queue of changes that share a commit, and nothing of what they say.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::{Connection, OpenFlags, Savepoint};

use super::group_commit::{self, Change};
use super::high_water::{Copy, Mark};
#[cfg(any(test, feature = "simulation"))]
use super::simulated_disk::Life;
use crate::{StoreError, meaning};

/// To read alone.
pub(super) const READ_ONLY: OpenFlags =
    OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);
/// To read and to write a file that is there.
pub(super) const READ_WRITE: OpenFlags =
    OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Where the connection does its work.
#[derive(Clone)]
pub(super) enum Engine {
    /// On a thread of its own: SQLite never blocks the runtime.
    Thread(Thread),
    /// On the task that asks: nothing happens at a time that a seed does not decide.
    #[cfg(any(test, feature = "simulation"))]
    Inline(Life),
}

#[derive(Clone)]
pub(super) struct Thread {
    connection: tokio_rusqlite::Connection,
    /// Changes that came while the thread was busy; they share the next commit.
    waiting: Arc<Mutex<Vec<Change>>>,
    /// Where the high-water mark is kept outside the file.
    marks: Arc<OnceLock<Copy>>,
}

impl Engine {
    /// Opens a file on a thread of its own.
    pub(super) async fn open(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let connection = tokio_rusqlite::Connection::open_with_flags(path, flags)
            .await
            .map_err(meaning)?;
        Ok(Self::Thread(Thread {
            connection,
            waiting: Arc::default(),
            marks: Arc::default(),
        }))
    }

    /// Runs work that changes nothing, or that brings its own transaction.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        match self {
            Self::Thread(thread) => thread
                .connection
                .call_raw(work)
                .await
                .map_err(|_| StoreError::Closed),
            #[cfg(any(test, feature = "simulation"))]
            Self::Inline(life) => Ok(life.call(work).await),
        }
    }

    /// Makes a change, and returns once it is on the disk, with whether it changed a row.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(Savepoint<'_>) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<(T, bool), StoreError> {
        let (change, receiver) = group_commit::change(work);
        match self {
            Self::Thread(thread) => thread.write(change).await?,
            #[cfg(any(test, feature = "simulation"))]
            Self::Inline(life) => life.write(change).await,
        }
        receiver.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Keeps a copy of the high-water mark from here on.
    pub(super) fn keep_marks_in(&self, copy: Copy) {
        match self {
            Self::Thread(thread) => drop(thread.marks.set(copy)),
            #[cfg(any(test, feature = "simulation"))]
            Self::Inline(_) => drop(copy),
        }
    }

    /// Whether that copy could not be written last.
    pub(super) fn has_unkept_mark(&self) -> bool {
        match self {
            Self::Thread(thread) => thread.marks.get().is_some_and(Copy::has_failed),
            #[cfg(any(test, feature = "simulation"))]
            Self::Inline(_) => false,
        }
    }

    /// Ends the thread after the work in progress. Later calls say `Closed`.
    pub(super) async fn close(&self) {
        match self {
            Self::Thread(thread) => {
                if let Err(error) = thread.connection.clone().close().await {
                    tracing::warn!(%error, "the database did not close cleanly");
                }
            }
            #[cfg(any(test, feature = "simulation"))]
            Self::Inline(life) => life.end(),
        }
    }
}

impl Thread {
    /// Queues a change and has the thread take all that wait. Of several that wait, the first
    /// visit takes all and the later ones find none.
    async fn write(&self, change: Change) -> Result<(), StoreError> {
        lock(&self.waiting).push(change);
        let (waiting, marks) = (Arc::clone(&self.waiting), Arc::clone(&self.marks));
        self.connection
            .call_raw(move |connection| {
                let changes = std::mem::take(&mut *lock(&waiting));
                if !changes.is_empty() {
                    group_commit::commit_all(connection, changes, |transaction| {
                        let Some(copy) = marks.get() else {
                            return transaction.commit();
                        };
                        let mark = Mark::of(&transaction)?;
                        transaction.commit()?;
                        copy.keep(&mark);
                        Ok(())
                    });
                }
            })
            .await
            .map_err(|_| StoreError::Closed)
    }
}

/// What a mutex holds, also where a thread that had it panicked.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
