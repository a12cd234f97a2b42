//! A contract that the service returns as sent, and reports as cancelled or as fraud.

use serde_json::json;

use crate::harness::{PLAN, PRODUCT, replace, shop, status, verbatim};

#[test]
fn a_contract_of_another_store_or_reported_as_cancelled_or_as_fraud_is_left_to_a_person() {
    let (active, honest) = ("\"status\":\"Active\"", "\"fraud\":false");
    let ours = "\"id\":\"store-sample-001\"";
    for (from, to, case, said) in [
        (
            active,
            "\"status\":\"CANCELLED\"",
            "reportedCancelled",
            "cancelled",
        ),
        (honest, "\"fraud\":\"true\"", "reportedFraud", "fraud"),
        (ours, "\"id\":\"another\"", "otherStore", "another store"),
    ] {
        let (service, desk) = shop();
        service.answers("getContract", &replace(from, to));
        let report = desk.enter(["t-1"], "--wait 10").exits(4);
        let report = report.has("confirmed", 0).has("needsPerson", 1);
        let reason = report.text("cases/0/reason");
        assert!(reason.contains(said), "{to}: {reason}");
        desk.send().exits(4);
        desk.shows("needsPerson", Some(case));

        // The file does not take it for a registered contract.
        desk.enter(["t-1"], "--wait 10").exits(4);
        service.has_sold(1);
        let (id, contract) = (desk.of("t-1", "id"), desk.of("t-1", "contractId"));
        if case == "reportedCancelled" {
            desk.run(["outbox", "show", &id]).prints("CANCELLED");
        }
        // The provider was asked, and stands by it.
        desk.resolve(&id, ["--give-contract-id", &contract])
            .exits(0);
        // Another store's entry is that store's now.
        let is_settled = case == "otherStore";
        desk.shows("confirmed", (!is_settled).then_some(case));
        desk.send().exits(0);
        service.has_sold(1);
        desk.enter(["t-1"], "--wait 10").exits(0);
        service.has_sold(1);
    }
}

#[test]
fn a_reported_contract_given_for_another_case_is_not_confirmed_unseen() {
    let (service, desk) = shop();
    let sale = ["bulkCreateContracts"];
    service.faults(&json!([
        {"operations": ["getContract"], "action": replace("\"fraud\":false", "\"fraud\":true")},
        {"operations": sale, "when": {"nth": 1}, "action": "dropAfterCommit"},
        {"operations": sale, "action": status(400)},
    ]));
    desk.enter(["t-1"], "").exits(4);
    // A refusal after a lost answer is a person's, and stays one.
    for _ in 0..2 {
        desk.shows("needsPerson", Some("rejectedAfterUnknown"));
        desk.send().exits(4);
    }
    assert_eq!(service.bulk_requests(), 2);
    service.has_sold(1);
    let (id, contract) = (desk.of("t-1", "id"), service.contract());
    desk.resolve(&id, ["--give-contract-id", &contract])
        .exits(4);
    desk.shows("needsPerson", Some("reportedFraud"));
    desk.resolve(&id, ["--give-contract-id", &contract])
        .exits(0);
    desk.shows("confirmed", Some("reportedFraud"));
}

#[test]
fn what_is_not_understood_in_an_answer_is_shown_as_that() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "--wait 10").exits(0);
    service.answers(
        "getContract",
        &replace("\"fraud\":false", "\"fraud\":\"true\""),
    );
    let contract = desk.does(["contracts", "show", &desk.of("t-1", "contractId")]);
    contract
        .prints("\"true\" (not understood)")
        .does_not_print("notUnderstood");
    let plan = json!({
        "plan": {"id": PLAN, "price": "5000", "storeReferenceId": 123},
        "product": {"referenceId": PRODUCT, "price": "9000"},
    });
    service.answers("getPlan", &verbatim(200, &plan));
    desk.does(["plans", "show", PLAN])
        .prints("\"5000\" (not understood)")
        .prints("123 (not understood)")
        .prints("\"9000\" (not understood)");
}
