//! The key that customers are encrypted with, in every state it can be in.

use std::sync::Arc;
use std::time::{Duration, Instant};

use warranty_core::api::{Personal, Token};
use warranty_core::contracts::CustomerState;
use warranty_core::drafts::DraftPlace;
use warranty_core::encryption::Customers;
use warranty_core::outbox::{
    Blocker, CaseReason, Resolution,
    ResolutionKind::{Cancel, Edit, GiveContractId, ProviderHasNone},
    SubmissionState,
};
use warranty_core::vault::{Vault, VaultError};
use warranty_core::{Desk, Error};
use warranty_sandbox::{Action, Operation::BulkCreateContracts};

use crate::harness::{Stage, TestClock, until};
use crate::leads::draft as lead_draft;
use crate::sales::{sale, sales};
use crate::steps::{Steps, containing, edit, provider_has_none, refused, with};
use crate::vault::{Keychain, Manner, live_over, over};

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

pub async fn customers(desk: &Desk) -> Customers {
    desk.status().await.unwrap().customers
}

#[tokio::test]
async fn while_the_keychain_is_locked_or_not_there_nothing_is_entered_lost_or_sent() {
    for manner in [Manner::Badly(VaultError::Locked), Manner::Bare] {
        let stage = Stage::empty().await;
        let keychain = Arc::new(Keychain::default());
        let desk = live_over(&stage, &keychain).await;
        desk.register(&sale(0)).await;
        desk.close().await;
        keychain.be(manner);
        let desk = live_over(&stage, &keychain).await;
        let locked = Customers::Keychain(VaultError::Locked);
        assert_eq!(customers(&desk).await, locked);
        refused!(
            desk.try_register(&sale(1), &[]).await,
            Error::Vault(VaultError::Locked)
        );
        refused!(
            desk.bulk.stage(crate::runs::new()).await,
            Error::Vault(VaultError::Locked)
        );
        let entry = desk.only().await;
        assert_eq!(entry.customer, CustomerState::Locked);
        assert_eq!((entry.customer_name, entry.customer_email), (None, None));
        assert_eq!(entry.transaction_id, sale(0).transaction_id);
        desk.run().await;
        assert_eq!(desk.only().await.state, SubmissionState::Queued);
        assert_eq!(stage.sent(), 0);

        keychain.be(Manner::Well);
        desk.register(&sale(1)).await;
        desk.run().await;
        stage.assert_sold_once(&sales(2)).await;
        for entry in desk.entered().await {
            assert_eq!(entry.customer, CustomerState::Known);
        }
    }
}

#[tokio::test]
async fn over_a_lost_key_none_is_made_by_itself_and_with_the_old_one_the_old_rows_open_again() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let (name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    refused!(stage.try_register(&sale(1), &[]).await, Error::KeyLost);
    assert!(
        keys_in(&stage).is_empty(),
        "a key was made over the lost one"
    );
    let renewed = stage.encryption.renew_key().await.unwrap();
    assert_eq!(renewed, Customers::Readable);
    stage.run().await;
    let entry = stage.only().await;
    assert_eq!(entry.case, Some(CaseReason::KeyLost));
    assert_eq!(stage.may(&entry.id).await, [Edit, Cancel]);
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
async fn what_waits_under_a_lost_key_goes_on_waiting_and_is_sent_once_the_key_is_back() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    stage.register(&sale(1)).await;
    let cancelled = stage.entered().await.remove(0).id;
    let (name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    let waits = stage.run().await;
    assert_eq!((waits.waiting, waits.needs_person), (2, 0));
    assert_eq!(stage.blocker().await, Some(Blocker::KeyLost));
    stage.resolve(&cancelled, Resolution::Cancel).await;

    stage.vault.keep(&name, key).await.unwrap();
    let stage = stage.restarted().await;
    stage.run().await;
    assert_eq!(stage.blocker().await, None);
    stage.assert_sold_once(&[sale(1)]).await;
}

#[tokio::test]
async fn beside_a_sale_that_waits_for_a_lost_key_accepted_ones_are_looked_up() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    stage.run().await;
    stage.register(&sale(1)).await;
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    stage.outbox.start();
    until("the accepted sale is confirmed", async || {
        stage.summary().await.confirmed == 1
    })
    .await;
    assert_eq!(stage.blocker().await, Some(Blocker::KeyLost));
    assert_eq!(stage.summary().await.waiting, 1);

    // Once the key is replaced it is a case, and not only when its wait is over.
    let renewed_at = Instant::now();
    stage.encryption.renew_key().await.unwrap();
    until("a person must decide", async || {
        stage.summary().await.needs_person == 1
    })
    .await;
    assert!(renewed_at.elapsed() < Duration::from_secs(20));
    assert_eq!(stage.blocker().await, None);
}

