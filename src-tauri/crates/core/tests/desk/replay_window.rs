//! The time in which a request in doubt is repeated with its key: it lives through the death of a
//! process, and ends with a start of the machine or a clock that is set.

use std::sync::Arc;

use tempfile::TempDir;
use warranty_core::Desk;
use warranty_core::contracts::SubmissionView;
use warranty_core::outbox::SubmissionState;
use warranty_sandbox::Operation::BulkCreateContracts;

use crate::harness::{Stage, TestClock, busy, drip, status, until};
use crate::sales::sales;
use crate::steps::{Steps, replay};

/// What the process left when it was killed, opened by a clock.
async fn reopened(stage: &Stage, clock: Arc<TestClock>) -> (Desk, TempDir, SubmissionView) {
    let (desk, folder) = stage.after_a_kill(clock).await;
    let found = desk.entered().await.remove(0);
    assert_eq!(found.state, SubmissionState::Unknown);
    (desk, folder, found)
}

#[tokio::test]
async fn what_was_in_flight_waits_after_a_kill_and_is_a_persons_once_the_machine_went_down() {
    let stage = Stage::practising().await;
    stage.next(BulkCreateContracts, drip(1, 500));
    stage.enter(&sales(3)).await;
    stage.outbox.start();
    until("sold, and not yet answered", async || {
        stage.ledger().await.len() == 3
    })
    .await;
    let soonest = chrono::Utc::now() + chrono::TimeDelta::seconds(20);
    let (desk, _folder, found) = reopened(&stage, TestClock::new()).await;
    let case = desk.case(&found.id).await;
    assert_eq!(case.attempts.len(), 1);
    assert_eq!(case.attempts[0].class, None);
    assert_eq!(case.attempts[0].finished_at, None);
    // The service may still be at work on it for as long as an answer is waited for.
    assert!(found.next_at.is_some_and(|at| at.get() >= soonest));

    let (desk, _folder, found) = reopened(&stage, TestClock::started_anew()).await;
    assert_eq!(desk.run().await.needs_person, 3);
    assert_eq!(stage.sent(), 1);
    desk.resolve(&found.id, replay()).await;
    assert_eq!(desk.run_confirmed().await.confirmed, 3);
    let keys = stage.keys();
    assert_eq!((keys.len(), &keys[0]), (2, &keys[1]));
    stage.assert_sold_once(&sales(3)).await;
}

#[tokio::test]
async fn what_was_in_doubt_keeps_its_wait_through_a_kill_and_is_a_persons_once_its_time_is_over() {
    let stage = Stage::practising().await;
    stage.next_times(BulkCreateContracts, status(503), 5);
    stage.enter(&sales(1)).await;
    stage.outbox.start();
    until("its next try is some way off", async || {
        let found = &stage.entered().await[0];
        let far = chrono::Utc::now() + chrono::TimeDelta::seconds(6);
        let waits = found.next_at.is_some_and(|at| at.get() > far);
        found.state == SubmissionState::Unknown && waits
    })
    .await;
    let next_at = stage.entered().await[0].next_at;
    let (_desk, _folder, found) = reopened(&stage, TestClock::new()).await;
    assert_eq!(found.next_at, next_at);

    // The machine was started again, or an hour has passed.
    let later = TestClock::new();
    later.set_ahead(3_600);
    let anew = stage.after_a_kill(TestClock::started_anew()).await;
    let later = stage.after_a_kill(later).await;
    stage.desk.clone().close().await;
    let asked = stage.sent();
    for (desk, _folder) in [anew, later] {
        assert_eq!(desk.run_until(false, 4).await.needs_person, 1);
        assert_eq!(stage.sent(), asked);
    }
}

#[tokio::test]
async fn what_may_not_be_repeated_is_a_persons_at_once_however_long_the_service_asks_to_wait() {
    let stage = Stage::practising().await;
    let profile = stage.profile().await;
    let mut draft = stage.draft(&profile.name);
    draft.facts.key_replay_seconds = Some(0);
    stage.change(&profile, draft).await;
    stage.next(BulkCreateContracts, busy("3600"));
    stage.enter(&sales(1)).await;
    assert_eq!(stage.run_until(false, 4).await.needs_person, 1);
    assert_eq!(stage.sent(), 1);
}
