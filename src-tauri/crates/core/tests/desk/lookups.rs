//! Lookups of accepted entries that come back without the contract, and the clock they are judged by.

use chrono::Utc;
use warranty_core::outbox::{CaseReason, SubmissionState};
use warranty_sandbox::{
    Action,
    Operation::{BulkCreateContracts, GetContract, ListPlans},
};

use crate::harness::{Stage, TestClock, always, hasty, instead, status, too_many, until, verbatim};
use crate::sales::{sale, sales};
use crate::steps::Steps;

const A_DAY: u64 = 24 * 3600;

#[tokio::test]
async fn a_lookup_that_was_refused_for_its_token_finds_nothing_out_and_the_others_wait() {
    let clock = TestClock::new();
    let (stage, _) = Stage::live().await;
    let stage = stage.restarted_by(clock.clone()).await;
    stage.service(|it| it.faults = always(GetContract, status(401)));
    stage.enter(&sales(40)).await;
    assert_eq!(stage.run().await.accepted, 40);
    let before = stage.arrived(GetContract);

    clock.set_ahead(i64::try_from(A_DAY).unwrap() + 3600);
    clock.pass(A_DAY + 3600);
    let summary = stage.run_until(true, 3).await;
    assert_eq!((summary.accepted, summary.needs_person), (40, 0));
    let asked = stage.arrived(GetContract) - before;
    assert!((1..=4).contains(&asked), "{asked} with a refused token");

    stage.service(|it| it.faults.clear());
    clock.pass(600);
    assert_eq!(stage.run_confirmed().await.confirmed, 40);
}

#[tokio::test]
async fn an_answer_with_another_contract_shows_none() {
    let stage = Stage::practising().await;
    stage.enter(&sales(1)).await;
    stage.run_confirmed().await;
    let id = stage.only().await.contract_id.unwrap();
    let another = instead(id.as_str(), "contract-of-another");
    stage.next(GetContract, another);
    assert!(stage.contracts.look_up(&id).await.is_err());
    stage.contracts.look_up(&id).await.unwrap();
}

#[tokio::test]
async fn a_clock_that_was_ahead_at_the_start_makes_no_sale_a_day_old() {
    let clock = TestClock::new();
    clock.set_ahead(2 * i64::try_from(A_DAY).unwrap());
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    clock.set_ahead(0);
    stage.service(|it| it.faults = always(GetContract, status(404)));
    stage.enter(&sales(1)).await;
    stage.run().await;
    clock.pass(10);
    let summary = stage.run_until(true, 3).await;
    assert!(stage.arrived(GetContract) > 0);
    assert_eq!((summary.accepted, summary.needs_person), (1, 0));
}

#[tokio::test]
async fn a_clock_that_was_behind_when_a_sale_was_accepted_makes_it_no_day_old() {
    let days_behind = -3 * i64::try_from(A_DAY).unwrap();
    for restarts in [false, true] {
        let clock = TestClock::new();
        clock.set_ahead(days_behind);
        let mut stage = Stage::practising().await.restarted_by(clock.clone()).await;
        stage.service(|it| it.faults = always(GetContract, status(404)));
        stage.enter(&sales(1)).await;
        assert_eq!(stage.run().await.accepted, 1);
        clock.set_ahead(0);
        if restarts {
            stage = stage.restarted_by(TestClock::started_anew()).await;
        }
        clock.pass(10);
        let summary = stage.run_until(true, 3).await;
        assert!(stage.arrived(GetContract) > 0);
        assert_eq!((summary.accepted, summary.needs_person), (1, 0));

        stage.service(|_| {});
        look_up_now(&stage);
        assert_eq!(stage.run_confirmed().await.confirmed, 1);
    }
}

/// As after many lookups, with the next one due.
fn look_up_now(stage: &Stage) {
    let due = "UPDATE submission SET lookups = 20, next_lookup_at = NULL WHERE state = 'accepted'";
    stage.database().execute(due, []).unwrap();
}

