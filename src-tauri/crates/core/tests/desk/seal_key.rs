//! The key that customers are sealed with, in every state it can be in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use warranty_core::api::{Personal, Token};
use warranty_core::clock::{Clock, SystemClock};
use warranty_core::contracts::CustomerState;
use warranty_core::drafts::{DraftName, DraftPlace};
use warranty_core::encryption::Customers;
use warranty_core::outbox::{
    Blocker, CaseReason, Resolution,
    ResolutionKind::{Cancel, Edit, GiveContractId, ProviderHasNone},
    SubmissionState,
};
use warranty_core::vault::{MemoryVault, Vault, VaultError};
use warranty_core::{Desk, DeskOptions, Error};
use warranty_sandbox::{Action, Operation::BulkCreateContracts};

use crate::harness::Stage;
use crate::leads::draft as lead_draft;
use crate::sales::{id, sale, sales};
use crate::steps::{Steps, containing, edit, provider_has_none, refused};

/// The names of the keys that a vault keeps.
pub fn keys_in(stage: &Stage) -> Vec<String> {
    let mut names = stage.vault.names();
    names.retain(|name| name.starts_with("customers "));
    names
}

/// Takes the key out of the keychain, and gives it to whoever wants to put it back.
pub async fn lose_key(stage: &Stage) -> (String, Token) {
    let name = keys_in(stage).pop().unwrap();
    let key = stage.vault.token(&name).await.unwrap().unwrap();
    stage.vault.forget(&name).await.unwrap();
    (name, key)
}

/// A keychain that counts, and that can be as a session bus without one: it says that nothing is
/// kept, and keeps nothing.
#[derive(Debug, Default)]
struct Bus {
    keychain: MemoryVault,
    is_bare: AtomicBool,
    asked: AtomicUsize,
}

impl Bus {
    fn written<'a>(
        &self,
        answer: BoxFuture<'a, Result<(), VaultError>>,
    ) -> BoxFuture<'a, Result<(), VaultError>> {
        if self.is_bare.load(Ordering::SeqCst) {
            ready(Err(VaultError::Locked)).boxed()
        } else {
            answer
        }
    }
}

impl Vault for Bus {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        if name.starts_with("customers ") {
            self.asked.fetch_add(1, Ordering::SeqCst);
        }
        if self.is_bare.load(Ordering::SeqCst) {
            return ready(Ok(None)).boxed();
        }
        self.keychain.token(name)
    }
    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        self.written(self.keychain.keep(name, token))
    }
    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        self.written(self.keychain.forget(name))
    }
    fn forget_later(&self, name: &str) {
        self.keychain.forget_later(name);
    }
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        self.written(self.keychain.probe())
    }
}

/// A clock that can be put ahead, by seconds.
#[derive(Debug, Default)]
struct Ahead {
    machine: SystemClock,
    by: AtomicU64,
}

impl Clock for Ahead {
    fn now(&self) -> DateTime<Utc> {
        self.machine.now()
    }
    fn monotonic(&self) -> Duration {
        self.machine.monotonic() + Duration::from_secs(self.by.load(Ordering::SeqCst))
    }
}

/// A live desk over such a keychain, on the folder of a stage.
async fn on_bus(stage: &Stage, bus: &Arc<Bus>) -> Desk {
    stage.desk.clone().close().await;
    let options = DeskOptions::new(stage.folder.path().to_owned(), bus.clone());
    let desk = Desk::open(options).await.unwrap();
    if desk.profiles.current().await.unwrap().is_none() {
        let draft = stage.draft("本店");
        desk.profiles.connect(draft, stage.token()).await.unwrap();
    }
    desk
}

pub async fn customers(desk: &Desk) -> Customers {
    desk.status().await.unwrap().customers
}

#[tokio::test]
async fn one_key_is_made_at_the_first_entry_and_serves_from_then_on() {
    let (stage, _) = Stage::live().await;
    assert!(keys_in(&stage).is_empty());
    stage.register(&sale(0)).await;
    let made = keys_in(&stage);
    assert_eq!(made.len(), 1);
    let stage = stage.restarted().await;
    stage.register(&sale(1)).await;
    assert_eq!(keys_in(&stage), made);
    for entry in stage.entered().await {
        assert_eq!(entry.customer, CustomerState::Known);
    }
}

