//! The main job: a file of sales becomes contracts, each once.

use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Service, distinct, fixture, shop};

#[test]
fn sales_are_sold_once_each_and_the_same_file_again_sells_nothing() {
    let service = Service::start_with("");
    let desk = Desk::connected(&service);
    // All of them are sold by the commands of the documentation.
    let all = std::fs::read(fixture("sales-500.csv")).unwrap();
    let some = all.split_inclusive(|byte| *byte == b'\n').take(61);
    std::fs::write(desk.path("sales.csv"), some.collect::<Vec<_>>().concat()).unwrap();
    let line = "contracts enter sales.csv";

    let first = desk.reports(line).has("rows", 60);
    let first = first.has("entered", 60).has("confirmed", 60);
    first.has("found", json!([])).says("read as CP932");

    let sold = service.sold();
    assert_eq!((sold.len(), distinct(&sold).len()), (60, 60));
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let sale = |entry: &Value| {
        let product = text(entry, "productReferenceId");
        (text(entry, "transactionId"), product, text(entry, "planId"))
    };
    let entered: Vec<_> = desk.entries().iter().map(sale).collect();
    assert_eq!(distinct(&entered), distinct(&sold));
    desk.shows("confirmed", None);
    desk.outbox().has("confirmed", 60);

    desk.does(line).prints("nothing was sold again");
    let third = desk.reports(line).has("entered", 0);
    third.has("alreadyEntered", 60).has("confirmed", 60);
    assert_eq!(service.sold(), sold);
}

#[test]
fn contracts_accepted_but_not_yet_visible_are_told_apart_and_end_well() {
    let service = Service::start_as("never-visible");
    let desk = Desk::connected(&service);
    desk.sales("sales.csv", ["t-1"]);
    desk.does("contracts enter sales.csv --wait 2")
        .prints("not visible yet");
    desk.outbox().has("accepted", 1);
    service.has_sold(1);

    let contract = desk.of("t-1", "contractId");
    let shown = desk.run(["contracts", "show", &contract]).exits(3);
    shown.says("sale of this desk");
}

#[test]
fn what_is_odd_and_lawful_is_named_row_by_row_before_it_is_sold_all_the_same() {
    let (service, desk) = shop();
    let [one, two] = ["t-1", "t-2"].map(|of| Sale::of(of).email("a@example.jp"));
    let two = two.total("1");
    let odd = [(3, json!("totalBelowPrice"))];
    // A row that cannot be used is named for that alone.
    let rows = [&one, &two, &Sale::of("t-3").total("1").email("nobody")];
    desk.sales("sales.csv", rows);
    for options in ["", "--rejected words.csv"] {
        let run = desk.run(format!("contracts enter sales.csv --dry-run {options}"));
        let run = run
            .prints("unusual")
            .does_not_say("line 2: ")
            .says("line 3: ");
        run.says("transactionTotal");
    }
    for options in ["--dry-run", "--dry-run --rejected json.csv"] {
        assert_eq!(desk.enter(rows, options).found("warnings"), odd);
    }
    service.has_sold(0);

    // A warning keeps nothing out and changes no exit code.
    desk.enter([&one, &two], "--dry-run").exits(0);
    let run = desk.enter([&one, &two], "").exits(0);
    assert_eq!(run.found("warnings"), odd);
    service.has_sold(2);
    let again = desk.enter([&one, &two], "--dry-run").exits(0);
    again.has("alreadyEntered", 2).has("found", json!([]));
}
