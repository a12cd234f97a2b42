use super::take::ACCEPT;
use super::*;
use crate::Store;
use crate::cases::Case;
use crate::test_fixtures::{self, NOW, freeze, frozen, moved, taken};
use warranty_model::outbox::state::{Event, Route};

/// A store with one batch, queued.
async fn store() -> (tempfile::TempDir, Store) {
    let (folder, store) = test_fixtures::store().await;
    let frozen = frozen(&store, freeze(7, &["entry"])).await;
    assert_eq!(frozen, crate::submissions::Frozen::Done);
    (folder, store)
}

async fn read(store: &Store) -> Case {
    test_fixtures::read(store, "entry").await
}

fn begin(queued: &Case) -> Move {
    Move {
        attempt: AttemptChange::Begin {
            base_url: "practice".into(),
            token_fingerprint: Some("f".into()),
        },
        ..moved(queued, Event::Due(Route::Same), &[])
    }
}

fn finish(begun: &Case, event: Event, class: AnswerClass) -> Move {
    Move {
        attempt: AttemptChange::Finish {
            class,
            evidence: Evidence::default(),
        },
        ..moved(begun, event, &[])
    }
}

/// Makes the batch one of a run in this state.
async fn of_run(store: &Store, state: &str) {
    let run = test_fixtures::entered_run(store, "profile", state, 0).await;
    let sql = "UPDATE batch SET run = ?1";
    store.change(sql, [run.unwrap()]).await.unwrap();
}

#[tokio::test]
async fn an_attempt_is_completed_once_and_never_changed_or_removed() {
    let (_folder, store) = store().await;
    let batch = read(&store).await;
    assert!(taken(&store, begin(&batch)).await);
    let begun = read(&store).await;
    assert!(taken(&store, finish(&begun, Event::Unclear, AnswerClass::Unknown)).await);
    for change in [
        "UPDATE attempt SET class = 'accepted'",
        "UPDATE attempt SET started_at = 0",
        "DELETE FROM attempt",
        "UPDATE journal SET action = 'x'",
        "DELETE FROM journal",
    ] {
        let line = test_fixtures::line();
        let refused = store
            .call(move |connection| {
                crate::journal::append(connection, &line)?;
                connection.execute(change, [])
            })
            .await;
        assert!(refused.is_err(), "{change}");
    }
}

#[tokio::test]
async fn what_was_never_sent_does_not_set_out_once_its_run_is_halted() {
    let (_folder, store) = store().await;
    of_run(&store, "paused").await;
    // Looked at before the run was halted.
    let queued = read(&store).await;
    assert!(!taken(&store, begin(&queued)).await);
    assert_eq!(read(&store).await.batch.state, State::Queued);
    let resumed = store.change("UPDATE run SET state = 'running'", []).await;
    resumed.unwrap();
    assert!(taken(&store, begin(&queued)).await);
}

#[tokio::test]
async fn what_comes_back_unsent_after_its_run_was_cancelled_is_cancelled_too() {
    use State::{Cancelled, Held, Queued, Unknown};
    let declined = (Event::Declined(Hold::Token), AnswerClass::Declined);
    let unsent = (Event::NotSent, AnswerClass::NotSent);
    let unclear = (Event::Unclear, AnswerClass::Unknown);
    for (state, outcome, expected) in [
        ("cancelled", unsent, Cancelled),
        ("cancelled", declined, Cancelled),
        // The service may have it.
        ("cancelled", unclear, Unknown),
        ("running", unsent, Queued),
        ("running", declined, Held(Hold::Token)),
    ] {
        let (_folder, store) = store().await;
        let queued = read(&store).await;
        assert!(taken(&store, begin(&queued)).await);
        of_run(&store, state).await;
        let begun = read(&store).await;
        assert!(taken(&store, finish(&begun, outcome.0, outcome.1)).await);
        let case = read(&store).await;
        assert_eq!([case.batch.state, case.state], [expected; 2], "{state}");
    }
}

#[tokio::test]
async fn rows_that_come_back_after_a_sheet_was_stopped_count_as_not_submitted() {
    let (_folder, store) = store().await;
    assert!(taken(&store, begin(&read(&store).await)).await);
    let of_sheet = "source = 'sheet', state = 'running', rows = 1, entered = 1, whole = 1";
    let run = test_fixtures::inserted(&store, "run", of_sheet).await;
    for of_run in [
        "UPDATE batch SET run = ?1",
        "UPDATE submission SET run = ?1",
    ] {
        store.change(of_run, [run]).await.unwrap();
    }
    let stopped = store.cancel_run(run, test_fixtures::line(), test_fixtures::now());
    assert!(stopped.await.unwrap());
    // The sheet has back what there was to have.
    store.mark_rejected_taken(run, 0).await.unwrap();
    let open = async || store.open_work("profile").await.unwrap().sheet_rows;
    assert_eq!(open().await, 0);
    let begun = read(&store).await;
    assert!(taken(&store, finish(&begun, Event::NotSent, AnswerClass::NotSent)).await);
    assert_eq!(open().await, 1);
}

#[tokio::test]
async fn a_contract_is_taken_in_without_reading_the_other_sales_of_its_store() {
    let (_folder, store) = test_fixtures::store().await;
    let plan = test_fixtures::query_plan(&store, ACCEPT, 9).await;
    let other = "SEARCH other USING INDEX submission_contract (contract_id=?)";
    assert!(plan.iter().any(|step| step == other), "{plan:#?}");
}

#[tokio::test]
async fn an_attempt_of_a_clock_that_was_ahead_did_not_fail_just_now() {
    let (_folder, store) = store().await;
    let begun = begin(&read(&store).await);
    assert!(taken(&store, begun).await);
    let unclear = finish(&read(&store).await, Event::Unclear, AnswerClass::Unknown);
    assert!(taken(&store, unclear).await);
    for (now, failed_at) in [(NOW + 1, Some(NOW)), (NOW - 1, None)] {
        let found = store.last_attempt_failed("profile", NOW - 2, now).await;
        assert_eq!(found.unwrap(), failed_at);
    }
}
