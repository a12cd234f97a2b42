//! Changes that share one commit: each in a savepoint of its own, all in one transaction, and
//! no success reported before it is on the disk.

use rusqlite::{Connection, Savepoint, Transaction, TransactionBehavior, ffi};
use tokio::sync::oneshot;

use super::meaning;
use crate::StoreError;

/// A change that waits for its turn and then for its commit.
pub(super) trait Change: Send {
    /// Makes the change. One that fails, or that does not commit its savepoint, leaves nothing.
    fn run(&mut self, transaction: &mut Transaction<'_>);

    /// SQLite's failure of the change, once it has run.
    fn failure(&self) -> Option<ffi::Error>;

    fn report(self: Box<Self>, commit: Result<(), &rusqlite::Error>);
}

/// The only kind of change: work, and the channel for its result.
struct Work<W, T> {
    /// `None` once it has run.
    work: Option<W>,
    /// `None` before it has.
    result: Option<Result<T, rusqlite::Error>>,
    sender: oneshot::Sender<Result<T, StoreError>>,
}

pub(super) fn change<T: Send + 'static>(
    work: impl FnOnce(Savepoint<'_>) -> Result<T, rusqlite::Error> + Send + 'static,
) -> (Box<dyn Change>, oneshot::Receiver<Result<T, StoreError>>) {
    let (sender, receiver) = oneshot::channel();
    let change = Work {
        work: Some(work),
        result: None,
        sender,
    };
    (Box::new(change), receiver)
}

/// Makes all changes and commits them together, by `commit`, then reports to every caller. A change that
/// fails does so alone; a commit that fails, fails for all.
pub(super) fn commit_all(
    connection: &mut Connection,
    mut changes: Vec<Box<dyn Change>>,
    commit: impl FnOnce(Transaction<'_>) -> Result<(), rusqlite::Error>,
) {
    let committed = make_all(connection, &mut changes, commit);
    for change in changes {
        change.report(committed.as_ref().copied());
    }
}

fn make_all(
    connection: &mut Connection,
    changes: &mut [Box<dyn Change>],
    commit: impl FnOnce(Transaction<'_>) -> Result<(), rusqlite::Error>,
) -> Result<(), rusqlite::Error> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for change in changes {
        change.run(&mut transaction);
        if transaction.is_autocommit() {
            // A full disk and the like make SQLite give up the whole transaction by itself: what
            // the others did is gone too, and a savepoint now would be a transaction of its own.
            let failure = change
                .failure()
                .unwrap_or_else(|| ffi::Error::new(ffi::SQLITE_ABORT_ROLLBACK));
            return Err(rusqlite::Error::SqliteFailure(failure, None));
        }
    }
    commit(transaction)
}

impl<W, T> Change for Work<W, T>
where
    W: FnOnce(Savepoint<'_>) -> Result<T, rusqlite::Error> + Send,
    T: Send,
{
    fn run(&mut self, transaction: &mut Transaction<'_>) {
        if let Some(work) = self.work.take() {
            self.result = Some(transaction.savepoint().and_then(work));
        }
    }

    fn failure(&self) -> Option<ffi::Error> {
        match &self.result {
            Some(Err(error)) => error.sqlite_error().copied(),
            Some(Ok(_)) | None => None,
        }
    }

    fn report(self: Box<Self>, commit: Result<(), &rusqlite::Error>) {
        let outcome = match (self.result, commit) {
            (Some(Err(own)), _) => Err(meaning(&own)),
            (_, Err(shared)) => Err(meaning(shared)),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(StoreError::Closed),
        };
        // Whoever asked may have gone.
        let _ = self.sender.send(outcome);
    }
}

#[cfg(test)]
#[path = "group_commit_tests.rs"]
mod tests;
