//! Cases that only a person can close, and what a person may do at which time.

use warranty_core::contracts::{Confirmed, Question};
use warranty_core::day::CloseItem;
use warranty_core::outbox::{
    CaseReason, Resolution,
    ResolutionKind::{Cancel, Edit, GiveContractId, ReplayOnce, SendNow},
    SubmissionState,
};
use warranty_core::profile::BulkFact;
use warranty_core::{Error, Field};
use warranty_sandbox::{
    Action, BulkFailure,
    Operation::{BulkCreateContracts, GetContract, GetPlan},
    Visibility,
};

use crate::harness::{Stage, always, hasty, instead, status, status_after_commit, until};
use crate::sales::{sale, sales, unknown_sale};
use crate::steps::{Steps, beside, edit, provider_has_none, questions, refused, replay, with};

/// Three good rows and a bad one in a batch, refused, of which the service made the good ones.
async fn torn_batch() -> Stage {
    let stage = Stage::practising().await;
    stage.service(|it| {
        it.bulk_failure = BulkFailure::PartialError;
        it.visibility = Visibility::AfterMs(0);
    });
    stage.next_times(GetPlan, status(500), 4);
    let mut rows = sales(3);
    rows.push(unknown_sale(3));
    // Rows that nobody could check share a batch only where this is believed of the provider.
    believe(&stage, BulkFact::AllOrNothing).await;
    stage.enter(&rows).await;
    believe(&stage, BulkFact::Unknown).await;
    assert_eq!(stage.run().await.needs_person, 4);
    assert_eq!(stage.ledger().await.len(), 3);
    stage
}

async fn believe(stage: &Stage, bulk: BulkFact) {
    let profile = stage.profile().await;
    let mut draft = stage.draft(&profile.name);
    draft.facts.bulk = bulk;
    stage.change(&profile, draft).await;
}

#[tokio::test]
async fn the_contract_found_at_the_provider_closes_the_case_when_it_is_the_one() {
    let stage = torn_batch().await;
    let found = stage.entered().await;
    let id = &found[0].id;
    let give = |contract_id: &str| Resolution::GiveContractId {
        contract_id: contract_id.to_owned(),
    };
    let of_another = stage.contract_of("T-00001").await;
    refused!(
        stage.try_resolve(id, give(&of_another)).await,
        Error::ContractDoesNotMatch
    );
    refused!(
        stage.try_resolve(id, give("no-such-contract")).await,
        Error::Service { .. }
    );
    refused!(stage.try_resolve(id, give(" ")).await, Error::Input(_));
    let entry = stage.submission(id).await;
    assert_eq!(entry.state, SubmissionState::NeedsPerson);

    let its_own = stage.contract_of("T-00000").await;
    let case = stage.resolve(id, give(&its_own)).await;
    assert_eq!(case.submission.state, SubmissionState::Confirmed);
    assert_eq!(case.submission.contract_id.unwrap().as_str(), its_own);
    assert_eq!(case.resolutions, []);
    assert_eq!(stage.sent(), 1);
}

#[tokio::test]
async fn a_sale_that_the_service_names_with_another_e_mail_is_sent_once_and_closed_by_its_contract()
{
    for changed in [masked(), erased()] {
        let stage = Stage::practising().await;
        stage.service(|it| {
            it.visibility = Visibility::AfterMs(0);
            it.faults = always(BulkCreateContracts, changed.clone());
        });
        stage.enter(&sales(1)).await;
        assert_eq!(stage.run().await.needs_person, 1);
        stage.next(GetContract, changed);
        assert_closed_by_its_contract(&stage).await;
    }
}

#[tokio::test]
async fn an_accepted_sale_that_comes_back_without_its_customer_is_a_persons_and_not_called_missing()
{
    let stage = Stage::practising().await;
    stage.service(|it| {
        it.visibility = Visibility::AfterMs(0);
        it.faults = always(GetContract, erased());
    });
    stage.enter(&sales(1)).await;
    let summary = stage.run_until(true, 10).await;
    assert_eq!((summary.confirmed, summary.needs_person), (0, 1));
    assert_eq!(stage.only().await.case, Some(CaseReason::Contradiction));
    assert_closed_by_its_contract(&stage).await;
}

