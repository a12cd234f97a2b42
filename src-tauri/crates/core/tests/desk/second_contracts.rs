//! Every decision that sends a sale once more asks about the other entries of that sale, as
//! entering does.

use serde_json::json;
use warranty_core::Error;
use warranty_core::contracts::{Confirmed, EntryDraft, Question, SubmissionView};
use warranty_core::outbox::{Resolution, SubmissionState};
use warranty_sandbox::Operation::{BulkCreateContracts, GetPlan};

use crate::harness::{Stage, drip, hasty, status, until, verbatim};
use crate::sales::{products, sale, sales};
use crate::steps::{Steps, beside, edit, provider_has_none, questions, with};

/// A sale that the service never answered and does not have, as a case; and a second entry of it
/// that a person wanted, which is sold.
async fn case_beside_a_contract() -> (Stage, SubmissionView, SubmissionView) {
    let stage = hasty(Stage::practising().await).await;
    stage.next_times(BulkCreateContracts, status(500), 6);
    stage.enter(&sales(1)).await;
    assert_eq!(stage.run().await.needs_person, 1);
    let case = stage.entered().await.remove(0);
    let second = stage.register_with(&sale(0), &[beside(&case.id)]).await;
    stage.run_confirmed().await;
    assert_eq!(stage.sold().await["T-00000"], 1);
    (stage, case, second)
}

fn asked<T: std::fmt::Debug>(answer: Result<T, Error>) -> Question {
    let mut questions = questions(answer);
    assert_eq!(questions.len(), 1);
    questions.remove(0)
}

fn about(question: &Question) -> Option<&str> {
    let Question::SecondContract { submission_id, .. } = question else {
        panic!("{question:?}");
    };
    submission_id.as_deref()
}

#[tokio::test]
async fn a_case_is_sent_once_more_beside_another_entry_of_its_sale_only_with_a_yes() {
    type ResolutionKind = fn(Vec<Confirmed>) -> Resolution;
    let resolutions: [ResolutionKind; 2] = [
        |confirmed| provider_has_none("case 4711", &confirmed),
        |confirmed| Resolution::ReplayOnce { confirmed },
    ];
    for kind in resolutions {
        let (stage, case, second) = case_beside_a_contract().await;
        let question = asked(stage.try_resolve(&case.id, kind(Vec::new())).await);
        assert_eq!(about(&question), Some(second.id.as_str()));
        stage.run().await;
        assert_eq!(stage.sold().await["T-00000"], 1);
        assert_eq!(
            stage.submission(&case.id).await.state,
            SubmissionState::NeedsPerson
        );

        let yes = kind(vec![question.yes()]);
        stage.resolve(&case.id, yes).await;
        stage.run().await;
        assert_eq!(stage.sold().await["T-00000"], 2);
    }
}

#[tokio::test]
async fn a_sale_cancelled_with_an_unknown_outcome_is_asked_about_beside_one_that_was_sold() {
    let (stage, cancelled, sold) = case_beside_a_contract().await;
    stage.resolve(&cancelled.id, Resolution::Cancel).await;
    let beside_sold = vec![beside(&sold.id)];
    let question = asked(stage.try_register(&sale(0), &beside_sold).await);
    assert_eq!(about(&question), Some(cancelled.id.as_str()));

    // So it is when a third one is sent once more.
    stage.next_times(BulkCreateContracts, status(500), 6);
    let yes = [beside(&sold.id), question.yes()];
    let third = stage.register_with(&sale(0), &yes).await;
    assert_eq!(stage.run().await.needs_person, 1);
    let confirmed = beside_sold;
    let replay = Resolution::ReplayOnce { confirmed };
    let question = asked(stage.try_resolve(&third.id, replay).await);
    assert_eq!(about(&question), Some(cancelled.id.as_str()));
    assert_eq!(stage.sold().await["T-00000"], 1);
}

#[tokio::test]
async fn a_held_sale_is_sent_now_beside_another_entry_of_it_only_with_a_yes() {
    let (stage, _) = Stage::refused().await;
    let first = stage.register(&sale(0)).await;
    assert_eq!(stage.run().await.held, 1);
    let second = stage.register_with(&sale(0), &[beside(&first.id)]).await;

    let now = |confirmed| Resolution::SendNow { confirmed };
    let question = asked(stage.try_resolve(&first.id, now(vec![])).await);
    assert_eq!(about(&question), Some(second.id.as_str()));
    let yes = now(vec![question.yes()]);
    assert_eq!(
        stage.resolve(&first.id, yes).await.submission.state,
        SubmissionState::Queued
    );
}

#[tokio::test]
async fn an_edit_that_becomes_a_sale_entered_meanwhile_is_asked_about() {
    let stage = Stage::practising().await;
    let entry = stage.register(&sale(0)).await;
    // While the edit is checked, the other sale is entered.
    let before = stage.arrived(GetPlan);
    stage.next(GetPlan, drip(100_000, 2_000));
    let edit = edit(sale(1));
    let (edited, other) = tokio::join!(stage.outbox.resolve(&entry.id, edit), async {
        let asked = async || stage.arrived(GetPlan) > before;
        until("the edit is being checked", asked).await;
        stage.try_register(&sale(1), &[]).await
    });
    assert_eq!(about(&asked(edited)), Some(other.unwrap().id.as_str()));
    stage.run_confirmed().await;
    let sold = stage.sold().await;
    assert_eq!((sold["T-00000"], sold["T-00001"]), (1, 1));
}

