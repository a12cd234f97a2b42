//! The copy of the high-water mark in the keychain: what a folder that was put back whole is compared
//! with before anything live is sent.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use warranty_core::api::Token;
use warranty_core::leads::{LeadDraft, LeadState};
use warranty_core::notice::Notice;
use warranty_core::outbox::Blocker;
use warranty_core::recovery::RescueCause;
use warranty_core::vault::{MemoryVault, Vault, VaultError};
use warranty_core::{Desk, DeskOptions, Error};
use warranty_sandbox::{Operation::CreateLead, sample};

use crate::harness::{Stage, open};
use crate::sales::{id, sales};
use crate::steps::{Steps, refused};

fn copy_all(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            std::fs::create_dir_all(&place).unwrap();
            copy_all(&path, &place);
        } else {
            std::fs::copy(path, place).unwrap();
        }
    }
}

fn put_back(kept: &Path, folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }
    copy_all(kept, folder);
}

/// A new desk on the folder, after something was done with the folder while no desk had it.
async fn reopened(stage: Stage, between: impl FnOnce(&Path)) -> Stage {
    stage.desk.clone().close().await;
    between(stage.folder.path());
    let desk = open(&stage.folder, &stage.vault).await;
    let stage = Stage { desk, ..stage };
    stage.attach_practice();
    stage
}

#[tokio::test]
async fn practising_does_not_hide_that_the_folder_was_put_back() {
    for (is_put_back, restarted) in [(true, false), (true, true), (false, true)] {
        let (stage, live) = Stage::live().await;
        stage.enter(&sales(1)).await;
        let kept = tempfile::tempdir().unwrap();
        let stage = reopened(stage, |folder| copy_all(folder, kept.path())).await;
        stage.run().await;
        assert_eq!(stage.sent(), 1);
        let mut stage = reopened(stage, |folder| {
            if is_put_back {
                put_back(kept.path(), folder);
            }
        })
        .await;

        let practice = stage
            .profiles
            .practise(
                "練習".to_owned(),
                warranty_core::profile::Display::default(),
            )
            .await;
        practice.unwrap();
        stage.enter(&sales(7)[1..]).await;
        stage.run().await;
        if restarted {
            stage = reopened(stage, |_| {}).await;
        }
        let before = stage.sent();
        stage.profiles.choose(&live.id).await.unwrap();
        stage.run().await;
        assert_eq!(stage.sent(), before, "sold again");
        let cause = stage.recovery.unseen().await.unwrap();
        let expected = is_put_back.then_some(RescueCause::PutBack);
        assert_eq!(cause.map(|report| report.cause), expected);
        // It is told once.
        if let Some(report) = stage.recovery.unseen_summary().await.unwrap() {
            stage.recovery.mark_seen(report.number).await.unwrap();
        }
        let stage = reopened(stage, |_| {}).await;
        stage.status().await.unwrap();
        assert_eq!(stage.recovery.unseen().await.unwrap(), None);
    }
}

/// A keychain that gives tokens and keys and, while it is silent, no mark.
#[derive(Debug, Default)]
struct Silent {
    keychain: MemoryVault,
    silent: AtomicBool,
    asked: AtomicUsize,
}

impl Vault for Silent {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        if name.starts_with("high-water ") {
            self.asked.fetch_add(1, Ordering::SeqCst);
            if self.silent.load(Ordering::SeqCst) {
                return ready(Err(VaultError::Locked)).boxed();
            }
        }
        self.keychain.token(name)
    }
    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        self.keychain.keep(name, token)
    }
    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        self.keychain.forget(name)
    }
    fn forget_later(&self, name: &str) {
        self.keychain.forget_later(name);
    }
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        self.keychain.probe()
    }
}

fn lead() -> LeadDraft {
    LeadDraft {
        transaction_id: id(),
        product_reference_id: sample::PRODUCT_REFRIGERATOR.to_owned(),
        product_purchase_price: "128000".to_owned(),
        quantity: "1".to_owned(),
        transaction_date: "2026-11-20 10:15".to_owned(),
    }
}

#[tokio::test]
async fn nothing_live_is_sent_before_the_keychain_gave_the_mark_once() {
    let stage = Stage::empty().await;
    stage.desk.clone().close().await;
    let vault = Arc::new(Silent::default());
    vault.silent.store(true, Ordering::SeqCst);
    let options = DeskOptions::new(stage.folder.path().to_owned(), vault.clone());
    let desk = Desk::open(options).await.unwrap();
    let draft = stage.draft("本店");
    desk.profiles.connect(draft, stage.token()).await.unwrap();

    desk.enter(&sales(1)).await;
    let waits = desk.run().await;
    assert_eq!(waits.waiting + waits.held, 1);
    let blocker = desk.status().await.unwrap().blocker;
    assert_eq!(blocker, Some(Blocker::Vault(VaultError::Locked)));
    let waiting = desk.lead(&lead()).await;
    assert_eq!(waiting.state, LeadState::Queued);
    assert_eq!(stage.sent(), 0);
    assert_eq!(stage.arrived(CreateLead), 0);

    vault.silent.store(false, Ordering::SeqCst);
    assert_eq!(desk.send_again(&waiting.id).await.state, LeadState::Created);
    // From here on it need not answer.
    vault.silent.store(true, Ordering::SeqCst);
    let asked = vault.asked.load(Ordering::SeqCst);
    assert_eq!(desk.run().await.accepted, 1);
    desk.enter(&sales(2)[1..]).await;
    assert_eq!(desk.run().await.accepted, 2);
    assert_eq!(vault.asked.load(Ordering::SeqCst), asked);
}

#[tokio::test]
async fn a_lead_of_a_folder_put_back_is_not_sent_again() {
    let (stage, profile) = Stage::live().await;
    stage.profiles.remove_token(&profile.id).await.unwrap();
    let queued = stage.lead(&lead()).await;
    assert_eq!(queued.state, LeadState::Queued);
    stage.give_token(&profile).await;
    let kept = tempfile::tempdir().unwrap();
    let stage = reopened(stage, |folder| copy_all(folder, kept.path())).await;
    assert_eq!(stage.send_again(&queued.id).await.state, LeadState::Created);

    let stage = reopened(stage, |folder| put_back(kept.path(), folder)).await;
    let mut notices = stage.notices();
    refused!(stage.leads.send_again(&queued.id).await, Error::NotLawful);
    let told = std::iter::from_fn(|| notices.try_recv().ok());
    assert_eq!(
        told.filter(|notice| *notice == Notice::RescueFound).count(),
        1
    );
    assert_eq!(stage.arrived(CreateLead), 1);
    assert!(stage.recovery.unseen().await.unwrap().is_some());
    assert_eq!(stage.leads().await[0].state, LeadState::Unknown);
}