/// The one case there is can be closed by the contract that the service made of it.
async fn assert_closed_by_its_contract(stage: &Stage) {
    let entry = stage.only().await;
    let contract_id = stage.contract_of("T-00000").await;
    assert_eq!(entry.contract_id.unwrap().as_str(), contract_id);
    let given = Resolution::GiveContractId { contract_id };
    let case = stage.resolve(&entry.id, given).await;
    assert_eq!(case.submission.state, SubmissionState::Confirmed);
    assert_eq!(stage.sent(), 1);
}

/// Answers with the customer's e-mail made illegible.
pub fn masked() -> Action {
    instead(&sale(0).customer_email, "c***@sample.invalid")
}

/// Answers without the customer's e-mail.
fn erased() -> Action {
    instead(&format!("\"{}\"", sale(0).customer_email), "null")
}

#[tokio::test]
async fn a_contract_whose_transaction_the_service_writes_in_its_own_way_can_be_given_and_no_other()
{
    for (theirs, is_it) in [
        ("t-00000", true),
        ("T\u{2010}00000", true),
        ("T-00001", false),
    ] {
        let stage = Stage::practising().await;
        let written = Action::Replace {
            from: "T-00000".to_owned(),
            to: theirs.to_owned(),
        };
        stage.service(|it| {
            it.visibility = Visibility::AfterMs(0);
            it.faults = always(BulkCreateContracts, written.clone());
        });
        stage.enter(&sales(1)).await;
        assert_eq!(stage.run().await.needs_person, 1);
        let id = stage.only().await.id;

        stage.next(GetContract, written);
        let contract_id = stage.contract_of("T-00000").await;
        let given = Resolution::GiveContractId { contract_id };
        if is_it {
            let case = stage.resolve(&id, given).await;
            assert_eq!(
                case.submission.state,
                SubmissionState::Confirmed,
                "{theirs}"
            );
        } else {
            let refused = stage.try_resolve(&id, given).await;
            refused!(refused, Error::ContractDoesNotMatch);
        }
        assert_eq!(stage.sent(), 1);
    }
}

#[tokio::test]
async fn a_sale_of_the_former_store_is_not_sold_for_the_new_one() {
    let (stage, profile) = Stage::live().await;
    // Once when the file is checked, and once when it is entered.
    stage.next_times(GetPlan, status(500), 2);
    stage.enter(&[unknown_sale(0)]).await;
    assert_eq!(stage.run().await.rejected, 1);
    let id = stage.only().await.id;
    let mut draft = stage.draft(&profile.name);
    draft.store_id = "another-store".to_owned();
    refused!(
        stage.profiles.change(&profile.id, draft).await,
        Error::ProfileHasOpenContracts(left) if left[0].item == CloseItem::Rejected
    );
    // However the profile came to another store all the same:
    let moved = "UPDATE profile SET store_id = 'another-store'";
    stage.database().execute(moved, []).unwrap();
    assert_eq!(stage.case(&id).await.resolutions, [Cancel]);
    let corrected = stage.try_resolve(&id, edit(sale(0))).await;
    refused!(corrected, Error::ProfileMoved);
    // The same where the provider was asked: a new entry would be sold for the other store.
    stage
        .database()
        .execute_batch(
            "UPDATE batch SET state = 'needsPerson', case_reason = 'restoredFromBackup';
             UPDATE submission SET state = 'needsPerson', case_reason = 'restoredFromBackup'",
        )
        .unwrap();
    assert_eq!(stage.may(&id).await, [GiveContractId, ReplayOnce, Cancel]);
    let anew = stage.try_resolve(&id, provider_has_none("R-1", &[])).await;
    refused!(anew, Error::ProfileMoved);
    assert_eq!(stage.sent(), 1);
    let case = stage.resolve(&id, Resolution::Cancel).await;
    assert_eq!(case.submission.state, SubmissionState::Cancelled);
}

