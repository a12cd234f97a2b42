//! Workbooks: a cell counts as the text a person sees, and hidden rows are not sold unless a
//! person says so.

use rust_xlsxwriter::{Format, Workbook, Worksheet};

use serde_json::json;

use crate::harness::{Desk, PLAN, PRODUCT, Sale, sales, shop};

/// A workbook of sales; `fill` writes the code of each transaction, by its row from 1.
fn workbook(desk: &Desk, rows: usize, fill: impl Fn(&mut Worksheet, u32)) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    write(sheet, sales(vec![Sale::of(""); rows]).lines());
    for row in (1_u32..).take(rows) {
        fill(sheet, row);
    }
    book.save(desk.path("sales.xlsx")).unwrap();
}

/// Writes lines into a sheet, cell by cell; an empty cell is not there.
fn write<'a>(sheet: &mut Worksheet, lines: impl Iterator<Item = &'a str>) {
    for (row, line) in (0_u32..).zip(lines) {
        for (column, cell) in (0_u16..).zip(line.split(',')) {
            if !cell.is_empty() {
                sheet.write(row, column, cell).unwrap();
            }
        }
    }
}

/// Writes a number into the first column as a program of spreadsheets shows it.
fn write_number(sheet: &mut Worksheet, row: u32, number: f64, format: &str) {
    let format = Format::new().set_num_format(format);
    let written = sheet.write_number_with_format(row, 0, number, &format);
    written.unwrap();
}

#[test]
fn the_same_worksheet_as_a_workbook_and_as_text_sells_once() {
    let (service, desk) = shop();
    workbook(&desk, 3, |sheet, row| {
        let format = ["000000", "00-00", "0"][row as usize - 1];
        write_number(sheet, row, f64::from(41 + row), format);
    });
    desk.does("contracts enter sales.xlsx");
    assert_eq!(service.transactions(), ["00-43", "000042", "44"]);
    desk.enter(["000042", "00-43", "44"], "").exits(0);
    assert_eq!(service.transactions(), ["00-43", "000042", "44"]);
}

#[test]
fn a_code_whose_shown_text_is_not_known_is_asked_about_and_its_cell_named() {
    let (service, desk) = shop();
    workbook(&desk, 3, |sheet, row| {
        let number = [123_456_789_012.0, 46_000.0, 44.0][row as usize - 1];
        let format = ["General", "yyyy-mm-dd", "0"][row as usize - 1];
        write_number(sheet, row, number, format);
    });
    let asked = desk.json("contracts enter sales.xlsx").exits(2).questions();
    let named = |line: u64, cell: &str, text: &str| (line, json!([cell, "cellText", text]));
    let asked: Vec<_> = asked
        .iter()
        .map(|(line, asked)| (*line, json!([asked["cell"], asked["kind"], asked["text"]])))
        .collect();
    assert_eq!(
        asked,
        [named(2, "A2", "123456789012"), named(3, "A3", "2025-12-09")]
    );

    let yes = "contracts enter sales.xlsx --confirm cell-text";
    desk.does(format!("{yes} --dry-run"));
    service.has_sold(0);
    for _ in 0..2 {
        desk.does(yes);
        assert_eq!(service.transactions(), ["123456789012", "2025-12-09", "44"]);
    }
}

#[test]
fn a_code_that_nobody_confirmed_is_empty_in_the_file_to_correct_and_named_in_its_reason() {
    let (service, desk) = shop();
    workbook(&desk, 3, |sheet, row| {
        let format = ["000000", "yyyy-mm-dd", "yyyy-mm-dd"][row as usize - 1];
        write_number(sheet, row, 46_000.0, format);
        if row == 3 {
            sheet.write_string(row, 4, "nobody").unwrap();
        }
    });
    desk.run("contracts enter sales.xlsx --rejected back.csv")
        .exits(4);
    assert_eq!(service.transactions(), ["046000"]);
    let back = std::fs::read_to_string(desk.path("back.csv")).unwrap();
    let rows: Vec<&str> = back.lines().skip(1).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(
            row.starts_with("\"\",") && row.contains("2025-12-09"),
            "{row}"
        );
    }
    desk.run("contracts enter back.csv").exits(2);
    service.has_sold(1);
}

#[test]
fn a_text_of_a_workbook_in_the_form_of_a_number_is_asked_about_also_when_it_comes_back() {
    let (service, desk) = shop();
    workbook(&desk, 1, |sheet, row| {
        sheet.write_string(row, 0, "1,001").unwrap();
    });
    for (file, back) in [("sales.xlsx", "back.xlsx"), ("back.xlsx", "again.xlsx")] {
        let enter = format!("contracts enter {file} --rejected {back}");
        let asked = desk.json(enter).exits(2).questions();
        assert_eq!(asked[0].1["text"], "1,001");
    }
    service.has_sold(0);
    desk.does("contracts enter again.xlsx --confirm cell-text");
    assert_eq!(service.transactions(), ["1,001"]);
}

