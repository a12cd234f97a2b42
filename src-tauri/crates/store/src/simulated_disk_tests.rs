#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Mutex;
use std::time::Duration;

use futures::FutureExt as _;

use super::*;
use crate::{StoreError, settings};

/// A disk that does as this list says, and then well.
fn disk(fates: &[Fate]) -> impl Disk + 'static {
    let left = Mutex::new(fates.iter().rev().copied().collect::<Vec<_>>());
    move || left.lock().unwrap().pop().unwrap_or(Fate::Kept)
}

async fn set(store: &Store, value: &'static str) -> Result<(), StoreError> {
    store
        .write(move |change| settings::set(change, "theme", Some(value)))
        .await
}

fn kept(medium: &Medium) -> Option<String> {
    medium.look(|connection| settings::get(connection, "theme").unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_fails_keeps_nothing_and_is_told() {
    let medium = Medium::new(disk(&[Fate::Kept, Fate::Full, Fate::Broken]));
    let store = medium.store();
    set(&store, "light").await.unwrap();
    assert!(matches!(set(&store, "dark").await, Err(StoreError::Full)));
    assert!(set(&store, "dark").await.is_err());
    assert_eq!(kept(&medium).as_deref(), Some("light"));
    set(&store, "dark").await.unwrap();
    assert_eq!(kept(&medium).as_deref(), Some("dark"));
}

#[tokio::test(start_paused = true)]
async fn a_process_that_dies_at_a_commit_hears_nothing_more() {
    for (fate, expected) in [(Fate::DiesBefore, None), (Fate::DiesAfter, Some("light"))] {
        let medium = Medium::new(disk(&[fate]));
        let store = medium.store();
        let writing = set(&store, "light");
        assert!(
            tokio::time::timeout(Duration::from_secs(3600), writing)
                .await
                .is_err()
        );
        assert_eq!(kept(&medium).as_deref(), expected);
        assert!(medium.living().is_none());
        let reading = store.call(|connection| settings::get(connection, "theme"));
        assert!(
            tokio::time::timeout(Duration::from_secs(3600), reading)
                .await
                .is_err()
        );
        set(&medium.store(), "dark").await.unwrap();
        assert_eq!(kept(&medium).as_deref(), Some("dark"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_killed_from_outside_changes_nothing_more() {
    let medium = Medium::new(disk(&[]));
    let store = medium.store();
    let mut writing = Box::pin(set(&store, "light"));
    assert!(writing.as_mut().now_or_never().is_none());
    medium.crash();
    assert!(
        tokio::time::timeout(Duration::from_secs(3600), writing)
            .await
            .is_err()
    );
    assert_eq!(kept(&medium), None);
}