#[tokio::test]
async fn what_the_provider_does_not_have_is_sent_anew_and_linked() {
    let stage = torn_batch().await;
    let found = stage.entered().await;
    let none = |reference: &str| provider_has_none(reference, &[]);
    let refused = stage.try_resolve(&found[3].id, none(" ")).await;
    assert!(matches!(
        refused,
        Err(Error::Input(problems)) if problems[0].field == Field::Reference
    ));
    let anew = stage.resolve(&found[3].id, none("case 4711")).await;
    assert_eq!(anew.replaces.as_deref(), Some(found[3].id.as_str()));
    assert_eq!((anew.batch_size, anew.attempts.len()), (1, 0));
    let old = stage.case(&found[3].id).await;
    assert_eq!(old.submission.state, SubmissionState::Cancelled);
    assert_eq!(old.replaced_by.as_ref(), Some(&anew.submission.id));

    // It is refused alone, and so plainly.
    assert_eq!(stage.run().await.rejected, 1);
    let mended = stage.resolve(&anew.submission.id, edit(sale(3))).await;
    assert_eq!(mended.replaces.as_ref(), Some(&anew.submission.id));
    stage.run_confirmed().await;
    assert_eq!(
        stage.submission(&mended.submission.id).await.state,
        SubmissionState::Confirmed
    );
    stage.assert_sold_once(&sales(4)).await;
    let keys = stage.keys();
    assert_eq!(keys.len(), 3);
    assert!(keys[0] != keys[1] && keys[1] != keys[2]);

    // Given up after that, a sale can be entered again without a question.
    let anew = stage.resolve(&found[0].id, none("case 4712")).await;
    stage.resolve(&anew.submission.id, Resolution::Cancel).await;
    assert_eq!(stage.enter(&[sale(0)]).await.entered, 1);
}

#[tokio::test]
async fn whoever_says_that_the_provider_has_none_is_told_of_the_contract_that_an_answer_in_part_named()
 {
    let stage = Stage::practising().await;
    stage.service(|it| it.bulk_failure = BulkFailure::PartialCreated);
    stage.next_times(GetPlan, status(500), 3);
    let mut rows = sales(2);
    rows.push(unknown_sale(2));
    believe(&stage, BulkFact::AllOrNothing).await;
    stage.enter(&rows).await;
    assert_eq!(stage.run().await.needs_person, 3);

    let none = |confirmed: &[Confirmed]| provider_has_none("case 4711", confirmed);
    let [sold, _, other] = stage.entered().await.try_into().unwrap();
    let asked = questions(stage.try_resolve(&sold.id, none(&[])).await);
    let made = stage.contract_of("T-00000").await;
    assert!(matches!(
        asked.as_slice(),
        [Question::SecondContract { submission_id, contract_id: Some(named), .. }]
            if submission_id.as_ref() == Some(&sold.id) && named.as_str() == made
    ));
    stage.run().await;
    assert_eq!(stage.sold().await["T-00000"], 1);

    // Asked the provider all the same, a person may say so; of the other one no contract was named.
    stage.resolve(&sold.id, none(&[asked[0].yes()])).await;
    stage.resolve(&other.id, none(&[])).await;
}

/// The desk's file was replaced by an older copy, which lacks entries.
fn rescued_in_part(stage: &Stage) {
    let rescue = "INSERT INTO rescue (at, pending, newest_copy, report, seen_at, cause, gap_until)
         VALUES (0, 0, 0, '', 0, 'putBack', ?1)";
    let kept = stage.database().execute(rescue, [i64::MAX / 1_000_000]);
    kept.unwrap();
}

