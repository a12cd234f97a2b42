//! Equal rows of one file: two of one product in one transaction. Each beyond the first is sold only by
//! a person's yes to its line, and what was sold stays known.

use serde_json::{Value, json};

use crate::harness::{Desk, Run, Sale, Service, distinct, sales, until};

struct Stage {
    service: Service,
    desk: Desk,
}

impl Stage {
    fn new() -> Self {
        let service = Service::start();
        service.behave(&json!({"visibility": {"afterMs": 0}}));
        let desk = Desk::connected(&service);
        Self { service, desk }
    }

    /// Enters a file of these transactions, with more on the command line.
    fn enter(&self, transactions: &[&str], more: &[&str]) -> Run {
        let rows: Vec<Sale> = transactions.iter().map(|id| Sale::of(id)).collect();
        let file = self.desk.file("sales.csv", &sales(&rows));
        let line = [&["--json", "contracts", "enter", &file], more].concat();
        self.desk.wdesk(&line).run()
    }

    /// How often a transaction was sold, each with a key of its own.
    #[track_caller]
    fn sold(&self, transaction: &str, times: usize) {
        let ledger = self.service.ledger();
        let keys: Vec<&str> = ledger
            .iter()
            .filter(|sale| sale["transactionId"] == transaction)
            .map(|sale| sale["idempotencyKey"].as_str().unwrap())
            .collect();
        assert_eq!(keys.len(), times, "{ledger:?}");
        assert_eq!(distinct(&keys).len(), times, "{ledger:?}");
    }

    /// A place for the rows left out of an attempt: a file that is there is never replaced.
    fn rejected(&self, attempt: u32) -> String {
        let path = self.desk.folder().join(format!("rejected-{attempt}.csv"));
        path.to_str().unwrap().to_owned()
    }
}

fn counts(run: &Run) -> (Value, Value) {
    let report = run.json();
    (report["entered"].clone(), report["alreadyEntered"].clone())
}

/// Lines that ask whether they are one more contract, each with the line it names.
fn asking(run: &Run) -> Vec<(u64, u64)> {
    let report = run.json();
    let rejected = report["rejected"].as_array().unwrap();
    let line = |row: &Value| row["line"].as_u64().unwrap();
    rejected
        .iter()
        .flat_map(|row| {
            let questions = row["questions"].as_array().unwrap().iter();
            let asked = questions.filter(|asked| asked["kind"] == "repeatedRow");
            asked.map(move |asked| (line(row), line(asked)))
        })
        .collect()
}

#[test]
fn an_equal_row_without_a_yes_is_named_with_its_line_and_not_sold() {
    let stage = Stage::new();
    let run = stage.enter(&["t-1", "t-2", "t-1"], &[]).exits(2);
    assert_eq!(asking(&run), [(4, 2)]);
    let said = run.stderr();
    assert!(
        said.contains("line 4: ") && said.contains("--repeated-lines"),
        "{said}"
    );
    assert!(stage.service.ledger().is_empty());
    assert!(stage.desk.entries().is_empty());

    let rejected = stage.rejected(1);
    let run = stage.enter(&["t-1", "t-2", "t-1"], &["--rejected", &rejected]);
    assert_eq!(asking(&run.exits(4)), [(4, 2)]);
    stage.sold("t-1", 1);
    stage.sold("t-2", 1);
    // A yes to all other kinds of questions is none to this one.
    let all = ["--confirm", "second-contract", "--confirm", "changed-price"];
    let run = stage.enter(&["t-1", "t-2", "t-1"], &all).exits(2);
    assert_eq!(asking(&run), [(4, 2)]);
    stage.sold("t-1", 1);
}

