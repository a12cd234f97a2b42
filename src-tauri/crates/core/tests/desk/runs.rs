//! Runs: many rows kept, checked, entered chunk by chunk, halted, ended, taken up again; and never a
//! sale made twice.

use std::sync::atomic::{AtomicU32, Ordering};

use warranty_core::bulk::{
    AnsweredRows, Layout, NewRun, NumberedRow, RowList, RunKind, RunOutcome, RunRow, RunSource,
    RunState, RunView, Runs,
};
use warranty_core::contracts::{EnterMode, EntryDraft, Question, QuestionKind, Warning};
use warranty_core::{Desk, Error, Problem};
use warranty_sandbox::Operation::GetPlan;

use crate::harness::{Stage, TestClock, status, too_many};
use crate::sales::{id, sale, sales, unknown_sale};
use crate::steps::{Steps, refused, with};

/// A run of sales, without rows.
pub fn new() -> NewRun {
    NewRun {
        id: id(),
        kind: RunKind::Contracts,
        source: RunSource::File,
        name: "sales.csv".to_owned(),
        layout: Layout::plain(RunKind::Contracts),
    }
}

/// Keeps rows as a run.
pub async fn kept(
    desk: &Desk,
    run: NewRun,
    rows: impl IntoIterator<Item = NumberedRow>,
) -> RunView {
    let kept = desk.bulk.stage(run).await.unwrap();
    let rows: Vec<_> = rows.into_iter().map(Ok).collect();
    desk.bulk
        .add_rows(&kept.id, rows.into_iter(), &|_| {})
        .await
        .unwrap();
    desk.bulk.mark_whole(&kept.id).await.unwrap()
}

/// Keeps sales as a run.
pub async fn staged(desk: &Desk, rows: &[EntryDraft]) -> RunView {
    let rows = rows.iter().map(|row| NumberedRow::of_entry(row, &[]));
    kept(desk, new(), rows).await
}

/// The same, begun.
pub async fn started(desk: &Desk, rows: &[EntryDraft]) -> RunView {
    let view = staged(desk, rows).await;
    desk.start(&view.id).await
}

#[tokio::test]
async fn rows_are_not_checked_at_a_service_that_asks_to_be_left_alone() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    stage.next(GetPlan, too_many("3600"));
    stage.contracts.check(&sale(0)).await.unwrap();
    // The last code is looked up as it is written, too.
    let odd = with(sale(3), |it| it.product_reference_id = "ＡＢＣ".into());
    let view = staged(&stage, &[sale(1), sale(2), odd]).await;
    for (passed, asks) in [(60, false), (3_000, false), (800, true)] {
        clock.pass(passed);
        let before = stage.sandbox.requests().len();
        let checked = stage.check(&view.id).await;
        assert_eq!(checked.checked, 3);
        assert_eq!(stage.sandbox.requests().len() > before, asks, "{passed}");
    }
    // What a person asks about one sale is asked all the same.
    stage.next(GetPlan, too_many("3600"));
    for _ in 0..2 {
        let before = stage.sandbox.requests().len();
        stage.contracts.check(&sale(0)).await.unwrap();
        assert!(stage.sandbox.requests().len() > before);
    }
}

#[tokio::test]
async fn a_check_tells_what_each_row_would_come_to_and_enters_nothing() {
    let stage = Stage::practising().await;
    stage.enter(&[sale(0), sale(1)]).await;
    let differing = with(sale(1), |it| it.transaction_total = "1".into());
    let dear = with(sale(4), |it| it.plan_purchase_price = "1".into());
    let rows = [sale(0), differing, unknown_sale(2), sale(3), sale(3), dear];
    let view = staged(&stage, &rows).await;
    let view = stage.check(&view.id).await;
    assert_eq!((view.state, view.checked), (RunState::Staged, 6));
    assert_eq!((view.already_entered, view.differing), (2, 1));
    assert_eq!((view.rejected, view.pending), (3, 1));
    assert_eq!(stage.entered().await.len(), 2);
    let found = stage.bulk.rows(&view.id, None, 0, 100).await.unwrap();
    let outcomes: Vec<_> = found
        .iter()
        .map(|row| (row.number, row.outcome.unwrap()))
        .collect();
    assert_eq!(
        outcomes,
        [
            (1, RunOutcome::AlreadyEntered),
            (2, RunOutcome::Differing),
            (3, RunOutcome::Rejected),
            (5, RunOutcome::Rejected),
            (6, RunOutcome::Rejected),
        ]
    );
    assert!(matches!(
        found[3].questions[..],
        [Question::RepeatedRow { line: 4, nth: 2 }]
    ));
    assert!(matches!(
        found[4].questions[..],
        [Question::ChangedPrice { .. }]
    ));
}