fn about_what_is_lost<T: std::fmt::Debug>(answer: Result<T, Error>) -> Question {
    let [asked] = questions(answer).try_into().unwrap();
    let lost =
        matches!(&asked, Question::SecondContract { submission_id, .. } if submission_id.is_none());
    assert!(lost, "{asked:?}");
    asked
}

#[tokio::test]
async fn sending_a_case_anew_after_an_incomplete_rescue_asks_about_what_may_be_lost() {
    let stage = torn_batch().await;
    let case = stage.entered().await.remove(3).id;
    rescued_in_part(&stage);
    let none = |confirmed: &[Confirmed]| provider_has_none("case 4711", confirmed);
    let asked = about_what_is_lost(stage.try_resolve(&case, none(&[])).await);
    stage.resolve(&case, none(&[asked.yes()])).await;
}

#[tokio::test]
async fn a_repeat_of_a_sale_from_an_older_file_asks_about_what_may_be_lost() {
    let stage = hasty(Stage::practising().await).await;
    stage.next_times(BulkCreateContracts, status(500), 6);
    stage.enter(&sales(1)).await;
    assert_eq!(stage.run().await.needs_person, 1);
    let case = stage.only().await.id;
    rescued_in_part(&stage);
    let asked = about_what_is_lost(stage.try_resolve(&case, replay()).await);
    let confirmed = vec![asked.yes()];
    stage
        .resolve(&case, Resolution::ReplayOnce { confirmed })
        .await;
    stage.run_confirmed().await;
    stage.assert_sold_once(&sales(1)).await;
}

#[tokio::test]
async fn a_service_that_always_fails_is_asked_six_times_and_then_once_for_each_word_of_a_person() {
    let stage = hasty(Stage::practising().await).await;
    stage.service(|it| it.faults = always(BulkCreateContracts, status_after_commit(500)));
    stage.enter(&sales(1)).await;
    assert_eq!(stage.run().await.needs_person, 1);
    assert_eq!(stage.sent(), 6);
    let entry = stage.only().await;
    assert_eq!(entry.case, Some(CaseReason::UnknownTooLong));

    stage.resolve(&entry.id, replay()).await;
    assert_eq!(stage.run().await.needs_person, 1);
    assert_eq!(stage.sent(), 7);

    stage.service(|it| it.visibility = Visibility::AfterMs(0));
    stage.resolve(&entry.id, replay()).await;
    assert_eq!(stage.run_confirmed().await.confirmed, 1);
    let keys = stage.keys();
    assert!(keys.len() == 8 && keys.iter().all(|key| *key == keys[0]));
    stage.assert_sold_once(&sales(1)).await;
}

#[tokio::test]
async fn another_token_takes_the_replay_away() {
    let (stage, profile) = Stage::live().await;
    stage.next_times(BulkCreateContracts, status_after_commit(500), 5);
    stage.enter(&sales(1)).await;
    let desk = stage.desk.clone();
    desk.outbox.start();
    until("doubt", async || desk.summary().await.unknown == 1).await;
    let other = warranty_core::api::Token::new("another-token").unwrap();
    desk.profiles.set_token(&profile.id, other).await.unwrap();
    until("a person", async || desk.summary().await.needs_person == 1).await;
    let entry = desk.only().await;
    assert_eq!(entry.case, Some(CaseReason::UnknownTooLong));
    assert!(!desk.may(&entry.id).await.contains(&ReplayOnce));
    stage.give_token(&profile).await;
    assert!(desk.may(&entry.id).await.contains(&ReplayOnce));
}

