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

#[test]
fn what_is_odd_and_lawful_is_named_row_by_row_before_it_is_sold_all_the_same() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let of = |transaction: &str, total: &str, email: &str| Sale {
        total: total.to_owned(),
        email: email.to_owned(),
        ..Sale::of(transaction)
    };
    let rows = [
        of("t-1", "200000", "a@example.jp"),
        of("t-2", "1", "a@example.jp"),
        of("t-3", "1", "nobody"),
    ];
    let odd = json!([{"line": 3, "warnings": ["totalBelowPrice"]}]);
    let rejected = desk.folder().join("rejected.csv");
    let kept = ["--rejected", rejected.to_str().unwrap()];
    let file = desk.file("sales.csv", &sales(&rows));
    for more in [&[][..], &kept] {
        let line = [&["contracts", "enter", &file, "--dry-run"], more].concat();
        let run = desk.wdesk(&line).run();
        let said = run.stderr();
        assert!(
            said.contains("line 3: ") && said.contains("transactionTotal"),
            "{said}"
        );
        assert!(!said.contains("line 2: "), "{said}");
        assert!(run.stdout().contains("odd"), "{}", run.stdout());
        let json = desk.wdesk(&[&["--json"], &line[..]].concat());
        // A row that cannot be used is named for that alone.
        let _ = std::fs::remove_file(&rejected);
        assert_eq!(json.run().json()["warnings"], odd);
        let _ = std::fs::remove_file(&rejected);
    }
    assert!(service.sold().is_empty());

    // A warning keeps nothing out and changes no exit code.
    let file = desk.file("good.csv", &sales(&rows[..2]));
    desk.wdesk(&["contracts", "enter", &file, "--dry-run"])
        .run()
        .exits(0);
    let run = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        .exits(0);
    assert_eq!(run.json()["warnings"], odd);
    assert_eq!(service.sold().len(), 2);
    let again = ["--json", "contracts", "enter", &file, "--dry-run"];
    let again = desk.wdesk(&again).run().exits(0).json();
    assert_eq!(
        (&again["alreadyEntered"], &again["warnings"]),
        (&json!(2), &json!([]))
    );
}
