//! `wdesk reconcile`: a list of the point of sale against what was entered here.

use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Service, sales};

fn compared(desk: &Desk, list: &str, more: &[&str], exit: i32) -> Value {
    let file = desk.file("list.csv", list);
    let arguments = [&["--json", "reconcile", &file], more].concat();
    desk.wdesk(&arguments).run().exits(exit).json()
}

/// A desk on which two sales were entered, the second of which the service refused.
fn with_two_sales(service: &Service) -> Desk {
    let desk = Desk::connected(service);
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "10"])
        .run()
        .exits(0);
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{
            "operations": ["bulkCreateContracts"],
            "action": {"status": {"status": 422}},
        }],
    }));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-2")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "10"])
        .run()
        .exits(3);
    desk
}

#[test]
fn a_list_agrees_only_when_each_of_its_sales_was_entered_just_so() {
    let service = Service::start();
    let desk = with_two_sales(&service);
    let sent = service.bulk_requests();

    let same = sales(&[Sale::of("t-1")]);
    let agrees = compared(&desk, &same, &[], 0);
    assert_eq!(agrees["matched"], 1);

    let both = compared(&desk, &sales(&[Sale::of("t-1"), Sale::of("t-2")]), &[], 4);
    assert_eq!(both["matched"], 1);
    assert_eq!(
        both["missing"][0]["listed"]["draft"]["transactionId"],
        "t-2"
    );
    assert_eq!(both["missing"][0]["notSold"]["state"], "rejected");

    let list = "取引番号,保証料\nt-1,1\nt-9,\n";
    let found = compared(&desk, list, &[], 4);
    assert_eq!(
        found["different"][0]["fields"],
        json!(["planPurchasePrice"])
    );
    assert_eq!(found["missing"][0]["listed"]["line"], 3);

    // Nothing of a comparison is asked of the service, and nothing is entered.
    assert_eq!(service.bulk_requests(), sent);
    assert_eq!(desk.entries().len(), 2);
}

#[test]
fn what_was_entered_on_the_day_and_is_not_in_the_list_is_named() {
    let service = Service::start();
    let desk = with_two_sales(&service);
    let entries = desk.entries();
    let date = &entries[0]["transactionDate"].as_str().unwrap()[..10];
    let found = compared(&desk, "transactionId\nt-7\n", &["--date", date], 4);
    assert_eq!(found["extra"].as_array().unwrap().len(), 1);
    assert_eq!(found["extra"][0]["transactionId"], "t-1");
    let file = desk.file("list.csv", "transactionId\nt-7\n");
    let text = desk
        .wdesk(&["reconcile", &file, "--date", date])
        .run()
        .exits(4);
    assert!(
        text.stdout().contains("not in the list"),
        "{}",
        text.stdout()
    );
}

#[test]
fn a_list_without_transactions_is_refused_and_a_row_without_one_is_named() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("list.csv", "planId\np-1\n");
    let refused = desk.wdesk(&["reconcile", &file]).run().exits(2);
    assert!(
        refused.stderr().contains("transactionId"),
        "{}",
        refused.stderr()
    );
    let found = compared(&desk, "transactionId,planPurchasePrice\n,5000\n", &[], 4);
    assert_eq!(found["unreadable"][0]["line"], 2);
    assert_eq!(
        found["unreadable"][0]["problems"][0]["field"],
        "transactionId"
    );
}
