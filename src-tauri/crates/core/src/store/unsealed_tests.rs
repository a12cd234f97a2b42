#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use rusqlite_migration::Migrations;
use warranty_api::{ContractBatch, Token};

use super::*;
use crate::clock::Clock;
use crate::contracts::{CustomerState, EntryFilter};
use crate::outbox::samples::item;
use crate::seal::Customers;
use crate::store::DESK;
use crate::vault::{MemoryVault, Vault, VaultError};
use crate::{Desk, DeskOptions};

/// How many steps the tables had while customers were kept open.
const OPEN_TABLES: usize = 5;

/// A file of the version that kept customers open, with two entries: one confirmed after a refusal
/// that repeats its customer, one queued.
fn old_file(folder: &Path) {
    let mut connection = Connection::open(folder.join("desk.db")).unwrap();
    connection
        .pragma_update(None, "journal_mode", "WAL")
        .unwrap();
    Migrations::from_slice(DESK)
        .to_version(&mut connection, OPEN_TABLES)
        .unwrap();
    connection
        .execute_batch(
            "INSERT INTO profile (id, name, name_key, kind, base_url, store_id,
                 utc_offset_minutes, currency, term_unit, bulk_fact)
             VALUES ('profile', 'Main', 'main', 'live', 'https://sample.invalid', 's', 0, '', '',
                 'unknown');
             INSERT INTO setting (name, value) VALUES ('currentProfile', 'profile');",
        )
        .unwrap();
    for (number, state) in [(1, "confirmed"), (2, "queued")] {
        let mut sold = item(&format!("T{number}"), "p", "a");
        sold.customer.email = Personal::new(email(number));
        let body = serde_json::to_vec(&ContractBatch::new(vec![sold]).unwrap()).unwrap();
        connection
            .execute(
                "INSERT INTO batch (id, profile_id, state, body, idempotency_key, size, base_url,
                     frozen_at)
                 VALUES (?1, 'profile', ?2, ?3, ?1, 1, 'https://sample.invalid', 1)",
                params![uuid::Uuid::from_u128(number).to_string(), "queued", body],
            )
            .unwrap();
        connection
            .execute(
                "INSERT INTO submission (id, profile_id, state, batch_id, position,
                     transaction_id, transaction_total, transaction_date, product_reference_id,
                     product_purchase_price, plan_id, plan_purchase_price, entered_at, entered_by,
                     folded)
                 VALUES (?1, 'profile', ?2, ?3, 0, ?4, 110000, '2026-11-21T10:00:00.000+09:00', 'p',
                     100000, 'a', 5000, 1, 'clerk', lower(?4))",
                params![
                    format!("entry {number}"),
                    state,
                    uuid::Uuid::from_u128(number).to_string(),
                    format!("T{number}"),
                ],
            )
            .unwrap();
        connection
            .execute(
                "INSERT INTO submission_customer (submission_id, name, email, folded)
                 VALUES (?1, '見本　花子', ?2, ?2)",
                params![format!("entry {number}"), email(number)],
            )
            .unwrap();
    }
    connection
        .execute(
            "INSERT INTO attempt (batch_id, number, started_at, base_url, finished_at, class, code,
                 detail)
             VALUES (?1, 1, 1, 'https://sample.invalid', 2, 'rejected', 'BadRequestException', ?2)",
            params![
                uuid::Uuid::from_u128(1).to_string(),
                format!("{} is bad", email(1).to_uppercase())
            ],
        )
        .unwrap();
}

fn email(number: u128) -> String {
    format!("customer{number}.of.an.earlier.version@sample.invalid")
}

/// How often customers stand open in the files of a folder, and in those of its folders.
fn open_in(folder: &Path) -> usize {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| {
            if path.is_dir() {
                return open_in(&path);
            }
            let text =
                String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).to_lowercase();
            text.matches("of.an.earlier.version").count() + text.matches("見本").count()
        })
        .sum()
}

async fn open(folder: &Path, vault: &Arc<MemoryVault>) -> Desk {
    Desk::open(DeskOptions::new(folder.to_owned(), vault.clone()))
        .await
        .unwrap()
}

async fn customers_of(desk: &Desk) -> Vec<CustomerState> {
    let filter = EntryFilter {
        limit: 10,
        ..EntryFilter::default()
    };
    let found = desk.submissions(&filter).await.unwrap();
    found.into_iter().map(|entry| entry.customer).collect()
}

