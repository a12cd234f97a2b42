//! Cases that only a person can close, and what a person may do at which time.

use warranty_core::contracts::{Confirmed, Question};
use warranty_core::outbox::{CaseReason, Resolution, ResolutionKind, SubmissionState};
use warranty_core::profile::BulkFact;
use warranty_core::{Error, Field};
use warranty_sandbox::{Action, BulkFailure, Operation, Personality, Visibility};

use crate::harness::{Stage, hasty, until};
use crate::sales::{
    assert_sold_once, enter, entered, id, keys, left_out, run, run_confirmed, sale, sales, sold,
    unknown_sale,
};

/// Three good rows and a bad one in a batch, refused, of which the service made the good ones.
async fn torn_batch() -> Stage {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(Personality {
        bulk_failure: BulkFailure::PartialError,
        visibility: Visibility::AfterMs(0),
        ..Personality::default()
    });
    stage.next_times(
        Operation::GetPlan,
        Action::Status {
            status: 500,
            after_commit: false,
        },
        4,
    );
    let mut rows = sales(3);
    rows.push(unknown_sale(3));
    // Rows that nobody could check share a batch only where this is believed of the provider.
    believe(&stage, BulkFact::AllOrNothing).await;
    enter(&stage.desk, &rows).await;
    believe(&stage, BulkFact::Unknown).await;
    assert_eq!(run(&stage.desk).await.needs_person, 4);
    assert_eq!(stage.sandbox.ledger().await.unwrap().len(), 3);
    stage
}

async fn believe(stage: &Stage, bulk: BulkFact) {
    let profile = stage.desk.profiles.current().await.unwrap().unwrap();
    let mut draft = stage.draft(&profile.name);
    draft.facts.bulk = bulk;
    stage
        .desk
        .profiles
        .change(&profile.id, draft)
        .await
        .unwrap();
}

async fn contract_of(stage: &Stage, transaction_id: &str) -> String {
    stage
        .sandbox
        .ledger()
        .await
        .unwrap()
        .into_iter()
        .find(|sale| sale.transaction_id == transaction_id)
        .unwrap()
        .contract_id
}

#[tokio::test]
async fn the_contract_found_at_the_provider_closes_the_case_when_it_is_the_one() {
    let stage = torn_batch().await;
    let found = entered(&stage.desk).await;
    let give = |contract_id: String| Resolution::GiveContractId { contract_id };

    let of_another = contract_of(&stage, "T-00001").await;
    let refused = stage
        .desk
        .outbox
        .resolve(&found[0].id, give(of_another))
        .await;
    assert!(matches!(refused, Err(Error::ContractDoesNotMatch)));
    let refused = stage
        .desk
        .outbox
        .resolve(&found[0].id, give("no-such-contract".into()))
        .await;
    assert!(matches!(refused, Err(Error::Service { .. })));
    let refused = stage
        .desk
        .outbox
        .resolve(&found[0].id, give(" ".into()))
        .await;
    assert!(matches!(refused, Err(Error::Input(_))));
    assert_eq!(
        stage
            .desk
            .contracts
            .submission(&found[0].id)
            .await
            .unwrap()
            .state,
        SubmissionState::NeedsPerson
    );

    let its_own = contract_of(&stage, "T-00000").await;
    let case = stage
        .desk
        .outbox
        .resolve(&found[0].id, give(its_own.clone()))
        .await
        .unwrap();
    assert_eq!(case.submission.state, SubmissionState::Confirmed);
    assert_eq!(case.submission.contract_id.unwrap().as_str(), its_own);
    assert_eq!(case.resolutions, []);
    let rest = stage.desk.outbox.case(&found[1].id).await.unwrap();
    assert!(
        !rest.resolutions.contains(&ResolutionKind::ReplayOnce),
        "a batch of which one is settled is not repeated"
    );
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
}

