//! What one batch in trouble means for the others of its profile.

use warranty_core::Desk;
use warranty_core::api::Token;
use warranty_core::contracts::EntryFilter;
use warranty_core::notice::Notice;
use warranty_core::outbox::{Blocker, Resolution, SubmissionState};
use warranty_core::vault::VaultError;
use warranty_sandbox::{Operation::BulkCreateContracts, Options, Rule, Sandbox, TokenSeen, When};

use crate::harness::{Stage, TestClock, always, drip, status, until};
use crate::sales::{sale, sales};
use crate::steps::{Steps, with};

#[tokio::test]
async fn a_batch_refused_for_itself_does_not_stop_the_queue_for_ever() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    stage.next(BulkCreateContracts, status(401));
    stage.enter(&sales(10)).await;
    assert_eq!(stage.run().await.held, 10);
    stage.enter(&sales(60)).await;
    let summary = stage.run().await;
    assert_eq!((summary.held, summary.waiting), (10, 50));
    assert_eq!(stage.keys().len(), 1, "not within a minute");

    clock.set_ahead(61);
    let summary = stage.run().await;
    assert_eq!((summary.held, summary.accepted), (10, 50));
    assert_eq!(stage.keys().len(), 6);
    let held = EntryFilter {
        states: vec![SubmissionState::Held],
        limit: 100,
        ..EntryFilter::default()
    };
    assert_eq!(stage.contracts.list(&held).await.unwrap().count, 10);
    assert_eq!(stage.entered().await.len(), 60);
}

#[tokio::test]
async fn while_the_token_is_refused_one_batch_a_minute_tries_it() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    stage.enter(&sales(10)).await;
    stage.service(|it| it.faults = always(BulkCreateContracts, status(401)));
    stage.run().await;
    stage.enter(&sales(60)).await;
    for minute in 1..=3_u32 {
        clock.set_ahead(i64::from(minute) * 61);
        stage.run().await;
        stage.run().await;
        let asked = stage.keys().len();
        assert_eq!(asked, 1 + usize::try_from(minute).unwrap());
    }
}

#[tokio::test]
async fn what_stands_in_the_way_of_sending_is_kept_and_shown() {
    let (stage, profile) = Stage::live().await;
    let mut notices = stage.notices();
    stage.enter(&sales(1)).await;
    assert_eq!(stage.blocker().await, None);
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    assert_eq!(stage.run().await.waiting, 1);
    let shown = Some(Blocker::Vault(VaultError::NoKeychain));
    assert_eq!(stage.blocker().await, shown);
    assert_eq!(stage.status().await.unwrap().blocker, shown);
    let reader = stage.reader().await;
    assert_eq!(reader.blocker().await, shown);

    stage.vault.fail_with(None);
    stage.profiles.remove_token(&profile.id).await.unwrap();
    assert_eq!(stage.run().await.waiting, 1);
    let shown = Some(Blocker::NoToken);
    assert_eq!(stage.blocker().await, shown);
    stage.give_token(&profile).await;
    assert_eq!(stage.run().await.accepted, 1);
    assert_eq!(stage.blocker().await, None);

    let mut told = Vec::new();
    while let Ok(notice) = notices.try_recv() {
        if let Notice::BlockerChanged { blocker, .. } = notice {
            told.push(blocker);
        }
    }
    let keychain = Some(Blocker::Vault(VaultError::NoKeychain));
    assert_eq!(told, [keychain, None, Some(Blocker::NoToken), None]);
}