#[tokio::test]
async fn a_sale_whose_lookup_is_never_answered_is_a_persons_after_a_day() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    stage.service(|it| it.faults = always(GetContract, Action::DropBeforeCommit));
    stage.enter(&sales(1)).await;
    stage.outbox.start();
    let ask_again = async || {
        look_up_now(&stage);
        clock.pass(600);
        stage.outbox.attended().await;
    };
    until("it was looked up again", async || {
        ask_again().await;
        stage.arrived(ListPlans) > 1
    })
    .await;
    assert_eq!(stage.only().await.state, SubmissionState::Accepted);

    clock.set_ahead(i64::try_from(A_DAY).unwrap() + 3600);
    clock.pass(A_DAY + 3600);
    until("a person is asked", async || {
        ask_again().await;
        stage.only().await.case == Some(CaseReason::NeverVisible)
    })
    .await;
}

#[tokio::test]
async fn a_lookup_that_is_rate_limited_stops_the_counter_for_as_long_as_the_service_asked() {
    let stage = Stage::practising().await;
    stage.next(GetContract, too_many("1"));
    stage.enter(&sales(1)).await;
    assert_eq!(stage.run().await.accepted, 1);
    // The next lookup of this one would be in some minutes.
    let waits_long = "UPDATE submission SET lookups = 12, next_lookup_at = NULL";
    assert_eq!(stage.database().execute(waits_long, []).unwrap(), 1);
    stage.run_until(true, 3).await;
    assert_eq!(stage.arrived(GetContract), 1);

    stage.try_register(&sale(7), &[]).await.unwrap();
    let summary = stage.run_until(false, 10).await;
    assert_eq!(summary.waiting, 0);
    assert_eq!(stage.arrived(BulkCreateContracts), 2);
}

#[tokio::test]
async fn lookups_answered_in_another_shape_keep_no_sale_from_being_sent() {
    let stage = hasty(Stage::practising().await).await;
    let other_shape = verbatim(200, "application/json", "{}");
    stage.service(|it| it.faults = always(GetContract, other_shape));
    stage.enter(&sales(60)).await;
    assert_eq!(stage.run().await.accepted, 60);
    for _ in 0..2 {
        let due = "UPDATE submission SET next_lookup_at = NULL";
        stage.database().execute(due, []).unwrap();
        stage.run_until(true, 3).await;
    }
    assert!(stage.arrived(GetContract) >= 120);

    // Its repeat takes from what all repeats share.
    stage.next(BulkCreateContracts, Action::DropAfterCommit);
    stage.register(&sale(100)).await;
    let summary = stage.run_until(false, 5).await;
    assert_eq!((summary.unknown, summary.accepted), (0, 61));
}

#[tokio::test]
async fn a_clock_that_was_an_hour_ahead_when_a_sale_was_accepted_delays_no_lookup() {
    let clock = TestClock::new();
    clock.set_ahead(3600);
    let stage = Stage::practising().await.restarted_by(clock).await;
    stage.service(|it| it.faults = always(GetContract, status(404)));
    stage.enter(&sales(1)).await;
    assert_eq!(stage.run().await.accepted, 1);
    let stage = stage.restarted_by(TestClock::new()).await;
    let before = stage.arrived(GetContract);
    stage.run_until(true, 3).await;
    assert!(stage.arrived(GetContract) > before);
    // Its next one is in its time.
    let next = next_lookup(&stage);
    assert!(next.unwrap() < Utc::now().timestamp_millis() + 360_000);
}

fn next_lookup(stage: &Stage) -> Option<i64> {
    let next = "SELECT next_lookup_at FROM submission";
    let found = stage.database().query_row(next, [], |row| row.get(0));
    found.unwrap()
}

#[tokio::test]
async fn a_wait_for_a_lookup_that_the_service_asked_for_outlives_the_process() {
    let stage = Stage::practising().await;
    stage.service(|it| it.faults = always(GetContract, too_many("3000")));
    stage.enter(&sales(1)).await;
    stage.run_until(true, 3).await;
    let asked = stage.arrived(GetContract);
    assert_eq!(asked, 1);
    let stage = stage.restarted().await;
    stage.run_until(true, 3).await;
    assert_eq!(stage.arrived(GetContract), asked);
}
