//! Entering contracts: what is refused, asked, warned of and never done twice.

use warranty_core::contracts::{Confirmed, EntryDraft, Question, Warning};
use warranty_core::outbox::SubmissionState;
use warranty_core::{Error, Field, FieldProblem, Problem};
use warranty_sandbox::{Action, Operation, sample};

use crate::harness::{Stage, parrot};
use crate::sales::{
    assert_sold_once, enter, entered, id, products, run, run_confirmed, sale, sales, sold,
    unknown_sale,
};

fn problem(field: Field, problem: Problem) -> FieldProblem {
    FieldProblem { field, problem }
}

#[tokio::test]
async fn the_same_entry_asked_for_twice_is_one_contract() {
    let stage = Stage::practising().await;
    let id = id();
    let first = stage.desk.contracts.register(&id, &sale(0), &[]).await;
    let second = stage.desk.contracts.register(&id, &sale(0), &[]).await;
    assert_eq!(first.unwrap(), second.unwrap());
    run(&stage.desk).await;
    stage
        .desk
        .contracts
        .register(&id, &sale(0), &[])
        .await
        .unwrap();
    run(&stage.desk).await;
    assert_sold_once(&stage.sandbox, &[sale(0)]).await;
}

#[tokio::test]
async fn a_changed_entry_under_a_known_id_is_not_taken_for_the_first_one() {
    let stage = Stage::practising().await;
    let id = id();
    let first = stage.desk.contracts.register(&id, &sale(0), &[]).await;
    let first = first.unwrap();
    let changed = EntryDraft {
        transaction_id: "T-other".into(),
        customer_email: "other@sample.invalid".into(),
        ..sale(0)
    };
    let answer = stage.desk.contracts.register(&id, &changed, &[]).await;
    let Err(Error::AlreadyRegistered {
        submission_id,
        fields,
    }) = answer
    else {
        panic!("{answer:?}");
    };
    assert_eq!(submission_id, id);
    assert_eq!(fields, [Field::TransactionId, Field::CustomerEmail]);
    assert_eq!(stage.desk.contracts.submission(&id).await.unwrap(), first);
    run(&stage.desk).await;
    assert_sold_once(&stage.sandbox, &[sale(0)]).await;
}

#[tokio::test]
async fn an_entry_that_was_kept_and_cannot_be_read_back_is_said_to_be_kept() {
    let stage = Stage::practising().await;
    let file = rusqlite::Connection::open(stage.folder.path().join("desk.db")).unwrap();
    file.execute_batch(
        "CREATE TRIGGER unreadable AFTER INSERT ON submission BEGIN
             UPDATE submission SET transaction_date = 'unreadable' WHERE id = NEW.id; END;",
    )
    .unwrap();
    let id = id();
    let answer = stage.desk.contracts.register(&id, &sale(0), &[]).await;
    let Err(Error::KeptUnread { submission_id, .. }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(submission_id, id);
    let kept: u32 = file
        .query_row(
            "SELECT COUNT(*) FROM submission WHERE id = ?1",
            [&id],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(kept, 1);
}

#[tokio::test]
async fn the_same_entry_asked_for_at_once_is_one_contract() {
    let stage = Stage::practising().await;
    let (id, draft) = (id(), sale(0));
    let asks = (0..8).map(|_| stage.desk.contracts.register(&id, &draft, &[]));
    for answer in futures::future::join_all(asks).await {
        assert_eq!(answer.unwrap().id, id);
    }
    run(&stage.desk).await;
    assert_sold_once(&stage.sandbox, &[draft]).await;
}

#[tokio::test]
async fn a_second_contract_for_the_same_sale_asks_first() {
    let stage = Stage::practising().await;
    let first = stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    let asked = stage.desk.contracts.register(&id(), &sale(0), &[]).await;
    let Err(Error::Questions(questions)) = asked else {
        panic!("{asked:?}");
    };
    assert!(matches!(
        &questions[..],
        [Question::SecondContract { submission_id, state: SubmissionState::Queued, .. }]
            if submission_id.as_ref() == Some(&first.id)
    ));
    assert_eq!(entered(&stage.desk).await.len(), 1);

    stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[questions[0].yes()])
        .await
        .unwrap();
    // Said to the first entry, the same yes does not make a third.
    let yes = [questions[0].yes()];
    let third = stage.desk.contracts.register(&id(), &sale(0), &yes).await;
    assert!(matches!(third, Err(Error::Questions(_))));
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 2);
    assert_eq!(sold(&stage.sandbox).await["T-00000"], 2);
}

