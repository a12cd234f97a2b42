//! What is started after a failure, an outage, or a wait that the service asked for.

use std::time::Duration;

use tempfile::TempDir;

use warranty_store::batches::{AttemptChange, Move};
use warranty_store::test_fixtures::{
    entered_run, freeze, frozen, keep, moved, new_lead, profile, read, taken,
};

use super::AnswerClass;
use super::circuit_breaker::{CircuitBreaker, TaskKind, TaskOutcome};
use super::classify::Evidence;
use super::scheduler::{MAX_RUN_SENDS, Task};
use super::state::{Event, Route};
use crate::profile::ProfileKind;
use crate::{Desk, PracticeService, testing};

/// A desk with sales entered so many milliseconds ago, in batches numbered from 1. Its process did not just
/// start.
async fn desk_with(ago: &[i64]) -> (TempDir, Desk) {
    let (folder, desk) = testing::new_desk().await;
    let store = &desk.context.store;
    keep(store, profile("profile", "practice")).await;
    let wall = desk.context.clock.now().timestamp_millis();
    for (number, ago) in (1..).zip(ago) {
        let id = format!("sale {number}");
        let mut sale = freeze(number, &[&id]);
        sale.at = wall - ago;
        frozen(store, sale).await;
    }
    starts(&desk, false);
    (folder, desk)
}

/// Whether the process of a desk just started, and takes what it finds in its file into its circuit breaker.
fn starts(desk: &Desk, just_now: bool) {
    let note = |breaker: &mut CircuitBreaker| breaker.derived = !just_now;
    desk.context.work.change("profile", note);
}

/// The ids of the batches that may be sent now.
async fn sends(desk: &Desk) -> Vec<String> {
    let plan = desk.outbox.plan(None).await.unwrap();
    let tasks = plan.due.into_iter().map(|(_, task)| task);
    let ids = tasks.filter_map(|task| {
        if let Task::Send(planned) = task {
            Some(planned.batch.batch_id)
        } else {
            None
        }
    });
    ids.collect()
}

#[tokio::test]
async fn after_a_wait_that_the_service_asked_for_a_sale_entered_now_goes_ahead_of_the_backlog() {
    let (_folder, desk) = desk_with(&[600_000, 1_000]).await;
    let (context, second) = (&desk.context, Duration::from_secs(1));
    assert_eq!(sends(&desk).await, ["1", "2"]);

    let mono = context.clock.monotonic();
    let work = &context.work;
    // Over by now but for the jitter: 5 seconds, and 30 for the backlog.
    work.keep_retry_after("profile", second, mono.saturating_sub(7 * second), 1.0);
    assert_eq!(sends(&desk).await, ["2"]);
    let plan = desk.outbox.plan(None).await.unwrap();
    let next = plan.next_batch.unwrap() - context.work.steady_now(context.clock.as_ref());
    assert!((15_000..=24_000).contains(&next), "{next} ms");

    work.keep_retry_after("profile", second, mono, 0.5);
    assert!(sends(&desk).await.is_empty());
}

#[tokio::test]
async fn a_bare_429_to_a_plan_read_or_a_probe_pauses_sales_of_that_profile() {
    let (_folder, desk) = desk_with(&[1_000]).await;
    let too_many = warranty_api::Error::Unreadable {
        status: 429,
        reason: warranty_api::Unreadable::NotJson,
        retry_after: None,
    };
    desk.context.keep_rate_limit("another", &too_many, 1);
    assert_eq!(sends(&desk).await, ["1"]);
    desk.context.keep_rate_limit("profile", &too_many, 1);
    assert!(sends(&desk).await.is_empty());
}

#[tokio::test]
async fn a_sale_at_the_counter_does_not_wait_until_the_batches_of_a_file_are_sent() {
    let (_folder, desk) = desk_with(&[]).await;
    let context = &desk.context;
    let run = entered_run(&context.store, "profile", "done", 0)
        .await
        .unwrap();
    for number in 1..=20 {
        let mut sale = freeze(number, &[&format!("sale {number}")]);
        sale.run = Some(run);
        frozen(&context.store, sale).await;
    }
    let of_run = sends(&desk).await;
    assert_eq!(of_run.len(), MAX_RUN_SENDS);
    let begin = |id: &String| context.work.begin(id, TaskKind::Send, "profile").unwrap();
    let _sending: Vec<_> = of_run.iter().map(begin).collect();
    assert!(sends(&desk).await.is_empty());

    frozen(&context.store, freeze(21, &["counter"])).await;
    assert_eq!(sends(&desk).await, ["21"]);
}

