//! The time in which a request in doubt is repeated with its key: it lives through the death of a
//! process, and ends with a start of the machine or a clock that is set.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use uuid::Uuid;
use warranty_core::clock::{Clock, SystemClock};
use warranty_core::outbox::{CaseReason, Resolution, ResolutionKind, SubmissionState};
use warranty_sandbox::{Action, Operation};

use crate::harness::{Stage, until};
use crate::sales::{assert_sold_once, enter, entered, keys, run, run_confirmed, run_until, sales};

/// The machine's clock, with a wall clock that somebody sets.
#[derive(Debug, Default)]
pub struct Settable {
    machine: SystemClock,
    /// Seconds it goes before the machine's.
    pub ahead: AtomicI64,
}

impl Clock for Settable {
    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        let ahead = self.ahead.load(Ordering::SeqCst);
        self.machine.now() + chrono::TimeDelta::seconds(ahead)
    }
    fn monotonic(&self) -> Duration {
        self.machine.monotonic()
    }
    fn counted_from(&self) -> Option<Uuid> {
        self.machine.counted_from()
    }
}

/// The machine's clock after it was started again.
#[derive(Debug, Default)]
struct StartedAnew(SystemClock);

impl Clock for StartedAnew {
    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        self.0.now()
    }
    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }
    fn counted_from(&self) -> Option<Uuid> {
        Some(Uuid::from_u128(2))
    }
}

/// Three sales that the service has made and not yet answered.
async fn in_flight() -> Stage {
    let stage = Stage::practising().await;
    stage.next(
        Operation::BulkCreateContracts,
        Action::SlowDrip {
            chunk_bytes: 1,
            pause_ms: 500,
        },
    );
    enter(&stage.desk, &sales(3)).await;
    stage.desk.outbox.start();
    until("sold, and not yet answered", async || {
        stage.sandbox.ledger().await.unwrap().len() == 3
    })
    .await;
    stage
}

#[tokio::test]
async fn what_a_killed_process_had_in_flight_is_repeated_with_the_same_key() {
    let stage = in_flight().await;
    let soonest = chrono::Utc::now() + chrono::TimeDelta::seconds(20);
    let (desk, _folder) = stage.after_a_kill(Arc::new(SystemClock::default())).await;
    let found = entered(&desk).await;
    assert_eq!(found.len(), 3);
    for entry in &found {
        assert_eq!(entry.state, SubmissionState::Unknown);
    }
    let case = desk.outbox.case(&found[0].id).await.unwrap();
    assert_eq!(case.attempts.len(), 1);
    assert_eq!(case.attempts[0].class, None);
    assert_eq!(case.attempts[0].finished_at, None);

    // The service may still be at work on it for as long as an answer is waited for.
    assert!(found[0].next_at.is_some_and(|at| at.get() >= soonest));
    let summary = run_until(&desk, true, 60).await;
    assert_eq!((summary.confirmed, summary.needs_person), (3, 0));
    let keys = keys(&stage.sandbox);
    assert_eq!(keys.len(), 2);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 1);
    assert_sold_once(&stage.sandbox, &sales(3)).await;
}

#[tokio::test]
async fn what_was_in_flight_when_the_machine_went_down_is_never_sent_again_by_itself() {
    let stage = in_flight().await;
    let (desk, _folder) = stage.after_a_kill(Arc::new(StartedAnew::default())).await;
    let found = entered(&desk).await;
    for entry in &found {
        assert_eq!(entry.state, SubmissionState::Unknown);
    }
    let summary = run(&desk).await;
    assert_eq!(summary.needs_person, 3);
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
    let case = desk.outbox.case(&found[0].id).await.unwrap();
    assert_eq!(case.submission.case, Some(CaseReason::UnknownTooLong));
    assert_eq!(
        case.resolutions,
        [
            ResolutionKind::GiveContractId,
            ResolutionKind::ProviderHasNone,
            ResolutionKind::ReplayOnce,
            ResolutionKind::Cancel
        ]
    );

    desk.outbox
        .resolve(
            &found[0].id,
            Resolution::ReplayOnce {
                confirmed: Vec::new(),
            },
        )
        .await
        .unwrap();
    assert_eq!(run_confirmed(&desk).await.confirmed, 3);
    assert_sold_once(&stage.sandbox, &sales(3)).await;
}

/// One sale in doubt whose next try is some way off.
async fn waiting_in_doubt() -> Stage {
    let stage = Stage::practising().await;
    stage.next_times(
        Operation::BulkCreateContracts,
        Action::Status {
            status: 503,
            after_commit: false,
        },
        5,
    );
    enter(&stage.desk, &sales(1)).await;
    stage.desk.outbox.start();
    until("its next try is some way off", async || {
        let found = &entered(&stage.desk).await[0];
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
    let (desk, _folder) = stage.after_a_kill(Arc::new(StartedAnew::default())).await;
    stage.desk.clone().close().await;
    let asked = stage.arrived(Operation::BulkCreateContracts);
    assert_eq!(run_until(&desk, false, 4).await.needs_person, 1);
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), asked);
}

#[tokio::test]
async fn what_a_killed_process_left_in_doubt_keeps_its_wait() {
    let stage = waiting_in_doubt().await;
    let next_at = entered(&stage.desk).await[0].next_at;
    let (desk, _folder) = stage.after_a_kill(Arc::new(SystemClock::default())).await;
    let found = entered(&desk).await.remove(0);
    assert_eq!(found.state, SubmissionState::Unknown);
    assert_eq!(found.next_at, next_at);
}

#[tokio::test]
async fn what_may_not_be_repeated_any_more_is_a_persons_case_at_the_next_start() {
    let stage = waiting_in_doubt().await;
    let clock = Arc::new(Settable::default());
    clock.ahead.store(3_600, Ordering::SeqCst);
    let (desk, _folder) = stage.after_a_kill(clock).await;
    stage.desk.clone().close().await;
    let asked = stage.arrived(Operation::BulkCreateContracts);
    assert_eq!(run_until(&desk, false, 4).await.needs_person, 1);
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), asked);
}

#[tokio::test]
async fn a_clock_set_while_in_doubt_leaves_the_case_to_a_person() {
    for ahead in [-3_600, 3_600] {
        let clock = Arc::new(Settable::default());
        let stage = Stage::practising().await.restarted_by(clock.clone()).await;
        stage.next_times(
            Operation::BulkCreateContracts,
            Action::Status {
                status: 500,
                after_commit: true,
            },
            2,
        );
        enter(&stage.desk, &sales(1)).await;
        stage.desk.outbox.start();
        until("doubt", async || {
            stage.desk.outbox.summary().await.unwrap().unknown == 1
        })
        .await;
        clock.ahead.store(ahead, Ordering::SeqCst);
        let asked = stage.arrived(Operation::BulkCreateContracts);
        until("a person", async || {
            stage.desk.outbox.summary().await.unwrap().needs_person == 1
        })
        .await;
        let later = stage.arrived(Operation::BulkCreateContracts);
        assert!(
            later - asked <= 1,
            "at most the request already on its way, and none after it"
        );
    }
}
