use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use futures::future::join_all;

use super::*;
use crate::{Store, settings};

/// A file, its store and a count of its commits.
struct Counted {
    store: Store,
    commits: Arc<AtomicUsize>,
    _folder: tempfile::TempDir,
}

/// Counts commits, and refuses them all where told to.
async fn counted(refuses: bool) -> Counted {
    let (folder, store) = crate::test_fixtures::store().await;
    let commits = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&commits);
    let hook = move || {
        count.fetch_add(1, Ordering::SeqCst);
        refuses
    };
    let hooked = store.call(move |connection| connection.commit_hook(Some(hook)));
    hooked.await.unwrap();
    Counted {
        store,
        commits,
        _folder: folder,
    }
}

impl Counted {
    /// Hands in all changes while the thread is busy, so that they wait together.
    async fn together(&self, changes: &[&'static str]) -> Vec<Result<(), StoreError>> {
        let (free, held) = mpsc::channel::<()>();
        let busy = self.store.call(move |_| {
            held.recv().unwrap();
            Ok(())
        });
        let write = |sql: &&'static str| {
            let sql = *sql;
            self.store.write(move |change| change.execute_batch(sql))
        };
        let writing = join_all(changes.iter().map(write));
        let freeing = async {
            // Polled last: everything is queued by now.
            free.send(()).unwrap();
        };
        let (_, outcomes, ()) = tokio::join!(biased; busy, writing, freeing);
        outcomes
    }

    async fn kept(&self) -> Vec<String> {
        let sql = "SELECT name FROM setting WHERE name <> 'minReader' ORDER BY name";
        self.store.list(sql, [], |row| row.get(0)).await.unwrap()
    }
}

const A: &str = "INSERT INTO setting (name, value) VALUES ('a', '1')";
const B: &str = "INSERT INTO setting (name, value) VALUES ('b', '1')";
const C: &str = "INSERT INTO setting (name, value) VALUES ('c', '1')";
const D: &str = "INSERT INTO setting (name, value) VALUES ('d', '1')";

#[tokio::test]
async fn changes_that_wait_together_share_one_commit() {
    let desk = counted(false).await;
    let outcomes = desk.together(&[A, B, C, D]).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(desk.commits.load(Ordering::SeqCst), 1);
    assert_eq!(desk.kept().await, ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn a_change_that_fails_does_not_spoil_its_neighbours() {
    let desk = counted(false).await;
    let half = "INSERT INTO setting (name, value) VALUES ('x', '1'); SELECT nonsense;";
    let outcomes = desk.together(&[A, half, B]).await;
    let told: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
    assert_eq!(told, [true, false, true]);
    assert_eq!(desk.kept().await, ["a", "b"]);
}

#[tokio::test]
async fn a_commit_that_fails_is_told_to_all_and_keeps_nothing() {
    let desk = counted(true).await;
    let outcomes = desk.together(&[A, B, C]).await;
    assert!(outcomes.iter().all(Result::is_err));
    assert_eq!(desk.commits.load(Ordering::SeqCst), 1);
    assert!(desk.kept().await.is_empty());
}

#[tokio::test]
async fn where_sqlite_gives_up_the_transaction_nobody_is_told_of_success() {
    let desk = counted(false).await;
    let gives_up = "INSERT OR ROLLBACK INTO setting (name, value) VALUES ('a', '2')";
    let outcomes = desk.together(&[A, gives_up, B]).await;
    assert!(outcomes.iter().all(Result::is_err));
    assert!(desk.kept().await.is_empty());
    // The next change stands on its own.
    assert!(desk.together(&[C]).await[0].is_ok());
    assert_eq!(desk.kept().await, ["c"]);
}

#[tokio::test]
async fn a_change_that_does_not_commit_is_undone_and_its_answer_given() {
    let desk = counted(false).await;
    let answer = desk
        .store
        .write_savepoint(|change| {
            settings::set(&change, "a", Some("1"))?;
            Ok(7)
        })
        .await;
    assert!(matches!(answer, Ok(7)));
    assert!(desk.kept().await.is_empty());
}