#[tokio::test]
async fn two_people_entering_the_same_sale_at_once_make_one_contract_and_one_question() {
    let stage = Stage::practising().await;
    let draft = sale(0);
    let ids = [id(), id(), id(), id()];
    let asks = ids
        .iter()
        .map(|id| stage.desk.contracts.register(id, &draft, &[]));
    let answers = futures::future::join_all(asks).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    run(&stage.desk).await;
    assert_sold_once(&stage.sandbox, &[draft]).await;
}

#[tokio::test]
async fn a_changed_price_stops_and_asks() {
    let stage = Stage::practising().await;
    let mut draft = sale(0);
    let current: i64 = draft.plan_purchase_price.parse().unwrap();
    draft.plan_purchase_price = (current - 100).to_string();
    let asked = stage.desk.contracts.register(&id(), &draft, &[]).await;
    let Err(Error::Questions(questions)) = asked else {
        panic!("{asked:?}");
    };
    assert!(matches!(
        &questions[..],
        [Question::ChangedPrice { entered, current: now }]
            if entered.get() == current - 100 && now.get() == current
    ));
    let second = [Confirmed::SecondContract {
        submission_id: None,
    }];
    assert!(
        stage
            .desk
            .contracts
            .register(&id(), &draft, &second)
            .await
            .is_err()
    );
    stage
        .desk
        .contracts
        .register(&id(), &draft, &[questions[0].yes()])
        .await
        .unwrap();
    run(&stage.desk).await;
    let ledger = stage.sandbox.ledger().await.unwrap();
    assert_eq!(ledger[0].plan_purchase_price, current - 100);
}

#[tokio::test]
async fn a_product_and_a_plan_the_service_does_not_know_are_named() {
    let stage = Stage::practising().await;
    let check = stage.desk.contracts.check(&unknown_sale(0)).await.unwrap();
    assert_eq!(
        check.problems,
        [
            problem(Field::ProductReferenceId, Problem::UnknownProduct),
            problem(Field::PlanId, Problem::UnknownPlan),
        ]
    );
    let unknown_plan = EntryDraft {
        plan_id: "no-such-plan".into(),
        ..sale(0)
    };
    let check = stage.desk.contracts.check(&unknown_plan).await.unwrap();
    assert_eq!(
        check.problems,
        [problem(Field::PlanId, Problem::UnknownPlan)]
    );
    let unknown_product = EntryDraft {
        product_reference_id: "no-such-product".into(),
        ..sale(0)
    };
    let check = stage.desk.contracts.check(&unknown_product).await.unwrap();
    assert_eq!(
        check.problems,
        [problem(Field::ProductReferenceId, Problem::UnknownProduct)]
    );
    let of_another = EntryDraft {
        plan_id: sample::REFRIGERATOR_PLAN_3_YEARS.into(),
        product_reference_id: sample::PRODUCT_NOTEBOOK.into(),
        ..sale(0)
    };
    let check = stage.desk.contracts.check(&of_another).await.unwrap();
    assert_eq!(
        check.problems,
        [problem(Field::PlanId, Problem::PlanOfAnotherProduct)]
    );
    assert!(matches!(
        stage.desk.contracts.register(&id(), &of_another, &[]).await,
        Err(Error::Input(_))
    ));
    assert!(entered(&stage.desk).await.is_empty());
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 0);
}

#[tokio::test]
async fn fields_that_cannot_be_used_never_reach_the_service() {
    let stage = Stage::practising().await;
    let draft = EntryDraft {
        customer_email: "not an address".into(),
        transaction_total: "12.5".into(),
        ..sale(0)
    };
    let refused = stage.desk.contracts.register(&id(), &draft, &[]).await;
    let Err(Error::Input(problems)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        problems,
        [
            problem(Field::TransactionTotal, Problem::NotWholeNumber),
            problem(Field::CustomerEmail, Problem::NotEmail),
        ]
    );
    assert!(stage.sandbox.requests().is_empty());
}