#[tokio::test]
async fn a_refused_batch_of_several_is_never_repeated() {
    let stage = torn_batch().await;
    // A provider that ignores keys would make the three again.
    let entry = entered(&stage.desk).await.remove(0);
    let case = stage.desk.outbox.case(&entry.id).await.unwrap();
    assert_eq!(
        case.resolutions,
        [
            ResolutionKind::GiveContractId,
            ResolutionKind::ProviderHasNone,
            ResolutionKind::Cancel
        ]
    );
    let replay = Resolution::ReplayOnce {
        confirmed: Vec::new(),
    };
    let refused = stage.desk.outbox.resolve(&entry.id, replay).await;
    assert!(matches!(refused, Err(Error::NotLawful)));
    run(&stage.desk).await;
    assert_eq!(stage.sandbox.ledger().await.unwrap().len(), 3);
}

#[tokio::test]
async fn what_the_provider_does_not_have_is_sent_anew_and_linked() {
    let stage = torn_batch().await;
    let found = entered(&stage.desk).await;
    let none = |reference: &str| Resolution::ProviderHasNone {
        reference: reference.to_owned(),
        confirmed: Vec::new(),
    };
    let refused = stage.desk.outbox.resolve(&found[3].id, none(" ")).await;
    assert!(matches!(
        refused,
        Err(Error::Input(problems)) if problems[0].field == Field::Reference
    ));
    let anew = stage
        .desk
        .outbox
        .resolve(&found[3].id, none("case 4711"))
        .await
        .unwrap();
    assert_eq!(anew.replaces.as_deref(), Some(found[3].id.as_str()));
    assert_eq!((anew.batch_size, anew.attempts.len()), (1, 0));
    let old = stage.desk.outbox.case(&found[3].id).await.unwrap();
    assert_eq!(old.submission.state, SubmissionState::Cancelled);
    assert_eq!(old.replaced_by.as_ref(), Some(&anew.submission.id));

    // It is refused alone, and so plainly.
    assert_eq!(run(&stage.desk).await.rejected, 1);
    let edit = Resolution::Edit {
        draft: Box::new(sale(3)),
        confirmed: Vec::new(),
    };
    let mended = stage
        .desk
        .outbox
        .resolve(&anew.submission.id, edit)
        .await
        .unwrap();
    run_confirmed(&stage.desk).await;
    assert_eq!(
        stage
            .desk
            .contracts
            .submission(&mended.submission.id)
            .await
            .unwrap()
            .state,
        SubmissionState::Confirmed
    );
    assert_sold_once(&stage.sandbox, &sales(4)).await;
    let keys = keys(&stage.sandbox);
    assert_eq!(keys.len(), 3);
    assert!(keys[0] != keys[1] && keys[1] != keys[2]);
}

#[tokio::test]
async fn a_given_up_case_stays_given_up() {
    let stage = torn_batch().await;
    let entry = entered(&stage.desk).await.remove(3);
    let case = stage
        .desk
        .outbox
        .resolve(&entry.id, Resolution::Cancel)
        .await
        .unwrap();
    assert_eq!(case.submission.state, SubmissionState::Cancelled);
    assert_eq!(case.resolutions, []);
    for kind in [
        Resolution::Cancel,
        Resolution::SendNow {
            confirmed: Vec::new(),
        },
        Resolution::ReplayOnce {
            confirmed: Vec::new(),
        },
        Resolution::Edit {
            draft: Box::new(sale(3)),
            confirmed: Vec::new(),
        },
        Resolution::ProviderHasNone {
            reference: "x".into(),
            confirmed: Vec::new(),
        },
    ] {
        let refused = stage.desk.outbox.resolve(&entry.id, kind).await;
        assert!(matches!(refused, Err(Error::NotLawful)));
    }
    run(&stage.desk).await;
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
}

#[tokio::test]
async fn a_replay_that_fails_again_needs_a_second_word() {
    let stage = hasty(Stage::practising().await).await;
    let unwilling = Action::Status {
        status: 500,
        after_commit: true,
    };
    stage.next_times(Operation::BulkCreateContracts, unwilling.clone(), 6);
    enter(&stage.desk, &sales(1)).await;
    assert_eq!(run(&stage.desk).await.needs_person, 1);
    let entry = entered(&stage.desk).await.remove(0);

    stage.next(Operation::BulkCreateContracts, unwilling);
    stage
        .desk
        .outbox
        .resolve(
            &entry.id,
            Resolution::ReplayOnce {
                confirmed: Vec::new(),
            },
        )
        .await
        .unwrap();
    assert_eq!(run(&stage.desk).await.needs_person, 1);
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 7);

    stage
        .desk
        .outbox
        .resolve(
            &entry.id,
            Resolution::ReplayOnce {
                confirmed: Vec::new(),
            },
        )
        .await
        .unwrap();
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 1);
    let keys = keys(&stage.sandbox);
    assert!(keys.len() == 8 && keys.iter().all(|key| *key == keys[0]));
    assert_sold_once(&stage.sandbox, &sales(1)).await;
}

