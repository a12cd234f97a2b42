//! The copy of the high-water mark in the keychain: what a folder that was put back whole is compared
//! with before anything live is sent.

use std::path::Path;
use std::sync::Arc;

use chrono::TimeDelta;
use warranty_core::Error;
use warranty_core::clock::Clock as _;
use warranty_core::contracts::{EnterMode, Question};
use warranty_core::leads::LeadState;
use warranty_core::notice::Notice;
use warranty_core::outbox::Blocker;
use warranty_core::recovery::RescueCause;
use warranty_core::vault::{Vault, VaultError};
use warranty_sandbox::Operation::CreateLead;

use crate::copies::{copy_all, put_back};
use crate::encryption_key::lose_key;
use crate::harness::{Stage, TestClock, open};
use crate::leads::draft as lead_draft;
use crate::sales::{sale, sales};
use crate::steps::{Steps, refused, with};
use crate::vault::{Keychain, Manner, live_over};

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
    let cases = [(true, false), (true, true), (false, true)];
    let each = cases.map(|(is_put_back, restarted)| async move {
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

        stage.practise().await.unwrap();
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
    });
    futures::future::join_all(each).await;
}

#[tokio::test]
async fn over_a_keychain_without_the_key_and_the_mark_what_was_sold_up_to_then_is_asked_about() {
    for is_mark_gone in [true, false] {
        let (stage, _) = Stage::live().await;
        stage.enter(&sales(1)).await;
        stage.run().await;
        let kept = tempfile::tempdir().unwrap();
        let stage = reopened(stage, |folder| copy_all(folder, kept.path())).await;
        stage.enter(&sales(3)).await;
        stage.run().await;
        let sent = stage.sent();

        stage.desk.clone().close().await;
        lose_key(&stage).await;
        let marks = stage.vault.names().into_iter();
        for mark in marks.filter(|name| is_mark_gone && name.starts_with("high-water ")) {
            stage.vault.forget(&mark).await.unwrap();
        }
        let mut stage = reopened(stage, |folder| put_back(kept.path(), folder)).await;
        if is_mark_gone {
            // The desk is opened and closed once before a new key is made.
            stage.status().await.unwrap();
            stage = reopened(stage, |_| {}).await;
        }
        stage.encryption.renew_key().await.unwrap();
        assert_eq!(stage.recovery.unseen().await.unwrap(), None);
        if is_mark_gone {
            let entered = stage.enter(&sales(3)).await;
            assert_eq!(
                (entered.entered, entered.already_entered, entered.rejected),
                (0, 1, 2)
            );
            let left_out = stage.left_out(&entered.id).await;
            assert!(left_out.iter().all(|row| row.questions.len() == 1));
        } else {
            // It is found by the mark.
            let staged = crate::runs::staged(&stage, &sales(3)).await;
            refused!(
                stage.try_start(&staged.id, EnterMode::GoodRows).await,
                Error::RescueNotSeen
            );
        }
        stage.run().await;
        assert_eq!(stage.sent(), sent, "sold again");
    }
}

#[tokio::test]
async fn what_was_sold_since_the_copy_is_asked_about_though_the_clock_was_behind_at_its_rescue() {
    const DAY: i64 = 86_400;
    let clock = TestClock::new();
    let (stage, _) = Stage::live().await;
    let stage = stage.restarted_by(clock.clone()).await;
    stage.enter(&sales(1)).await;
    stage.run().await;
    let kept = tempfile::tempdir().unwrap();
    let stage = reopened(stage, |folder| copy_all(folder, kept.path())).await;

    let stage = stage.restarted_by(clock.clone()).await;
    clock.set_ahead(10 * DAY);
    let sold_at = clock.now() + TimeDelta::hours(9);
    let later = with(sale(1), |it| {
        it.transaction_date = sold_at.format("%Y-%m-%d %H:%M").to_string();
    });
    stage.enter(std::slice::from_ref(&later)).await;
    stage.run().await;
    clock.set_ahead(9 * DAY);
    stage.enter(&sales(3)[2..]).await;
    stage.run().await;
    assert_eq!(stage.sent(), 3);
    stage.desk.clone().close().await;
    put_back(kept.path(), stage.folder.path());

    clock.set_ahead(7 * DAY);
    let stage = stage.restarted_by(clock.clone()).await;
    stage.status().await.unwrap();
    let report = stage.recovery.unseen_summary().await.unwrap().unwrap();
    stage.recovery.mark_seen(report.number).await.unwrap();
    clock.set_ahead(11 * DAY);
    let entered = stage.enter(&[later]).await;
    assert_eq!((entered.entered, entered.rejected), (0, 1));
    let asked = &stage.left_out(&entered.id).await[0].questions;
    assert!(
        matches!(
            asked[..],
            [Question::SecondContract {
                submission_id: None,
                ..
            }]
        ),
        "{asked:?}"
    );
    stage.run().await;
    assert_eq!(stage.sent(), 3, "sold again");
}

#[tokio::test]
async fn nothing_live_is_sent_before_the_keychain_gave_the_mark_once() {
    let stage = Stage::empty().await;
    let keychain = Arc::new(Keychain::default());
    keychain.be(Manner::Without("high-water "));
    let desk = live_over(&stage, &keychain).await;

    desk.enter(&sales(1)).await;
    let waits = desk.run().await;
    assert_eq!(waits.waiting + waits.held, 1);
    let blocker = desk.status().await.unwrap().blocker;
    assert_eq!(blocker, Some(Blocker::Vault(VaultError::Locked)));
    let waiting = desk.lead(&lead_draft()).await;
    assert_eq!(waiting.state, LeadState::Queued);
    assert_eq!(stage.sent(), 0);
    assert_eq!(stage.arrived(CreateLead), 0);

    keychain.be(Manner::Well);
    assert_eq!(desk.send_again(&waiting.id).await.state, LeadState::Created);
    // From here on it need not answer.
    keychain.be(Manner::Without("high-water "));
    let asked = keychain.asked("high-water ");
    assert_eq!(desk.run().await.accepted, 1);
    desk.enter(&sales(2)[1..]).await;
    let sold = desk.run().await;
    assert_eq!(sold.accepted + sold.confirmed, 2);
    assert_eq!(keychain.asked("high-water "), asked);
}

#[tokio::test]
async fn a_lead_of_a_folder_put_back_is_not_sent_again() {
    let (stage, profile) = Stage::live().await;
    stage.profiles.remove_token(&profile.id).await.unwrap();
    let queued = stage.lead(&lead_draft()).await;
    assert_eq!(queued.state, LeadState::Queued);
    stage.give_token(&profile).await;
    let kept = tempfile::tempdir().unwrap();
    let stage = reopened(stage, |folder| copy_all(folder, kept.path())).await;
    assert_eq!(stage.send_again(&queued.id).await.state, LeadState::Created);

    let stage = reopened(stage, |folder| put_back(kept.path(), folder)).await;
    let mut notices = stage.notices();
    refused!(
        stage.leads.send_again(&queued.id, None).await,
        Error::NotAllowed
    );
    let told = std::iter::from_fn(|| notices.try_recv().ok());
    assert_eq!(
        told.filter(|notice| *notice == Notice::RescueFound).count(),
        1
    );
    assert_eq!(stage.arrived(CreateLead), 1);
    assert!(stage.recovery.unseen().await.unwrap().is_some());
    assert_eq!(stage.leads().await[0].state, LeadState::Unknown);
}
