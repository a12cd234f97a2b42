//! Runs whose rows are all entered, halted and ended while batches of them have not left.

use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use warranty_core::bulk::{RunRow, RunState, RunView};
use warranty_core::contracts::EntryDraft;
use warranty_core::notice::Notice;
use warranty_core::outbox::{CaseReason, Resolution, SubmissionState};
use warranty_core::{Desk, Error};
use warranty_sandbox::{
    Action,
    Operation::{BulkCreateContracts, GetContract},
};

use crate::harness::{Stage, always, instead, status, until};
use crate::runs::{staged, started};
use crate::sales::{sale, sales};
use crate::steps::{Steps, edit, refused};

/// How many requests of a profile are on their way at a time.
const MAX_REQUESTS: usize = 4;

/// A run with every row entered and nothing sent.
async fn entered_whole(stage: &Stage, count: usize) -> RunView {
    all_entered(stage, &sales(count)).await
}

async fn all_entered(stage: &Stage, rows: &[EntryDraft]) -> RunView {
    let view = started(stage, rows).await;
    let view = stage.enter_rows(&view.id).await;
    let all = u32::try_from(rows.len()).unwrap();
    assert_eq!((view.state, view.pending), (RunState::Done, 0));
    assert_eq!((view.sent.waiting, view.unsent), (all, all));
    view
}

/// The same, and the service at work on the fifth batch to the eighth, slowly.
async fn on_its_way(stage: &Stage, count: usize) -> RunView {
    let view = entered_whole(stage, count).await;
    stage.service(|it| it.answer_delay_ms = 2_000);
    stage.outbox.start();
    until("four are answered", async || stage.keys().len() >= 8).await;
    view
}

async fn assert_over(desk: &Desk, id: &str) {
    for refused in [desk.bulk.pause(id).await, desk.bulk.cancel(id).await] {
        refused!(refused, Error::NotAllowed);
    }
}

/// Waits until nothing of it is in flight; of what waited meanwhile, nothing may have left.
async fn settled(stage: &Stage, id: &str) -> RunView {
    let left = stage.keys().len();
    until("what had left is answered", async || {
        let run = stage.view(id).await;
        run.sent.waiting + run.sent.held == run.unsent
    })
    .await;
    assert_eq!(stage.keys().len(), left, "what waited for its turn left");
    stage.view(id).await
}