#[tokio::test]
async fn another_token_takes_the_replay_away() {
    let (stage, profile) = Stage::live().await;
    stage.next_times(
        Operation::BulkCreateContracts,
        Action::Status {
            status: 500,
            after_commit: true,
        },
        5,
    );
    enter(&stage.desk, &sales(1)).await;
    let desk = stage.desk.clone();
    desk.outbox.start();
    until("doubt", async || {
        desk.outbox.summary().await.unwrap().unknown == 1
    })
    .await;
    let other = warranty_core::api::Token::new("another-token").unwrap();
    desk.profiles.set_token(&profile.id, other).await.unwrap();
    until("a person", async || {
        desk.outbox.summary().await.unwrap().needs_person == 1
    })
    .await;
    let entry = entered(&desk).await.remove(0);
    assert_eq!(entry.case, Some(CaseReason::UnknownTooLong));
    let case = desk.outbox.case(&entry.id).await.unwrap();
    assert!(!case.resolutions.contains(&ResolutionKind::ReplayOnce));
    desk.profiles
        .set_token(&profile.id, stage.token())
        .await
        .unwrap();
    let case = desk.outbox.case(&entry.id).await.unwrap();
    assert!(case.resolutions.contains(&ResolutionKind::ReplayOnce));
}

#[tokio::test]
async fn an_entry_can_be_taken_out_of_a_batch_that_never_left() {
    let stage = Stage::practising().await;
    let rows = sales(12);
    enter(&stage.desk, &rows).await;
    let kept = entered(&stage.desk).await;
    let before = stage.desk.outbox.case(&kept[0].id).await.unwrap();
    assert_eq!(
        before.resolutions,
        [
            ResolutionKind::Edit,
            ResolutionKind::SendNow,
            ResolutionKind::Cancel
        ]
    );
    let out = stage
        .desk
        .outbox
        .resolve(&kept[4].id, Resolution::Cancel)
        .await
        .unwrap();
    assert_eq!(out.submission.state, SubmissionState::Cancelled);
    let after = stage.desk.outbox.case(&kept[0].id).await.unwrap();
    assert_eq!(after.batch_size, 9);
    assert_ne!(before.batch_id, after.batch_id);
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 11);
    let mut kept = rows;
    kept.remove(4);
    assert_sold_once(&stage.sandbox, &kept).await;
}

#[tokio::test]
async fn an_entry_still_waiting_can_be_mended() {
    let stage = Stage::practising().await;
    let view = stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    let mut mended = sale(0);
    mended.customer_email = "mended@sample.invalid".into();
    stage
        .desk
        .outbox
        .resolve(
            &view.id,
            Resolution::Edit {
                draft: Box::new(mended),
                confirmed: Vec::new(),
            },
        )
        .await
        .unwrap();
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 1);
    let ledger = stage.sandbox.ledger().await.unwrap();
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0].customer_email, "mended@sample.invalid");
}

#[tokio::test]
async fn a_held_entry_given_up_is_never_sent() {
    let stage = Stage::empty().await;
    let wrong = warranty_core::api::Token::new("not-the-token").unwrap();
    let profile = stage
        .desk
        .profiles
        .connect(stage.draft("本店"), wrong)
        .await
        .unwrap();
    let view = stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    assert_eq!(run(&stage.desk).await.held, 1);
    let case = stage.desk.outbox.case(&view.id).await.unwrap();
    assert_eq!(
        case.resolutions,
        [
            ResolutionKind::Edit,
            ResolutionKind::SendNow,
            ResolutionKind::Cancel
        ]
    );
    stage
        .desk
        .outbox
        .resolve(&view.id, Resolution::Cancel)
        .await
        .unwrap();
    stage
        .desk
        .profiles
        .set_token(&profile.id, stage.token())
        .await
        .unwrap();
    run(&stage.desk).await;
    assert!(sold(&stage.sandbox).await.is_empty());
}

