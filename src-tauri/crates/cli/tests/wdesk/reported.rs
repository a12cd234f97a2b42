//! A contract that the service returns as sent, and reports as cancelled or as fraud.

use serde_json::json;

use crate::harness::{Desk, Sale, Service, sales};

/// From now on the service returns contracts with this in place of a field of theirs.
fn reports(service: &Service, from: &str, to: &str) {
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{
            "operations": ["getContract"],
            "action": {"replace": {"from": from, "to": to}},
        }],
    }));
}

fn reported_contract_is_left_to_a_person(from: &str, to: &str, case: &str, said: &str) {
    let service = Service::start();
    reports(&service, from, to);
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let enter = ["--json", "contracts", "enter", &file, "--wait", "10"];
    let report = desk.wdesk(&enter).run().exits(4).json();
    assert_eq!(report["confirmed"], 0, "{report}");
    assert_eq!(report["needsPerson"], 1, "{report}");
    let reason = report["cases"][0]["reason"].as_str().unwrap();
    assert!(reason.contains(said), "{reason}");
    desk.wdesk(&["outbox", "run"]).run().exits(4);

    let entry = &desk.entries()[0];
    assert_eq!(entry["case"], case);
    let (id, contract) = (&entry["id"], entry["contractId"].as_str().unwrap());
    let id = id.as_str().unwrap();
    // Neither the file nor a copy for the customer takes it for a registered contract.
    desk.wdesk(&enter).run().exits(4);
    assert_eq!(service.sold().len(), 1);
    let paper = desk.folder().join("copy.html");
    let path = paper.to_str().unwrap();
    let show = ["contracts", "show", contract, "--paper", path];
    desk.wdesk(&show).run().exits(0);
    let paper = std::fs::read_to_string(&paper).unwrap();
    assert!(
        paper.contains("Being checked") || paper.contains("契約を確認中"),
        "{paper}"
    );

    // The provider was asked, and stands by it.
    let give = ["outbox", "resolve", id, "--give-contract-id", contract];
    desk.wdesk(&give).run().exits(0);
    assert_eq!(desk.entries()[0]["state"], "confirmed");
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_contract_reported_as_cancelled_is_left_to_a_person() {
    let (from, to) = ("\"status\":\"Active\"", "\"status\":\"CANCELLED\"");
    reported_contract_is_left_to_a_person(from, to, "reportedCancelled", "cancelled");
}

#[test]
fn a_contract_reported_as_fraud_is_left_to_a_person() {
    let (from, to) = ("\"fraud\":false", "\"fraud\":true");
    reported_contract_is_left_to_a_person(from, to, "reportedFraud", "fraud");
}

#[test]
fn a_contract_whose_status_or_mark_of_fraud_cannot_be_read_is_left_to_a_person() {
    let (from, to) = ("\"status\":\"Active\"", "\"status\":[\"CANCELLED\"]");
    reported_contract_is_left_to_a_person(from, to, "reportedCancelled", "cancelled");
    let (from, to) = ("\"fraud\":false", "\"fraud\":\"true\"");
    reported_contract_is_left_to_a_person(from, to, "reportedFraud", "fraud");
}

#[test]
fn the_status_of_a_contract_is_kept_as_the_service_wrote_it() {
    let service = Service::start();
    reports(&service, "\"status\":\"Active\"", "\"status\":\"待機\"");
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "10"])
        .run()
        .exits(0);
    let entry = &desk.entries()[0];
    assert_eq!(entry["state"], "confirmed");
    assert_eq!(entry["status"], "待機");
    let id = entry["id"].as_str().unwrap();
    let shown = desk.wdesk(&["outbox", "show", id]).run().exits(0);
    assert!(shown.stdout().contains("待機"), "{}", shown.stdout());
}

#[test]
fn a_reported_contract_given_for_another_case_is_not_confirmed_unseen() {
    let service = Service::start();
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [
            {"operations": ["getContract"],
             "action": {"replace": {"from": "\"fraud\":false", "to": "\"fraud\":true"}}},
            {"operations": ["bulkCreateContracts"], "when": {"nth": 1}, "action": "dropAfterCommit"},
            {"operations": ["bulkCreateContracts"], "action": {"status": {"status": 400}}},
        ],
    }));
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(4);
    let id = desk.entries()[0]["id"].as_str().unwrap().to_owned();
    let sold = service.ledger();
    let contract = sold[0]["contractId"].as_str().unwrap();
    let give = ["outbox", "resolve", &id, "--give-contract-id", contract];
    desk.wdesk(&give).run().exits(0);
    assert_eq!(desk.entries()[0]["case"], "reportedFraud");
    desk.wdesk(&give).run().exits(0);
    assert_eq!(desk.entries()[0]["state"], "confirmed");
}
