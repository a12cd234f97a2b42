//! A store with a sample profile, and sample entries to freeze in it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use uuid::Uuid;
use warranty_api::{ContractBatch, ContractId, ContractItem, Token};

use super::Store;
use super::batches::{self, AttemptChange, Move};
use super::cases::{self, Case};
use super::journal::Line;
use super::profiles::{self, Kept};
use super::submissions::{self, Freeze, Frozen, NewBatch, NewEntry};
use crate::encryption::{AssociatedData, BatchBinding, DataKey};
use crate::outbox::AnswerClass;
use crate::outbox::classify::{Created, Evidence};
use crate::outbox::samples::item;
use crate::outbox::state::{Event, Instant, Route, State, step};
use crate::profile::{Display, Profile, ProfileKind, ProviderFacts, ServiceStore};

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
        time_zone: None,
        display: Display::default(),
        facts: ProviderFacts::default(),
    }
}

/// The store of the profile `profile`.
pub(crate) fn service_store() -> ServiceStore {
    profile("profile", "practice").store()
}

/// A key, the same each time.
pub(crate) fn seal_key() -> DataKey {
    DataKey::from_secret("sample", &Token::new(&"5a".repeat(32)).unwrap()).unwrap()
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
        .write(move |transaction| profiles::keep(transaction, &profile, false, &line()))
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
    let body = serde_json::to_vec(&ContractBatch::new(items.clone()).unwrap()).unwrap();
    let place = BatchBinding {
        id: &number.to_string(),
        profile_id: "profile",
        base_url: "practice",
        key: Uuid::from_u128(number),
    };
    let batch = NewBatch {
        id: number.to_string(),
        key: place.key,
        state: State::Queued,
        body: seal_key()
            .encrypt(AssociatedData::Body(place), &body)
            .unwrap(),
        entry_ids: ids.iter().map(ToString::to_string).collect(),
    };
    Freeze {
        profile_id: "profile".into(),
        run: None,
        base_url: "practice".into(),
        store: service_store(),
        user: "somebody".into(),
        at: NOW,
        entries: ids
            .iter()
            .zip(items)
            .map(|(id, item)| NewEntry {
                id: id.to_string(),
                customer: seal_key()
                    .encrypt_json(
                        AssociatedData::Customer(id),
                        &(&item.customer.name, &item.customer.email),
                    )
                    .unwrap(),
                item,
                product_title: None,
                plan_title: None,
                price_checked: false,
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
        .write(move |transaction| submissions::freeze(transaction, &freeze, &[]))
        .await
        .unwrap()
}

/// Now, on both clocks.
pub(crate) fn now() -> Instant {
    Instant {
        wall: NOW,
        mono: Duration::from_secs(5),
        counted_from: Uuid::from_u128(1),
    }
}

/// An entry with its batch.
pub(crate) async fn read(store: &Store, id: &'static str) -> Case {
    store
        .call(move |connection| cases::load(connection, id))
        .await
        .unwrap()
        .unwrap()
}

/// The step of the batch an entry was read with.
pub(crate) fn moved(case: &Case, event: Event, created: &[&str]) -> Move {
    let batch = &case.batch;
    let attempt = if event == Event::Due(Route::Same) {
        AttemptChange::Begin {
            base_url: "practice".into(),
            token_fingerprint: None,
        }
    } else if matches!(event, Event::Person(_) | Event::Due(Route::Other)) {
        AttemptChange::None
    } else {
        AttemptChange::Finish {
            class: AnswerClass::Unknown,
            evidence: Evidence::default(),
        }
    };
    Move {
        batch_id: batch.id.clone(),
        revision: batch.revision,
        from: batch.state,
        step: step(
            batch.state,
            &batch.record,
            event,
            &ProviderFacts::default(),
            now(),
        )
        .unwrap(),
        setbacks: 0,
        next_at: None,
        at: NOW,
        attempt,
        created: created.iter().map(|id| contract(id)).collect(),
        lines: Vec::new(),
    }
}

/// Takes a step.
pub(crate) async fn taken(store: &Store, step: Move) -> bool {
    store
        .write(move |transaction| batches::take(transaction, &step))
        .await
        .unwrap()
}

/// Freezes a batch, sends it and lets this come of it.
pub(crate) async fn sent(
    store: &Store,
    number: u128,
    ids: &[&'static str],
    event: Event,
    created: &[&str],
) {
    assert_eq!(frozen(store, freeze(number, ids)).await, Frozen::Done);
    let queued = read(store, ids[0]).await;
    assert!(taken(store, moved(&queued, Event::Due(Route::Same), &[])).await);
    let begun = read(store, ids[0]).await;
    assert!(taken(store, moved(&begun, event, created)).await);
}

/// A contract of this id.
pub(crate) fn contract(id: &str) -> Created {
    Created {
        contradicts: false,
        contract_id: ContractId::new(id).unwrap(),
        inquiry_code: None,
        product_title: None,
        plan_title: None,
    }
}
