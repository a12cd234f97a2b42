//! Workbooks: a cell counts as the text a person sees, and hidden rows are not sold unless a
//! person says so.

use rust_xlsxwriter::{Format, Workbook, Worksheet};

use crate::harness::{Desk, PLAN, PRODUCT, Sale, Service, sales};

/// A workbook of sales; `fill` writes the code of each transaction, by its row from 1.
fn workbook(desk: &Desk, name: &str, rows: u32, fill: impl Fn(&mut Worksheet, u32)) -> String {
    let text = sales(&vec![Sale::of(""); rows as usize]);
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, line) in (0_u32..).zip(text.lines()) {
        for (column, cell) in (0_u16..).zip(line.split(',')) {
            if row == 0 || column > 0 {
                sheet.write(row, column, cell).unwrap();
            }
        }
        if row > 0 {
            fill(sheet, row);
        }
    }
    let path = desk.folder().join(name);
    book.save(&path).unwrap();
    path.to_str().unwrap().to_owned()
}

fn numbers(format: &str) -> Format {
    Format::new().set_num_format(format)
}

fn sorted(texts: &[&str]) -> Vec<String> {
    let mut texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    texts.sort();
    texts
}

fn transactions(service: &Service) -> Vec<String> {
    let mut sold: Vec<String> = service.sold().into_iter().map(|sale| sale.0).collect();
    sold.sort();
    sold
}

#[test]
fn the_same_worksheet_as_a_workbook_and_as_text_sells_once() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let formats = ["000000", "00-00", "0"];
    let book = workbook(&desk, "sales.xlsx", 3, |sheet, row| {
        let format = numbers(formats[row as usize - 1]);
        sheet
            .write_number_with_format(row, 0, f64::from(41 + row), &format)
            .unwrap();
    });
    let shown = ["000042", "00-43", "44"];
    desk.wdesk(&["contracts", "enter", &book]).run().exits(0);
    assert_eq!(transactions(&service), sorted(&shown));

    let text = desk.file("sales.csv", &sales(&shown.map(Sale::of)));
    desk.wdesk(&["contracts", "enter", &text]).run().exits(0);
    assert_eq!(transactions(&service), sorted(&shown));
}

#[test]
fn a_code_whose_shown_text_is_not_known_is_asked_about_and_its_cell_named() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let book = workbook(&desk, "sales.xlsx", 3, |sheet, row| {
        let number = [123_456_789_012.0, 46_000.0, 44.0][row as usize - 1];
        let format = numbers(["General", "yyyy-mm-dd", "0"][row as usize - 1]);
        sheet
            .write_number_with_format(row, 0, number, &format)
            .unwrap();
    });
    let asked = desk
        .wdesk(&["--json", "contracts", "enter", &book])
        .run()
        .exits(2)
        .json();
    let questions: Vec<(u64, &str, &str)> = asked["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let question = &row["questions"][0];
            assert_eq!(question["kind"], "cellText");
            (
                row["line"].as_u64().unwrap(),
                question["cell"].as_str().unwrap(),
                question["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        questions,
        [(2, "A2", "123456789012"), (3, "A3", "2025-12-09")]
    );
    assert!(service.sold().is_empty());

    let yes = ["contracts", "enter", &book, "--confirm", "cell-text"];
    desk.wdesk(&[&yes[..], &["--dry-run"]].concat())
        .run()
        .exits(0);
    assert!(service.sold().is_empty());
    desk.wdesk(&yes).run().exits(0);
    let sold = ["123456789012", "2025-12-09", "44"];
    assert_eq!(transactions(&service), sorted(&sold));
    desk.wdesk(&yes).run().exits(0);
    assert_eq!(transactions(&service), sorted(&sold));
}

#[test]
fn hidden_rows_are_named_and_sold_only_when_that_is_said() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let book = workbook(&desk, "sales.xlsx", 4, |sheet, row| {
        sheet.write_string(row, 0, format!("t-{row}")).unwrap();
        if row % 2 == 0 {
            sheet.set_row_hidden(row).unwrap();
        }
    });
    let enter = |more: &[&str], code: i32| {
        let line = [&["--json", "contracts", "enter", &book][..], more].concat();
        desk.wdesk(&line).run().exits(code)
    };
    let look = enter(&["--dry-run"], 4);
    assert_eq!(look.json()["hiddenRows"], 2);
    assert!(look.stderr().contains("lines 3, 5"), "{}", look.stderr());

    let run = enter(&[], 4);
    assert_eq!(run.json()["hiddenRows"], 2);
    assert!(run.stderr().contains("lines 3, 5"), "{}", run.stderr());
    assert_eq!(transactions(&service), ["t-1", "t-3"]);
    enter(&["--hidden-rows", "leave-out"], 0);
    assert_eq!(transactions(&service), ["t-1", "t-3"]);
    enter(&["--hidden-rows", "include"], 0);
    assert_eq!(transactions(&service), ["t-1", "t-2", "t-3", "t-4"]);
}

#[test]
fn a_hidden_sheet_is_sold_only_when_it_is_named() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut book = Workbook::new();
    book.add_worksheet().set_name("front").unwrap();
    let sheet = book.add_worksheet().set_name("old").unwrap();
    for (row, line) in (0_u32..).zip(sales(&[Sale::of("t-1")]).lines()) {
        for (column, cell) in (0_u16..).zip(line.split(',')) {
            sheet.write(row, column, cell).unwrap();
        }
    }
    sheet.set_hidden(true);
    let path = desk.folder().join("sales.xlsx");
    book.save(&path).unwrap();
    let enter = ["contracts", "enter", path.to_str().unwrap()];

    let run = desk.wdesk(&enter).run().exits(2);
    assert!(
        run.stderr().contains("hidden sheet “old”"),
        "{}",
        run.stderr()
    );
    assert!(service.sold().is_empty());
    let named = [&enter[..], &["--sheet", "old"]].concat();
    desk.wdesk(&named).run().exits(0);
    assert_eq!(transactions(&service), ["t-1"]);
}

#[test]
fn a_hidden_column_of_a_field_that_a_shown_one_names_too_is_not_sold_without_a_word() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let book = workbook(&desk, "sales.xlsx", 1, |sheet, row| {
        sheet.set_column_hidden(0).unwrap();
        sheet.write_string(row, 0, "hidden").unwrap();
        sheet.write_string(0, 9, "取引番号").unwrap();
        sheet.write_string(row, 9, "shown").unwrap();
    });
    let enter = ["--json", "contracts", "enter", &book];
    let run = desk.wdesk(&enter).run().exits(2);
    assert!(run.stdout().contains("Several columns"), "{}", run.stdout());
    assert!(service.sold().is_empty());
    let chosen = ["--map", "transactionId=10"];
    desk.wdesk(&[&enter[..], &chosen].concat()).run().exits(0);
    assert_eq!(transactions(&service), ["shown"]);
}

#[test]
fn a_product_code_that_the_service_knows_is_not_asked_about() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let book = workbook(&desk, "sales.xlsx", 1, |sheet, row| {
        sheet.write_string(row, 0, "t-1").unwrap();
        let product: f64 = PRODUCT.parse().unwrap();
        sheet.write_number(row, 5, product).unwrap();
    });
    desk.wdesk(&["contracts", "enter", &book]).run().exits(0);
    let sale = ("t-1".to_owned(), PRODUCT.to_owned(), PLAN.to_owned());
    assert_eq!(service.sold(), [sale]);
}