#[tokio::test]
async fn while_the_keychain_is_locked_nothing_is_entered_lost_or_sent() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let stage = stage.restarted().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    assert_eq!(
        customers(&stage).await,
        Customers::Keychain(VaultError::Locked)
    );
    refused!(
        stage.try_register(&sale(1), &[]).await,
        Error::Vault(VaultError::Locked)
    );
    refused!(
        stage.bulk.stage(crate::runs::new()).await,
        Error::Vault(VaultError::Locked)
    );
    let entry = stage.only().await;
    assert_eq!(entry.customer, CustomerState::Locked);
    assert_eq!((entry.customer_name, entry.customer_email), (None, None));
    assert_eq!(entry.transaction_id, sale(0).transaction_id);
    stage.run().await;
    assert_eq!(stage.only().await.state, SubmissionState::Queued);
    let blocker = stage.outbox.blocker().await.unwrap();
    assert_eq!(blocker, Some(Blocker::Vault(VaultError::Locked)));
    assert_eq!(stage.sent(), 0);

    stage.vault.fail_with(None);
    stage.register(&sale(1)).await;
    stage.run().await;
    stage.assert_sold_once(&sales(2)).await;
    let shown = stage.entered().await;
    assert!(
        shown
            .iter()
            .all(|entry| entry.customer == CustomerState::Known)
    );
}

#[tokio::test]
async fn over_a_lost_key_nothing_is_made_or_sent_until_a_person_takes_a_new_one() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let (name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    assert_eq!(customers(&stage).await, Customers::KeyLost);
    refused!(stage.try_register(&sale(1), &[]).await, Error::KeyLost);
    assert!(
        keys_in(&stage).is_empty(),
        "a key was made over the lost one"
    );

    stage.run().await;
    assert_eq!(stage.sent(), 0);
    let entry = stage.only().await;
    assert_eq!(entry.customer, CustomerState::Lost);
    assert_eq!(entry.case, Some(CaseReason::KeyLost));
    assert_eq!(
        entry.product_reference_id.as_str(),
        sale(0).product_reference_id
    );
    assert_eq!(stage.may(&entry.id).await, [Edit, Cancel]);

    let renewed = stage.encryption.renew_key().await.unwrap();
    assert_eq!(renewed, Customers::Readable);
    assert_eq!(customers(&stage).await, Customers::Readable);
    stage.resolve(&entry.id, edit(sale(0))).await;
    stage.run().await;
    stage.assert_sold_once(&sales(1)).await;
    let shown = stage.entered().await;
    assert_eq!(shown[0].customer, CustomerState::Lost);
    assert_eq!(shown[1].customer, CustomerState::Known);

    // Nothing was overwritten: with the old key the old rows open again.
    stage.vault.keep(&name, key).await.unwrap();
    let stage = stage.restarted().await;
    for entry in stage.entered().await {
        assert_eq!(entry.customer, CustomerState::Known);
    }
}

#[tokio::test]
async fn what_was_sent_before_its_key_was_lost_is_settled_with_the_provider() {
    let (stage, _) = Stage::live().await;
    let rows = sales(2);
    for row in &rows {
        stage.register(row).await;
    }
    for _ in 0..2 {
        stage.next(BulkCreateContracts, Action::DropAfterCommit);
    }
    stage.next_times(BulkCreateContracts, Action::DropBeforeCommit, 20);
    stage
        .try_run(false, std::time::Duration::from_millis(300))
        .await
        .unwrap();
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    stage.run().await;
    let found = stage.entered().await;
    for entry in &found {
        assert_eq!(entry.case, Some(CaseReason::KeyLost), "{:?}", entry.state);
        let case = stage.case(&entry.id).await;
        let resolutions = [GiveContractId, ProviderHasNone, Cancel];
        assert_eq!(case.resolutions, resolutions);
    }
    let ledger = stage.ledger().await;
    let of = |transaction: &str| {
        ledger
            .iter()
            .find(|sale| sale.transaction_id == transaction)
            .map(|sale| sale.contract_id.clone())
            .unwrap()
    };
    let give = |contract_id| Resolution::GiveContractId { contract_id };
    let other = give(of(&found[1].transaction_id));
    refused!(
        stage.try_resolve(&found[0].id, other).await,
        Error::ContractDoesNotMatch
    );
    let right = give(of(&found[0].transaction_id));
    let case = stage.resolve(&found[0].id, right).await;
    assert_eq!(case.submission.state, SubmissionState::Confirmed);

    let case = stage
        .resolve(&found[1].id, provider_has_none("case 1"))
        .await;
    assert_eq!(case.submission.id, found[1].id, "nothing can be sent anew");
    assert_eq!(case.submission.state, SubmissionState::Cancelled);
}