#[test]
fn equal_rows_with_a_yes_are_sold_each_with_its_own_key_and_never_again() {
    let stage = Stage::new();
    let rows = ["t-1", "t-2", "t-1", "t-1"];
    let dry = stage.enter(&rows, &["--repeated-lines", "4,5", "--dry-run"]);
    assert_eq!(dry.exits(0).json()["rejected"], json!([]));
    let yes = ["--repeated-lines", "4,5"];
    assert_eq!(
        counts(&stage.enter(&rows, &yes).exits(0)),
        (json!(4), json!(0))
    );
    stage.sold("t-1", 3);
    stage.sold("t-2", 1);
    assert!(
        stage
            .desk
            .entries()
            .iter()
            .all(|entry| entry["state"] == "confirmed")
    );

    for more in [
        &[][..],
        &yes,
        &["--repeated-lines", "2,4,5"],
        &["--dry-run"],
    ] {
        let again = stage.enter(&rows, more).exits(0);
        assert_eq!(counts(&again), (json!(0), json!(4)), "{more:?}");
        assert_eq!(again.json()["differing"], json!([]), "{more:?}");
    }
    stage.sold("t-1", 3);
    assert_eq!(stage.desk.entries().len(), 4);
}

#[test]
fn a_yes_after_the_first_was_sold_sells_the_second_alone() {
    let stage = Stage::new();
    let rejected = stage.rejected(1);
    stage
        .enter(&["t-1", "t-1"], &["--rejected", &rejected])
        .exits(4);
    stage.sold("t-1", 1);
    // The row that was left out is, by itself, the one that was sold.
    let left_out = ["--json", "contracts", "enter", &rejected];
    let run = stage.desk.wdesk(&left_out).run().exits(0);
    assert_eq!(counts(&run), (json!(0), json!(1)));

    let run = stage
        .enter(&["t-1", "t-1"], &["--repeated-lines", "3"])
        .exits(0);
    assert_eq!(counts(&run), (json!(1), json!(1)));
    stage.sold("t-1", 2);
}

#[test]
fn a_yes_to_a_later_row_alone_sells_nothing_however_often_it_is_given() {
    let stage = Stage::new();
    for attempt in 1..=2 {
        let rejected = stage.rejected(attempt);
        let only_the_last = ["--repeated-lines", "4", "--rejected", &rejected];
        let run = stage.enter(&["t-1", "t-1", "t-1"], &only_the_last).exits(4);
        assert_eq!(asking(&run), [(3, 2), (4, 3)]);
        stage.sold("t-1", 1);
    }
}

#[test]
fn of_equal_sales_of_two_customers_each_stays_known_as_its_own() {
    let stage = Stage::new();
    let mut other = Sale::of("t-1");
    other.customer = "例示 花子".to_owned();
    let rows = [Sale::of("t-1"), Sale::of("t-2"), other];
    let file = stage.desk.file("two.csv", &sales(&rows));
    let line = [
        "--json",
        "contracts",
        "enter",
        &file,
        "--repeated-lines",
        "4",
    ];
    assert_eq!(
        counts(&stage.desk.wdesk(&line).run().exits(0)),
        (json!(3), json!(0))
    );
    let again = stage.desk.wdesk(&line).run().exits(0);
    assert_eq!(counts(&again), (json!(0), json!(3)));
    assert_eq!(again.json()["differing"], json!([]));
    stage.sold("t-1", 2);
}

#[test]
fn equal_rows_of_a_process_that_was_killed_between_them_are_sold_once_each() {
    let stage = Stage::new();
    stage.service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{
            "operations": ["bulkCreateContracts"],
            "action": {"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 15_000}},
        }],
    }));
    let file = stage
        .desk
        .file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-1")]));
    let yes = ["contracts", "enter", &file, "--repeated-lines", "3"];
    let mut process = stage.desk.wdesk(&yes).spawn();
    until("the first is on its way", || {
        stage.service.bulk_requests() > 0
    });
    process.kill().unwrap();
    process.wait().unwrap();

    stage.service.behave(&json!({"visibility": {"afterMs": 0}}));
    // That the provider keeps keys is not known: a person is to ask it about the first.
    stage
        .desk
        .wdesk(&["outbox", "run", "--wait", "60"])
        .run()
        .exits(4);
    stage.sold("t-1", 2);
    stage.desk.wdesk(&yes).run().exits(4);
    stage.sold("t-1", 2);
}