/// What may be started now.
async fn kinds(desk: &Desk) -> Vec<TaskKind> {
    let plan = desk.outbox.plan(None).await.unwrap();
    plan.due.iter().map(|(_, task)| task.kind()).collect()
}

#[tokio::test]
async fn nothing_new_goes_to_a_service_that_failed_before_a_probe_is_answered_and_then_one() {
    let (_folder, desk) = desk_with(&[2_000, 1_000]).await;
    assert_eq!(sends(&desk).await, ["1", "2"]);
    let (work, mono) = (&desk.context.work, desk.context.clock.monotonic());
    work.service_failed("profile", mono, 1.0);
    assert!(kinds(&desk).await.is_empty());
    work.sale_entered("profile", mono);
    assert_eq!(kinds(&desk).await, [TaskKind::Probe]);
    let answered = |kind| {
        let note = |breaker: &mut CircuitBreaker| breaker.note(kind, TaskOutcome::Answered, mono);
        work.change("profile", note)
    };
    answered(TaskKind::Probe);
    assert_eq!(sends(&desk).await, ["1"]);
    answered(TaskKind::Send);
    assert_eq!(sends(&desk).await, ["1", "2"]);
}

#[tokio::test]
async fn after_an_outage_the_backlog_goes_one_by_one_behind_what_is_entered_now() {
    // More than are read at once.
    let mut ago = vec![600_000; 40];
    ago.push(1_000);
    let (_folder, desk) = desk_with(&ago).await;
    sends(&desk).await;
    let (work, mono) = (&desk.context.work, desk.context.clock.monotonic());
    let change = |change: &dyn Fn(&mut CircuitBreaker)| work.change("profile", change);
    change(&|breaker| breaker.recovery.reached(6, mono));
    assert_eq!(sends(&desk).await, ["41"]);
    let plan = desk.outbox.plan(None).await.unwrap();
    assert!(plan.next_batch.is_some(), "the backlog is due later");
    // A run submitted since then does not belong to the backlog, an older one does.
    let (store, wall) = (
        &desk.context.store,
        desk.context.clock.now().timestamp_millis(),
    );
    for (number, submitted_at) in [(42, 0), (43, wall + 1_000)] {
        let run = entered_run(store, "profile", "done", submitted_at).await;
        let mut sale = freeze(number, &[&format!("sale {number}")]);
        (sale.run, sale.at) = (Some(run.unwrap()), wall);
        frozen(store, sale).await;
    }
    assert_eq!(sends(&desk).await, ["41", "43"]);
    // Its first wait is over.
    change(&|breaker| breaker.recovery.began(true, Duration::ZERO, 0.0));
    assert_eq!(sends(&desk).await, ["41", "1", "43"]);
    // A file on its way does not hold the backlog up, one of the backlog itself does.
    let begin = |id| work.begin(id, TaskKind::Send, "profile").unwrap();
    let _file = begin("43");
    assert_eq!(sends(&desk).await, ["41", "1"]);
    let begun = moved(&read(store, "sale 1").await, Event::Due(Route::Same), &[]);
    assert!(taken(store, begun).await);
    let _backlog = begin("1");
    assert_eq!(sends(&desk).await, ["41"]);
}