#[tokio::test]
async fn a_keychain_that_is_not_there_has_lost_nothing_though_it_says_so() {
    let stage = Stage::empty().await;
    let bus = Arc::new(Bus::default());
    let desk = on_bus(&stage, &bus).await;
    desk.register(&sale(0)).await;
    desk.clone().close().await;
    bus.is_bare.store(true, Ordering::SeqCst);
    let desk = on_bus(&stage, &bus).await;
    let away = Customers::Keychain(VaultError::Locked);
    assert_eq!(customers(&desk).await, away);
    assert_eq!(desk.only().await.customer, CustomerState::Locked);
    refused!(
        desk.try_register(&sale(1), &[]).await,
        Error::Vault(VaultError::Locked)
    );
    desk.run().await;
    assert_eq!(desk.only().await.state, SubmissionState::Queued);
}

#[tokio::test]
async fn a_key_is_asked_for_once_by_each_process() {
    let stage = Stage::empty().await;
    let bus = Arc::new(Bus::default());
    let desk = on_bus(&stage, &bus).await;
    desk.enter(&sales(12)).await;
    desk.clone().close().await;
    let before = bus.asked.load(Ordering::SeqCst);
    let desk = on_bus(&stage, &bus).await;
    desk.status().await.unwrap();
    assert_eq!(desk.entered().await.len(), 12);
    desk.enter(&sales(24)).await;
    desk.run_confirmed().await;
    assert_eq!(bus.asked.load(Ordering::SeqCst), before + 1);
}

#[tokio::test]
async fn typing_does_not_ask_a_keychain_again_that_refused() {
    let stage = Stage::empty().await;
    let bus = Arc::new(Bus::default());
    let desk = on_bus(&stage, &bus).await;
    desk.register(&sale(0)).await;
    desk.clone().close().await;
    bus.is_bare.store(true, Ordering::SeqCst);
    let clock = Arc::new(Ahead::default());
    let options = DeskOptions::new(stage.folder.path().to_owned(), bus.clone());
    let desk = Desk::open(DeskOptions {
        clock: clock.clone(),
        ..options
    })
    .await
    .unwrap();
    let profile = desk.profile().await;
    let name = DraftName::new("counter").unwrap();
    let keep = async |text: &str| {
        let text = Personal::new(text);
        desk.drafts.keep(&profile.id, &name, text, 0).await.unwrap()
    };
    assert_eq!(keep("a").await, DraftPlace::Memory);
    let asked = bus.asked.load(Ordering::SeqCst);
    clock.by.store(600, Ordering::SeqCst);
    assert_eq!(keep("ab").await, DraftPlace::Memory);
    assert_eq!(bus.asked.load(Ordering::SeqCst), asked);
    // Who registers asks it, and what was typed is kept from then on.
    bus.is_bare.store(false, Ordering::SeqCst);
    desk.register(&sale(1)).await;
    assert_eq!(keep("abc").await, DraftPlace::File);
}

#[tokio::test]
async fn a_key_that_comes_back_makes_its_customers_found_by_name_without_a_restart() {
    for error in [None, Some(VaultError::Locked)] {
        let (stage, _) = Stage::live().await;
        stage.register(&sale(0)).await;
        let (name, key) = lose_key(&stage).await;
        stage.vault.fail_with(error);
        let clock = Arc::new(Ahead::default());
        let stage = stage.restarted_by(clock.clone()).await;
        let filter = containing("見本0子");
        let found = async || stage.contracts.list_so_far(&filter).await.unwrap().count;
        assert_eq!(found().await, 0, "{error:?}");
        stage.vault.fail_with(None);
        stage.vault.keep(&name, key).await.unwrap();
        clock.by.store(61, Ordering::SeqCst);
        let soon = async {
            while found().await == 0 {
                tokio::task::yield_now().await;
            }
        };
        let soon = tokio::time::timeout(Duration::from_secs(30), soon);
        soon.await.unwrap_or_else(|_| panic!("{error:?}"));
    }
}

