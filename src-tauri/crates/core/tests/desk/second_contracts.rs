//! Every decision that sends a sale once more asks about the other entries of that sale, as
//! entering does.

use std::time::Duration;

use warranty_core::Error;
use warranty_core::contracts::{Confirmed, EntryDraft, Question, SubmissionView};
use warranty_core::outbox::{CaseView, Resolution, SubmissionState};
use warranty_sandbox::{Action, Operation};

use crate::harness::{Stage, hasty};
use crate::sales::{enter, entered, id, run, run_confirmed, sale, sales, sold};

/// A sale that the service never answered and does not have, as a case; and a second entry of it
/// that a person wanted, which is sold.
async fn case_beside_a_contract() -> (Stage, SubmissionView, SubmissionView) {
    let stage = hasty(Stage::practising().await).await;
    let unwilling = Action::Status {
        status: 500,
        after_commit: false,
    };
    stage.next_times(Operation::BulkCreateContracts, unwilling, 6);
    enter(&stage.desk, &sales(1)).await;
    assert_eq!(run(&stage.desk).await.needs_person, 1);
    let case = entered(&stage.desk).await.remove(0);
    let beside = Confirmed::SecondContract {
        submission_id: Some(case.id.clone()),
    };
    let second = stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[beside])
        .await
        .unwrap();
    run_confirmed(&stage.desk).await;
    assert_eq!(sold(&stage.sandbox).await["T-00000"], 1);
    (stage, case, second)
}

fn asked(answer: Result<CaseView, Error>) -> Question {
    let Err(Error::Questions(mut questions)) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(questions.len(), 1);
    questions.remove(0)
}

fn about(question: &Question) -> Option<&str> {
    match question {
        Question::SecondContract { submission_id, .. } => submission_id.as_deref(),
        Question::ChangedPrice { .. }
        | Question::PriceNotUnderstood { .. }
        | Question::RepeatedRow { .. }
        | Question::CellText { .. } => panic!("{question:?}"),
    }
}

#[tokio::test]
async fn a_case_is_sent_once_more_beside_another_entry_of_its_sale_only_with_a_yes() {
    type ResolutionKind = fn(Vec<Confirmed>) -> Resolution;
    let resolutions: [ResolutionKind; 2] = [
        |confirmed| Resolution::ProviderHasNone {
            reference: "case 4711".into(),
            confirmed,
        },
        |confirmed| Resolution::ReplayOnce { confirmed },
    ];
    for kind in resolutions {
        let (stage, case, second) = case_beside_a_contract().await;
        let question = asked(stage.desk.outbox.resolve(&case.id, kind(Vec::new())).await);
        assert_eq!(about(&question), Some(second.id.as_str()));
        run(&stage.desk).await;
        assert_eq!(sold(&stage.sandbox).await["T-00000"], 1);
        let still = stage.desk.contracts.submission(&case.id).await.unwrap();
        assert_eq!(still.state, SubmissionState::NeedsPerson);

        let yes = kind(vec![question.yes()]);
        stage.desk.outbox.resolve(&case.id, yes).await.unwrap();
        run(&stage.desk).await;
        assert_eq!(sold(&stage.sandbox).await["T-00000"], 2);
    }
}

#[tokio::test]
async fn a_held_sale_is_sent_now_beside_another_entry_of_it_only_with_a_yes() {
    let stage = Stage::empty().await;
    let wrong = warranty_core::api::Token::new("not-the-token").unwrap();
    let connected = stage.desk.profiles.connect(stage.draft("本店"), wrong);
    connected.await.unwrap();
    let first = stage.desk.contracts.register(&id(), &sale(0), &[]).await;
    let first = first.unwrap();
    assert_eq!(run(&stage.desk).await.held, 1);
    let beside = Confirmed::SecondContract {
        submission_id: Some(first.id.clone()),
    };
    let second = stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[beside])
        .await
        .unwrap();

    let now = |confirmed| Resolution::SendNow { confirmed };
    let question = asked(stage.desk.outbox.resolve(&first.id, now(vec![])).await);
    assert_eq!(about(&question), Some(second.id.as_str()));
    let yes = now(vec![question.yes()]);
    let sent = stage.desk.outbox.resolve(&first.id, yes).await.unwrap();
    assert_eq!(sent.submission.state, SubmissionState::Queued);
}

#[tokio::test]
async fn an_edit_that_becomes_a_sale_entered_meanwhile_is_asked_about() {
    let stage = Stage::practising().await;
    let entry = stage.desk.contracts.register(&id(), &sale(0), &[]).await;
    let entry = entry.unwrap();
    // While the edit is checked, the other sale is entered.
    stage.next(
        Operation::GetPlan,
        Action::SlowDrip {
            chunk_bytes: 100_000,
            pause_ms: 400,
        },
    );
    let edit = Resolution::Edit {
        draft: Box::new(sale(1)),
        confirmed: Vec::new(),
    };
    let (edited, other) = tokio::join!(stage.desk.outbox.resolve(&entry.id, edit), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stage.desk.contracts.register(&id(), &sale(1), &[]).await
    });
    assert_eq!(about(&asked(edited)), Some(other.unwrap().id.as_str()));
    run_confirmed(&stage.desk).await;
    let sold = sold(&stage.sandbox).await;
    assert_eq!((sold["T-00000"], sold["T-00001"]), (1, 1));
}

#[tokio::test]
async fn an_edit_asks_about_a_price_that_nobody_checked_although_it_stays() {
    let stage = Stage::practising().await;
    let cheap = EntryDraft {
        plan_purchase_price: "50".into(),
        ..sale(0)
    };
    stage.next(
        Operation::GetPlan,
        Action::Status {
            status: 503,
            after_commit: false,
        },
    );
    let entry = stage.desk.contracts.register(&id(), &cheap, &[]).await;
    let entry = entry.unwrap();
    let edit = |email: &str, confirmed| Resolution::Edit {
        draft: Box::new(EntryDraft {
            customer_email: email.into(),
            ..cheap.clone()
        }),
        confirmed,
    };
    let other_email = edit("a@sample.invalid", Vec::new());
    let question = asked(stage.desk.outbox.resolve(&entry.id, other_email).await);
    assert!(matches!(question, Question::ChangedPrice { .. }));
    let yes = edit("a@sample.invalid", vec![question.yes()]);
    let edited = stage.desk.outbox.resolve(&entry.id, yes).await.unwrap();

    // Said once: the price is not asked about again.
    let again = edit("b@sample.invalid", Vec::new());
    let edited = &edited.submission.id;
    stage.desk.outbox.resolve(edited, again).await.unwrap();
}
