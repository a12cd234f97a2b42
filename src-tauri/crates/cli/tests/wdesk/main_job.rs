//! The main job: a file of sales becomes contracts, each once.

use serde_json::json;

use crate::harness::{Desk, Sale, Service, distinct, sales, sample_sales};

#[test]
fn five_hundred_sales_are_sold_once_each_and_the_same_file_again_sells_nothing() {
    let service = Service::start_with(&[]);
    let desk = Desk::connected(&service);
    let path = sample_sales();
    let file = path.to_str().unwrap();

    let first = desk
        .wdesk(&["--json", "contracts", "enter", file])
        .run()
        .exits(0)
        .json();
    assert_eq!(first["rows"], 500);
    assert_eq!(first["entered"], 500);
    assert_eq!(first["confirmed"], 500);
    assert_eq!(first["rejected"], json!([]));

    let sold = service.sold();
    assert_eq!(sold.len(), 500);
    assert_eq!(distinct(&sold).len(), 500);
    let entries = desk.entries();
    let text = |entry: &serde_json::Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let entered: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                text(entry, "transactionId"),
                text(entry, "productReferenceId"),
                text(entry, "planId"),
            )
        })
        .collect();
    assert_eq!(distinct(&entered), distinct(&sold));
    assert!(entries.iter().all(|entry| entry["state"] == "confirmed"));
    assert_eq!(desk.outbox()["confirmed"], 500);

    let again = desk.wdesk(&["contracts", "enter", file]).run().exits(0);
    assert!(
        again.stdout().contains("nothing was sold again"),
        "{}",
        again.stdout()
    );
    let third = desk
        .wdesk(&["--json", "contracts", "enter", file])
        .run()
        .exits(0)
        .json();
    assert_eq!(third["entered"], 0);
    assert_eq!(third["alreadyEntered"], 500);
    assert_eq!(third["confirmed"], 500);
    assert_eq!(service.sold(), sold);
}

#[test]
fn a_row_added_to_a_file_entered_before_is_the_only_one_sold() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut rows = vec![Sale::of("t-1"), Sale::of("t-2")];
    let file = desk.file("sales.csv", &sales(&rows));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    rows.push(Sale::of("t-3"));
    let file = desk.file("sales.csv", &sales(&rows));
    let second = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        .exits(0)
        .json();
    assert_eq!(second["entered"], 1);
    assert_eq!(second["alreadyEntered"], 2);
    assert_eq!(service.sold().len(), 3);
    assert_eq!(distinct(&service.sold()).len(), 3);
}

#[test]
fn a_dry_run_keeps_nothing_and_sends_nothing() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    let run = desk
        .wdesk(&["contracts", "enter", &file, "--dry-run"])
        .run()
        .exits(0);
    assert!(
        run.stdout().contains("nothing was entered"),
        "{}",
        run.stdout()
    );
    assert!(desk.entries().is_empty());
    assert_eq!(service.bulk_requests(), 0);
}

#[test]
fn contracts_accepted_but_not_yet_visible_are_told_apart_and_end_well() {
    let service = Service::start_with(&["--personality", "never-visible"]);
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let run = desk
        .wdesk(&["contracts", "enter", &file, "--wait", "2"])
        .run()
        .exits(0);
    assert!(run.stdout().contains("not visible yet"), "{}", run.stdout());
    assert_eq!(desk.outbox()["accepted"], 1);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn without_waiting_the_sales_are_kept_and_a_later_run_sells_each_once() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    let run = desk
        .wdesk(&["--json", "contracts", "enter", &file, "--no-wait"])
        .run()
        .exits(5);
    assert_eq!(run.json()["waiting"], 2);
    assert_eq!(service.bulk_requests(), 0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(distinct(&service.sold()).len(), 2);
    assert_eq!(service.sold().len(), 2);
}
