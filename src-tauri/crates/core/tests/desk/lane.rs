//! What one batch in trouble means for the others of its profile.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use warranty_core::api::Token;
use warranty_core::clock::{Clock, SystemClock};
use warranty_core::contracts::EntryFilter;
use warranty_core::notice::Notice;
use warranty_core::outbox::{Blocker, SubmissionState};
use warranty_core::vault::VaultError;
use warranty_core::{Desk, DeskOptions};
use warranty_sandbox::{Action, Operation, Personality, Rule, TokenSeen, When};

use crate::harness::{Stage, until};
use crate::sales::{enter, entered, keys, run, run_until, sales, sold};

/// The machine's clock, with a wall clock that runs ahead of it.
#[derive(Debug, Default)]
struct Ahead {
    machine: SystemClock,
    seconds: AtomicI64,
}

impl Clock for Ahead {
    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        self.machine.now() + chrono::TimeDelta::seconds(self.seconds.load(Ordering::SeqCst))
    }
    fn monotonic(&self) -> Duration {
        self.machine.monotonic()
    }
}

/// The same stage with a desk by this clock.
async fn by_clock(stage: Stage, clock: Arc<Ahead>) -> Stage {
    let Stage {
        desk,
        sandbox,
        vault,
        folder,
    } = stage;
    desk.close().await;
    let options = DeskOptions {
        clock,
        ..DeskOptions::new(folder.path().to_owned(), vault.clone())
    };
    let stage = Stage {
        desk: Desk::open(options).await.unwrap(),
        sandbox,
        vault,
        folder,
    };
    stage.attach_practice();
    stage
}

fn always(action: Action) -> Personality {
    Personality {
        faults: vec![Rule {
            operations: vec![Operation::BulkCreateContracts],
            when: When::Always,
            action,
        }],
        ..Personality::default()
    }
}

#[tokio::test]
async fn a_service_in_trouble_does_not_get_every_batch_into_doubt() {
    let stage = Stage::practising().await;
    enter(&stage.desk, &sales(100)).await;
    stage.sandbox.set_personality(always(Action::Status {
        status: 500,
        after_commit: true,
    }));
    let summary = run_until(&stage.desk, false, 3).await;
    assert!(summary.unknown >= 10, "{summary:?}");
    assert!(
        summary.waiting >= 20,
        "what was never sent waits but for one at a time: {summary:?}"
    );
    stage.sandbox.set_personality(Personality::default());
    until("all accepted or confirmed", async || {
        let summary = run(&stage.desk).await;
        summary.accepted + summary.confirmed == 100
    })
    .await;
    assert!(sold(&stage.sandbox).await.values().all(|sold| *sold == 1));
}

#[tokio::test]
async fn a_batch_refused_for_itself_does_not_stop_the_lane_for_ever() {
    let clock = Arc::new(Ahead::default());
    let stage = by_clock(Stage::practising().await, clock.clone()).await;
    stage.next(Operation::BulkCreateContracts, Action::Unauthorized);
    enter(&stage.desk, &sales(10)).await;
    assert_eq!(run(&stage.desk).await.held, 10);
    enter(&stage.desk, &sales(60)).await;
    let summary = run(&stage.desk).await;
    assert_eq!((summary.held, summary.waiting), (10, 50));
    assert_eq!(keys(&stage.sandbox).len(), 1, "not within a minute");

    clock.seconds.store(61, Ordering::SeqCst);
    let summary = run(&stage.desk).await;
    assert_eq!((summary.held, summary.accepted), (10, 50));
    assert_eq!(keys(&stage.sandbox).len(), 6);
    let held = EntryFilter {
        states: vec![SubmissionState::Held],
        limit: 100,
        ..EntryFilter::default()
    };
    assert_eq!(
        stage.desk.contracts.submissions(&held).await.unwrap().len(),
        10
    );
    assert_eq!(entered(&stage.desk).await.len(), 60);
}

#[tokio::test]
async fn while_the_token_is_refused_one_batch_a_minute_tries_it() {
    let clock = Arc::new(Ahead::default());
    let stage = by_clock(Stage::practising().await, clock.clone()).await;
    enter(&stage.desk, &sales(10)).await;
    stage.sandbox.set_personality(always(Action::Unauthorized));
    run(&stage.desk).await;
    enter(&stage.desk, &sales(60)).await;
    for minute in 1..=3_u32 {
        clock
            .seconds
            .store(i64::from(minute) * 61, Ordering::SeqCst);
        run(&stage.desk).await;
        run(&stage.desk).await;
        let asked = keys(&stage.sandbox).len();
        assert_eq!(asked, 1 + usize::try_from(minute).unwrap());
    }
}

#[tokio::test]
async fn what_stands_in_the_way_of_sending_is_kept_and_shown() {
    let (stage, profile) = Stage::live().await;
    let mut notices = stage.desk.notices();
    enter(&stage.desk, &sales(1)).await;
    assert_eq!(stage.desk.outbox.blocker().await.unwrap(), None);
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    assert_eq!(run(&stage.desk).await.waiting, 1);
    let shown = Some(Blocker::Vault(VaultError::NoKeychain));
    assert_eq!(stage.desk.outbox.blocker().await.unwrap(), shown);
    assert_eq!(stage.desk.status().await.unwrap().blocker, shown);
    let options = DeskOptions::new(stage.folder.path().to_owned(), stage.vault.clone());
    let reader = Desk::open_to_read(options).await.unwrap();
    assert_eq!(reader.outbox.blocker().await.unwrap(), shown);

    stage.vault.fail_with(None);
    stage.desk.profiles.remove_token(&profile.id).await.unwrap();
    assert_eq!(run(&stage.desk).await.waiting, 1);
    let shown = Some(Blocker::NoToken);
    assert_eq!(stage.desk.outbox.blocker().await.unwrap(), shown);
    stage
        .desk
        .profiles
        .set_token(&profile.id, stage.token())
        .await
        .unwrap();
    assert_eq!(run(&stage.desk).await.accepted, 1);
    assert_eq!(stage.desk.outbox.blocker().await.unwrap(), None);

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
    enter(&stage.desk, &sales(400)).await;
    stage.sandbox.set_personality(Personality {
        answer_delay_ms: 200,
        ..Personality::default()
    });
    let sent_as_before = || {
        let requests = stage.sandbox.requests();
        let sent = requests
            .iter()
            .filter(|request| request.operation == Some(Operation::BulkCreateContracts));
        sent.filter(|request| request.token == TokenSeen::Present)
            .count()
    };
    stage.desk.outbox.start();
    until("the first is on its way", async || sent_as_before() > 0).await;
    change(&stage.desk, &profile.id).await;
    let before = sent_as_before();
    until("no more go, or all have", async || {
        let summary = stage.desk.outbox.summary().await.unwrap();
        let stands_still = stage.desk.outbox.blocker().await.unwrap().is_some();
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
    stage.desk.outbox.start();
    stage.desk.detach_practice();
    enter(&stage.desk, &sales(10)).await;
    let blocker = async || stage.desk.outbox.blocker().await.unwrap();
    until("that the service is away is known", async || {
        blocker().await == Some(Blocker::PracticeNotRunning)
    })
    .await;
    assert!(sold(&stage.sandbox).await.is_empty());
    stage.attach_practice();
    assert_eq!(blocker().await, None);
    until("all sold", async || sold(&stage.sandbox).await.len() == 10).await;
    assert!(sold(&stage.sandbox).await.values().all(|sold| *sold == 1));
}
