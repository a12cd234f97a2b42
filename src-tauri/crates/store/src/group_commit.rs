//! Changes that share one commit: each in a savepoint of its own, all in one transaction, and
//! no success reported before it is on the disk.

use rusqlite::{Connection, Savepoint, Transaction, TransactionBehavior, ffi};
use tokio::sync::oneshot;

use crate::{StoreError, meaning};

/// A change that waits for its turn, which is `None` where the transaction is over before. One that fails,
/// or that does not commit its savepoint, leaves nothing.
pub(super) type Change = Box<dyn FnOnce(Option<&mut Transaction<'_>>) -> Made + Send>;

/// A change that had its turn and waits for the commit.
pub(super) struct Made {
    /// SQLite's failure of it.
    failure: Option<ffi::Error>,
    report: Report,
}

/// Tells the caller of a change what came of it, by what came of the commit.
type Report = Box<dyn FnOnce(Result<(), &rusqlite::Error>)>;

/// The result of a change, and whether it changed a row.
type Outcome<T> = Result<(T, bool), StoreError>;

/// The change, and the channel for its outcome.
pub(super) fn change<T: Send + 'static>(
    work: impl FnOnce(Savepoint<'_>) -> Result<T, rusqlite::Error> + Send + 'static,
) -> (Change, oneshot::Receiver<Outcome<T>>) {
    let (sender, receiver) = oneshot::channel();
    let change: Change = Box::new(move |transaction| {
        let result = transaction.map(|transaction| {
            let before = transaction.total_changes();
            let value = transaction.savepoint().and_then(work)?;
            Ok((value, transaction.total_changes() > before))
        });
        let error = result.as_ref().and_then(|result| result.as_ref().err());
        Made {
            failure: error.and_then(rusqlite::Error::sqlite_error).copied(),
            report: Box::new(move |commit| {
                let outcome = match (result, commit) {
                    (Some(Err(own)), _) => Err(meaning(&own)),
                    (_, Err(shared)) => Err(meaning(shared)),
                    (Some(Ok(value)), Ok(())) => Ok(value),
                    (None, Ok(())) => Err(StoreError::Closed),
                };
                // Whoever asked may have gone.
                let _ = sender.send(outcome);
            }),
        }
    });
    (change, receiver)
}

/// Makes all changes and commits them together, by `commit`, then reports to every caller. A change that
/// fails does so alone; a commit that fails, fails for all.
pub(super) fn commit_all(
    connection: &mut Connection,
    changes: Vec<Change>,
    commit: impl FnOnce(Transaction<'_>) -> Result<(), rusqlite::Error>,
) {
    let mut changes = changes.into_iter();
    let mut reports = Vec::new();
    let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let committed = begun.and_then(|mut transaction| {
        for change in changes.by_ref() {
            let Made { failure, report } = change(Some(&mut transaction));
            reports.push(report);
            if transaction.is_autocommit() {
                // A full disk and the like make SQLite give up the whole transaction by itself: what
                // the others did is gone too, and a savepoint now would be a transaction of its own.
                let failure =
                    failure.unwrap_or_else(|| ffi::Error::new(ffi::SQLITE_ABORT_ROLLBACK));
                return Err(rusqlite::Error::SqliteFailure(failure, None));
            }
        }
        commit(transaction)
    });
    reports.extend(changes.map(|change| change(None).report));
    for report in reports {
        report(committed.as_ref().copied());
    }
}

#[cfg(test)]
#[path = "group_commit_tests.rs"]
mod tests;