#[tokio::test]
async fn each_plan_of_a_file_is_asked_about_once() {
    let stage = Stage::practising().await;
    let of = |number: usize| {
        with(sale(number % 4), |it| {
            it.transaction_id = format!("F-{number}")
        })
    };
    let view = staged(&stage, &(0..110).map(of).collect::<Vec<_>>()).await;
    let heard = AtomicU32::new(0);
    let done = |done, total| {
        assert_eq!(total, 110);
        heard.fetch_max(done, Ordering::Relaxed);
    };

    let begun = stage.bulk.start(&view.id, EnterMode::GoodRows, &done).await;
    assert_eq!(begun.unwrap().checked, 110);
    assert_eq!(heard.load(Ordering::Relaxed), 110);
    let view = stage.enter_rows(&view.id).await;
    assert_eq!(view.entered, 110);
    assert_eq!(stage.arrived(GetPlan), 4);
}

#[tokio::test]
async fn an_error_about_one_plan_leaves_one_row_unchecked_and_a_failing_service_is_soon_left_alone()
{
    let stage = Stage::practising().await;
    let view = staged(&stage, &sales(30)).await;
    stage.next(GetPlan, status(502));
    assert_eq!(stage.check(&view.id).await.unchecked, 1);
    let asked = stage.arrived(GetPlan);
    assert_eq!(asked, 30);
    stage.next_times(GetPlan, status(502), 30);
    assert_eq!(stage.check(&view.id).await.unchecked, 30);
    let again = stage.arrived(GetPlan) - asked;
    assert!(again < 15, "{again} plans were asked for");
}

#[tokio::test]
async fn a_persons_yes_lets_the_rows_that_asked_be_entered() {
    let stage = Stage::practising().await;
    let dear = |number| with(sale(number), |it| it.plan_purchase_price = "1".into());
    let rows = [dear(0), dear(1), dear(2), unknown_sale(3)];
    let view = staged(&stage, &rows).await;
    let view = stage.check(&view.id).await;
    assert_eq!(view.rejected, 4);
    let yes = QuestionKind::ChangedPrice;
    let found = stage.bulk.rows(&view.id, None, 1, 1).await.unwrap();
    let one = AnsweredRows::One {
        number: 2,
        yes: found[0].questions[0].yes(),
    };
    let view = stage.bulk.answer(&view.id, one, yes).await.unwrap();
    assert_eq!((view.rejected, view.pending), (3, 1));
    let all = stage.bulk.answer(&view.id, AnsweredRows::All, yes);
    assert_eq!(all.await.unwrap().rejected, 1);
    // A second look does not forget what was said.
    let view = stage.check(&view.id).await;
    assert_eq!((view.rejected, view.pending), (1, 3));

    stage.start_and_run(&view.id).await;
    stage.assert_sold_once(&rows[..3]).await;
}

