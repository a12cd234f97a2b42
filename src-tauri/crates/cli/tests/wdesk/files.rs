//! Files as real programs save them: what can be used is entered once, what cannot comes back in the
//! same form, and a corrected file sells each sale once.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use warranty_core::files::export::{Cell, Writer};
use warranty_core::files::private_file::Existing;
use warranty_core::files::{Format, ReadOptions, open};

use serde_json::json;

use crate::harness::{PLAN, PRODUCT, Run, Sale, fixture, sales, shop, until};

/// What a person makes of a file that came back: these cells instead of those.
fn corrected(path: &Path, changes: &[(usize, &str, &str)]) -> PathBuf {
    let mut source = open(path, &ReadOptions::default()).unwrap();
    let (format, headers) = (source.detected().kind, source.detected().headers.clone());
    let width = headers.len();
    let rows: Vec<Vec<Cell>> = source
        .rows()
        .unwrap()
        .map(|row| {
            let mut cells = row.unwrap().cells.to_vec();
            cells.resize(width, String::new());
            for (column, from, to) in changes {
                if cells[*column] == *from {
                    cells[*column] = (*to).to_owned();
                }
            }
            cells.into_iter().map(Cell::from).collect()
        })
        .collect();
    let corrected =
        path.with_file_name(format!("corrected-{}", path.file_name().unwrap().display()));
    let mut writer = Writer::create(&corrected, format, Existing::Refuse, &headers).unwrap();
    for row in rows {
        writer.row(&row).unwrap();
    }
    writer.finish().unwrap();
    corrected
}

#[test]
fn a_workbook_of_libreoffice_goes_round_and_sells_each_sale_once() {
    let good = [1, 2, 3, 4, 10].map(|number| format!("0000000010{number:02}"));
    let good = [&good[..], &["1005".to_owned()]].concat();
    let bad = [6, 7, 8, 9].map(|number| format!("0000000010{number:02}"));
    let (service, desk) = shop();
    let sample = fixture("files/libreoffice-sales.xlsx");
    let enter = format!("contracts enter {sample} --rejected");
    desk.run(format!("{enter} rejected.xlsx")).exits(4);
    assert_eq!(service.transactions(), good);

    let rejected = desk.path("rejected.xlsx");
    let mut returned = open(&rejected, &ReadOptions::default()).unwrap();
    assert_eq!(returned.detected().kind, Format::Xlsx);
    assert_eq!(returned.detected().headers.last().unwrap(), "reason");
    assert_eq!(returned.rows().unwrap().count(), bad.len());

    let changes = [
        (0, "1.23456789012346E+15", bad[0].as_str()),
        (8, "#N/A", "6640"),
        (1, "200000.5", "200000"),
        (4, "", "taro@example.jp"),
    ];
    let corrected = corrected(&rejected, &changes);
    let corrected = format!("contracts enter {}", corrected.display());
    let mut all = [&good[..], &bad].concat();
    all.sort_unstable();
    desk.does(&corrected);
    assert_eq!(service.transactions(), all);
    desk.run(format!("{enter} again.xlsx")).exits(4);
    desk.does(&corrected);
    assert_eq!(service.transactions(), all);
}

#[test]
fn lost_leading_zeros_are_named_where_the_code_with_zeros_is_known() {
    let (service, desk) = shop();
    desk.put_product("0049000000017").exits(0);
    let run = desk
        .json(["contracts", "enter", &fixture("files/lost-zeros.csv")])
        .exits(2);
    assert_eq!(run.count("found"), 1);
    let problem = json!([{"field": "productReferenceId", "problem": "leadingZerosLost"}]);
    let run = run.has("found/0/line", 2).says("zeros");
    run.has("found/0/problems", problem);
    service.has_sold(0);
}

#[test]
fn a_person_may_say_how_a_file_is_to_be_read() {
    let (service, desk) = shop();
    let text = sales(["t-1"])
        .replace("transactionId", "A")
        .replace("planId", "B");
    desk.file("odd.txt", &text.replace(',', ";"));
    for (options, code) in [
        ("", "file"),
        ("--map transactionId=C --map planId=8", "badColumn"),
        ("--map price=A", "badColumn"),
        ("--map price", "usage"),
        (
            "--map transactionId=A --map planId=8 --separator comma",
            "badColumn",
        ),
    ] {
        let run = desk
            .json(format!("contracts enter odd.txt {options}"))
            .exits(2);
        run.fails_with(code);
    }
    let told = "--map transactionId=A --map planId=8 --separator semicolon --header-line 1";
    desk.does(format!("contracts enter odd.txt {told}"));
    assert_eq!(
        service.sold(),
        [("t-1".to_owned(), PRODUCT.to_owned(), PLAN.to_owned())]
    );
    let book = fixture("files/libreoffice-sales.xlsx");
    desk.json(format!("contracts enter {book} --sheet ない"))
        .exits(2)
        .fails_with("file");
}