#[tokio::test]
async fn nothing_waits_for_a_lost_key_once_the_import_that_did_is_cancelled() {
    let (stage, _) = Stage::live().await;
    let view = stage.enter(&[sale(0)]).await;
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    stage.outbox.start();
    until("the key is missed", async || {
        stage.blocker().await == Some(Blocker::KeyLost)
    })
    .await;
    stage.bulk.cancel(&view.id).await.unwrap();
    assert_eq!(stage.blocker().await, None);
}

#[tokio::test]
async fn a_sale_that_never_left_before_its_key_was_lost_counts_as_not_sent_and_may_be_corrected() {
    let stage = Stage::empty().await;
    let nobody_listens = with(stage.draft("本店"), |it| {
        it.base_url = "http://127.0.0.1:1".to_owned();
    });
    let connected = stage.profiles.connect(nobody_listens, stage.token()).await;
    connected.unwrap();
    stage.register(&sale(0)).await;
    stage.run().await;
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    stage.encryption.renew_key().await.unwrap();
    // By itself it waits until the service was asked whether it answers.
    let id = stage.only().await.id;
    let confirmed = Vec::new();
    stage.resolve(&id, Resolution::SendNow { confirmed }).await;
    stage.run().await;
    let case = stage.case(&id).await;
    assert_eq!(case.submission.case, Some(CaseReason::KeyLost));
    assert_eq!(case.resolutions, [Edit, Cancel]);
    assert!(!case.attempts.is_empty());
    assert_eq!(case.submission.attempts, 0);
}

#[tokio::test]
async fn what_was_sent_before_its_key_was_lost_is_settled_with_the_provider() {
    let (stage, _) = Stage::live().await;
    for row in sales(2) {
        stage.register(&row).await;
    }
    stage.next_times(BulkCreateContracts, Action::DropAfterCommit, 2);
    stage.next_times(BulkCreateContracts, Action::DropBeforeCommit, 20);
    until("both are in doubt", async || {
        let run = stage.try_run(false, Duration::from_millis(300)).await;
        run.unwrap().unknown == 2
    })
    .await;
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    stage.encryption.renew_key().await.unwrap();
    stage.run().await;
    let found = stage.entered().await;
    for entry in &found {
        assert_eq!(entry.case, Some(CaseReason::KeyLost), "{:?}", entry.state);
        let case = stage.case(&entry.id).await;
        let resolutions = [GiveContractId, ProviderHasNone, Cancel];
        assert_eq!(case.resolutions, resolutions);
    }
    let give = |contract_id| Resolution::GiveContractId { contract_id };
    let [first, second] = found.as_slice() else {
        panic!("{found:?}");
    };
    let other = stage.contract_of(&second.transaction_id).await;
    refused!(
        stage.try_resolve(&first.id, give(other)).await,
        Error::ContractDoesNotMatch
    );
    let right = stage.contract_of(&first.transaction_id).await;
    let case = stage.resolve(&first.id, give(right)).await;
    assert_eq!(case.submission.state, SubmissionState::Confirmed);

    let none = provider_has_none("case 1", &[]);
    let case = stage.resolve(&second.id, none).await;
    assert_eq!(case.submission.id, second.id, "nothing can be sent anew");
    assert_eq!(case.submission.state, SubmissionState::Cancelled);
}