#[tokio::test]
async fn a_row_that_asks_is_counted_with_those_that_the_service_could_not_be_asked_about() {
    let stage = Stage::practising().await;
    stage.next_times(GetPlan, status(500), 9);
    let row = |number, unclear| NumberedRow {
        unclear,
        ..NumberedRow::of_entry(&sale(number), &[])
    };
    let wrong = with(sale(3), |it| it.customer_email = "customer3".into());
    // The cell of the transaction asks.
    let rows = [
        row(0, vec![0]),
        row(1, vec![0]),
        row(2, vec![]),
        NumberedRow::of_entry(&wrong, &[]),
    ];
    let view = kept(&stage, new(), rows).await;
    let view = stage.check(&view.id).await;
    assert_eq!((view.rejected, view.unchecked), (3, 3));
    let named = stage.rows(&view.id).await;
    assert!(named.iter().all(|row| row.warnings.is_empty()));
    let yes = QuestionKind::CellText;
    let one = AnsweredRows::One {
        number: 1,
        yes: named[0].questions[0].yes(),
    };
    let view = stage.bulk.answer(&view.id, one, yes).await.unwrap();
    assert_eq!((view.rejected, view.unchecked), (2, 3));
    // Of what is entered, only that is counted.
    stage.start(&view.id).await;
    let view = stage.enter_rows(&view.id).await;
    assert_eq!((view.entered, view.unchecked), (2, 2));
}

#[tokio::test]
async fn a_yes_to_one_of_two_like_questions_of_a_row_leaves_the_other_open() {
    let stage = Stage::practising().await;
    let row = NumberedRow {
        // The cells of the transaction and of the product.
        unclear: vec![0, 5],
        ..NumberedRow::of_entry(&unknown_sale(0), &[])
    };
    let view = kept(&stage, new(), [row]).await;
    stage.check(&view.id).await;
    let asked = async || {
        let found = stage.bulk.rows(&view.id, None, 0, 1).await.unwrap();
        found[0].questions.clone()
    };
    let both = asked().await;
    assert_eq!(both.len(), 2);
    let one = AnsweredRows::One {
        number: 1,
        yes: both[1].yes(),
    };
    let answered = stage.bulk.answer(&view.id, one, QuestionKind::CellText);
    answered.await.unwrap();
    assert_eq!(asked().await, both[..1]);
}

#[tokio::test]
async fn what_is_odd_stays_named_when_its_row_is_answered_and_entered() {
    let stage = Stage::practising().await;
    let dear = with(sale(0), |it| {
        it.plan_purchase_price = "1".into();
        it.transaction_total = "1".into();
    });
    let view = staged(&stage, &[dear, sale(1)]).await;
    let view = stage.check(&view.id).await;
    assert_eq!((view.rejected, view.warned), (1, 1));
    let yes = QuestionKind::ChangedPrice;
    let all = stage.bulk.answer(&view.id, AnsweredRows::All, yes);
    let view = all.await.unwrap();
    assert_eq!((view.rejected, view.pending, view.warned), (0, 2, 1));
    let listed = async |list| {
        let rows = stage.bulk.rows(&view.id, list, 0, 10).await.unwrap();
        let odd = |row: RunRow| (row.number, row.warnings);
        rows.into_iter().map(odd).collect::<Vec<_>>()
    };
    let odd = vec![(1, vec![Warning::TotalBelowPrice])];
    assert_eq!(listed(Some(RowList::Warned)).await, odd);
    assert_eq!(listed(Some(RowList::Found)).await, odd);
    // It has not come to anything yet.
    assert_eq!(listed(None).await, []);

    stage.start_and_run(&view.id).await;
    assert_eq!(stage.view(&view.id).await.warned, 1);
    assert_eq!(listed(None).await, [&odd[..], &[(2, Vec::new())]].concat());
}

#[tokio::test]
async fn the_same_id_twice_is_one_run() {
    let stage = Stage::practising().await;
    let new = new();
    let first = stage.bulk.stage(new.clone()).await.unwrap();
    // Its rows may still be on their way from another hand.
    refused!(stage.bulk.stage(new.clone()).await, Error::NotAllowed);
    let first = stage.bulk.mark_whole(&first.id).await.unwrap();
    assert_eq!(stage.bulk.stage(new).await.unwrap(), first);
    assert_eq!(stage.bulk.runs(Runs::Latest(10)).await.unwrap(), [first]);
}

