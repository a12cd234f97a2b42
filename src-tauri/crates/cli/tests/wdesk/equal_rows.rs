//! Equal rows of one file: two of one product in one transaction. Each beyond the first is sold only by a person's
//! yes to its line. Where some were entered before, each is taken for the entry that says the same, and no other is
//! sold without a question where one may have been.

use serde_json::{Value, json};

use crate::harness::{Desk, Run, Sale, Service, distinct, kill, sales, shop, slow, status, until};

/// A sale of one transaction, product and plan to this customer.
fn to(customer: &str) -> Sale {
    Sale::of("t-1").customer(customer)
}

/// To whom was sold, in the order of their names.
fn customers(desk: &Desk) -> Vec<String> {
    let entries = desk.entries().into_iter();
    let sold = entries.filter(|entry| entry["state"] == "confirmed");
    let mut names: Vec<String> = sold
        .map(|entry| entry["customerName"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

fn id_of(desk: &Desk, field: &str, value: &str) -> String {
    let mut entries = desk.entries().into_iter();
    let entry = entries.find(|entry| entry[field] == value).unwrap();
    entry["id"].as_str().unwrap().to_owned()
}

const YES: &str = "--repeated-lines 3";

/// Kinds of questions that are open, each with its line and the entry it is about.
fn asked(run: &Run) -> Vec<(u64, String, Value)> {
    let asked = run.questions().into_iter();
    asked
        .map(|(line, question)| {
            let kind = question["kind"].as_str().unwrap().to_owned();
            (line, kind, question["submissionId"].clone())
        })
        .collect()
}

#[test]
fn equal_rows_are_asked_about_and_with_a_yes_sold_each_with_its_own_key_and_never_again() {
    let (service, desk) = shop();
    let rows = ["t-1", "t-2", "t-1", "t-1"];
    let run = desk.enter(rows, "").exits(2);
    let run = run.says("line 4: ").says("--repeated-lines");
    let line = |line| json!({"kind": "repeatedRow", "line": line});
    for (at, (asks, names)) in [(4, 2), (5, 4)].into_iter().enumerate() {
        let (number, question) = &run.questions()[at];
        assert_eq!(*number, asks);
        assert_eq!(
            json!({"kind": question["kind"], "line": question["line"]}),
            line(names)
        );
    }
    // A yes to all other kinds of questions is none to this one.
    let others = "--confirm second-contract --confirm changed-price";
    desk.enter(rows, others).exits(2);
    service.has_sold(0);

    desk.enter(rows, "--repeated-lines 4,5 --dry-run").exits(0);
    desk.enter(rows, "--repeated-lines 4,5")
        .exits(0)
        .has("entered", 4);
    desk.shows("confirmed", None);
    for more in ["", "--repeated-lines 2,4,5", "--dry-run"] {
        let run = desk.enter(rows, more).exits(0).has("entered", 0);
        run.has("alreadyEntered", 4).has("found", json!([]));
    }
    let ledger = service.ledger();
    let keys: Vec<&str> = ledger
        .iter()
        .filter(|sale| sale["transactionId"] == "t-1")
        .map(|sale| sale["idempotencyKey"].as_str().unwrap())
        .collect();
    assert_eq!((ledger.len(), keys.len(), distinct(&keys).len()), (4, 3, 3));
}

#[test]
fn of_equal_rows_the_one_that_was_not_sold_is_sold_by_the_whole_file_and_no_other_again() {
    let rows = [to("Hanako"), to("Taro")];
    let mended = |_: &Service, desk: &Desk| {
        let wrong = to("Hanako").email("hanako.example.jp");
        let first = desk.enter(
            [wrong, to("Taro")],
            format!("{YES} --rejected rejected.csv"),
        );
        first.exits(4);
        assert_eq!(customers(desk), ["Taro"]);
    };
    let cancelled_unsent = |_: &Service, desk: &Desk| {
        desk.enter(&rows, format!("{YES} --no-wait")).exits(5);
        let hers = id_of(desk, "customerName", "Hanako");
        desk.resolve(&hers, "--cancel").exits(0);
    };
    let refused = |service: &Service, desk: &Desk| {
        service.answers_next_sale(&status(400));
        desk.enter(&rows, YES).exits(3);
        // They go in two batches at once: either may be the first.
        let refused = match customers(desk).as_slice() {
            [sold] if sold == "Taro" => 2,
            [sold] if sold == "Hanako" => 3,
            sold => panic!("sold to {sold:?}"),
        };
        // Without the yes nothing is sold beside the other's contract.
        assert_eq!(
            asked(&desk.enter(&rows, "").exits(2)),
            [(refused, "repeatedRow".to_owned(), Value::Null)]
        );
    };
    for (before, answers) in [
        (&refused as &dyn Fn(&Service, &Desk), [YES, YES]),
        (&mended, ["--repeated-lines 2", YES]),
        (&cancelled_unsent, [YES, YES]),
    ] {
        let (service, desk) = shop();
        before(&service, &desk);
        for yes in answers {
            desk.enter(&rows, yes).exits(0);
            assert_eq!(customers(&desk), ["Hanako", "Taro"]);
            service.has_sold(2);
        }
    }
}

#[test]
fn equal_rows_far_apart_stand_for_the_entries_that_say_the_same() {
    let (_service, desk) = shop();
    desk.enter([to("Taro")], "").exits(0);
    // More rows than are judged together.
    let between = (0..120).map(|number| Sale::of(&format!("u-{number}")));
    let rows: Vec<Sale> = [to("Hanako")]
        .into_iter()
        .chain(between)
        .chain([to("Taro")])
        .collect();
    let run = desk.enter(&rows, "").exits(2);
    assert_eq!(asked(&run), [(2, "repeatedRow".to_owned(), Value::Null)]);
    run.has("found/0/questions/0/line", rows.len() + 1);
    let run = desk.enter(&rows, "--repeated-lines 2 --no-wait").exits(5);
    run.has("entered", 121).has("found", json!([]));
    let entries = desk.entries();
    for name in ["Hanako", "Taro"] {
        let of = entries.iter().filter(|entry| entry["customerName"] == name);
        assert_eq!(of.count(), 1, "{name}");
    }
}

#[test]
fn an_equal_row_beside_one_given_up_in_doubt_is_asked_about_though_another_stands() {
    let (service, desk) = shop();
    let rows = [to("Taro"), to("Taro")];
    service.answers_next_sale(&slow(15_000));
    desk.sales("sales.csv", &rows);
    let process = desk
        .wdesk(format!("contracts enter sales.csv {YES}"))
        .spawn();
    until("one is on its way and the other sold", || {
        let entries = desk.entries();
        let mut states = entries.iter().filter_map(|entry| entry["state"].as_str());
        service.ledger().len() == 2
            && states.any(|state| ["accepted", "confirmed"].contains(&state))
    });
    kill(process);
    desk.machine_starts_anew();
    desk.send().exits(4);
    let case = id_of(&desk, "state", "needsPerson");
    desk.resolve(&case, "--cancel").exits(0);

    let run = desk.enter(&rows, YES).exits(2);
    assert_eq!(asked(&run), [(3, "secondContract".to_owned(), json!(case))]);
    service.has_sold(2);
    for _ in 0..2 {
        desk.enter(&rows, format!("{YES} --confirm second-contract"))
            .exits(0);
        service.has_sold(3);
    }
}

#[test]
fn a_yes_to_a_line_that_asks_nothing_is_not_passed_over() {
    let (service, desk) = shop();
    let rows = [to("Taro"), to("Taro")];
    let run = desk.enter(&rows, "--rejected rejected.csv").exits(4);
    run.does_not_say("enter that file").says("the whole file");

    let run = desk
        .json("contracts enter rejected.csv --repeated-lines 2")
        .exits(4);
    run.has("notRepeated", json!([2])).says("line 2: ");
    desk.enter(&rows, "--repeated-lines 99").exits(2);
    service.has_sold(1);

    desk.enter(&rows, YES).exits(0);
    service.has_sold(2);
    // Of the whole file nothing asks any more, and all of it stands.
    desk.enter(&rows, "--repeated-lines 2,3").exits(0);
    service.has_sold(2);
}

#[test]
fn a_row_with_a_date_and_no_time_is_the_entry_of_its_day() {
    let (service, desk) = shop();
    let [taro, hanako] = [to("Taro"), to("Hanako").email("hanako@example.jp")];
    desk.enter([&taro, &hanako], YES).exits(0);
    let enter = |date: &str, rows: [&Sale; 2]| {
        let rows = sales(rows).replace("2026-11-20T10:00:00+09:00", date);
        desk.file("dates.csv", &rows);
        desk.json("contracts enter dates.csv")
    };
    for date in ["2026/11/20", "2026-11-20T10:00:00+09:00"] {
        let run = enter(date, [&hanako, &taro]).exits(0);
        run.has("alreadyEntered", 2).has("found", json!([]));
    }
    for date in ["2026/11/21", "2026-11-20T10:05:00+09:00"] {
        let run = enter(date, [&taro, &hanako]).exits(4);
        run.has("found/0/differs", json!(["transactionDate"]));
    }
    service.has_sold(2);
}

#[test]
fn a_receipt_number_that_starts_again_is_another_sale_only_with_a_yes() {
    let (service, desk) = shop();
    let enter = |day: &str, sale: &Sale, options: &str| {
        let rows = sales([sale]).replace("2026-11-20", day);
        desk.file("day.csv", &rows);
        desk.json(format!("contracts enter day.csv {options}"))
    };
    let taro = to("Taro");
    let hanako = to("Hanako").email("hanako@example.jp");
    enter("2026-11-20", &taro, "").exits(0);
    let first = json!(id_of(&desk, "customerName", "Taro"));
    // What was corrected is the same sale: the day, the name or the e-mail is still that of the entry.
    for (date, sale) in [
        ("2026-11-20", hanako.clone()),
        ("2026-11-21", to("Hanako")),
        ("2026-11-21", taro.clone().email("hanako@example.jp")),
    ] {
        enter(date, &sale, "").exits(4).has("alreadyEntered", 1);
    }
    let run = enter("2026-11-21", &hanako, "").exits(2);
    assert_eq!(asked(&run), [(2, "secondContract".to_owned(), first)]);
    service.has_sold(1);

    let yes = "--confirm second-contract";
    enter("2026-11-21", &hanako, yes).exits(0);
    assert_eq!(customers(&desk), ["Hanako", "Taro"]);
    for (date, sale) in [("2026-11-20", &taro), ("2026-11-21", &hanako)] {
        for options in ["", yes] {
            let run = enter(date, sale, options).exits(0);
            run.has("alreadyEntered", 1).has("found", json!([]));
        }
    }
    service.has_sold(2);

    // So it is where the shop has one address for all, once the amounts differ too.
    let jiro = to("Jiro").total("250000");
    let run = enter("2026-11-22", &jiro, "").exits(2);
    assert_eq!(asked(&run)[0].1, "secondContract");
    service.has_sold(2);

    // Long after, their customers are deleted, and the number is there once more.
    desk.change("DELETE FROM submission_customer", ());
    let run = enter("2026-11-24", &to("Jiro").email("jiro@example.jp"), "").exits(2);
    assert_eq!(asked(&run)[0].1, "secondContract");
}

#[test]
fn a_row_without_a_date_is_no_sale_whose_customer_was_deleted_unless_a_person_says_so() {
    let (service, desk) = shop();
    let enter = |sale: &Sale, options: &str| {
        let rows = sales([sale]).replace("transactionDate,", "");
        desk.file("day.csv", &rows.replace("2026-11-20T10:00:00+09:00,", ""));
        desk.json(format!("contracts enter day.csv {options}"))
    };
    let hanako = to("Hanako").email("hanako@example.jp");
    enter(&to("Taro"), "").exits(0);
    enter(&hanako, "").exits(4).has("alreadyEntered", 1);
    let first = json!(id_of(&desk, "customerName", "Taro"));

    desk.change("DELETE FROM submission_customer", ());
    for sale in [&hanako, &to("Taro")] {
        let run = enter(sale, "").exits(2);
        let question = (2, "secondContract".to_owned(), first.clone());
        assert_eq!(asked(&run), [question]);
    }
    service.has_sold(1);
    for options in ["--confirm second-contract", "", "--confirm second-contract"] {
        enter(&hanako, options).exits(0);
        service.has_sold(2);
    }
}
