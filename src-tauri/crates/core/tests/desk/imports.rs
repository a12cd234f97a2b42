//! A file on its way to a run and back: looked at, kept whole or not at all, corrected, sold once.

use std::path::{Path, PathBuf};

use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{
    Layout, LeftOut, NewRun, NumberedRow, RowList, RunKind, RunState, RunView, Runs,
};
use warranty_core::contracts::EntryDraft;
use warranty_core::files::private_file::Existing;
use warranty_core::files::{FileError, Mapping, ReadOptions};
use warranty_core::{Desk, Error, Field, FieldProblem, Problem};

use crate::harness::{Stage, TestClock};
use crate::runs::{kept, new};
use crate::sales::{id, sale, sales};
use crate::steps::{Steps, refused, with};

/// Headers as a till has them; the e-mail address under a name nobody else uses.
const HEADERS: &str = "伝票番号,合計金額,お客様氏名,連絡先,商品コード,商品価格,プランコード,保証料";

fn line(row: &EntryDraft) -> String {
    [
        &row.transaction_id,
        &row.transaction_total,
        &row.customer_name,
        &row.customer_email,
        &row.product_reference_id,
        &row.product_purchase_price,
        &row.plan_id,
        &row.plan_purchase_price,
    ]
    .map(String::as_str)
    .join(",")
}

/// A file of these lines below the headers, beside the desk's folder.
fn file(stage: &Stage, lines: &[String]) -> PathBuf {
    let path = stage.file("売上.csv");
    let text = format!("{HEADERS}\r\n{}\r\n", lines.join("\r\n"));
    std::fs::write(&path, encoding_rs::SHIFT_JIS.encode(&text).0).unwrap();
    path
}

/// The columns of the file as it names them itself, and the one it does not.
async fn mapping(desk: &Desk, path: &Path) -> Mapping {
    let look = desk
        .bulk
        .preview_file(path, RunKind::Contracts, ReadOptions::default())
        .await
        .unwrap();
    let mut mapping = look.mapping;
    mapping.set(Field::CustomerEmail, Some(3));
    mapping
}

async fn staged(desk: &Desk, path: &Path) -> Result<RunView, Error> {
    let profile = desk.profiles.all().await.unwrap().remove(0);
    let file = FileToStage {
        profile_id: profile.id,
        file: desk
            .bulk
            .open_file(path, RunKind::Contracts, ReadOptions::default())
            .await?,
        mapping: mapping(desk, path).await,
        remember: true,
    };
    desk.bulk.stage_file(&id(), file, &|_| {}).await
}

#[tokio::test]
async fn a_file_is_unfinished_until_a_person_has_its_rows_left_out_in_another() {
    let stage = Stage::practising().await;
    let mut rows = sales(3);
    rows[1].customer_email = "customer1".to_owned();
    let path = file(&stage, &rows.iter().map(line).collect::<Vec<_>>());
    let run = staged(&stage, &path).await.unwrap();
    stage.start(&run.id).await;
    stage.run_confirmed().await;
    let run = stage.view(&run.id).await;
    assert_eq!(
        (run.state, run.entered, run.rejected),
        (RunState::Done, 2, 1)
    );
    let unfinished = async || stage.overview().await.open.runs;
    assert_eq!(unfinished().await, 1);
    // A person who has fewer than are rejected by now does not have them all.
    stage.bulk.rejected_taken(&run.id, 0).await.unwrap();
    assert_eq!(unfinished().await, 1);

    let back = stage.file("back.csv");
    let reason = |_: &_| "correct it".to_owned();
    let (run, existing) = (&run.id, Existing::Refuse);
    let written = stage
        .bulk
        .write_rejected_rows(run, &back, existing, &reason);
    assert_eq!(written.await.unwrap(), 1);
    assert_eq!(unfinished().await, 0);
    let text = std::fs::read_to_string(&back).unwrap();
    assert!(
        text.contains("\"customer1\"") && text.contains("correct it"),
        "{text}"
    );
}