#[tokio::test]
async fn a_halted_run_sells_nothing_while_the_counter_goes_on_and_an_ended_one_nothing_more() {
    let stage = Stage::practising().await;
    let rows = sales(110);
    let view = started(&stage, &rows).await;
    let paused = stage.bulk.pause(&view.id).await.unwrap();
    assert_eq!(paused.state, RunState::Paused);
    let counter = sale(900);
    stage.register(&counter).await;
    stage.run().await;
    stage.assert_sold_once(std::slice::from_ref(&counter)).await;
    stage.bulk.resume(&view.id).await.unwrap();
    stage.run().await;
    let mut all = rows;
    all.push(counter);
    stage.assert_sold_once(&all).await;

    // One that is ended before a row of it is entered sells none.
    let ended = started(&stage, &[sale(901)]).await;
    let ended = stage.bulk.cancel(&ended.id).await.unwrap();
    assert_eq!(ended.state, RunState::Cancelled);
    stage.run().await;
    stage.assert_sold_once(&all).await;
}

#[tokio::test]
async fn rows_left_out_are_shown_without_their_customers_and_come_back_as_they_were_handed_in() {
    let stage = Stage::practising().await;
    let mut rows = sales(110);
    rows[7] = unknown_sale(7);
    rows[105].customer_email = "nobody".into();
    // A row of the first chunk once more, in another.
    rows.push(sale(3));
    let view = staged(&stage, &rows).await;
    let all = EnterMode::AllOrNothing;
    let view = stage.try_start(&view.id, all).await.unwrap();
    assert_eq!((view.state, view.rejected), (RunState::Staged, 3));
    stage.run().await;
    assert!(stage.entered().await.is_empty());

    stage.start_and_run(&view.id).await;
    assert_eq!(stage.view(&view.id).await.entered, 108);
    assert_eq!(stage.sold().await["T-00003"], 1);
    let fee = rows[7].plan_purchase_price.as_str();
    let left_out = stage.left_out(&view.id).await;
    let lines: Vec<u32> = left_out.iter().map(|row| row.line).collect();
    assert_eq!(lines, [8, 106, 111]);
    assert_eq!(
        left_out[0].content,
        ["T-00007", "no-such-product", "no-such-plan", fee]
    );
    assert_eq!(left_out[1].problems[0].problem, Problem::NotEmail);
    let given_back = stage.given_back(&view.id).await;
    let submitted = [7, 105, 110].map(|at| NumberedRow::of_entry(&rows[at], &[]).cells.to_vec());
    assert_eq!(given_back, submitted);
}

#[tokio::test]
async fn a_run_put_away_leaves_its_entries_and_none_of_its_rows() {
    let stage = Stage::practising().await;
    let mut rows = sales(3);
    rows.push(unknown_sale(9));
    let view = started(&stage, &rows).await;
    refused!(stage.bulk.forget(&view.id).await, Error::NotAllowed);
    stage.run().await;
    stage.bulk.forget(&view.id).await.unwrap();
    assert!(stage.bulk.runs(Runs::Latest(10)).await.unwrap().is_empty());
    assert_eq!(stage.entered().await.len(), 3);
}

#[tokio::test]
async fn a_run_counts_what_may_exist_twice_until_a_person_has_asked() {
    let stage = Stage::practising().await;
    let first = stage.enter(&sales(2)).await;
    stage.run().await;
    let twice = "UPDATE submission SET duplicate_possible = 1";
    stage.database().execute(twice, []).unwrap();
    let again = stage.enter(&[sale(1), sale(2)]).await;
    let counted = async || {
        let views = [stage.view(&first.id).await, stage.view(&again.id).await];
        views.map(|view| view.sent.possible_duplicates)
    };
    assert_eq!(counted().await, [2, 1]);
    let asked = "UPDATE submission SET duplicate_reference = 'asked'";
    stage.database().execute(asked, []).unwrap();
    assert_eq!(counted().await, [0, 0]);
}

#[tokio::test]
async fn an_entered_row_of_a_file_is_recognised_by_the_codes_of_its_entry() {
    let stage = Stage::practising().await;
    let view = stage.enter(&[sale(0)]).await;
    let sold = sale(0);
    let codes = [sold.transaction_id, sold.product_reference_id, sold.plan_id];
    assert_eq!(stage.rows(&view.id).await[0].content, codes);
}
