//! A store with a sample profile, and sample entries to freeze in it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use uuid::Uuid;
use warranty_model::interface::{ContractBatch, ContractId, ContractItem};

use super::batches::{AttemptChange, Move};
use super::cases::Case;
use super::files::make_file;
use super::journal::Line;
use super::leads::NewLead;
use super::profiles::Kept;
use super::submissions::{self, Frozen, NewBatch, NewEntry, NewSubmissions};
use super::{Store, StoreError};
use warranty_model::encrypted::Encrypted;
use warranty_model::outbox::AnswerClass;
use warranty_model::outbox::classify::{Created, Evidence};
use warranty_model::outbox::samples::item;
use warranty_model::outbox::state::{Event, Instant, Route, State, step};
use warranty_model::profile::{Display, Profile, ProfileKind, ProviderFacts, ServiceStore};

/// Now, in milliseconds since 1970 UTC.
pub const NOW: i64 = 1_800_000_000_000;

/// Whether a proof is asked for in its long form.
pub fn is_long() -> bool {
    std::env::var("WARRANTY_PROVE").is_ok_and(|form| form == "long")
}

/// A number that the environment gives.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// So many seeds, or the one that is asked for.
pub fn seeds(short: u64, long: u64) -> Range<u64> {
    match number("WARRANTY_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..if is_long() { long } else { short },
    }
}

/// How SQLite would read a query, every value of which is 0, step by step.
pub async fn query_plan(store: &Store, query: &str, values: usize) -> Vec<String> {
    let query = format!("EXPLAIN QUERY PLAN {query}");
    store
        .call(move |connection| {
            let mut statement = connection.prepare(&query)?;
            let values = vec![0_i64; values];
            statement
                .query_map(rusqlite::params_from_iter(values), |row| row.get(3))?
                .collect()
        })
        .await
        .unwrap()
}

/// A live profile of this id at this address.
pub fn profile(id: &str, base_url: &str) -> Profile {
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

pub fn service_store() -> ServiceStore {
    profile("profile", "practice").store()
}

/// An encrypted text: this crate keeps it and never looks into it.
pub fn encrypted(text: &[u8]) -> Encrypted {
    Encrypted {
        key_id: "key".to_owned(),
        bytes: text.to_vec(),
    }
}

pub fn line() -> Line {
    Line {
        at: NOW,
        user: "somebody".into(),
        action: "test.line",
        subject: "x".into(),
        detail: None,
    }
}

pub async fn keep(store: &Store, profile: Profile) -> Kept {
    store.keep_profile(&profile, false, line()).await.unwrap()
}

/// A lead of this profile, to be entered.
pub fn new_lead(profile: Profile) -> NewLead {
    let request = serde_json::json!({
        "transactionId": "T",
        "product": { "referenceId": "p", "purchasePrice": 1 },
        "quantity": 1,
        "transactionDate": "2026-11-21T10:00:00.000+09:00",
    });
    NewLead {
        id: "lead".into(),
        store_profiles: vec![profile.id.clone()],
        entered_for: encrypted(profile.id.as_bytes()),
        profile,
        request: serde_json::from_value(request).unwrap(),
        beside: None,
        line: line(),
    }
}

pub async fn made(path: &Path) -> Store {
    make_file(path).unwrap();
    Store::open(path, false).await.unwrap()
}

/// A new store with the profile `profile` at `practice`.
pub async fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = made(&folder.path().join("desk.db")).await;
    assert_eq!(
        keep(&store, profile("profile", "practice")).await,
        Kept::Yes
    );
    (folder, store)
}