#[tokio::test]
async fn an_entry_is_taken_out_of_a_batch_that_never_left_and_one_that_waits_is_mended() {
    let stage = Stage::practising().await;
    let rows = sales(12);
    stage.enter(&rows).await;
    let kept = stage.entered().await;
    let before = stage.case(&kept[0].id).await;
    assert_eq!(before.resolutions, [Edit, SendNow, Cancel]);
    let cancelled = stage.resolve(&kept[4].id, Resolution::Cancel).await;
    assert_eq!(cancelled.submission.state, SubmissionState::Cancelled);
    let after = stage.case(&kept[0].id).await;
    assert_eq!(after.batch_size, 9);
    assert_ne!(before.batch_id, after.batch_id);
    let mended = with(sale(5), |it| {
        it.customer_email = "mended@sample.invalid".into();
    });
    stage.resolve(&kept[5].id, edit(mended)).await;
    assert_eq!(stage.run_confirmed().await.confirmed, 11);
    let ledger = stage.ledger().await;
    let of = |mail: &str| ledger.iter().find(|sale| sale.customer_email == mail);
    assert_eq!(
        of("mended@sample.invalid").unwrap().transaction_id,
        "T-00005"
    );
    let mut kept = rows;
    kept.remove(4);
    stage.assert_sold_once(&kept).await;
}

#[tokio::test]
async fn what_is_left_of_a_batch_keeps_the_attempts_that_it_was_part_of() {
    let (stage, _) = Stage::live().await;
    stage.next(BulkCreateContracts, status(401));
    stage.enter(&sales(10)).await;
    assert_eq!(stage.run().await.held, 10);
    let entered = stage.entered().await;
    let attempts = stage.case(&entered[0].id).await.attempts;
    assert_eq!(attempts.len(), 1);
    for leaves in &entered[8..] {
        stage.resolve(&leaves.id, Resolution::Cancel).await;
        for left in &entered[..8] {
            let case = stage.case(&left.id).await;
            assert_eq!(case.attempts, attempts);
            assert_eq!(case.submission.attempts, 1);
        }
    }
    // The support bundle lists the one request once.
    let files = stage.support_files(stage.folder.path(), None, false).await;
    let files = files.unwrap();
    let outbox = files
        .iter()
        .find(|file| file.name == "outbox.json")
        .unwrap();
    let outbox: serde_json::Value = serde_json::from_slice(&outbox.bytes).unwrap();
    assert_eq!(outbox["attempts"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_sale_given_up_in_doubt_is_not_entered_again_without_a_question() {
    let stage = torn_batch().await;
    let sold = stage.entered().await.remove(0);
    stage.resolve(&sold.id, Resolution::Cancel).await;

    let questions = questions(stage.try_register(&sale(0), &[]).await);
    let about_it = |question: &Question| {
        matches!(question, Question::SecondContract { submission_id, state, .. }
            if submission_id.as_ref() == Some(&sold.id) && *state == SubmissionState::Cancelled)
    };
    assert!(questions.len() == 1 && about_it(&questions[0]));

    let report = stage.enter(&[sale(0)]).await;
    assert_eq!((report.entered, report.already_entered), (0, 0));
    let asking = stage.left_out(&report.id).await;
    assert!(asking[0].problems.is_empty());
    assert!(about_it(&asking[0].questions[0]));

    stage.run().await;
    assert_eq!(stage.sent(), 1);
    stage.register_with(&sale(0), &[questions[0].yes()]).await;
}

#[tokio::test]
async fn a_question_about_a_mended_entry_can_be_answered() {
    let stage = Stage::practising().await;
    stage.enter(&sales(2)).await;
    let second = stage.entered().await.remove(1);
    let edit = |confirmed: &[Confirmed]| Resolution::Edit {
        draft: Box::new(sale(0)),
        confirmed: confirmed.to_vec(),
    };
    let questions = questions(stage.try_resolve(&second.id, edit(&[])).await);
    refused!(
        stage
            .try_resolve(&second.id, edit(&[beside(&second.id)]))
            .await,
        Error::Questions(_)
    );
    let all: Vec<_> = questions.iter().map(Question::yes).collect();
    stage.resolve(&second.id, edit(&all)).await;
    assert_eq!(stage.run_confirmed().await.confirmed, 2);
    assert_eq!(stage.sold().await["T-00000"], 2);
}
