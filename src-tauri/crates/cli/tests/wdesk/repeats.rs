//! What a repeat leaves open, and what was declined: said until a person has seen to it.

use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Service, TOKEN, sales};

fn one_sale(desk: &Desk) -> String {
    desk.file("sales.csv", &sales(&[Sale::of("t-1")]))
}

fn report(desk: &Desk, file: &str, exit: i32) -> Value {
    let enter = ["--json", "contracts", "enter", file, "--wait", "10"];
    desk.wdesk(&enter).run().exits(exit).json()
}

#[test]
fn a_sale_accepted_after_a_lost_answer_may_exist_twice_until_a_person_has_asked() {
    let service = Service::start();
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "keyPolicy": "ignore",
        "faults": [{
            "operations": ["bulkCreateContracts"],
            "when": {"nth": 1},
            "action": "dropAfterCommit",
        }],
    }));
    let desk = Desk::connected(&service);
    let report = report(&desk, &one_sale(&desk), 4);
    // The provider ignores keys: the repeat made a second contract, and only one is known here.
    assert_eq!(service.sold().len(), 2);
    assert_eq!(report["confirmed"], 1);
    assert_eq!(report["possibleDuplicates"], 1, "{report}");
    let case = report["cases"][0]["submissionId"].as_str().unwrap();

    let run = desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert!(run.stderr().contains("more than once"), "{}", run.stderr());
    let listed = desk.wdesk(&["outbox", "list"]).run().exits(0);
    assert!(listed.stdout().contains(case), "{}", listed.stdout());
    assert_eq!(desk.entries()[0]["duplicatePossible"], true);
    let paper = desk.folder().join("copy.html");
    let contract = desk.entries()[0]["contractId"].as_str().unwrap().to_owned();
    let show = [
        "contracts",
        "show",
        &contract,
        "--paper",
        paper.to_str().unwrap(),
    ];
    desk.wdesk(&show).run().exits(0);
    let paper = std::fs::read_to_string(paper).unwrap();
    assert!(
        paper.contains("more than once") || paper.contains("複数回"),
        "{paper}"
    );

    let checked = [
        "outbox",
        "resolve",
        case,
        "--duplicate-checked",
        "desk 4711",
    ];
    desk.wdesk(&checked).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    let shown = desk.wdesk(&["outbox", "show", case]).run().exits(0);
    assert!(shown.stdout().contains("desk 4711"), "{}", shown.stdout());
    desk.wdesk(&checked).run().exits(2);
}

#[test]
fn sales_held_for_their_token_are_cancelled_one_by_one_and_entered_again() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    // Product and plan can be checked, so that both are in one batch.
    service.behave(&json!({"faults": [{
        "operations": ["bulkCreateContracts"],
        "action": {"status": {"status": 401}},
    }]}));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    report(&desk, &file, 4);
    assert_eq!(service.bulk_requests(), 1);
    for entry in desk.entries() {
        let id = entry["id"].as_str().unwrap();
        let cancel = ["outbox", "resolve", id, "--cancel"];
        desk.wdesk(&cancel).run().exits(0);
    }
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 0);
    let again = report(&desk, &file, 0);
    assert_eq!(again["entered"], 2, "{again}");
    assert_eq!(again["confirmed"], 2);
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn the_same_token_given_again_lets_held_sales_go_and_the_old_refusal_is_gone_once_accepted() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"faults": [{
        "operations": ["bulkCreateContracts"],
        "action": {"status": {"status": 401}},
    }]}));
    let held = report(&desk, &one_sale(&desk), 4);
    assert_eq!(held["held"], 1, "{held}");
    assert!(desk.entries()[0]["refusal"].is_string());
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!(
        service.sold().len(),
        0,
        "the same token is not tried by itself"
    );

    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
    let entry = &desk.entries()[0];
    assert_eq!(entry["state"], "confirmed");
    assert_eq!(entry["refusal"], Value::Null);
    assert_eq!(entry["requestId"], Value::Null);
}