/// Inserts a sample row, with these columns of its own, as `state = 'done', rows = 10`; its number.
pub fn insert(connection: &Connection, table: &str, own: &str) -> rusqlite::Result<i64> {
    let sample = match table {
        "run" => {
            "(id, profile_id, kind, source, name, state, created_at, created_by, layout_key, layout)
             VALUES (hex(randomblob(8)), 'profile', 'contracts', 'file', '', 'staged', 0, '', '', x'')"
        }
        "batch" => {
            "(id, profile_id, state, body, body_key, idempotency_key, size, base_url, frozen_at)
             VALUES (hex(randomblob(8)), 'profile', 'queued', x'01', 'key', hex(randomblob(8)), 1,
                 'https://sample.invalid', 0)"
        }
        "submission" => {
            "(id, profile_id, origin, store_id, state, transaction_id, transaction_total,
                 transaction_date, product_reference_id, product_purchase_price, plan_id,
                 plan_purchase_price, entered_at, entered_by)
             VALUES (hex(randomblob(8)), 'profile', '', '', 'queued', 't', 1, '', 'r', 1, 'a', 1, 1,
                 'clerk')"
        }
        "lead" => {
            "(id, profile_id, state, transaction_id, product_reference_id, product_purchase_price,
                 quantity, transaction_date, entered_at, entered_by)
             VALUES (hex(randomblob(8)), 'profile', 'queued', 't', 'r', 0, 1,
                 '2026-11-21T10:00:00.000+09:00', 0, 'clerk')"
        }
        _ => panic!("there is no sample of {table}"),
    };
    connection.execute(&format!("INSERT INTO {table} {sample}"), [])?;
    let number = connection.last_insert_rowid();
    let own = format!("UPDATE {table} SET {own} WHERE rowid = {number}");
    connection.execute(&own, [])?;
    Ok(number)
}

/// The same, into a store.
pub async fn inserted(store: &Store, table: &'static str, own: impl Into<String>) -> i64 {
    let own = own.into();
    let written = store.write(move |transaction| insert(transaction, table, &own));
    written.await.unwrap()
}

/// Keeps a run of contracts whose rows are all entered, in this state; its number.
pub async fn entered_run(
    store: &Store,
    profile_id: &str,
    state: &str,
    submitted_at: i64,
) -> Result<i64, StoreError> {
    let own = format!(
        "profile_id = '{profile_id}', state = '{state}', created_at = {submitted_at}, whole = 1,
         chunks = 1, next_chunk = 1"
    );
    store
        .write(move |transaction| insert(transaction, "run", &own))
        .await
}

/// Entries of these ids, each its own transaction, in one batch of the id and key `number`.
pub fn freeze(number: u128, ids: &[&str]) -> NewSubmissions {
    let items: Vec<ContractItem> = ids.iter().map(|id| item(id, "p", "a")).collect();
    let body = serde_json::to_vec(&ContractBatch::new(items.clone()).unwrap()).unwrap();
    let batch = NewBatch {
        id: number.to_string(),
        key: Uuid::from_u128(number),
        state: State::Queued,
        body: encrypted(&body),
        entry_ids: ids.iter().map(ToString::to_string).collect(),
    };
    NewSubmissions {
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
                customer: encrypted(id.as_bytes()),
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

pub async fn frozen(store: &Store, freeze: NewSubmissions) -> Frozen {
    store
        .write(move |transaction| submissions::freeze(transaction, &freeze, &[]))
        .await
        .unwrap()
}

/// Now, on both clocks.
pub fn now() -> Instant {
    Instant {
        wall: NOW,
        mono: Duration::from_secs(5),
        counted_from: Uuid::from_u128(1),
    }
}

/// An entry with its batch.
pub async fn read(store: &Store, id: &'static str) -> Case {
    store.case(id).await.unwrap().unwrap()
}

/// The step of the batch an entry was read with.
pub fn moved(case: &Case, event: Event, created: &[&str]) -> Move {
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
    let facts = ProviderFacts::default();
    let next = step(batch.state, &batch.record, event, &facts, now()).unwrap();
    Move {
        failures: 0,
        attempt,
        created: created.iter().map(|id| contract(id)).collect(),
        ..batch.step(next, NOW)
    }
}

pub async fn taken(store: &Store, step: Move) -> bool {
    store.take_step(step, now()).await.unwrap()
}

/// Freezes a batch, sends it and lets this come of it.
pub async fn sent(
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

pub fn contract(id: &str) -> Created {
    Created {
        case: None,
        contract_id: ContractId::new(id).unwrap(),
        inquiry_code: None,
        product_title: None,
        plan_title: None,
    }
}