/// Waits until a run is told of that is so.
async fn hears(mut notices: Receiver<Notice>, so: impl Fn(&RunView) -> bool) {
    let told = async {
        loop {
            if let Notice::RunProgressed { run } = notices.recv().await.unwrap()
                && so(&run)
            {
                return;
            }
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(60), told).await;
    told.expect("nobody was told");
}

#[tokio::test]
async fn a_run_entered_whole_is_halted_with_all_that_has_not_left() {
    let stage = Stage::practising().await;
    let view = entered_whole(&stage, 110).await;
    let halted = stage.bulk.pause(&view.id).await.unwrap();
    assert_eq!((halted.state, halted.unsent), (RunState::Paused, 110));
    let kept_back = stage.entered().await.remove(0).id;
    assert!(stage.case(&kept_back).await.paused);
    stage.run().await;
    assert!(stage.keys().is_empty(), "something left");
    let stage = stage.restarted().await;
    stage.run().await;
    assert!(stage.keys().is_empty(), "a restart let it go");

    let resumed = stage.bulk.resume(&view.id).await.unwrap();
    assert_eq!((resumed.state, resumed.entered), (RunState::Done, 110));
    assert!(!stage.case(&kept_back).await.paused);
    let mut told = stage.actions(1_000).await;
    told.retain(|action| action == "contracts.entered");
    assert_eq!(told.len(), 1);
    stage.run().await;
    stage.assert_sold_once(&sales(110)).await;
    assert_eq!(stage.view(&view.id).await.unsent, 0);
    assert_over(&stage, &view.id).await;
}

#[tokio::test]
async fn a_run_halted_on_its_way_keeps_what_is_queued_and_the_counter_goes_on() {
    let stage = Stage::practising().await;
    let view = on_its_way(&stage, 150).await;
    stage.bulk.pause(&view.id).await.unwrap();
    let left = settled(&stage, &view.id).await;
    assert!(left.unsent > 0, "nothing was left to be kept back");
    stage.service(|_| {});
    let counter = sale(900);
    stage.register(&counter).await;
    stage.run().await;
    let still = stage.view(&view.id).await;
    assert_eq!((still.state, still.unsent), (RunState::Paused, left.unsent));
    let gone = 150 - usize::try_from(left.unsent).unwrap();
    assert_eq!(stage.sold().await.len(), gone + 1);

    stage.bulk.resume(&view.id).await.unwrap();
    stage.run().await;
    let mut all = sales(150);
    all.push(counter);
    stage.assert_sold_once(&all).await;
}

/// An answer in which the service has the contracts under another store than the profile's.
pub fn of_another_store(stage: &Stage) -> Action {
    let ours = format!("\"id\":\"{}\"", stage.sandbox.store_id());
    instead(&ours, "\"id\":\"another\"")
}

#[tokio::test]
async fn a_run_sold_under_another_store_is_halted_at_the_first_answer_that_says_so() {
    let stage = Stage::practising().await;
    let view = entered_whole(&stage, 200).await;
    let others: Vec<_> = (300..320).map(sale).collect();
    let mut waits = all_entered(&stage, &others).await;
    let wrong = of_another_store(&stage);
    stage.service(|it| it.faults = always(BulkCreateContracts, wrong));
    let notices = stage.notices();
    let summary = stage.run().await;
    let sent = stage.sent();
    assert!(sent <= MAX_REQUESTS, "{sent} batches of a wrong store");
    assert_eq!(summary.accepted, 0);
    assert_eq!(usize::try_from(summary.needs_person).unwrap(), sent * 10);
    for run in [&view, &waits] {
        let halted = stage.view(&run.id).await;
        assert_eq!(halted.state, RunState::Paused);
    }
    hears(notices, |run| run.state == RunState::Paused).await;
    // Which contract it is stays with the case.
    let cases = stage.entered().await.into_iter();
    let mut cases = cases.filter(|entry| entry.state == SubmissionState::NeedsPerson);
    assert!(cases.all(|entry| entry.case == Some(CaseReason::OtherStore)
        && entry.contract_id.is_some()
        && entry.inquiry_code.is_some()));
    let told = stage.desk.journal(1_000).await.unwrap().into_iter();
    let mut halts = told.filter(|line| line.action == "run.paused");
    assert_eq!(halts.next().unwrap().user, "warranty-desk");

    // The counter goes on: each of its sales is seen by who made it.
    let counter = stage.register(&sale(900)).await;
    stage.run().await;
    let case = stage.submission(&counter.id).await.case;
    assert_eq!(case, Some(CaseReason::OtherStore));

    stage.service(|_| {});
    stage.bulk.resume(&view.id).await.unwrap();
    stage.run().await;
    assert_eq!(stage.view(&view.id).await.unsent, 0);
    waits = stage.view(&waits.id).await;
    assert_eq!((waits.state, waits.unsent), (RunState::Paused, 20));
}

#[tokio::test]
async fn a_run_of_a_few_batches_under_another_store_is_halted_as_well() {
    let stage = Stage::practising().await;
    let view = entered_whole(&stage, 60).await;
    let wrong = of_another_store(&stage);
    stage.service(|it| it.faults = always(BulkCreateContracts, wrong));
    stage.run().await;
    let sent = stage.sent();
    assert!(sent <= MAX_REQUESTS, "{sent} batches of a wrong store");
    assert_eq!(stage.view(&view.id).await.state, RunState::Paused);
}

#[tokio::test]
async fn a_lookup_that_finds_another_store_halts_what_is_being_entered_for_this_one() {
    let stage = Stage::practising().await;
    let wrong = of_another_store(&stage);
    stage.service(|it| it.faults = always(GetContract, wrong));
    stage.register(&sale(900)).await;
    assert_eq!(stage.run().await.accepted, 1);
    let view = entered_whole(&stage, 300).await;
    stage.service(|it| {
        it.faults = always(GetContract, of_another_store(&stage));
        it.answer_delay_ms = 1_000;
    });
    stage.run_until(false, 30).await;
    let halted = stage.view(&view.id).await;
    assert_eq!(halted.state, RunState::Paused);
    assert!(halted.unsent > 0, "all of it was sold");
}

#[tokio::test]
async fn a_run_ended_on_its_way_keeps_what_was_sent_and_calls_off_what_is_queued() {
    let stage = Stage::practising().await;
    let view = on_its_way(&stage, 150).await;
    let ended = stage.bulk.cancel(&view.id).await.unwrap();
    assert_eq!((ended.state, ended.unsent), (RunState::Cancelled, 0));
    assert!(ended.sent.cancelled > 0, "nothing was left to be ended");
    let left = settled(&stage, &view.id).await;
    assert_eq!((left.state, left.unsent), (RunState::Cancelled, 0));
    stage.service(|_| {});
    stage.run_confirmed().await;
    let view = stage.view(&view.id).await;
    assert_eq!(view.sent.cancelled, left.sent.cancelled);
    assert_eq!(view.sent.confirmed + view.sent.cancelled, 150);
    let sold = stage.sold().await;
    assert_eq!(sold.len(), usize::try_from(view.sent.confirmed).unwrap());
    assert!(sold.values().all(|times| *times == 1), "one is sold twice");
    assert_over(&stage, &view.id).await;
    // What was called off can be handed in again; what was sold is not sold again.
    let again = started(&stage, &sales(150)).await;
    stage.run_confirmed().await;
    let again = stage.view(&again.id).await;
    assert_eq!(again.entered, left.sent.cancelled);
    stage.assert_sold_once(&sales(150)).await;
}

#[tokio::test]
async fn who_sees_after_a_restart_that_a_run_can_be_halted_hears_when_it_no_longer_can() {
    let stage = Stage::practising().await;
    let view = entered_whole(&stage, 30).await;
    let stage = stage.restarted().await;
    assert_eq!(stage.view(&view.id).await.unsent, 30);
    let notices = stage.notices();
    stage.outbox.start();
    hears(notices, |run| run.id == view.id && run.unsent == 0).await;
}

#[tokio::test]
async fn who_sees_after_a_restart_a_run_that_has_left_hears_that_it_is_confirmed() {
    let stage = Stage::practising().await;
    stage.service(|it| it.faults = always(GetContract, status(404)));
    let view = entered_whole(&stage, 30).await;
    stage.run().await;
    let stage = stage.restarted().await;
    let seen = stage.view(&view.id).await;
    assert_eq!((seen.unsent, seen.sent.accepted), (0, 30));
    let notices = stage.notices();
    stage.service(|it| it.faults.clear());
    let due = "UPDATE submission SET next_lookup_at = NULL";
    assert_eq!(stage.database().execute(due, []).unwrap(), 30);
    stage.outbox.start();
    hears(notices, |run| run.id == view.id && run.sent.confirmed == 30).await;
}

#[tokio::test]
async fn listeners_hear_how_far_a_check_has_come() {
    let stage = Stage::practising().await;
    let view = staged(&stage, &sales(3)).await;
    let notices = stage.notices();
    stage.check(&view.id).await;
    hears(notices, |run| run.id == view.id && run.checked == 3).await;
}

#[tokio::test]
async fn what_the_service_declined_for_now_is_called_off_with_the_rest() {
    let stage = Stage::practising().await;
    stage.next_times(BulkCreateContracts, status(401), 100);
    let view = entered_whole(&stage, 30).await;
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert!(view.sent.held > 0, "nothing was declined");
    assert_eq!((view.state, view.unsent), (RunState::Done, 30));
    let ended = stage.bulk.cancel(&view.id).await.unwrap();
    assert_eq!((ended.sent.cancelled, ended.unsent), (30, 0));
    assert!(stage.sold().await.is_empty());
}

#[tokio::test]
async fn what_is_in_doubt_is_neither_kept_back_nor_called_off() {
    let stage = Stage::practising().await;
    let cut = Action::DropAfterCommit;
    stage.next_times(BulkCreateContracts, cut, 100);
    let view = entered_whole(&stage, 1).await;
    stage.outbox.start();
    until("it is in doubt", async || {
        stage.view(&view.id).await.sent.unknown == 1
    })
    .await;
    assert_over(&stage, &view.id).await;
    let view = stage.view(&view.id).await;
    assert_eq!((view.state, view.unsent), (RunState::Done, 0));
}

#[tokio::test]
async fn the_end_of_a_halted_run_calls_off_what_a_person_did_not_settle_and_tells_them_apart() {
    let stage = Stage::practising().await;
    let view = entered_whole(&stage, 3).await;
    stage.bulk.pause(&view.id).await.unwrap();
    let rows = async || stage.rows(&view.id).await;
    let entry = |row: &RunRow| row.submission.clone().unwrap();
    let before = rows().await;
    let mended = edit(sale(9));
    for (row, kind) in before.iter().zip([mended, Resolution::Cancel]) {
        stage.resolve(&entry(row).id, kind).await;
    }
    let ended = stage.bulk.cancel(&view.id).await.unwrap();
    assert_eq!((ended.state, ended.unsent), (RunState::Cancelled, 0));
    let after: Vec<_> = rows()
        .await
        .iter()
        .map(|row| (entry(row).state, entry(row).settled))
        .collect();
    let cancelled = SubmissionState::Cancelled;
    assert_eq!(
        after,
        [(cancelled, true), (cancelled, true), (cancelled, false)]
    );
    // The entry that replaced one of them is no part of the run.
    stage.run_confirmed().await;
    stage.assert_sold_once(&[sale(9)]).await;
}