#[tokio::test]
async fn odd_values_warn_and_do_not_block() {
    let stage = Stage::practising().await;
    let product = &products()[0];
    let draft = EntryDraft {
        transaction_total: "1".into(),
        transaction_date: "2020-01-01".into(),
        product_purchase_price: (product.price * 3).to_string(),
        ..sale(0)
    };
    let check = stage.desk.contracts.check(&draft).await.unwrap();
    assert!(check.problems.is_empty() && check.questions.is_empty());
    assert_eq!(
        check.warnings,
        [
            Warning::PriceUnusual,
            Warning::TotalBelowPrice,
            Warning::DateLongAgo
        ]
    );
    assert!(
        stage
            .desk
            .contracts
            .register(&id(), &draft, &[])
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_service_that_does_not_answer_leaves_an_entry_unchecked_and_entered() {
    let stage = Stage::practising().await;
    stage.next_times(Operation::GetPlan, Action::DropBeforeCommit, 2);
    let check = stage.desk.contracts.check(&sale(0)).await.unwrap();
    assert_eq!(check.warnings, [Warning::NotChecked]);
    stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    assert_eq!(run(&stage.desk).await.accepted, 1);
}

#[tokio::test]
async fn a_looked_up_contract_is_remembered_without_its_customer() {
    let stage = Stage::practising().await;
    enter(&stage.desk, &sales(1)).await;
    run_confirmed(&stage.desk).await;
    let contract_id = entered(&stage.desk).await[0].contract_id.clone().unwrap();
    let contract = stage.desk.contracts.look_up(&contract_id).await.unwrap();
    assert_eq!(contract.transaction_id, "T-00000");
    let recents = stage.desk.contracts.recent_lookups().await.unwrap();
    assert_eq!(recents.len(), 1);
    assert_eq!(recents[0].contract_id, contract_id);
    stage.desk.contracts.look_up(&contract_id).await.unwrap();
    assert_eq!(
        stage.desk.contracts.recent_lookups().await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn the_journal_tells_acts_and_no_customer() {
    let stage = Stage::practising().await;
    stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    enter(&stage.desk, &sales(3)).await;
    let journal = stage.desk.journal(100).await.unwrap();
    let actions: Vec<&str> = journal.iter().map(|line| line.action.as_str()).collect();
    assert!(actions.contains(&"contract.registered"));
    assert_eq!(actions[0], "contracts.entered");
    let told = format!("{journal:?}");
    assert!(!told.contains("sample.invalid") && !told.contains("見本"));
}

#[tokio::test]
async fn a_service_that_hangs_does_not_keep_the_customer_waiting() {
    let stage = Stage::practising().await;
    stage.next(
        Operation::GetPlan,
        Action::SlowDrip {
            chunk_bytes: 1,
            pause_ms: 1_000,
        },
    );
    let began = std::time::Instant::now();
    stage
        .desk
        .contracts
        .register(&id(), &sale(0), &[])
        .await
        .unwrap();
    assert!(began.elapsed() < std::time::Duration::from_secs(15));
}

#[tokio::test]
async fn a_plan_that_several_products_share_fits_each_of_them() {
    let service = parrot(&[
        (
            "GET /v1/plans/shared",
            r#"{"plan":{"id":"shared","title":"5 years"},"product":{"referenceId":"washer","price":1}}"#,
        ),
        (
            "GET /v1/plans/other",
            r#"{"plan":{"id":"other"},"product":{"referenceId":"washer"}}"#,
        ),
        ("GET /v1/plans?", r#"[{"id":"of-its-own"},{"id":"shared"}]"#),
    ])
    .await;
    let stage = Stage::at(&service).await;
    let of = |plan: &str| EntryDraft {
        product_reference_id: "dryer".into(),
        plan_id: plan.into(),
        ..sale(0)
    };
    let check = stage.desk.contracts.check(&of("shared")).await.unwrap();
    assert!(check.problems.is_empty(), "{check:?}");
    // What is said of the product it was read with is not said of this one.
    assert!(!check.warnings.contains(&Warning::PriceUnusual));
    assert!(!check.warnings.contains(&Warning::NotChecked));
    let check = stage.desk.contracts.check(&of("other")).await.unwrap();
    assert_eq!(
        check.problems,
        [problem(Field::PlanId, Problem::PlanOfAnotherProduct)]
    );
}

#[tokio::test]
async fn names_that_are_known_stay_with_an_entry_that_could_not_be_checked() {
    let stage = Stage::practising().await;
    let of = |transaction: &str| EntryDraft {
        transaction_id: transaction.to_owned(),
        ..sale(0)
    };
    let register = async |transaction| {
        stage
            .desk
            .contracts
            .register(&id(), &of(transaction), &[])
            .await
            .unwrap()
    };
    let checked = register("checked").await;
    assert!(checked.product_title.is_some() && checked.plan_title.is_some());
    stage.next(Operation::GetPlan, Action::Unauthorized);
    let refused = register("refused").await;
    assert_eq!(refused.product_title, checked.product_title);
    assert_eq!(refused.plan_title, checked.plan_title);
    stage.sandbox.stop().await;
    enter(&stage.desk, &[of("offline")]).await;
    let offline = entered(&stage.desk).await.remove(2);
    assert_eq!(offline.transaction_id, "offline");
    assert_eq!(offline.product_title, checked.product_title);
    assert_eq!(offline.plan_title, checked.plan_title);
}
