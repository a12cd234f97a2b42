//! Equal rows of a file of which some were entered before: each stands for the entry that says the same,
//! and no other is sold unasked where one may have been.

use serde_json::{Value, json};

use crate::harness::{Desk, Run, Sale, Service, sales, until};

/// A sale of one transaction, product and plan to this customer.
fn to(customer: &str) -> Sale {
    let mut sale = Sale::of("t-1");
    sale.customer = customer.to_owned();
    sale
}

struct Stage {
    service: Service,
    desk: Desk,
}

impl Stage {
    fn new() -> Self {
        let service = Service::start();
        let desk = Desk::connected(&service);
        let stage = Self { service, desk };
        stage.first_of_next(None);
        stage
    }

    /// What the service does with the next sale.
    fn first_of_next(&self, action: Option<Value>) {
        let fault = |action| json!({"operations": ["bulkCreateContracts"], "when": {"nth": 1}, "action": action});
        let faults: Vec<Value> = action.map(fault).into_iter().collect();
        let behaviour = json!({"visibility": {"afterMs": 0}, "faults": faults});
        self.service.behave(&behaviour);
    }

    fn enter(&self, rows: &[Sale], more: &[&str]) -> Run {
        let file = self.desk.file("sales.csv", &sales(rows));
        self.enter_file(&file, more)
    }

    fn enter_file(&self, file: &str, more: &[&str]) -> Run {
        let line = [&["--json", "contracts", "enter", file], more].concat();
        self.desk.wdesk(&line).run()
    }