#[test]
#[cfg(unix)]
fn a_pipe_is_read_like_a_file() {
    let (service, desk) = shop();
    let line = desk.wdesk("contracts enter /dev/stdin");
    line.input(&sales(["t-1"])).run().exits(0);
    assert_eq!(service.transactions(), ["t-1"]);
}

#[test]
fn a_column_named_by_a_header_that_is_there_twice_is_asked_for_by_its_number() {
    let (service, desk) = shop();
    let text = sales(["t-1"])
        .replace("transactionId", "price")
        .replace("planPurchasePrice", "price");
    desk.file("twice.csv", &text);
    let chosen = |column| {
        format!("contracts enter twice.csv --map transactionId={column} --map planPurchasePrice=9")
    };
    let run = desk.json(chosen("price")).exits(2);
    run.fails_with("badColumn").says("number");
    service.has_sold(0);
    desk.reports(chosen("1"));
    assert_eq!(service.transactions(), ["t-1"]);
}

#[test]
fn rejected_rows_whose_file_could_not_be_written_stay_open_work() {
    let (_service, desk) = shop();
    let line = desk.json_line("contracts enter /dev/stdin --rejected rejected.csv");
    let mut process = line.spawn();
    let lock = std::fs::File::open(desk.folder()).unwrap();
    until("it is at work", || match lock.try_lock() {
        Ok(()) => lock.unlock().is_err(),
        Err(_) => true,
    });
    // The place was free when it was looked at.
    desk.file("rejected.csv", "of somebody else");
    let rows = sales([Sale::of("t-1"), Sale::of("t-2").email("no address")]);
    let mut input = process.stdin.take().unwrap();
    input.write_all(rows.as_bytes()).unwrap();
    drop(input);
    Run::from(process)
        .exits(4)
        .says("rejected.csv")
        .says("line 3");
    desk.outbox().has("runs", 1);
}

#[test]
fn quotes_behind_a_blank_do_not_become_part_of_a_code_or_a_name() {
    let (service, desk) = shop();
    let quoted = sales([Sale::of("\"Q-1\"").customer("\"見本, 太郎\"")]);
    desk.file("tight.csv", &quoted);
    desk.does("contracts enter tight.csv");
    assert_eq!(service.transactions(), ["Q-1"]);
    for (sale, field) in [
        (Sale::of(" \"Q-2\""), "transactionId"),
        (Sale::of("Q-2").customer(" \"見本 太郎\" "), "customerName"),
    ] {
        let problem = json!([{"field": field, "problem": "strayQuotes"}]);
        let run = desk.enter([sale], "").exits(2);
        run.has("found/0/problems", problem);
    }
    service.has_sold(1);
}

#[test]
fn a_code_of_a_text_file_that_a_program_wrote_like_a_number_is_asked_about() {
    let (service, desk) = shop();
    for code in [
        "1001.0",
        "1001.00",
        "\"1,001\"",
        "\"1,001.00 \"",
        "１，００１",
        "１００１．０",
    ] {
        let run = desk.enter([code], "").exits(2);
        assert_eq!(run.questions()[0].1["kind"], "cellText");
    }
    service.has_sold(0);
    let all = ["1001.0", "１，００２", "2.10", "v1.0"];
    desk.enter(all, "--confirm cell-text").exits(0);
    let sold = ["1,002", "1001.0", "2.10", "v1.0"];
    assert_eq!(service.transactions(), sold);
}

#[test]
fn a_code_that_a_spreadsheet_turned_into_a_date_or_kept_with_an_apostrophe_is_asked_about() {
    let (service, desk) = shop();
    let dates = [
        "Jan-45",
        "3-Dec",
        "12月3日",
        "１２月３日",
        "2001/2/3",
        "1/2/2003",
        "01.02.2003",
    ];
    for code in dates.into_iter().chain(["'0001", "'1-2345", "＇0001"]) {
        let run = desk.enter([code], "").exits(2);
        assert_eq!(run.questions()[0].1["kind"], "cellText", "{code}");
    }
    let run = desk.enter(["\"1,23457E+11\""], "").exits(2);
    run.has("found/0/problems/0/problem", "spreadsheetRounded");
    service.has_sold(0);

    let plain = [
        "12-3456",
        "1-2345",
        "JAN-45",
        "Jan-0045",
        "2026-11-21",
        "2001/13/3",
        "45/2001/2",
    ];
    desk.enter(plain, "").exits(0);
    service.has_sold(plain.len());
}