/// Sends a long queue, changes its token on the way, and sees that at most what had set out by then
/// went with the old one.
async fn changed_on_the_way(change: impl AsyncFnOnce(&Desk, &str)) {
    let (stage, profile) = Stage::live().await;
    stage.enter(&sales(400)).await;
    stage.service(|it| it.answer_delay_ms = 200);
    let sent_as_before = || {
        let requests = stage.sandbox.requests();
        let sent = requests
            .iter()
            .filter(|request| request.operation == Some(BulkCreateContracts));
        sent.filter(|request| request.token == TokenSeen::Present)
            .count()
    };
    stage.outbox.start();
    until("the first is on its way", async || sent_as_before() > 0).await;
    change(&stage, &profile.id).await;
    let before = sent_as_before();
    until("no more go, or all have", async || {
        let summary = stage.summary().await;
        let stands_still = stage.blocker().await.is_some();
        stands_still || summary.held > 0 || sent_as_before() == 40
    })
    .await;
    // Four are sent at once: those may have set out while it was changed.
    let after = sent_as_before();
    assert!(
        after <= before + 4,
        "{after} with the old token, {before} before"
    );
}

#[tokio::test]
async fn what_sets_out_after_a_token_was_changed_sets_out_with_the_new_one() {
    changed_on_the_way(async |desk, profile| {
        let other = Token::new("not-the-token").unwrap();
        desk.profiles.set_token(profile, other).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn nothing_sets_out_with_a_token_that_was_removed() {
    changed_on_the_way(async |desk, profile| desk.profiles.remove_token(profile).await.unwrap())
        .await;
}

#[tokio::test]
async fn what_is_practised_waits_while_its_service_is_away_and_goes_on_when_it_is_back() {
    let stage = Stage::practising().await;
    stage.outbox.start();
    stage.detach_practice();
    stage.enter(&sales(10)).await;
    until("that the service is away is known", async || {
        stage.blocker().await == Some(Blocker::PracticeNotRunning)
    })
    .await;
    assert!(stage.sold().await.is_empty());
    stage.attach_practice();
    assert_eq!(stage.blocker().await, None);
    until("all sold", async || stage.sold().await.len() == 10).await;
    assert!(stage.sold().await.values().all(|sold| *sold == 1));
}

#[tokio::test]
async fn send_now_lets_the_chosen_sale_go_and_no_other() {
    let stage = Stage::practising().await;
    let mut entered = Vec::new();
    for number in 0..40 {
        entered.push(stage.register(&sale(number)).await.id);
    }
    stage.service(|it| {
        it.faults = vec![Rule {
            operations: Vec::new(),
            when: When::Always,
            action: status(503),
        }];
    });
    stage.run_until(false, 1).await;
    let tried = async |desk: &Desk| {
        let mut tried = Vec::new();
        for (number, id) in entered.iter().enumerate() {
            if desk.submission(id).await.state != SubmissionState::Queued {
                tried.push(number);
            }
        }
        tried
    };
    let mut expected = tried(&stage).await;
    assert!((1..10).contains(&expected.len()), "{expected:?}");

    // Behind more than are looked at once, and after a restart too.
    let mut stage = stage;
    for chosen in [38, 39] {
        let confirmed = Vec::new();
        let now = Resolution::SendNow { confirmed };
        stage.resolve(&entered[chosen], now).await;
        stage.run_until(false, 2).await;
        expected.push(chosen);
        assert_eq!(tried(&stage).await, expected);
        stage = stage.restarted().await;
    }
}

#[tokio::test]
async fn a_sale_waits_for_no_request_of_another_profile() {
    let (stage, _) = Stage::live().await;
    for number in 0..20 {
        stage.register(&sale(number)).await;
    }
    stage.service(|it| it.faults = always(BulkCreateContracts, drip(1_000_000, 15_000)));
    stage.outbox.start();
    until("as many are on their way as may be", async || {
        stage.sent() == 4
    })
    .await;

    let beside = Sandbox::start(Options::default()).await.unwrap();
    let draft = with(stage.draft("支店"), |it| it.base_url = beside.base_url());
    let token = Token::new(beside.token()).unwrap();
    stage.profiles.connect(draft, token).await.unwrap();
    stage.register(&sale(100)).await;
    until("it is sold", async || {
        !beside.ledger().await.unwrap().is_empty()
    })
    .await;
    assert_eq!(stage.sent(), 4);
}
