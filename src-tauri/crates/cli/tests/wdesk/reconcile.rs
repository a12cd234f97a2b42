//! `wdesk reconcile`: a list of the point of sale against what was entered here.

use serde_json::json;

use crate::harness::{Desk, Run, Service, sales, shop, status};

fn compared(desk: &Desk, list: &str, options: &str) -> Run {
    desk.file("list.csv", list);
    desk.json(format!("reconcile list.csv {options}"))
}

/// A desk on which two sales were entered, the second of which the service refused.
fn shop_with_two_sales() -> (Service, Desk) {
    let (service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    service.answers_sales(&status(422));
    desk.enter(["t-2"], "--wait 10").exits(3);
    (service, desk)
}

#[test]
fn a_list_agrees_only_when_each_of_its_sales_was_entered_just_so() {
    let (service, desk) = shop_with_two_sales();
    let sent = service.bulk_requests();
    compared(&desk, &sales(["t-1"]), "")
        .exits(0)
        .has("matched", 1);

    let both = compared(&desk, &sales(["t-1", "t-2"]), "")
        .exits(4)
        .has("matched", 1);
    let both = both.has("missing/0/listed/draft/transactionId", "t-2");
    both.has("missing/0/notSold/state", "rejected");

    let found = compared(&desk, "取引番号,保証料\nt-1,1\nt-9,\n", "").exits(4);
    let found = found.has("different/0/fields", json!(["planPurchasePrice"]));
    found.has("missing/0/listed/line", 3);
    desk.run("reconcile list.csv")
        .exits(4)
        .prints("planPurchasePrice 1 in the list, ");

    // Nothing of a comparison is asked of the service, and nothing is entered.
    assert_eq!(service.bulk_requests(), sent);
    assert_eq!(desk.entries().len(), 2);
}

#[test]
fn a_list_that_lost_zeros_or_capitals_of_a_transaction_says_how_it_is_registered() {
    let (_service, desk) = shop();
    desk.enter(["0042", "t-1a"], "").exits(0);
    let found = compared(&desk, &sales(["42", "T-1A"]), "").exits(4);
    let found = found.has("missing", json!([])).has("extra", json!([]));
    for at in 0..2 {
        let fields = format!("different/{at}/fields");
        assert_eq!(found.at(&fields), &json!(["transactionId"]));
    }
    desk.run("reconcile list.csv")
        .exits(4)
        .prints("transactionId 42 in the list, 0042 here")
        .prints("transactionId T-1A in the list, t-1a here");
}

#[test]
fn a_list_of_another_day_does_not_cover_a_lost_sale_with_one_of_its_number() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let list = sales(["t-1"]).replace("2026-11-20", "2026-11-27");
    let found = compared(&desk, &list, "").exits(4);
    found.has("different/0/fields", json!(["transactionDate"]));
    desk.run("reconcile list.csv")
        .exits(4)
        .prints("transactionDate 2026-11-27T10:00:00+09:00 in the list, 2026-11-20 here");
}

#[test]
fn a_list_agrees_only_once_the_service_has_accepted_its_sales() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    let waits = compared(&desk, &sales(["t-1"]), "").exits(5);
    waits.has("unfinished", 1).says("wdesk outbox run");

    // Sent, and nothing says what became of it.
    service.answers_sales(&status(500));
    desk.run("outbox run --wait 1").exits(4);
    let unknown = compared(&desk, &sales(["t-1"]), "").exits(4);
    unknown.has("matched", 0).has("unfinished", 0);
    desk.run("reconcile list.csv").exits(4).prints(&format!(
        "not known to be sold, case {}",
        desk.of("t-1", "id")
    ));
}

#[test]
fn a_sale_that_waits_is_said_to_wait_also_where_it_differs_or_is_not_in_the_list() {
    let (_service, desk) = shop();
    desk.keep(["t-1"]);
    for (list, printed) in [
        (sales(["t-9"]), "not in the list; Waiting to be sent"),
        (
            "取引番号,保証料\nt-1,1\n".into(),
            "here; Waiting to be sent",
        ),
    ] {
        desk.file("list.csv", &list);
        desk.run("reconcile list.csv").exits(4).prints(printed);
    }
}

#[test]
fn a_list_without_transactions_is_refused_and_a_row_without_one_is_named() {
    let (_service, desk) = shop();
    compared(&desk, "planId\np-1\n", "")
        .exits(2)
        .says("transactionId");
    let found = compared(&desk, "transactionId,planPurchasePrice\n,5000\n", "").exits(4);
    let found = found.has("unreadable/0/line", 2);
    found.has("unreadable/0/problems/0/field", "transactionId");
}

#[test]
fn a_sale_entered_under_another_profile_of_the_store_is_not_called_missing() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    desk.uses("second", &service.base_url, &service.store);
    compared(&desk, &sales(["t-1"]), "")
        .exits(0)
        .has("matched", 1);
    desk.uses("other", &service.base_url, "elsewhere");
    let found = compared(&desk, &sales(["t-1"]), "").exits(4);
    found.has("missing/0/listed/draft/transactionId", "t-1");
}

#[test]
fn what_no_column_is_known_for_and_what_is_of_another_day_is_not_called_compared() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let found = compared(&desk, "取引番号,金額\nt-1,1\n", "").exits(0);
    found.says("planPurchasePrice").says("not used: 金額");
    let others = (1..=21).map(|at| format!(",c{at}")).collect::<String>();
    let found = compared(&desk, &format!("取引番号{others}\nt-1\n"), "");
    found.says("c20, …").does_not_say("c21");

    let list = "取引番号,販売日\nt-1,2026-01-02\n";
    let found = compared(&desk, list, "--date 2026-01-03").exits(4);
    let found = found.has("otherDays", 1).has("agrees", false);
    found.says("Nothing was compared");
}

#[test]
fn sales_without_a_known_date_are_said_to_be_dated_now() {
    let (_service, desk) = shop();
    let undated = sales(["t-1"]).replacen("transactionDate", "精算日時", 1);
    desk.file("undated.csv", &undated);
    let run = desk.does("contracts enter undated.csv --dry-run");
    run.says("dated now");
}
