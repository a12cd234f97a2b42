//! A look at many rows from what this computer knows: what is said of them, and that nobody is asked.

use warranty_core::api::{Amount, PlanFilter};
use warranty_core::bulk::SheetRow;
use warranty_core::contracts::{Question, Warning};
use warranty_core::{Field, Problem};

use crate::entering::dryer;
use crate::harness::{Stage, product};
use crate::run_guards::{handed_in, unanswered};
use crate::sales::{id, sale, sales, unknown_sale};
use crate::steps::{Steps, fields, with};

#[tokio::test]
async fn of_many_rows_those_that_are_wrong_doubtful_or_odd_are_named_and_the_service_is_not_asked()
{
    let stage = Stage::practising().await;
    let price = Amount::new(sale(5).plan_purchase_price.parse().unwrap()).unwrap();
    let reference = product(&sale(5).product_reference_id);
    stage.refresh(&reference, PlanFilter::Any).await;
    let other = sale(6).product_reference_id;
    stage.refresh(&product(&other), PlanFilter::Any).await;
    stage.enter(&[sale(7)]).await;
    let asked = stage.sandbox.requests().len();

    let mut rows = sales(2_500);
    rows[3].customer_email = "nobody".into();
    rows[3].transaction_total = "1.23E+11".into();
    rows[5].plan_purchase_price = "1".into();
    rows[9].transaction_total = "1".into();
    rows[11] = unknown_sale(11);
    // Nothing is known of the first product's plans; the second one's are, and this is none of them.
    for (row, reference) in [(13, "new-here"), (15, &other)] {
        rows[row] = with(sale(5), |it| {
            it.transaction_id = format!("T-{row}");
            it.product_reference_id = reference.to_owned();
        });
    }
    rows[2_400].transaction_id = String::new();
    let found = stage.contracts.check_rows(rows).await.unwrap();
    let numbers: Vec<u32> = found.iter().map(|row| row.index).collect();
    assert_eq!(numbers, [3, 5, 7, 9, 15, 2_400]);
    let [wrong, dearer, again, odd, another, _] =
        [0_usize, 1, 2, 3, 4, 5].map(|at| &found[at].check);
    assert_eq!(
        fields(&wrong.problems),
        [
            (Field::TransactionTotal, Problem::SpreadsheetRounded),
            (Field::CustomerEmail, Problem::NotEmail),
        ]
    );
    assert!(matches!(
        dearer.questions[..],
        [Question::ChangedPrice { entered, current }] if entered.get() == 1 && current == price
    ));
    assert!(matches!(
        again.questions[..],
        [Question::SecondContract {
            submission_id: Some(_),
            ..
        }]
    ));
    assert_eq!(odd.warnings, [Warning::TotalBelowPrice]);
    assert_eq!(odd.problems, []);
    assert_eq!(another.warnings, [Warning::PlanOfAnotherProduct]);
    assert_eq!(another.problems, []);
    assert_eq!(stage.sandbox.requests().len(), asked);
}

#[tokio::test]
async fn the_fee_of_a_row_is_compared_with_the_price_that_its_plan_has_for_its_own_product() {
    let stage = Stage::answered(&[
        (
            "GET /v1/plans?productId=dryer&",
            r#"[{"id":"shared","price":1000}]"#,
        ),
        (
            "GET /v1/plans?productId=washer&",
            r#"[{"id":"shared","price":2000}]"#,
        ),
        (
            "GET /v1/plans?productId=freezer&",
            r#"[{"id":"shared","price":3000,"storeReferenceId":"F-1"}]"#,
        ),
    ])
    .await;
    let asked = async |product: &str, fee: &str| {
        let row = with(dryer("shared", fee), |it| {
            it.product_reference_id = product.to_owned();
        });
        let found = stage.contracts.check_rows(vec![row]).await.unwrap();
        let checks = found.into_iter().map(|row| row.check.questions);
        checks.collect::<Vec<_>>().concat()
    };
    let [one, two, three] = [1000, 2000, 3000].map(|amount| Amount::new(amount).unwrap());
    let changed = |entered, current| [Question::ChangedPrice { entered, current }];
    stage.refresh(&product("dryer"), PlanFilter::Live).await;
    stage.refresh(&product("washer"), PlanFilter::Any).await;
    assert_eq!(asked("dryer", "1000").await, []);
    assert_eq!(asked("dryer", "2000").await, changed(two, one));
    assert_eq!(asked("washer", "1000").await, changed(one, two));
    // So it is where only the plans were listed that the store has linked.
    let linked = PlanFilter::LiveInStore;
    stage.refresh(&product("freezer"), linked).await;
    stage.refresh(&product("washer"), PlanFilter::Any).await;
    assert_eq!(asked("freezer", "1000").await, changed(one, three));
    // What it costs for a product whose plans were never listed is not known.
    assert_eq!(asked("fridge", "1000").await, []);
}

#[tokio::test]
async fn a_code_that_a_spreadsheet_may_have_changed_is_entered_in_the_sheet_once_a_person_says_that_it_is_meant()
 {
    let stage = Stage::practising().await;
    for code in ["1,037", "Feb-45", "'0001"] {
        let shown = with(sale(0), |it| it.transaction_id = code.into());
        let checked = stage.contracts.check_rows(vec![shown.clone()]).await;
        let asked = &checked.unwrap()[0].check.questions;
        assert!(matches!(
            &asked[..],
            [Question::CellText { field: Field::TransactionId, text, .. }] if text == code
        ));
        let said = SheetRow {
            draft: shown.clone(),
            confirmed: vec![asked[0].yes()],
        };
        for (row, entered) in [(unanswered(shown), 0), (said, 1)] {
            let run = id();
            // Not on the first row: rows of the sheet move.
            handed_in(&stage, &run, vec![unanswered(sale(1)), row]).await;
            let view = stage.start_and_run(&run).await;
            assert_eq!(view.rejected, 1 - entered);
            assert_eq!(stage.sold().await.contains_key(code), entered == 1);
        }
    }
}