#[tokio::test]
async fn an_edit_asks_about_a_price_that_nobody_checked_although_it_stays() {
    let stage = Stage::practising().await;
    let cheap = with(sale(0), |it| it.plan_purchase_price = "50".into());
    stage.next(GetPlan, status(503));
    let entry = stage.register(&cheap).await;
    let edit = |email: &str, confirmed| Resolution::Edit {
        draft: Box::new(EntryDraft {
            customer_email: email.into(),
            ..cheap.clone()
        }),
        confirmed,
    };
    let other_email = edit("a@sample.invalid", Vec::new());
    let question = asked(stage.try_resolve(&entry.id, other_email).await);
    assert!(matches!(question, Question::ChangedPrice { .. }));
    let yes = edit("a@sample.invalid", vec![question.yes()]);
    let edited = stage.resolve(&entry.id, yes).await;

    // Said once: the price is not asked about again.
    let again = edit("b@sample.invalid", Vec::new());
    let edited = &edited.submission.id;
    stage.resolve(edited, again).await;
}

#[tokio::test]
async fn an_edit_to_another_product_asks_about_the_price_that_the_plan_has_for_it() {
    let stage = Stage::practising().await;
    let entry = stage.register(&sale(0)).await;
    let other = with(sale(0), |it| {
        it.product_reference_id = sale(1).product_reference_id;
    });
    // A plan may be of several products, each at its own price.
    let read = json!({
        "plan": {"id": other.plan_id, "price": entry.plan_purchase_price.get() - 1},
        "product": {"referenceId": other.product_reference_id},
    });
    let read = verbatim(200, "application/json", read.to_string());
    stage.next(GetPlan, read);
    let question = asked(stage.try_resolve(&entry.id, edit(other)).await);
    assert!(matches!(question, Question::ChangedPrice { .. }));
}

#[tokio::test]
async fn a_sale_is_known_after_the_store_of_its_profile_was_corrected() {
    let (stage, profile) = Stage::live().await;
    let first = stage.register(&sale(0)).await;
    stage.run_confirmed().await;
    let mut corrected = stage.draft(&profile.name);
    corrected.store_id = "store-corrected".to_owned();
    stage.change(&profile, corrected).await;
    let again = stage.try_register(&sale(0), &[]).await;
    let question = asked(again);
    assert_eq!(about(&question), Some(first.id.as_str()));
    let dated = with(sale(0), |row| {
        row.transaction_date = first.transaction_date.to_string();
    });
    let again = stage.enter(std::slice::from_ref(&dated)).await;
    assert_eq!(again.already_entered, 1);
    // It may as well have moved to another shop, which counts its transactions by itself.
    let of_another = with(dated, |row| {
        row.customer_email = "another@example.jp".into()
    });
    for row in [of_another, sale(0)] {
        let view = stage.enter(&[row]).await;
        assert_eq!((view.already_entered, view.differing), (0, 0));
        assert_eq!(stage.left_out(&view.id).await.len(), 1);
    }
}

#[tokio::test]
async fn a_yes_beside_an_entry_of_another_store_says_nothing_about_one_of_this_store() {
    let (stage, profile) = Stage::live().await;
    let own = stage.register(&sale(0)).await;
    stage.run_confirmed().await;
    let mut other = stage.draft("支店");
    other.store_id = "other-store".to_owned();
    stage.profiles.connect(other, stage.token()).await.unwrap();
    let of_another = with(sale(0), |row| {
        row.customer_email = "another@example.jp".into()
    });
    // Under another profile and for another store it is asked about as well.
    let unsaid = stage.try_register(&of_another, &[]).await;
    assert_eq!(about(&asked(unsaid)), Some(own.id.as_str()));
    let newer = stage.register_with(&of_another, &[beside(&own.id)]).await;
    stage.profiles.choose(&profile.id).await.unwrap();
    let again = stage.try_register(&sale(0), &[beside(&newer.id)]).await;
    assert_eq!(about(&asked(again)), Some(own.id.as_str()));
    assert_eq!(stage.enter(&sales(1)).await.already_entered, 1);
}

#[tokio::test]
async fn a_file_entered_again_asks_about_a_sale_that_was_corrected_to_another_plan() {
    let stage = Stage::practising().await;
    let listed = sale(0);
    stage.enter(std::slice::from_ref(&listed)).await;
    let entry = stage.only().await;
    let plans = &products()[0].plans;
    let of_plan = |number: usize| {
        with(listed.clone(), |it| {
            it.plan_id = plans[number].id.clone();
            it.plan_purchase_price = plans[number].price.to_string();
        })
    };
    // An entry that is corrected once more, even to what it was, is not asked about by its own correction.
    let mut now = entry.id.clone();
    for corrected in [1, 0, 1] {
        let edited = stage.resolve(&now, edit(of_plan(corrected))).await;
        now = edited.submission.id;
    }
    stage.run_confirmed().await;

    let again = stage.enter(std::slice::from_ref(&listed)).await;
    let left_out = stage.left_out(&again.id).await;
    assert_eq!((again.entered, left_out.len()), (0, 1));
    let question = asked(stage.try_register(&listed, &[]).await);
    assert_eq!(about(&question), Some(now.as_str()));
    assert_eq!(stage.sold().await["T-00000"], 1);

    // The corrected sale itself is known as it stands, and a yes sells the other one beside it.
    assert_eq!(stage.enter(&[of_plan(1)]).await.already_entered, 1);
    stage.register_with(&listed, &[question.yes()]).await;
    stage.run_confirmed().await;
    assert_eq!(stage.sold().await["T-00000"], 2);
}
