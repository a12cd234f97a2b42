//! Equal rows of one file: two of one product in one transaction. Each beyond the first is sold only by
//! a person's yes to its line, and what was sold stays known.

use serde_json::json;

use crate::harness::{Run, Service, distinct, kill, shop, slow};

/// Fails unless a transaction was sold so often, each time with a key of its own.
#[track_caller]
fn has_sold(service: &Service, transaction: &str, times: usize) {
    let ledger = service.ledger();
    let keys: Vec<&str> = ledger
        .iter()
        .filter(|sale| sale["transactionId"] == transaction)
        .map(|sale| sale["idempotencyKey"].as_str().unwrap())
        .collect();
    assert_eq!(
        (keys.len(), distinct(&keys).len()),
        (times, times),
        "{ledger:?}"
    );
}

#[track_caller]
fn counts(run: Run, entered: usize, already: usize) {
    let run = run.exits(0).has("entered", entered);
    run.has("alreadyEntered", already)
        .has("differing", json!([]));
}

/// Lines that ask whether they are one more contract, each with the line it names.
fn asking(run: &Run) -> Vec<(u64, u64)> {
    let asked = run.questions().into_iter();
    asked
        .filter(|(_, question)| question["kind"] == "repeatedRow")
        .map(|(line, question)| (line, question["line"].as_u64().unwrap()))
        .collect()
}

#[test]
fn an_equal_row_without_a_yes_is_named_with_its_line_and_not_sold() {
    let (service, desk) = shop();
    let rows = ["t-1", "t-2", "t-1"];
    let run = desk
        .enter(rows, "")
        .exits(2)
        .says("line 4: ")
        .says("--repeated-lines");
    assert_eq!(asking(&run), [(4, 2)]);
    service.has_sold(0);
    assert!(desk.entries().is_empty());

    let run = desk.enter(rows, "--rejected rejected.csv").exits(4);
    assert_eq!(asking(&run), [(4, 2)]);
    has_sold(&service, "t-1", 1);
    has_sold(&service, "t-2", 1);
    // A yes to all other kinds of questions is none to this one.
    let run = desk
        .enter(rows, "--confirm second-contract --confirm changed-price")
        .exits(2);
    assert_eq!(asking(&run), [(4, 2)]);
    has_sold(&service, "t-1", 1);
}

#[test]
fn equal_rows_with_a_yes_are_sold_each_with_its_own_key_and_never_again() {
    let (service, desk) = shop();
    let rows = ["t-1", "t-2", "t-1", "t-1"];
    let dry = desk.enter(rows, "--repeated-lines 4,5 --dry-run").exits(0);
    dry.has("rejected", json!([]));
    counts(desk.enter(rows, "--repeated-lines 4,5"), 4, 0);
    has_sold(&service, "t-1", 3);
    has_sold(&service, "t-2", 1);
    desk.shows("confirmed", None);
    for more in [
        "",
        "--repeated-lines 4,5",
        "--repeated-lines 2,4,5",
        "--dry-run",
    ] {
        counts(desk.enter(rows, more), 0, 4);
    }
    has_sold(&service, "t-1", 3);
    assert_eq!(desk.entries().len(), 4);
}

#[test]
fn a_yes_after_the_first_was_sold_sells_the_second_alone() {
    let (service, desk) = shop();
    desk.enter(["t-1", "t-1"], "--rejected rejected.csv")
        .exits(4);
    has_sold(&service, "t-1", 1);
    // The row that was left out is, by itself, the one that was sold.
    counts(desk.json("contracts enter rejected.csv"), 0, 1);
    counts(desk.enter(["t-1", "t-1"], "--repeated-lines 3"), 1, 1);
    has_sold(&service, "t-1", 2);
}

#[test]
fn a_yes_to_a_later_row_alone_sells_nothing_however_often_it_is_given() {
    let (service, desk) = shop();
    // A file that is there is never replaced.
    for rejected in ["rejected-1.csv", "rejected-2.csv"] {
        let yes = format!("--repeated-lines 4 --rejected {rejected}");
        let run = desk.enter(["t-1", "t-1", "t-1"], yes).exits(4);
        assert_eq!(asking(&run), [(3, 2), (4, 3)]);
        has_sold(&service, "t-1", 1);
    }
}

#[test]
fn equal_rows_of_a_process_that_was_killed_between_them_are_sold_once_each() {
    let (service, desk) = shop();
    service.answers_sales(&slow(15_000));
    desk.sales("sales.csv", ["t-1", "t-1"]);
    let yes = "contracts enter sales.csv --repeated-lines 3";
    kill(desk.selling(&service, yes));
    service.is_well();
    desk.repeat();
    has_sold(&service, "t-1", 2);
    desk.run(yes).exits(4);
    has_sold(&service, "t-1", 2);
}
