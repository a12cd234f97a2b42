//! Lists out of wdesk into files: all that a filter finds, and no file is replaced.

use serde_json::json;
use warranty_core::files::{ReadOptions, open};

use crate::harness::{Desk, PRODUCT, Sale, Service, shop, status};

/// How many sales there are.
const SALES: usize = 2;

/// A desk at which they were entered and confirmed.
fn shop_with_sales() -> (Service, Desk) {
    let (service, desk) = shop();
    let named = Sale::of("t-1").customer("見本 花子");
    desk.enter([named, Sale::of("t-2")], "").exits(0);
    (service, desk)
}

/// Writes a list and gives its file's headers; it has as many rows as the answer says.
#[track_caller]
fn exported(desk: &Desk, command: &str, name: &str, rows: usize) -> Option<Vec<String>> {
    let written = desk.reports(format!("{command} --export {name}"));
    let written = written.has("rows", rows);
    assert!(written.text("file").ends_with(name));
    (rows > 0).then(|| {
        let mut source = open(&desk.path(name), &ReadOptions::default()).unwrap();
        let found: Vec<_> = source.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(found.len(), rows, "{command}");
        source.detected().headers.clone()
    })
}

#[test]
fn every_list_becomes_a_file_of_all_that_its_filter_finds() {
    let (_service, desk) = shop_with_sales();
    let list = format!("plans list --product {PRODUCT}");
    let plans = desk.reports(&list).count("plans");
    for (command, name, rows) in [
        ("contracts list --text 花子", "one.csv", 1),
        ("contracts list --state queued", "none.csv", 0),
        ("contracts list --state confirmed", "confirmed.csv", SALES),
        ("outbox list", "open.xlsx", 0),
        ("leads list", "leads.csv", 0),
        ("products list", "products.csv", 1),
        (&format!("plans search {PRODUCT}"), "found.csv", plans),
        (&format!("{list} --offline"), "offline.xlsx", plans),
    ] {
        exported(&desk, command, name, rows);
    }
    let headers = exported(&desk, &list, "plans.csv", plans).unwrap();
    assert_eq!(headers[..2], ["planId", "storeReferenceId"]);
    let said = desk.does("outbox list --export said.csv").stdout();
    assert_eq!(said, "0 rows are in said.csv.\n");
}

#[test]
fn a_file_is_its_owners_alone_and_replaces_none() {
    let (_service, desk) = shop_with_sales();
    exported(&desk, "contracts list", "list.csv", SALES);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(desk.path("list.csv"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    desk.file("list.csv", "before");
    let there = || std::fs::read_dir(desk.folder()).unwrap().count();
    let before = there();
    for (file, code, words) in [
        ("list.csv", "fileNotWritten", ""),
        ("nowhere/list.csv", "fileNotWritten", ""),
        ("list.txt", "usage", ".csv or .xlsx"),
        ("list", "usage", ".csv or .xlsx"),
        ("list.xls", "usage", ".csv or .xlsx"),
    ] {
        let run = desk
            .json(format!("contracts list --export {file}"))
            .exits(2);
        run.fails_with(code).says(words);
    }
    assert_eq!(desk.read("list.csv"), "before");
    assert_eq!(there(), before);
}

#[test]
fn an_exported_list_sells_no_sale_again_that_was_registered_or_cancelled() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    let cancelled = desk.of("t-1", "id");
    desk.resolve(&cancelled, "--cancel").exits(0);
    desk.enter(["t-2"], "").exits(0);
    exported(&desk, "contracts list", "list.csv", 2);
    let other = Desk::connected(&service);
    other.file("list.csv", &desk.read("list.csv"));
    let enter = "contracts enter list.csv";
    for (desk, left_out) in [(&desk, 1), (&other, 2)] {
        let run = desk.json(enter).exits(2).says("contractId");
        assert_eq!(run.count("found"), left_out);
        let problem = json!([{"field": "transactionId", "problem": "fromExportedList"}]);
        run.has("found/0/problems", problem);
    }
    assert_eq!(service.transactions(), ["t-2"]);

    let as_new = desk.read("list.csv").replace("cancelled", "");
    desk.file("list.csv", &as_new);
    desk.reports(enter).has("alreadyEntered", 1);
    assert_eq!(service.transactions(), ["t-1", "t-2"]);
}

#[test]
fn an_exported_list_of_refused_sales_is_corrected_and_entered() {
    let (service, desk) = shop();
    service.answers_next_sale(&status(400));
    desk.enter(["t-1"], "").exits(3);
    exported(&desk, "contracts list --state rejected", "refused.csv", 1);
    desk.reports("contracts enter refused.csv");
    service.has_sold(1);
}