#[tokio::test]
async fn the_rows_left_out_of_a_file_are_still_there_once_it_is_ended() {
    let stage = Stage::practising().await;
    let mut rows = sales(2);
    rows[1].customer_email = "customer1".to_owned();
    let path = file(&stage, &rows.iter().map(line).collect::<Vec<_>>());
    let run = staged(&stage, &path).await.unwrap();
    stage.bulk.check(&run.id, &|_, _| {}).await.unwrap();
    let ended = stage.bulk.cancel(&run.id).await.unwrap();
    assert_eq!(ended.rejected, 1);
    let back = stage.given_back(&run.id).await;
    assert_eq!((back.len(), back[0][3].as_str()), (1, "customer1"));
}

#[tokio::test]
async fn a_file_that_breaks_off_is_not_kept_in_part() {
    let stage = Stage::practising().await;
    let mut lines: Vec<String> = sales(250).iter().map(line).collect();
    lines.push("T-9,1,\"never closed".to_owned());
    let path = file(&stage, &lines);
    refused!(
        staged(&stage, &path).await,
        Error::File(FileError::BadRow { .. })
    );
    assert!(stage.bulk.runs(Runs::Latest(10)).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_file_with_other_columns_than_were_looked_at_is_not_read_by_the_old_ones() {
    let stage = Stage::practising().await;
    let mut lines: Vec<String> = sales(2).iter().map(line).collect();
    let path = file(&stage, &lines);
    let look = stage
        .bulk
        .preview_file(&path, RunKind::Contracts, ReadOptions::default());
    let options = ReadOptions {
        headers: Some(look.await.unwrap().detected.headers),
        ..ReadOptions::default()
    };
    let open = async || {
        let options = options.clone();
        let opened = stage.bulk.open_file(&path, RunKind::Contracts, options);
        opened.await.map(|_| ())
    };
    // A row that was corrected meanwhile is read as it is now.
    lines.pop();
    file(&stage, &lines);
    open().await.unwrap();
    // A column was inserted: each amount would be read from the column beside its own.
    let inserted = format!("店舗,{HEADERS}\n本店,{}\n", lines[0]);
    std::fs::write(&path, inserted).unwrap();
    refused!(open().await, Error::File(FileError::Changed));
}

#[tokio::test]
async fn columns_chosen_for_another_file_without_headers_are_not_taken_unasked() {
    let stage = Stage::practising().await;
    let path = stage.file("bare.csv");
    std::fs::write(&path, line(&sales(1)[0])).unwrap();
    let mut mapping = Mapping::default();
    mapping.set(Field::TransactionId, Some(0));
    let blank = vec![String::new(); 8];
    let remembered = stage
        .bulk
        .mapping_remember(RunKind::Contracts, &blank, &mapping);
    remembered.await.unwrap();
    let look = async |header_line| {
        let options = ReadOptions {
            header_line,
            ..ReadOptions::default()
        };
        let look = stage.bulk.preview_file(&path, RunKind::Contracts, options);
        let look = look.await.unwrap();
        assert_eq!(look.detected.header_line, None);
        (look.remembered, look.mapping)
    };
    assert_eq!(look(None).await, (false, Mapping::default()));
    assert_eq!(look(Some(0)).await, (true, mapping));
}

#[tokio::test]
async fn a_blank_cell_in_a_column_of_dates_is_corrected_and_not_called_today() {
    let stage = Stage::practising().await;
    let rows = sales(2);
    let path = stage.file("売上.csv");
    let text = format!(
        "{HEADERS},販売日\n{},2026-11-20\n{},\n",
        line(&rows[0]),
        line(&rows[1])
    );
    std::fs::write(&path, text).unwrap();
    let run = staged(&stage, &path).await.unwrap();
    let run = stage.bulk.check(&run.id, &|_, _| {}).await.unwrap();
    assert_eq!((run.pending, run.rejected), (1, 1));
    let found = stage.bulk.rows(&run.id, Some(RowList::Rejected), 0, 10);
    let missing = FieldProblem::new(Field::TransactionDate, Problem::Missing);
    assert_eq!(found.await.unwrap()[0].problems, [missing]);
}

#[tokio::test]
async fn a_list_without_dates_is_compared_with_sales_of_any_day() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    let run = staged(&stage, &file(&stage, &[line(&sales(1)[0])])).await;
    stage.start(&run.unwrap().id).await;
    stage.run().await;
    // Last month's list is compared.
    clock.set_ahead(30 * 24 * 60 * 60);
    let path = file(&stage, &[line(&sales(1)[0])]);
    let (kind, options) = (RunKind::Contracts, ReadOptions::default());
    let list = stage.bulk.open_file(&path, kind, options).await.unwrap();
    let mapping = mapping(&stage, &path).await;
    let found = stage.bulk.reconcile(list, &mapping, None).await.unwrap();
    assert_eq!((found.matched, found.missing.len()), (1, 0));
    assert_eq!((found.days, found.extra.len()), (None, 0));
}

#[tokio::test]
async fn a_list_is_compared_with_what_was_entered_weeks_before_its_date() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    let in_weeks = chrono::Utc::now() + chrono::TimeDelta::days(20);
    let date = in_weeks.format("%Y-%m-%d").to_string();
    let ahead = with(sale(0), |it| it.transaction_date.clone_from(&date));
    assert_eq!(stage.enter(&[ahead]).await.entered, 1);
    stage.run().await;
    clock.set_ahead(20 * 24 * 60 * 60);
    let path = stage.file("list.csv");
    let list = format!(
        "transactionId,transactionDate\n{},{date}\n",
        sale(0).transaction_id
    );
    std::fs::write(&path, list).unwrap();
    let (kind, options) = (RunKind::Contracts, ReadOptions::default());
    let list = stage.bulk.open_file(&path, kind, options.clone()).await;
    let mapping = stage.bulk.preview_file(&path, kind, options).await;
    let mapping = mapping.unwrap().mapping;
    let found = stage.bulk.reconcile(list.unwrap(), &mapping, None).await;
    let found = found.unwrap();
    assert_eq!((found.matched, found.missing.len()), (1, 0));
}