#[tokio::test]
async fn another_key_under_the_name_is_a_lost_key() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let lead = id();
    let leads = &stage.leads;
    leads.create(&lead, &lead_draft(), None).await.unwrap();
    let note = Personal::new("call after six");
    stage.follow_up(&lead, None, Some(&note)).await;
    let (name, _) = lose_key(&stage).await;
    let other = Token::new(&"0f".repeat(32)).unwrap();
    stage.vault.keep(&name, other).await.unwrap();
    let stage = stage.restarted().await;
    assert_eq!(customers(&stage).await, Customers::KeyLost);
    refused!(stage.try_register(&sale(1), &[]).await, Error::KeyLost);
    assert_eq!(stage.only().await.customer, CustomerState::Lost);

    // A note written with the new key replaces the lost one.
    let leads = &stage.leads;
    let lost = leads.recent(1).await.unwrap().remove(0);
    assert_eq!(
        (lost.note, lost.note_unreadable, lost.note_lost),
        (None, true, true)
    );
    stage.encryption.renew_key().await.unwrap();
    let kept = stage.follow_up(&lead, None, Some(&note)).await;
    assert_eq!((kept.note, kept.note_lost), (Some(note), false));
}

#[tokio::test]
async fn a_key_that_is_gone_while_nothing_is_sealed_with_it_is_made_anew() {
    let (stage, _) = Stage::live().await;
    stage.encryption.renew_key().await.unwrap();
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    assert_eq!(customers(&stage).await, Customers::Readable);
    stage.register(&sale(0)).await;
    assert_eq!(keys_in(&stage).len(), 1);
}

#[tokio::test]
async fn a_new_key_takes_over_what_the_old_one_could_read_and_the_old_one_is_deleted() {
    let (stage, profile) = Stage::live().await;
    stage.register(&sale(0)).await;
    let (desk, profile) = (&stage, profile.id);
    let name = DraftName::new("counter").unwrap();
    let typed = Personal::new("typed");
    let kept = desk.drafts.keep(&profile, &name, typed, 1).await.unwrap();
    assert_eq!(kept, DraftPlace::File);
    let lead = id();
    desk.lead_under(&lead, &lead_draft()).await;
    let note = Personal::new("call after six");
    desk.follow_up(&lead, None, Some(&note)).await;
    let old = keys_in(&stage).pop().unwrap();
    desk.encryption.renew_key().await.unwrap();
    let keys = keys_in(&stage);
    assert_eq!((keys.len(), keys.contains(&old)), (1, false));
    let file = stage.database();
    let id = old.strip_prefix("customers ").unwrap();
    for (table, column) in [
        ("submission_customer", "key_id"),
        ("batch", "body_key"),
        ("draft", "key_id"),
        ("lead", "note_key"),
    ] {
        let count = |key: &str| -> i64 {
            let asked = format!("SELECT COUNT(*) FROM {table} WHERE {column} LIKE ?1");
            file.query_row(&asked, [key], |row| row.get(0)).unwrap()
        };
        assert_eq!((count(id), count("%")), (0, 1), "{table}");
    }
    drop(file);

    let stage = stage.restarted().await;
    assert_eq!(stage.only().await.customer, CustomerState::Known);
    let drafts = stage.drafts.all(&profile, &name).await.unwrap();
    assert_eq!(drafts[0].text, Some(Personal::new("typed")));
    let leads = stage.leads.recent(1).await.unwrap();
    assert_eq!(leads[0].note, Some(Personal::new("call after six")));
    stage.run().await;
    stage.assert_sold_once(&sales(1)).await;
}

#[tokio::test]
async fn an_old_key_is_deleted_only_once_a_copy_is_kept_that_the_new_one_reads() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let stage = stage.restarted().await;
    let old = keys_in(&stage).pop().unwrap();
    let backup = stage.file("backup");
    let moved = stage.file("moved");
    std::fs::rename(&backup, &moved).unwrap();
    std::fs::write(&backup, "").unwrap();
    stage.encryption.renew_key().await.unwrap();
    assert!(
        keys_in(&stage).contains(&old),
        "no copy, and the key is gone"
    );
    assert!(stage.status().await.unwrap().backup.failed);

    std::fs::remove_file(&backup).unwrap();
    std::fs::rename(&moved, &backup).unwrap();
    stage.encryption.renew_key().await.unwrap();
    let keys = keys_in(&stage);
    assert_eq!((keys.len(), keys.contains(&old)), (1, false));
}
