//! Equal rows of one file or sheet: each but the first is a contract only with a yes to it, beside those
//! before it, and however the rows are parted, broken off or handed in again.

use warranty_core::Desk;
use warranty_core::bulk::{AnsweredRows, RunOutcome, RunState, RunView, SheetRow};
use warranty_core::contracts::{Confirmed, EntryDraft, QuestionKind};

use crate::harness::Stage;
use crate::run_guards::{handed_in, unanswered};
use crate::runs::{staged, started};
use crate::sales::{id, sale, sales};
use crate::steps::{Steps, with};

/// Keeps and checks sales as a run, and says yes to every equal row.
async fn answered(desk: &Desk, rows: &[EntryDraft]) -> RunView {
    let view = staged(desk, rows).await;
    desk.check(&view.id).await;
    let yes = QuestionKind::RepeatedRow;
    desk.bulk
        .answer(&view.id, AnsweredRows::All, yes)
        .await
        .unwrap()
}

/// More sales than fit into a chunk, the last of them one of the first once more.
fn far_apart() -> Vec<EntryDraft> {
    let mut rows = sales(110);
    rows.push(sale(3));
    rows
}

fn yes(line: u32, nth: u32) -> SheetRow {
    SheetRow {
        draft: sale(0),
        confirmed: vec![Confirmed::RepeatedRow { line, nth }],
    }
}

#[tokio::test]
async fn an_equal_row_far_behind_is_sold_beside_its_first_though_the_program_ended_between_them() {
    let stage = Stage::practising().await;
    let view = answered(&stage, &far_apart()).await;
    assert_eq!((view.rejected, view.pending), (0, 111));
    stage.start(&view.id).await;
    let desk = stage.desk.clone();
    let ends = move |_, _| desk.outbox.wind_down();
    let view = stage.bulk.enter(&view.id, &ends).await.unwrap();
    assert_eq!((view.entered, view.pending), (100, 11));
    let stage = stage.restarted().await;
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!((view.entered, view.rejected), (111, 0));
    assert_eq!((view.pending, view.batches), (0, 12));
    let shown = stage.bulk.rows(&view.id, None, 110, 10).await.unwrap();
    assert_eq!((shown.len(), shown[0].number), (1, 111));
    assert_eq!(stage.sold().await["T-00003"], 2);

    let again = started(&stage, &far_apart()).await;
    stage.run().await;
    let again = stage.view(&again.id).await;
    assert_eq!((again.entered, again.already_entered), (0, 111));
    let ledger = stage.ledger().await;
    assert_eq!(ledger.len(), 111);
    let mut keys: Vec<_> = ledger
        .into_iter()
        .filter(|sale| sale.transaction_id == "T-00003")
        .map(|sale| sale.idempotency_key)
        .collect();
    keys.dedup();
    assert_eq!(keys.len(), 2, "each has a key of its own");
}

#[tokio::test]
async fn two_runs_of_the_same_rows_with_the_same_yes_sell_each_row_once() {
    let stage = Stage::practising().await;
    let first = answered(&stage, &far_apart()).await;
    let second = answered(&stage, &far_apart()).await;
    stage.start(&first.id).await;
    stage.start_and_run(&second.id).await;
    let first = stage.view(&first.id).await;
    assert_eq!((first.state, first.entered), (RunState::Done, 111));
    let second = stage.view(&second.id).await;
    assert_eq!((second.state, second.entered), (RunState::Done, 0));
    assert_eq!((second.already_entered, second.differing), (111, 0));
    assert_eq!(second.sent.accepted + second.sent.confirmed, 111);
    assert_eq!(stage.ledger().await.len(), 111);
    assert_eq!(stage.sold().await["T-00003"], 2);
}

#[tokio::test]
async fn equal_rows_of_the_sheet_are_sold_with_the_yes_they_were_handed_in_with() {
    let stage = Stage::practising().await;
    // Handed in a second time, they stand for what was sold.
    for outcome in [RunOutcome::Entered, RunOutcome::AlreadyEntered] {
        let both = id();
        handed_in(&stage, &both, vec![unanswered(sale(0)), yes(1, 2)]).await;
        stage.start_and_run(&both).await;
        assert_eq!(stage.sold().await["T-00000"], 2);
        let rows = stage.rows(&both).await;
        let outcomes: Vec<_> = rows.iter().filter_map(|row| row.outcome).collect();
        assert_eq!(outcomes, [outcome; 2]);
        let entries: Vec<_> = rows.into_iter().filter_map(|row| row.submission).collect();
        assert_ne!(entries[0].id, entries[1].id, "each for its own");
    }
}

#[tokio::test]
async fn a_sale_made_at_the_counter_since_counts_as_one_of_the_rows() {
    let stage = Stage::practising().await;
    let both = id();
    handed_in(&stage, &both, vec![unanswered(sale(0)), yes(1, 2)]).await;
    stage.register(&sale(0)).await;
    let view = stage.start_and_run(&both).await;
    assert_eq!((view.entered, view.already_entered), (1, 1));
    assert_eq!(stage.sold().await["T-00000"], 2);
}

#[tokio::test]
async fn a_yes_beside_a_row_that_is_left_out_sells_nothing_and_asks_again() {
    let stage = Stage::practising().await;
    let cheap = with(sale(0), |it| it.plan_purchase_price = "1".into());
    for _ in 0..2 {
        let view = answered(&stage, &[cheap.clone(), sale(0)]).await;
        let view = stage.start_and_run(&view.id).await;
        assert_eq!((view.entered, view.rejected), (0, 2));
        let rows = stage.rows(&view.id).await;
        assert_eq!(rows[1].questions[0].kind(), QuestionKind::RepeatedRow);
    }
    assert!(stage.sold().await.is_empty());
}
