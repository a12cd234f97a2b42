//! A store with a sample profile, and sample entries to freeze in it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use uuid::Uuid;
use warranty_api::{ContractBatch, ContractItem};

use super::Store;
use super::journal::Line;
use super::profiles::{self, Kept};
use super::submissions::{self, Freeze, Frozen, NewBatch, NewEntry};
use crate::outbox::samples::item;
use crate::outbox::state::State;
use crate::profile::{Display, Profile, ProfileKind, ProviderFacts};

/// Now, in milliseconds since 1970 UTC.
pub(crate) const NOW: i64 = 1_800_000_000_000;

/// A live profile of this id at this address.
pub(crate) fn profile(id: &str, base_url: &str) -> Profile {
    Profile {
        id: id.into(),
        name: id.into(),
        kind: ProfileKind::Live,
        base_url: base_url.into(),
        store_id: "store".into(),
        utc_offset_minutes: 0,
        display: Display::default(),
        facts: ProviderFacts::default(),
    }
}

/// A line of the journal.
pub(crate) fn line() -> Line {
    Line {
        at: NOW,
        user: "somebody".into(),
        action: "test.line",
        subject: "x".into(),
        detail: None,
    }
}

/// Keeps a profile.
pub(crate) async fn keep(store: &Store, profile: Profile) -> Kept {
    store
        .call(move |connection| profiles::keep(connection, &profile, false, &line()))
        .await
        .unwrap()
}

/// A new store with the profile `profile` at `practice`.
pub(crate) async fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("desk.db"), false)
        .await
        .unwrap();
    assert_eq!(
        keep(&store, profile("profile", "practice")).await,
        Kept::Yes
    );
    (folder, store)
}

/// Entries of these ids, each its own transaction, in one batch of the id and key `number`.
pub(crate) fn freeze(number: u128, ids: &[&str]) -> Freeze {
    let items: Vec<ContractItem> = ids.iter().map(|id| item(id, "p", "a")).collect();
    let batch = NewBatch {
        id: number.to_string(),
        key: Uuid::from_u128(number),
        state: State::Queued,
        body: serde_json::to_vec(&ContractBatch::new(items.clone()).unwrap()).unwrap(),
        entry_ids: ids.iter().map(ToString::to_string).collect(),
    };
    Freeze {
        profile_id: "profile".into(),
        base_url: "practice".into(),
        user: "somebody".into(),
        at: NOW,
        entries: ids
            .iter()
            .zip(items)
            .map(|(id, item)| NewEntry {
                id: id.to_string(),
                item,
                product_title: None,
                plan_title: None,
                replaces: None,
            })
            .collect(),
        batches: vec![batch],
        lines: Vec::new(),
    }
}

/// Freezes them.
pub(crate) async fn frozen(store: &Store, freeze: Freeze) -> Frozen {
    store
        .call(move |connection| submissions::freeze(connection, &freeze, &[]))
        .await
        .unwrap()
}
