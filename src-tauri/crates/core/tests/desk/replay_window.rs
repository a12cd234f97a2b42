//! The time in which a request in doubt is repeated with its key: it lives through the death of a
//! process, and ends with a start of the machine or a clock that is set.

use std::collections::BTreeSet;

use warranty_core::outbox::{
    CaseReason,
    ResolutionKind::{Cancel, GiveContractId, ProviderHasNone, ReplayOnce},
    SubmissionState,
};
use warranty_sandbox::Operation::BulkCreateContracts;

use crate::harness::{Stage, TestClock, drip, status, status_after_commit, until};
use crate::sales::sales;
use crate::steps::{Steps, replay};

/// Three sales that the service has made and not yet answered.
async fn in_flight() -> Stage {
    let stage = Stage::practising().await;
    stage.next(BulkCreateContracts, drip(1, 500));
    stage.enter(&sales(3)).await;
    stage.outbox.start();
    until("sold, and not yet answered", async || {
        stage.ledger().await.len() == 3
    })
    .await;
    stage
}

#[tokio::test]
async fn what_a_killed_process_had_in_flight_is_repeated_with_the_same_key() {
    let stage = in_flight().await;
    let soonest = chrono::Utc::now() + chrono::TimeDelta::seconds(20);
    let (desk, _folder) = stage.after_a_kill(TestClock::new()).await;
    let found = desk.entered().await;
    assert_eq!(found.len(), 3);
    for entry in &found {
        assert_eq!(entry.state, SubmissionState::Unknown);
    }
    let case = desk.case(&found[0].id).await;
    assert_eq!(case.attempts.len(), 1);
    assert_eq!(case.attempts[0].class, None);
    assert_eq!(case.attempts[0].finished_at, None);

    // The service may still be at work on it for as long as an answer is waited for.
    assert!(found[0].next_at.is_some_and(|at| at.get() >= soonest));
    let summary = desk.run_until(true, 60).await;
    assert_eq!((summary.confirmed, summary.needs_person), (3, 0));
    let keys = stage.keys();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 1);
    stage.assert_sold_once(&sales(3)).await;
}

#[tokio::test]
async fn what_was_in_flight_when_the_machine_went_down_is_never_sent_again_by_itself() {
    let stage = in_flight().await;
    let (desk, _folder) = stage.after_a_kill(TestClock::started_anew()).await;
    let found = desk.entered().await;
    for entry in &found {
        assert_eq!(entry.state, SubmissionState::Unknown);
    }
    assert_eq!(desk.run().await.needs_person, 3);
    assert_eq!(stage.sent(), 1);
    let case = desk.case(&found[0].id).await;
    assert_eq!(case.submission.case, Some(CaseReason::UnknownTooLong));
    assert_eq!(
        case.resolutions,
        [GiveContractId, ProviderHasNone, ReplayOnce, Cancel]
    );

    desk.resolve(&found[0].id, replay()).await;
    assert_eq!(desk.run_confirmed().await.confirmed, 3);
    stage.assert_sold_once(&sales(3)).await;
}

/// One sale in doubt whose next try is some way off.
async fn waiting_in_doubt() -> Stage {
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
    stage
}

#[tokio::test]
async fn what_the_machine_left_in_doubt_when_it_went_down_is_a_persons_case_at_once() {
    let stage = waiting_in_doubt().await;
    let (desk, _folder) = stage.after_a_kill(TestClock::started_anew()).await;
    stage.desk.clone().close().await;
    let asked = stage.sent();
    assert_eq!(desk.run_until(false, 4).await.needs_person, 1);
    assert_eq!(stage.sent(), asked);
}

#[tokio::test]
async fn what_a_killed_process_left_in_doubt_keeps_its_wait() {
    let stage = waiting_in_doubt().await;
    let next_at = stage.entered().await[0].next_at;
    let (desk, _folder) = stage.after_a_kill(TestClock::new()).await;
    let found = desk.entered().await.remove(0);
    assert_eq!(found.state, SubmissionState::Unknown);
    assert_eq!(found.next_at, next_at);
}

#[tokio::test]
async fn what_may_not_be_repeated_any_more_is_a_persons_case_at_the_next_start() {
    let stage = waiting_in_doubt().await;
    let clock = TestClock::new();
    clock.set_ahead(3_600);
    let (desk, _folder) = stage.after_a_kill(clock).await;
    stage.desk.clone().close().await;
    let asked = stage.sent();
    assert_eq!(desk.run_until(false, 4).await.needs_person, 1);
    assert_eq!(stage.sent(), asked);
}

#[tokio::test]
async fn a_clock_set_while_in_doubt_leaves_the_case_to_a_person() {
    for ahead in [-3_600, 3_600] {
        let clock = TestClock::new();
        let stage = Stage::practising().await.restarted_by(clock.clone()).await;
        stage.next_times(BulkCreateContracts, status_after_commit(500), 2);
        stage.enter(&sales(1)).await;
        stage.outbox.start();
        until("doubt", async || stage.summary().await.unknown == 1).await;
        clock.set_ahead(ahead);
        let asked = stage.sent();
        until("a person", async || stage.summary().await.needs_person == 1).await;
        let later = stage.sent();
        assert!(
            later - asked <= 1,
            "at most the request already on its way, and none after it"
        );
    }
}