#[tokio::test]
async fn a_key_is_asked_for_once_by_each_process() {
    let stage = Stage::empty().await;
    let keychain = Arc::new(Keychain::default());
    let desk = live_over(&stage, &keychain).await;
    desk.enter(&sales(12)).await;
    desk.close().await;
    let before = keychain.asked("customers ");
    let desk = live_over(&stage, &keychain).await;
    desk.status().await.unwrap();
    assert_eq!(desk.entered().await.len(), 12);
    desk.enter(&sales(24)).await;
    desk.run_confirmed().await;
    assert_eq!(keychain.asked("customers "), before + 1);
}

#[tokio::test]
async fn typing_does_not_ask_a_keychain_again_that_refused() {
    let stage = Stage::empty().await;
    let keychain = Arc::new(Keychain::default());
    let desk = live_over(&stage, &keychain).await;
    desk.register(&sale(0)).await;
    desk.close().await;
    keychain.be(Manner::Bare);
    let clock = TestClock::new();
    let desk = over(&stage, &keychain, clock.clone()).await;
    let profile = desk.profile().await;
    let keep = async |text: &str| desk.keep_draft(&profile, "counter", text, 0).await;
    assert_eq!(keep("a").await, DraftPlace::Memory);
    let asked = keychain.asked("customers ");
    clock.pass(600);
    assert_eq!(keep("ab").await, DraftPlace::Memory);
    assert_eq!(keychain.asked("customers "), asked);
    // Who registers asks it, and what was typed is kept from then on.
    keychain.be(Manner::Well);
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
        let clock = TestClock::new();
        let stage = stage.restarted_by(clock.clone()).await;
        let filter = containing("見本0子");
        let found = async || stage.contracts.list_so_far(&filter).await.unwrap().count;
        assert_eq!(found().await, 0, "{error:?}");
        stage.vault.fail_with(None);
        stage.vault.keep(&name, key).await.unwrap();
        clock.pass(61);
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
    let lead = stage.lead(&lead_draft()).await.id;
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
    let lost = stage.leads().await.remove(0);
    assert_eq!(
        (lost.note, lost.note_unreadable, lost.note_lost),
        (None, true, true)
    );
    stage.encryption.renew_key().await.unwrap();
    let kept = stage.follow_up(&lead, None, Some(&note)).await;
    assert_eq!((kept.note, kept.note_lost), (Some(note), false));
}

#[tokio::test]
async fn a_key_that_is_gone_while_nothing_is_encrypted_with_it_is_made_anew() {
    let (stage, _) = Stage::live().await;
    stage.encryption.renew_key().await.unwrap();
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    assert_eq!(customers(&stage).await, Customers::Readable);
    stage.register(&sale(0)).await;
    assert_eq!(keys_in(&stage).len(), 1);
}

#[tokio::test]
async fn no_key_takes_the_place_of_one_that_can_be_read_or_that_may_be_there() {
    let stage = Stage::empty().await;
    let keychain = Arc::new(Keychain::default());
    let desk = live_over(&stage, &keychain).await;
    desk.register(&sale(0)).await;
    refused!(desk.encryption.renew_key().await, Error::NotAllowed);
    desk.close().await;
    keychain.be(Manner::Badly(VaultError::Locked));
    let desk = live_over(&stage, &keychain).await;
    refused!(
        desk.encryption.renew_key().await,
        Error::Vault(VaultError::Locked)
    );
    keychain.be(Manner::Well);
    refused!(desk.encryption.renew_key().await, Error::NotAllowed);
    desk.run().await;
    stage.assert_sold_once(&sales(1)).await;
    assert_eq!(desk.only().await.customer, CustomerState::Known);
}