#[tokio::test]
async fn columns_chosen_for_a_comparison_are_those_of_the_next_file_with_the_same_headers() {
    let stage = Stage::practising().await;
    let path = file(&stage, &[line(&sales(1)[0])]);
    let (kind, options) = (RunKind::Contracts, ReadOptions::default());
    let list = stage.bulk.open_file(&path, kind, options.clone()).await;
    let chosen = mapping(&stage, &path).await;
    let mut without_date = chosen.clone();
    without_date.set(Field::TransactionDate, None);
    let compared = stage
        .bulk
        .reconcile(list.unwrap(), &without_date, None)
        .await;
    compared.unwrap();
    // A comparison may leave out what an import needs.
    let look = stage.bulk.preview_file(&path, kind, options).await.unwrap();
    assert!(look.remembered);
    for column in &chosen.columns {
        assert!(look.mapping.columns.contains(column));
    }
}

#[tokio::test]
async fn what_is_left_out_of_a_workbook_is_named_also_once_its_rows_are_entered() {
    let stage = Stage::practising().await;
    let left_out = LeftOut {
        hidden_rows: 2,
        hidden_lines: vec![3, 5],
        other_sheets: vec!["12月".to_owned()],
    };
    let layout = Layout {
        left_out: left_out.clone(),
        ..Layout::plain(RunKind::Contracts)
    };
    let rows = [NumberedRow::of_entry(&sale(0), &[])];
    let run = kept(&stage, NewRun { layout, ..new() }, rows).await;
    assert_eq!(stage.check(&run.id).await.left_out, left_out);
    stage.start(&run.id).await;
    stage.enter_rows(&run.id).await;
    assert_eq!(stage.view(&run.id).await.left_out, left_out);
}