    /// To whom the service has sold, in the order of their names.
    fn customers(&self) -> Vec<String> {
        let entries = self.desk.entries();
        let sold = entries.iter().filter(|entry| entry["state"] == "confirmed");
        let mut names: Vec<String> = sold
            .map(|entry| entry["customerName"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(self.service.ledger().len(), names.len(), "{entries:?}");
        names.sort();
        names
    }

    fn rejected(&self) -> String {
        let path = self.desk.folder().join("rejected.csv");
        path.to_str().unwrap().to_owned()
    }
}

const YES: [&str; 2] = ["--repeated-lines", "3"];

/// Kinds of questions that are open, each with its line and the entry it is about.
fn asked(run: &Run) -> Vec<(u64, String, Value)> {
    let report = run.json();
    let rejected = report["rejected"].as_array().unwrap();
    rejected
        .iter()
        .flat_map(|row| {
            let line = row["line"].as_u64().unwrap();
            let questions = row["questions"].as_array().unwrap().iter();
            questions.map(move |asked| {
                let kind = asked["kind"].as_str().unwrap().to_owned();
                (line, kind, asked["submissionId"].clone())
            })
        })
        .collect()
}

#[test]
fn of_equal_rows_the_one_that_was_refused_is_sold_by_the_same_file_and_no_other_again() {
    let stage = Stage::new();
    let rows = [to("Hanako"), to("Taro")];
    stage.first_of_next(Some(json!({"status": {"status": 400}})));
    stage.enter(&rows, &YES).exits(3);
    // They go in two batches at once: either may be the first.
    let refused = match stage.customers().as_slice() {
        [sold] if sold == "Taro" => 2,
        [sold] if sold == "Hanako" => 3,
        sold => panic!("sold to {sold:?}"),
    };

    // Without the yes nothing is sold beside the other's contract.
    let run = stage.enter(&rows, &[]).exits(2);
    let question = (refused, "repeatedRow".to_owned(), Value::Null);
    assert_eq!(asked(&run), [question]);
    for entered in [1, 0] {
        let run = stage.enter(&rows, &YES).exits(0).json();
        assert_eq!(
            (&run["entered"], &run["differing"]),
            (&json!(entered), &json!([]))
        );
        assert_eq!(stage.customers(), ["Hanako", "Taro"]);
    }
}

#[test]
fn of_equal_rows_the_one_that_was_mended_is_sold_by_the_whole_file_and_no_other_again() {
    let stage = Stage::new();
    let rows = [to("Hanako"), to("Taro")];
    let mut wrong = to("Hanako");
    wrong.email = "hanako.example.jp".to_owned();
    let rejected = stage.rejected();
    let more = [&YES[..], &["--rejected", &rejected]].concat();
    stage.enter(&[wrong, to("Taro")], &more).exits(4);
    assert_eq!(stage.customers(), ["Taro"]);
    stage.enter(&rows, &["--repeated-lines", "2"]).exits(0);
    assert_eq!(stage.customers(), ["Hanako", "Taro"]);
    stage.enter(&rows, &YES).exits(0);
    assert_eq!(stage.customers(), ["Hanako", "Taro"]);
}

#[test]
fn of_equal_rows_the_one_whose_entry_was_cancelled_unsent_is_sold_by_the_same_file() {
    let stage = Stage::new();
    let rows = [to("Hanako"), to("Taro")];
    stage
        .enter(&rows, &[&YES[..], &["--no-wait"]].concat())
        .exits(5);
    let entries = stage.desk.entries();
    let hers = entries
        .iter()
        .find(|entry| entry["customerName"] == "Hanako");
    let cancel = [
        "outbox",
        "resolve",
        hers.unwrap()["id"].as_str().unwrap(),
        "--cancel",
    ];
    stage.desk.wdesk(&cancel).run().exits(0);
    for _ in 0..2 {
        stage.enter(&rows, &YES).exits(0);
        assert_eq!(stage.customers(), ["Hanako", "Taro"]);
    }
}

#[test]
fn equal_rows_far_apart_stand_for_the_entries_that_say_the_same() {
    let stage = Stage::new();
    stage.enter(&[to("Taro")], &[]).exits(0);
    // More rows than are judged together.
    let between = (0..120).map(|number| Sale::of(&format!("u-{number}")));
    let mut rows = vec![to("Hanako")];
    rows.extend(between);
    rows.push(to("Taro"));
    let last = rows.len() + 1;
    let run = stage.enter(&rows, &[]).exits(2);
    assert_eq!(asked(&run), [(2, "repeatedRow".to_owned(), Value::Null)]);
    assert_eq!(run.json()["rejected"][0]["questions"][0]["line"], last);
    let yes = ["--repeated-lines", "2", "--no-wait"];
    let run = stage.enter(&rows, &yes).exits(5).json();
    assert_eq!(
        (&run["entered"], &run["differing"]),
        (&json!(121), &json!([]))
    );
    let entries = stage.desk.entries();
    let of = |name: &str| {
        entries
            .iter()
            .filter(|entry| entry["customerName"] == name)
            .count()
    };
    assert_eq!((of("Hanako"), of("Taro")), (1, 1));
}

#[test]
fn an_equal_row_beside_one_given_up_in_doubt_is_asked_about_though_another_stands() {
    let stage = Stage::new();
    let rows = [to("Taro"), to("Taro")];
    let drip = json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 15_000}});
    stage.first_of_next(Some(drip));
    let file = stage.desk.file("sales.csv", &sales(&rows));
    let line = [&["contracts", "enter", &file][..], &YES].concat();
    let mut process = stage.desk.wdesk(&line).spawn();
    until("one is on its way and the other sold", || {
        let entries = stage.desk.entries();
        let mut states = entries.iter().filter_map(|entry| entry["state"].as_str());
        stage.service.ledger().len() == 2
            && states.any(|state| ["accepted", "confirmed"].contains(&state))
    });
    process.kill().unwrap();
    process.wait().unwrap();
    stage.desk.machine_starts_anew();
    stage.desk.wdesk(&["outbox", "run"]).run().exits(4);
    let entries = stage.desk.entries();
    let case = entries.iter().find(|entry| entry["state"] == "needsPerson");
    let case = case.unwrap()["id"].as_str().unwrap();
    stage
        .desk
        .wdesk(&["outbox", "resolve", case, "--cancel"])
        .run()
        .exits(0);

    let run = stage.enter(&rows, &YES).exits(2);
    assert_eq!(asked(&run), [(3, "secondContract".to_owned(), json!(case))]);
    assert_eq!(stage.service.ledger().len(), 2);
    let yes = [&YES[..], &["--confirm", "second-contract"]].concat();
    for _ in 0..2 {
        stage.enter(&rows, &yes).exits(0);
        assert_eq!(stage.service.ledger().len(), 3);
    }
}

#[test]
fn a_yes_to_a_line_that_asks_nothing_is_not_passed_over() {
    let stage = Stage::new();
    let rows = [to("Taro"), to("Taro")];
    let rejected = stage.rejected();
    let run = stage.enter(&rows, &["--rejected", &rejected]).exits(4);
    let said = run.stderr();
    assert!(!said.contains("enter that file"), "{said}");
    assert!(said.contains("the whole file"), "{said}");

    let run = stage
        .enter_file(&rejected, &["--repeated-lines", "2"])
        .exits(4);
    assert_eq!(run.json()["notRepeated"], json!([2]));
    assert!(run.stderr().contains("line 2: "), "{}", run.stderr());
    let run = stage.enter(&rows, &["--repeated-lines", "3,99"]).exits(2);
    assert_eq!(run.error_code(), "noSuchLine");
    assert!(run.stderr().contains("line 99"), "{}", run.stderr());
    assert_eq!(stage.service.ledger().len(), 1);

    stage.enter(&rows, &YES).exits(0);
    assert_eq!(stage.service.ledger().len(), 2);
    // Of the whole file nothing asks any more, and all of it stands.
    stage.enter(&rows, &["--repeated-lines", "2,3"]).exits(0);
    assert_eq!(stage.service.ledger().len(), 2);
}