#[tokio::test]
async fn what_an_earlier_version_kept_open_is_sealed_and_nothing_of_it_is_left() {
    let folder = tempfile::tempdir().unwrap();
    old_file(folder.path());
    assert!(open_in(folder.path()) > 0, "the search finds nothing");
    let vault = Arc::new(MemoryVault::default());
    let desk = open(folder.path(), &vault).await;
    assert_eq!(open_in(folder.path()), 0, "while the desk is open");
    assert_eq!(customers_of(&desk).await, [CustomerState::Known; 2]);

    let entry = desk.submission("entry 1").await.unwrap();
    assert_eq!(entry.customer_email.unwrap().expose(), email(1));
    let attempts = desk.outbox_case("entry 1").await.unwrap().attempts;
    assert_eq!(attempts[0].detail.as_deref(), Some("••• is bad"));
    let case = desk.case("entry 2").await.unwrap();
    let crate::seal::Opened::Known(body) = desk.body_of(&case.batch).await.unwrap() else {
        panic!("the body is gone");
    };
    assert_eq!(body.items[0].customer.email.expose(), email(2));
    desk.close().await;
    assert_eq!(open_in(folder.path()), 0);
}

#[tokio::test]
async fn without_a_keychain_it_stays_as_it_was_and_is_sealed_later() {
    let folder = tempfile::tempdir().unwrap();
    old_file(folder.path());
    let vault = Arc::new(MemoryVault::default());
    vault.fail_with(Some(VaultError::Locked));
    let desk = open(folder.path(), &vault).await;
    assert_eq!(customers_of(&desk).await, [CustomerState::Locked; 2]);
    assert_eq!(
        desk.status().await.unwrap().customers,
        Customers::Keychain(VaultError::Locked)
    );
    desk.close().await;
    let copies = super::super::backup::Backups::of(folder.path()).all();
    assert_eq!(copies, [], "a copy would stay open");

    vault.fail_with(None);
    let desk = open(folder.path(), &vault).await;
    assert_eq!(customers_of(&desk).await, [CustomerState::Known; 2]);
    desk.close().await;
    assert_eq!(open_in(folder.path()), 0);
}

#[tokio::test]
async fn evidence_is_changed_no_more_once_its_batch_is_sealed() {
    let folder = tempfile::tempdir().unwrap();
    old_file(folder.path());
    let desk = open(folder.path(), &Arc::new(MemoryVault::default())).await;
    let changed = desk
        .inner
        .store
        .call(|connection| connection.execute("UPDATE attempt SET detail = ''", []))
        .await;
    assert!(changed.is_err());
}

/// A locked keychain that counts how often it is to keep something.
#[derive(Debug, Default)]
struct Counting {
    within: MemoryVault,
    asked: AtomicUsize,
}

impl Vault for Counting {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        self.within.token(name)
    }
    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.within.keep(name, token)
    }
    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        self.within.forget(name)
    }
    fn forget_later(&self, name: &str) {
        self.within.forget_later(name);
    }
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        self.within.probe()
    }
}

/// A clock that is set by hand, in seconds.
#[derive(Debug, Default)]
struct Set(AtomicU64);

impl Clock for Set {
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + self.monotonic()
    }
    fn monotonic(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

#[tokio::test]
async fn a_keychain_that_kept_no_new_key_is_left_alone_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    old_file(folder.path());
    let (vault, clock) = (Arc::new(Counting::default()), Arc::new(Set::default()));
    vault.within.fail_with(Some(VaultError::Locked));
    let desk = Desk::open(DeskOptions {
        clock: clock.clone(),
        ..DeskOptions::new(folder.path().to_owned(), vault.clone())
    })
    .await
    .unwrap();
    for _ in 0..20 {
        desk.mind_customers().await;
    }
    assert_eq!(vault.asked.load(Ordering::SeqCst), 1);
    assert_eq!(customers_of(&desk).await, [CustomerState::Locked; 2]);

    vault.within.fail_with(None);
    clock.0.store(10, Ordering::SeqCst);
    desk.mind_customers().await;
    assert_eq!(vault.asked.load(Ordering::SeqCst), 2);
    assert_eq!(customers_of(&desk).await, [CustomerState::Known; 2]);
    desk.close().await;
}