#[tokio::test]
async fn a_case_nobody_knows_is_named() {
    let stage = Stage::practising().await;
    assert!(matches!(
        stage.desk.outbox.case("nothing").await,
        Err(Error::NotKnown(_))
    ));
    assert!(matches!(
        stage
            .desk
            .outbox
            .resolve("nothing", Resolution::Cancel)
            .await,
        Err(Error::NotKnown(_))
    ));
}

#[tokio::test]
async fn a_sale_given_up_in_doubt_is_not_entered_again_without_a_question() {
    let stage = torn_batch().await;
    let sold = entered(&stage.desk).await.remove(0);
    stage
        .desk
        .outbox
        .resolve(&sold.id, Resolution::Cancel)
        .await
        .unwrap();

    let asked = stage.desk.contracts.register(&id(), &sale(0), &[]).await;
    let Err(Error::Questions(questions)) = asked else {
        panic!("{asked:?}");
    };
    let about_it = |question: &Question| {
        matches!(question, Question::SecondContract { submission_id, state, .. }
            if submission_id.as_ref() == Some(&sold.id) && *state == SubmissionState::Cancelled)
    };
    assert!(questions.len() == 1 && about_it(&questions[0]));

    let report = enter(&stage.desk, &[sale(0)]).await;
    assert_eq!((report.entered, report.already_entered), (0, 0));
    let asking = left_out(&stage.desk, &report).await;
    assert!(asking[0].problems.is_empty());
    assert!(about_it(&asking[0].questions[0]));

    run(&stage.desk).await;
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
    stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[questions[0].yes()])
        .await
        .unwrap();
}

#[tokio::test]
async fn a_sale_the_provider_does_not_have_can_be_entered_again() {
    let stage = torn_batch().await;
    let entry = entered(&stage.desk).await.remove(0);
    let none = Resolution::ProviderHasNone {
        reference: "case 4711".into(),
        confirmed: Vec::new(),
    };
    let anew = stage.desk.outbox.resolve(&entry.id, none).await.unwrap();
    stage
        .desk
        .outbox
        .resolve(&anew.submission.id, Resolution::Cancel)
        .await
        .unwrap();
    assert_eq!(enter(&stage.desk, &[sale(0)]).await.entered, 1);
}

#[tokio::test]
async fn a_sale_given_up_before_it_was_sent_can_be_entered_again() {
    let stage = Stage::practising().await;
    let entry = stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    stage
        .desk
        .outbox
        .resolve(&entry.id, Resolution::Cancel)
        .await
        .unwrap();
    assert_eq!(enter(&stage.desk, &[sale(0)]).await.entered, 1);
}

#[tokio::test]
async fn a_question_about_a_mended_entry_can_be_answered() {
    let stage = Stage::practising().await;
    enter(&stage.desk, &sales(2)).await;
    let second = entered(&stage.desk).await.remove(1);
    let edit = |confirmed: &[Confirmed]| Resolution::Edit {
        draft: Box::new(sale(0)),
        confirmed: confirmed.to_vec(),
    };
    let asked = stage.desk.outbox.resolve(&second.id, edit(&[])).await;
    let Err(Error::Questions(questions)) = asked else {
        panic!("{asked:?}");
    };
    let another = Confirmed::SecondContract {
        submission_id: Some(second.id.clone()),
    };
    let asked = stage
        .desk
        .outbox
        .resolve(&second.id, edit(&[another]))
        .await;
    assert!(matches!(asked, Err(Error::Questions(_))));
    let all: Vec<_> = questions.iter().map(Question::yes).collect();
    stage
        .desk
        .outbox
        .resolve(&second.id, edit(&all))
        .await
        .unwrap();
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 2);
    assert_eq!(sold(&stage.sandbox).await["T-00000"], 2);
}
