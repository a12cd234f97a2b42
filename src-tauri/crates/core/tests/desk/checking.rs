//! A look at many rows from what this computer knows: what is said of them, and that nobody is asked.

use warranty_core::contracts::{EntryCheck, EntryDraft, Question, RowCheck, Warning};
use warranty_core::{Field, Problem};
use warranty_sandbox::{
    Action,
    Operation::{GetPlan, ListPlans},
};

use crate::harness::{Stage, product};
use crate::sales::{sale, sales, unknown_sale};
use crate::steps::{Steps, fields, with};

async fn looked_at(stage: &Stage, rows: Vec<EntryDraft>) -> Vec<RowCheck> {
    stage.contracts.check_rows(rows).await.unwrap()
}

/// Lets the desk read the plans of a row's product once.
async fn with_plans_of(stage: &Stage, row: &EntryDraft) {
    let reference = product(&row.product_reference_id);
    stage
        .refresh(&reference, warranty_core::api::PlanFilter::Live)
        .await;
}

#[tokio::test]
async fn sound_rows_are_passed_over_and_the_service_is_not_asked() {
    let stage = Stage::practising().await;
    let asked = stage.sandbox.requests().len();
    let mut rows = sales(40);
    rows.push(unknown_sale(41));
    assert_eq!(looked_at(&stage, rows).await, []);
    assert_eq!(stage.sandbox.requests().len(), asked);
}

#[tokio::test]
async fn each_row_keeps_its_number_and_names_every_field_that_is_wrong() {
    let stage = Stage::practising().await;
    let mut rows = sales(2_500);
    rows[3].customer_email = "nobody".into();
    rows[3].transaction_total = "1.23E+11".into();
    rows[2_400].transaction_id = String::new();
    let found = looked_at(&stage, rows).await;
    let numbers: Vec<u32> = found.iter().map(|row| row.index).collect();
    assert_eq!(numbers, [3, 2_400]);
    assert_eq!(
        fields(&found[0].check.problems),
        [
            (Field::TransactionTotal, Problem::SpreadsheetRounded),
            (Field::CustomerEmail, Problem::NotEmail),
        ]
    );
}

#[tokio::test]
async fn a_price_other_than_the_remembered_one_is_asked_about() {
    let stage = Stage::practising().await;
    let mut row = sale(0);
    with_plans_of(&stage, &row).await;
    let current = row.plan_purchase_price.clone();
    row.plan_purchase_price = "1".into();
    let found = looked_at(&stage, vec![sale(0), row]).await;
    let [RowCheck { index: 1, check }] = found.as_slice() else {
        panic!("{found:?}");
    };
    let [
        Question::ChangedPrice {
            entered,
            current: now,
        },
    ] = check.questions.as_slice()
    else {
        panic!("{check:?}");
    };
    assert_eq!(entered.get(), 1);
    assert_eq!(now.get().to_string(), current);
}

#[tokio::test]
async fn a_sale_that_was_entered_before_is_asked_about() {
    let stage = Stage::practising().await;
    stage.enter(&[sale(1)]).await;
    let found = looked_at(&stage, sales(3)).await;
    let [RowCheck { index: 1, check }] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert!(matches!(
        check.questions.as_slice(),
        [Question::SecondContract {
            submission_id: Some(_),
            ..
        }]
    ));
}

#[tokio::test]
async fn odd_amounts_are_warned_of() {
    let stage = Stage::practising().await;
    let row = with(sale(0), |it| it.transaction_total = "1".into());
    let found = looked_at(&stage, vec![row]).await;
    assert_eq!(found[0].check.warnings, [Warning::TotalBelowPrice]);
    assert_eq!(found[0].check.problems, []);
}

#[tokio::test]
async fn whether_a_plan_is_of_a_product_is_judged_by_all_its_plans() {
    let stage = Stage::practising().await;
    let row = sale(0);
    let replace = Action::Replace {
        from: row.product_reference_id.clone(),
        to: "ANOTHER-1".into(),
    };
    stage.next(GetPlan, replace);
    let check = stage.contracts.check(&row).await.unwrap();
    assert_eq!(check, EntryCheck::default());
    let requests = stage.sandbox.requests();
    let listing = requests.last().unwrap();
    assert_eq!(listing.operation, Some(ListPlans));
    let query = listing.query.as_deref().unwrap();
    assert!(query.contains("status=Any"), "{query}");
}
