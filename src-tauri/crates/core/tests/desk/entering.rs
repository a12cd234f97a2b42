//! Entering contracts: what is refused, asked, warned of and never done twice.

use std::time::Duration;

use warranty_core::api::{Amount, PlanFilter};
use warranty_core::contracts::{EntryDraft, Question, Warning};
use warranty_core::outbox::SubmissionState;
use warranty_core::{Error, Field, Problem};
use warranty_sandbox::{
    Action,
    Operation::{GetPlan, ListPlans},
    sample,
};

use crate::harness::{Stage, drip, instead, plan, product, status, verbatim};
use crate::leads;
use crate::sales::{id, products, sale, sales, unknown_sale};
use crate::steps::{Steps, fields, problems, questions, refused, with};

#[tokio::test]
async fn a_plan_whose_id_ends_in_a_space_is_sold_under_just_that_id() {
    let stage = Stage::answered(&[
        ("GET /v1/plans?", r#"[{"id":"p1 ","price":5000}]"#),
        (
            "GET /v1/plans/p1%20 ",
            r#"{"plan":{"id":"p1 ","price":5000},"product":{"referenceId":"P-1"}}"#,
        ),
        (
            "POST",
            r#"[{"id":"c-1","transactionId":"T-00000","customer":{"email":"a@sample.invalid"},
                "product":{"referenceId":"P-1"},"plan":{"id":"p1 "}}]"#,
        ),
    ])
    .await;
    stage.refresh(&product("P-1"), PlanFilter::Live).await;
    let draft = with(sale(0), |it| {
        it.product_reference_id = "P-1".into();
        it.plan_id = "p1 ".into();
        it.plan_purchase_price = "5000".into();
        it.customer_email = "a@sample.invalid".into();
    });
    stage.register(&draft).await;
    assert_eq!(stage.run().await.accepted, 1);
    assert_eq!(stage.only().await.plan_id.as_str(), "p1 ");
    // Around the id of another plan white space is not meant.
    let other = with(draft, |it| it.plan_id = "p2 ".into());
    let other = stage.register_with(&other, &[]).await;
    assert_eq!(other.plan_id.as_str(), "p2");
}

#[tokio::test]
async fn an_entry_asked_for_again_and_again_is_one_contract_and_a_changed_one_is_not_taken_for_it()
{
    let stage = Stage::practising().await;
    let (id, draft) = (id(), sale(0));
    let asks = (0..8).map(|_| stage.register_under(&id, &draft, &[]));
    for answer in futures::future::join_all(asks).await {
        assert_eq!(answer.unwrap().id, id);
    }
    stage.run().await;
    let first = stage.register_under(&id, &draft, &[]).await.unwrap();
    let changed = with(sale(0), |it| {
        it.transaction_id = "T-other".into();
        it.customer_email = "other@sample.invalid".into();
    });
    let answer = stage.register_under(&id, &changed, &[]).await;
    let Err(Error::AlreadyRegistered {
        submission_id,
        fields,
    }) = answer
    else {
        panic!("{answer:?}");
    };
    assert_eq!(submission_id, id);
    assert_eq!(fields, [Field::TransactionId, Field::CustomerEmail]);
    assert_eq!(stage.submission(&id).await, first);
    stage.run().await;
    stage.assert_sold_once(&[sale(0)]).await;
}

#[tokio::test]
async fn what_was_typed_under_one_profile_is_refused_once_the_desk_uses_another_whatever_the_window_still_shows()
 {
    let (stage, shown) = Stage::live().await;
    stage.connect("支店").await;
    let (id, sale, lead) = (id(), sale(0), leads::draft());
    let sold = stage.contracts.register(&shown.id, &id, &sale, &[]);
    refused!(sold.await, Error::ProfileMoved);
    let created = stage.leads.create(&shown.id, &id, &lead, None);
    refused!(created.await, Error::ProfileMoved);
    let product = crate::products::draft("NEW-1", "x");
    let put = stage.products.put(&shown.id, &product);
    refused!(put.await, Error::ProfileMoved);
    let plan = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    let link = stage.plans.link(&shown.id, &plan, "REF", None);
    refused!(link.await, Error::ProfileMoved);
    assert!(stage.entered().await.is_empty() && stage.leads().await.is_empty());
}

