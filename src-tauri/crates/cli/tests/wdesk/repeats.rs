//! What a repeat leaves open, and what was declined: said until a person has seen to it.

use serde_json::{Value, json};

use crate::harness::{PRODUCT, TOKEN, shop, status};

#[test]
fn a_sale_accepted_after_a_lost_answer_may_exist_twice_until_a_person_has_asked() {
    let (service, desk) = shop();
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "keyPolicy": "ignore",
        "faults": [{
            "operations": ["bulkCreateContracts"],
            "when": {"nth": 1},
            "action": "dropAfterCommit",
        }],
    }));
    let report = desk.enter(["t-1"], "--wait 10").exits(4);
    // The provider ignores keys: the repeat made a second contract, and only one is known here.
    service.has_sold(2);
    let report = report.has("confirmed", 1).has("possibleDuplicates", 1);
    let case = report.text("cases/0/submissionId");

    desk.send().exits(4).says("more than once");
    desk.does("outbox list").prints(&case);
    assert_eq!(desk.entry("t-1")["duplicatePossible"], true);
    desk.run("reconcile sales.csv")
        .exits(4)
        .prints("more than once");

    let checked = ["--duplicate-checked", "desk 4711"];
    desk.resolve(&case, checked).exits(0);
    desk.send().exits(0);
    desk.does("reconcile sales.csv");
    desk.does(["outbox", "show", &case]).prints("desk 4711");
    desk.resolve(&case, checked).exits(2);
}

#[test]
fn the_same_token_given_again_lets_held_sales_go_and_the_old_refusal_is_gone_once_accepted() {
    let (service, desk) = shop();
    service.answers_sales(&status(401));
    desk.sales("sales.csv", ["t-1"]);
    let run = desk.run("contracts enter sales.csv --wait 10").exits(4);
    run.prints("refused the token");
    assert_eq!(desk.entry("t-1")["state"], "held");
    // What is entered behind it waits for the token too.
    desk.sales("next.csv", ["t-2"]);
    desk.sales("both.csv", ["t-1", "t-2"]);
    for (command, exit) in [
        ("contracts enter next.csv --wait 10", 4),
        ("contracts enter next.csv --no-wait", 4),
        ("--json contracts enter next.csv --wait 10", 4),
        ("reconcile both.csv", 5),
    ] {
        let run = desk.run(command).exits(exit);
        let said = format!("{}{}", run.stdout(), run.stderr());
        assert_eq!(said.matches("refused the token").count(), 1, "{said}");
        assert!(!said.contains("What waits is kept"), "{said}");
    }
    assert!(desk.entry("t-1")["refusal"].is_string());
    service.is_well();
    // The same token is not tried by itself, and that is said.
    desk.send().exits(4).says("wdesk token set");
    desk.does("outbox status").says("wdesk token set");
    service.has_sold(0);

    desk.set_token(TOKEN);
    desk.send().exits(0);
    service.has_sold(2);
    let entry = desk.entry("t-1");
    assert_eq!(entry["state"], "confirmed");
    assert_eq!(
        (&entry["refusal"], &entry["requestId"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn a_refusal_of_the_token_that_may_be_over_is_told_in_the_past_with_what_tries_it_again() {
    let (service, desk) = shop();
    service.answers_next_sale(&status(401));
    desk.enter(["t-1"], "--wait 10").exits(4);
    desk.does(format!("doctor --product {PRODUCT}"))
        .prints("is accepted");
    for command in ["outbox run", "outbox status", "outbox list"] {
        let run = desk.run(command);
        let said = format!("{}{}", run.stdout(), run.stderr());
        assert!(!said.contains("refuses the token"), "{said}");
        for words in ["refused the token", "the same one again"] {
            assert!(said.contains(words), "{said}");
        }
    }
    desk.does("outbox list").prints("CASE --send-now");
    let case = desk.of("t-1", "id");
    desk.resolve(&case, "--send-now").exits(0);
    service.has_sold(1);
}

#[test]
fn a_token_that_is_refused_for_lookups_alone_is_named_and_is_nothing_normal() {
    let (service, desk) = shop();
    service.behave(&json!({
        "faults": [{"operations": ["getContract"], "when": "always", "action": {"status": {"status": 401}}}],
    }));
    let refused = "refuses the token";
    // Time for the first lookup on a busy machine too.
    desk.enter(["t-1"], "--wait 12").exits(4).says(refused);
    desk.run("outbox run --wait 5").exits(4).says(refused);
    service.is_well();
    desk.send().exits(0);
    service.has_sold(1);
}