#[test]
fn hidden_rows_are_named_and_sold_only_when_that_is_said() {
    let (service, desk) = shop();
    workbook(&desk, 4, |sheet, row| {
        sheet.write_string(row, 0, format!("t-{row}")).unwrap();
        if row % 2 == 0 {
            sheet.set_row_hidden(row).unwrap();
        }
    });
    let enter = |options: &str, code: i32| {
        desk.json(format!("contracts enter sales.xlsx {options}"))
            .exits(code)
    };
    for options in ["--dry-run", ""] {
        enter(options, 4).has("hiddenRows", 2).says("lines 3, 5");
    }
    assert_eq!(service.transactions(), ["t-1", "t-3"]);
    let compared = desk.json("reconcile sales.xlsx").exits(4);
    compared.has("agrees", false).has("hiddenRows", 2);
    let compared = desk.json("reconcile sales.xlsx --hidden-rows leave-out");
    compared.exits(0).has("agrees", true).has("hiddenRows", 2);
    enter("--hidden-rows leave-out", 0);
    assert_eq!(service.transactions(), ["t-1", "t-3"]);
    enter("--hidden-rows include", 0);
    assert_eq!(service.transactions(), ["t-1", "t-2", "t-3", "t-4"]);
}

#[test]
fn a_hidden_sheet_is_sold_only_when_it_is_named() {
    let (service, desk) = shop();
    let mut book = Workbook::new();
    book.add_worksheet().set_name("front").unwrap();
    let sheet = book.add_worksheet().set_name("old").unwrap();
    write(sheet, sales(["t-1"]).lines());
    sheet.set_hidden(true);
    book.save(desk.path("sales.xlsx")).unwrap();

    desk.run("contracts enter sales.xlsx")
        .exits(2)
        .says("hidden sheet \"old\"");
    service.has_sold(0);
    desk.does("contracts enter sales.xlsx --sheet old");
    assert_eq!(service.transactions(), ["t-1"]);
}

#[test]
fn sheets_with_sales_beside_the_one_that_is_read_are_named_until_a_sheet_is_chosen() {
    let (service, desk) = shop();
    let mut book = Workbook::new();
    for (name, rows, headers) in [
        ("november", vec!["t-1"], 1),
        ("december", vec!["t-2"], 1),
        ("empty form", vec![], 1),
        ("december again", vec!["t-3"], 0),
    ] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        write(sheet, sales(rows).lines().skip(1 - headers));
    }
    book.save(desk.path("sales.xlsx")).unwrap();

    for options in ["--dry-run", ""] {
        desk.json(format!("contracts enter sales.xlsx {options}"))
            .exits(4)
            .has("otherSheets", json!(["december", "december again"]))
            .says("left out: december, december again");
    }
    assert_eq!(service.transactions(), ["t-1"]);
    let compared = desk.json("reconcile sales.xlsx").exits(4);
    let others = json!(["december", "december again"]);
    compared.has("agrees", false).has("otherSheets", others);
    for name in ["november", "december"] {
        desk.does(format!("contracts enter sales.xlsx --sheet {name}"));
    }
    assert_eq!(service.transactions(), ["t-1", "t-2"]);
    desk.run("contracts enter sales.xlsx --sheet january")
        .exits(2)
        .says("its sheets: november, december, empty form, december again");
}

#[test]
fn sheets_with_a_title_or_headers_that_nobody_knows_are_named_when_they_have_values() {
    let (service, desk) = shop();
    let mut book = Workbook::new();
    for (name, above, transaction) in [
        ("1日", "", Some("t-1")),
        ("2日", "", Some("t-2")),
        ("3日", "11月の売上", Some("t-3")),
        ("メモ", "担当に確認", None),
    ] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        let table = sales(transaction);
        let rows = table.lines().skip(1).filter(|_| transaction.is_some());
        let headers = "番号,売上額,日,客名,連絡先,型番,値段,種別,料金";
        write(
            sheet,
            [above, headers]
                .into_iter()
                .filter(|line| !line.is_empty())
                .chain(rows),
        );
    }
    book.save(desk.path("sales.xlsx")).unwrap();

    let fields = "transactionId=1 transactionTotal=2 transactionDate=3 customerName=4 customerEmail=5 \
                  productReferenceId=6 productPurchasePrice=7 planId=8 planPurchasePrice=9";
    let map: Vec<String> = fields
        .split_whitespace()
        .map(|one| format!("--map {one}"))
        .collect();
    let enter = format!(
        "contracts enter sales.xlsx {} --header-line 1",
        map.join(" ")
    );
    let run = desk.json(enter).exits(4);
    run.has("otherSheets", json!(["2日", "3日"]));
    assert_eq!(service.transactions(), ["t-1"]);
}

#[test]
fn a_hidden_column_of_a_field_that_a_shown_one_names_too_is_not_sold_without_a_word() {
    let (service, desk) = shop();
    workbook(&desk, 1, |sheet, row| {
        sheet.set_column_hidden(0).unwrap();
        sheet.write_string(row, 0, "hidden").unwrap();
        sheet.write_string(0, 9, "取引番号").unwrap();
        sheet.write_string(row, 9, "shown").unwrap();
    });
    desk.json("contracts enter sales.xlsx")
        .exits(2)
        .prints("Several columns");
    service.has_sold(0);
    desk.does("contracts enter sales.xlsx --map transactionId=10");
    assert_eq!(service.transactions(), ["shown"]);
}

#[test]
fn a_product_code_that_the_service_knows_is_not_asked_about() {
    let (service, desk) = shop();
    workbook(&desk, 1, |sheet, row| {
        sheet.write_string(row, 0, "t-1").unwrap();
        let product: f64 = PRODUCT.parse().unwrap();
        sheet.write_number(row, 5, product).unwrap();
    });
    desk.does("contracts enter sales.xlsx");
    let sale = ("t-1".to_owned(), PRODUCT.to_owned(), PLAN.to_owned());
    assert_eq!(service.sold(), [sale]);
}