#[tokio::test]
async fn an_entry_that_was_kept_and_cannot_be_read_back_is_said_to_be_kept() {
    let stage = Stage::practising().await;
    let file = stage.database();
    file.execute_batch(
        "CREATE TRIGGER unreadable AFTER INSERT ON submission BEGIN
             UPDATE submission SET transaction_date = 'unreadable' WHERE id = NEW.id; END;",
    )
    .unwrap();
    let id = id();
    let answer = stage.register_under(&id, &sale(0), &[]).await;
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
async fn a_transaction_written_with_other_capitals_asks_at_the_counter_and_in_the_sheet() {
    let stage = Stage::practising().await;
    let first = stage.register(&sale(0)).await;
    let small = with(sale(0), |it| it.transaction_id.make_ascii_lowercase());
    let at_the_counter = questions(stage.try_register(&small, &[]).await);
    let checked = stage.contracts.check_rows(vec![small]).await.unwrap();
    for asked in [&at_the_counter, &checked[0].check.questions] {
        assert!(matches!(
            &asked[..],
            [Question::SecondContract { submission_id, .. }]
                if submission_id.as_ref() == Some(&first.id)
        ));
    }
}

#[tokio::test]
async fn a_second_contract_for_the_same_sale_asks_first() {
    let stage = Stage::practising().await;
    // Two people, and more, at the same time.
    let (ids, draft) = ([id(), id(), id(), id()], sale(0));
    let asks = ids.iter();
    let asks = asks.map(|id| stage.register_under(id, &draft, &[]));
    let answers = futures::future::join_all(asks).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    let first = stage.only().await;
    let questions = questions(stage.try_register(&sale(0), &[]).await);
    assert!(matches!(
        &questions[..],
        [Question::SecondContract { submission_id, state: SubmissionState::Queued, .. }]
            if submission_id.as_ref() == Some(&first.id)
    ));
    assert_eq!(stage.entered().await.len(), 1);

    stage.register_with(&sale(0), &[questions[0].yes()]).await;
    // Said to the first entry, the same yes does not make a third.
    let yes = [questions[0].yes()];
    refused!(
        stage.try_register(&sale(0), &yes).await,
        Error::Questions(_)
    );
    assert_eq!(stage.run_confirmed().await.confirmed, 2);
    assert_eq!(stage.sold().await["T-00000"], 2);
}

#[tokio::test]
async fn what_cannot_be_used_is_not_asked_about_and_what_the_service_does_not_know_is_named() {
    let stage = Stage::practising().await;
    let bad = with(sale(0), |it| {
        it.customer_email = "not an address".into();
        it.transaction_total = "12.5".into();
    });
    assert_eq!(
        problems(stage.try_register(&bad, &[]).await),
        [
            (Field::TransactionTotal, Problem::NotWholeNumber),
            (Field::CustomerEmail, Problem::NotEmail),
        ]
    );
    assert!(stage.sandbox.requests().is_empty());
    let draft = |product: &str, plan: &str| EntryDraft {
        product_reference_id: product.into(),
        plan_id: plan.into(),
        ..sale(0)
    };
    let sold = sale(0);
    let (product, plan) = (&sold.product_reference_id, &sold.plan_id);
    let unknown_product = (Field::ProductReferenceId, Problem::UnknownProduct);
    let unknown_plan = (Field::PlanId, Problem::UnknownPlan);
    let of_another = (Field::PlanId, Problem::PlanOfAnotherProduct);
    let (notebook, refrigerators) = (sample::PRODUCT_NOTEBOOK, sample::REFRIGERATOR_PLAN_3_YEARS);
    for (draft, found) in [
        (unknown_sale(0), vec![unknown_product, unknown_plan]),
        (draft(product, "no-such-plan"), vec![unknown_plan]),
        (draft("no-such-product", plan), vec![unknown_product]),
        (draft(notebook, refrigerators), vec![of_another]),
    ] {
        let check = stage.contracts.check(&draft).await.unwrap();
        assert_eq!(fields(&check.problems), found, "{draft:?}");
    }
    let draft = draft(notebook, refrigerators);
    assert_eq!(
        problems(stage.try_register(&draft, &[]).await),
        [of_another]
    );
    assert!(stage.entered().await.is_empty());
    assert_eq!(stage.sent(), 0);
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
    let check = stage.contracts.check(&draft).await.unwrap();
    assert!(check.problems.is_empty() && check.questions.is_empty());
    assert_eq!(
        check.warnings,
        [
            Warning::PriceUnusual,
            Warning::TotalBelowPrice,
            Warning::DateLongAgo
        ]
    );
    assert!(stage.try_register(&draft, &[]).await.is_ok());
}

#[tokio::test]
async fn a_service_that_does_not_answer_or_hangs_leaves_an_entry_unchecked_and_entered() {
    let stage = Stage::practising().await;
    stage.next(GetPlan, drip(1, 1_000));
    // The whole answer would take longer.
    let sale_0 = sale(0);
    let registering = stage.register(&sale_0);
    let registered = tokio::time::timeout(Duration::from_secs(120), registering).await;
    registered.expect("it waits for the whole answer");
    stage.next(GetPlan, Action::DropBeforeCommit);
    let check = stage.contracts.check(&sale(1)).await.unwrap();
    assert_eq!(check.warnings, [Warning::NotChecked]);
    assert_eq!(stage.run().await.accepted, 1);
}

#[tokio::test]
async fn each_answer_about_a_plan_is_taken_for_what_it_proves() {
    let refusal = |status: u16, code: &str| {
        let body = format!(r#"{{"requestId":"r-1","code":"{code}","error":"sample words"}}"#);
        verbatim(status, "application/json", body)
    };
    let fee = Amount::new(sale(0).plan_purchase_price.parse().unwrap()).unwrap();
    let price = |said: &str| instead(&format!("\"price\":{fee},"), &format!("\"price\":{said},"));
    let not_understood = |said: &str| Question::PriceNotUnderstood {
        entered: fee,
        current: said.to_owned(),
    };
    let of_another = instead(&sale(0).product_reference_id, "another");
    let unlisted = Some(status(503));
    let (unchecked, nothing) = (vec![Warning::NotChecked], Vec::new());
    for (plan, listing, questions, warnings) in [
        // An answer that the service is busy proves nothing about the plan.
        (
            refusal(400, "ThrottlingException"),
            None,
            vec![],
            &unchecked,
        ),
        (refusal(408, "RequestTimeout"), None, vec![], &unchecked),
        (refusal(409, "ConflictException"), None, vec![], &unchecked),
        (refusal(500, "InternalException"), None, vec![], &unchecked),
        // A listing that has the plan is believed before a refusal to show it.
        (refusal(400, "BadRequestException"), None, vec![], &nothing),
        // A plan read with another product is another's only when the listing of all plans says so.
        (of_another.clone(), None, vec![], &nothing),
        (of_another, unlisted, vec![], &unchecked),
        (price("1.5"), None, vec![not_understood("1.5")], &nothing),
        (price("true"), None, vec![not_understood("true")], &nothing),
        (price("null"), None, vec![], &nothing),
    ] {
        let stage = Stage::practising().await;
        stage.next(GetPlan, plan.clone());
        if let Some(listing) = listing.clone() {
            stage.next_times(ListPlans, listing, 3);
        }
        let check = stage.contracts.check(&sale(0)).await.unwrap();
        let row = format!("{plan:?} {listing:?}: {check:?}");
        assert!(check.problems.is_empty(), "{row}");
        assert_eq!(
            (&check.questions, &check.warnings),
            (&questions, warnings),
            "{row}"
        );
    }
}

/// A sale of a product that only the services of these tests have.
pub fn dryer(plan: &str, fee: &str) -> EntryDraft {
    EntryDraft {
        product_reference_id: "dryer".into(),
        plan_id: plan.into(),
        plan_purchase_price: fee.into(),
        ..sale(0)
    }
}

#[tokio::test]
async fn without_a_list_of_plans_a_fee_is_compared_with_a_price_unless_it_is_another_products() {
    let stage = Stage::answered(&[
        (
            "GET /v1/plans/unnamed",
            r#"{"plan":{"id":"unnamed","price":2000}}"#,
        ),
        (
            "GET /v1/plans/shared",
            r#"{"plan":{"id":"shared","title":"5 years","price":2000},"product":{"referenceId":"washer"}}"#,
        ),
        ("GET /v1/plans?", "<html>"),
    ])
    .await;
    let [entered, current] = [1000, 2000].map(|amount| Amount::new(amount).unwrap());
    let changed = Question::ChangedPrice { entered, current };
    for (plan, fee, questions) in [
        ("unnamed", "1000", vec![changed]),
        ("unnamed", "2000", vec![]),
        ("shared", "1000", vec![]),
        ("shared", "2000", vec![]),
    ] {
        let check = stage.contracts.check(&dryer(plan, fee)).await.unwrap();
        assert_eq!(check.questions, questions, "{plan} {fee}");
        assert_eq!(check.warnings, [Warning::NotChecked]);
    }
    // What is stored with an entry says the same.
    for (plan, stored) in [("unnamed", true), ("shared", false)] {
        let draft = with(dryer(plan, "2000"), |it| it.transaction_id = plan.into());
        let id = stage.register(&draft).await.id;
        let sql = "SELECT price_checked FROM submission WHERE id = ?1";
        let checked = stage.database().query_row(sql, [id], |row| row.get(0));
        assert_eq!(checked, Ok(stored), "{plan}");
    }
}

#[tokio::test]
async fn the_journal_tells_acts_and_no_customer() {
    let stage = Stage::practising().await;
    stage.register(&sale(0)).await;
    stage.enter(&sales(3)).await;
    let actions = stage.actions(100).await;
    assert!(actions.contains(&"contract.registered".to_owned()));
    assert_eq!(actions[0], "contracts.entered");
    let told = format!("{:?}", stage.journal(100).await.unwrap());
    assert!(!told.contains("sample.invalid") && !told.contains("見本"));
}

#[tokio::test]
async fn a_plan_fits_each_product_that_lists_it_and_no_other() {
    let stage = Stage::answered(&[
        (
            "GET /v1/plans/shared",
            r#"{"plan":{"id":"shared","title":"5 years"},"product":{"referenceId":"washer","price":1}}"#,
        ),
        (
            "GET /v1/plans/other",
            r#"{"plan":{"id":"other"},"product":{"referenceId":"washer"}}"#,
        ),
        ("GET /v1/plans/unnamed", r#"{"plan":{"id":"unnamed"}}"#),
        (
            "GET /v1/plans/confused",
            r#"{"plan":{"id":"of-its-own"},"product":{"referenceId":"dryer"}}"#,
        ),
        // All plans, and not only those that are offered now.
        (
            "GET /v1/plans?productId=dryer&storeId=store-sample-001&status=Any ",
            r#"[{"id":"of-its-own"},{"id":"shared"}]"#,
        ),
    ])
    .await;
    let check = async |plan: &str| stage.contracts.check(&dryer(plan, "1000")).await.unwrap();
    let shared = check("shared").await;
    assert!(shared.problems.is_empty(), "{shared:?}");
    // What is said of the product it was read with is not said of this one.
    assert!(!shared.warnings.contains(&Warning::PriceUnusual));
    assert!(!shared.warnings.contains(&Warning::NotChecked));
    for (plan, problem) in [
        ("other", Problem::PlanOfAnotherProduct),
        // The answer names no product: then the list of plans decides.
        ("unnamed", Problem::PlanOfAnotherProduct),
        // The plan that is read names another id.
        ("confused", Problem::UnknownPlan),
    ] {
        let found = check(plan).await.problems;
        assert_eq!(fields(&found), [(Field::PlanId, problem)], "{plan}");
    }
}

#[tokio::test]
async fn the_fee_of_a_plan_that_several_products_share_is_that_of_the_product_sold() {
    let stage = Stage::answered(&[
        (
            "GET /v1/plans/shared",
            r#"{"plan":{"id":"shared","price":2000},"product":{"referenceId":"washer"}}"#,
        ),
        (
            "GET /v1/plans?productId=dryer&",
            r#"[{"id":"shared","price":1000}]"#,
        ),
    ])
    .await;
    let asked = async |fee: &str| {
        let check = stage.contracts.check(&dryer("shared", fee)).await;
        check.unwrap().questions
    };
    assert_eq!(asked("1000").await, []);
    let [entered, current] = [2000, 1000].map(|amount| Amount::new(amount).unwrap());
    let changed = Question::ChangedPrice { entered, current };
    assert_eq!(asked("2000").await, [changed]);
}

#[tokio::test]
async fn names_that_are_known_stay_with_an_entry_that_could_not_be_checked() {
    let stage = Stage::practising().await;
    let of = |transaction: &str| with(sale(0), |it| it.transaction_id = transaction.to_owned());
    let register = async |transaction| stage.desk.register(&of(transaction)).await;
    let checked = register("checked").await;
    assert!(checked.product_title.is_some() && checked.plan_title.is_some());
    stage.next(GetPlan, status(401));
    let refused = register("refused").await;
    assert_eq!(refused.product_title, checked.product_title);
    assert_eq!(refused.plan_title, checked.plan_title);
    stage.sandbox.stop().await;
    stage.desk.enter(&[of("offline")]).await;
    let offline = stage.desk.entered().await.remove(2);
    assert_eq!(offline.transaction_id, "offline");
    assert_eq!(offline.product_title, checked.product_title);
    assert_eq!(offline.plan_title, checked.plan_title);
}