#[tokio::test]
async fn a_process_that_starts_in_an_outage_asks_before_it_sells() {
    for (class, expected) in [
        (AnswerClass::Unknown, TaskKind::Probe),
        (AnswerClass::Rejected, TaskKind::Send),
        // What never left says nothing of the service.
        (AnswerClass::NotSent, TaskKind::Probe),
    ] {
        let (_folder, desk) = desk_with(&[0]).await;
        starts(&desk, true);
        let store = &desk.context.store;
        let wall = desk.context.clock.now().timestamp_millis();
        for (id, ago, class) in [("a", 2_000, AnswerClass::Unknown), ("b", 1_000, class)] {
            let at = wall - ago;
            let mut sale = freeze(u128::from(id.as_bytes()[0]), &[id]);
            sale.at = at;
            frozen(store, sale).await;
            let begun = moved(&read(store, id).await, Event::Due(Route::Same), &[]);
            assert!(taken(store, Move { at, ..begun }).await);
            let mut ended = moved(&read(store, id).await, Event::Unclear, &[]);
            ended.next_at = Some(wall + 60_000);
            ended.attempt = AttemptChange::Finish {
                class,
                evidence: Evidence::default(),
            };
            assert!(taken(store, Move { at, ..ended }).await);
        }
        assert_eq!(kinds(&desk).await, [expected]);
    }
}

#[tokio::test]
async fn what_waited_when_the_process_started_goes_after_a_probe_and_what_is_entered_since_at_once()
{
    for (ago, expected) in [(60_000, TaskKind::Probe), (0, TaskKind::Send)] {
        let (_folder, desk) = desk_with(&[ago]).await;
        starts(&desk, true);
        assert_eq!(kinds(&desk).await, [expected]);
        let mono = desk.context.clock.monotonic();
        let answered = |breaker: &mut CircuitBreaker| {
            breaker.note(TaskKind::Probe, TaskOutcome::Answered, mono)
        };
        desk.context.work.change("profile", answered);
        assert_eq!(kinds(&desk).await, [TaskKind::Send]);
    }
}

#[tokio::test]
async fn a_queue_that_holds_leads_alone_asks_a_silent_service_and_goes_out_when_it_answers() {
    let (_folder, desk) = desk_with(&[]).await;
    let (context, work) = (&desk.context, &desk.context.work);
    let lead = new_lead(profile("profile", "practice"));
    context.store.enter_lead(lead).await.unwrap();
    *work.background.lock().unwrap() = true;
    assert_eq!(kinds(&desk).await, [TaskKind::Lead]);
    let mono = context.clock.monotonic();
    work.service_failed("profile", mono, 1.0);
    assert!(kinds(&desk).await.is_empty());
    work.sale_entered("profile", mono);
    assert_eq!(kinds(&desk).await, [TaskKind::Probe]);
    work.change("profile", |breaker| {
        breaker.note(TaskKind::Probe, TaskOutcome::Answered, mono)
    });
    assert_eq!(kinds(&desk).await, [TaskKind::Lead]);
}

#[tokio::test]
async fn a_sale_that_is_sent_for_the_first_time_waits_for_no_repeat_of_another() {
    let (_folder, desk) = desk_with(&[2_000, 1_000]).await;
    let store = &desk.context.store;
    let begun = moved(&read(store, "sale 1").await, Event::Due(Route::Same), &[]);
    assert!(taken(store, begun).await);
    let unclear = moved(&read(store, "sale 1").await, Event::Unclear, &[]);
    assert!(taken(store, unclear).await);
    assert_eq!(sends(&desk).await, ["1", "2"]);

    let (now, work) = (desk.context.clock.monotonic(), &desk.context.work);
    while work.budget.lock().unwrap().take(now).is_ok() {}
    assert_eq!(sends(&desk).await, ["2"]);
}

#[tokio::test]
async fn an_accepted_sale_without_an_id_says_nothing_of_the_service() {
    let (folder, desk) = desk_with(&[1_000]).await;
    desk.attach_practice(PracticeService::at("http://127.0.0.1:1", "token", "store").unwrap());
    let file = rusqlite::Connection::open(folder.path().join("desk.db")).unwrap();
    let accepted = "UPDATE submission SET state = 'accepted', accepted_at = entered_at";
    assert_eq!(file.execute(accepted, []).unwrap(), 1);

    let mut profile = desk.context.profile_by_id("profile").await.unwrap();
    profile.kind = ProfileKind::Practice;
    let looked_up = desk.outbox.look_up(&profile, vec!["sale 1".to_owned()], 1);
    assert_eq!(looked_up.await.unwrap(), TaskOutcome::Nothing);
}
