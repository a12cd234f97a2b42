//! What answers of the service prove: error objects of every kind, pages of proxies, and waits.

use serde_json::{Value, json};

use crate::harness::{Desk, UNLINKED_PLAN, busy, refusal, shop, status};

/// The same answer, after the work was done.
fn after_commit(mut answer: Value) -> Value {
    answer["verbatim"]["afterCommit"] = json!(true);
    answer
}

/// Milliseconds from now until the one entry is sent or looked up again.
fn until_next(desk: &Desk) -> i64 {
    let next = desk.of("t-1", "nextAt");
    let next = chrono::DateTime::parse_from_rfc3339(&next).unwrap();
    (next.to_utc() - chrono::Utc::now()).num_milliseconds()
}

#[test]
fn a_change_answered_with_an_error_of_another_kind_may_be_done() {
    let (service, desk) = shop();
    service.answers(
        "createLead",
        &after_commit(refusal(409, "ConflictException")),
    );
    let lead = desk.create_lead("").exits(4).says("may exist");
    lead.has("state", "unknown").has("refusal", "sample words");
    for answer in [after_commit(refusal(409, "Busy")), status(500)] {
        service.answers("upsertProduct", &answer);
        let run = desk.put_product("r-1").exits(4);
        let run = run.says("may have been changed");
        run.has("error/mayHaveChanged", "maybe")
            .text("error/requestId");
    }
}

#[test]
fn a_link_answered_with_an_error_of_another_kind_is_what_reading_the_plan_shows() {
    let (service, desk) = shop();
    let link = |to: &str| desk.json(format!("plans link {UNLINKED_PLAN} {to}"));
    let odd = refusal(400, "StateException");
    // Not written: the plan was read again, and what it shows now is said with the service's words.
    service.answers("updatePlan", &status(500));
    let run = link("SHELF-1").exits(4).says("reference is now empty");
    run.fails_with("notProven").prints("HTTP 500");
    // Written all the same: the plan shows it.
    service.answers("updatePlan", &after_commit(odd.clone()));
    let linked = link("SHELF-1").exits(0).has("previous", Value::Null);
    linked.has("plan/storeReferenceId", "SHELF-1");
    service.answers("updatePlan", &odd);
    let run = link("SHELF-2 --expect SHELF-1")
        .exits(4)
        .has("error/mayHaveChanged", "maybe");
    let message = run.text("error/message");
    assert!(message.contains("is now \"SHELF-1\""), "{message}");
    assert!(message.contains("sample words"), "{message}");
}

#[test]
fn a_wait_that_any_request_is_asked_for_is_kept_before_the_next_sale_is_sent() {
    let (service, desk) = shop();
    let wait = json!({"operations": ["getPlan", "listPlans"], "action": busy(429, "600")});
    service.faults(&json!([wait]));
    desk.enter(["t-1"], "--wait 5").exits(5);
    assert_eq!(service.bulk_requests(), 0);
    desk.shows("queued", None);
}

#[test]
fn what_is_left_of_a_batch_waits_as_long_as_the_batch_was_asked_to() {
    let (service, desk) = shop();
    service.answers_sales(&busy(429, "600"));
    desk.enter(["t-1", "t-2"], "--wait 10").exits(5);
    desk.resolve(&desk.of("t-1", "id"), "--cancel").exits(0);
    service.is_well();
    desk.run("outbox run --wait 3").exits(5);
    service.has_sold(0);
}

#[test]
fn the_wait_that_a_page_asks_for_counts() {
    // Desks that are asked for the same wait do not return in the same second. A sale of unknown outcome is asked
    // about while that is safe, however long a wait was asked for.
    for (operation, page, enter, exit, state, wait) in [
        (
            "bulkCreateContracts",
            busy(429, "1800"),
            "--wait 1",
            5,
            "held",
            1_700_000..1_805_001,
        ),
        (
            "bulkCreateContracts",
            busy(503, "300"),
            "--wait 1",
            4,
            "unknown",
            250_000..305_001,
        ),
        (
            "bulkCreateContracts",
            busy(503, "3600"),
            "--wait 3",
            4,
            "unknown",
            300_000..600_000,
        ),
        (
            "getContract",
            busy(503, "900"),
            "--wait 4",
            0,
            "accepted",
            800_000..900_001,
        ),
    ] {
        let (service, desk) = shop();
        service.answers(operation, &page);
        desk.enter(["t-1"], enter).exits(exit).has(state, 1);
        assert_eq!(service.bulk_requests(), 1, "{page}");
        let next = until_next(&desk);
        assert!(wait.contains(&next), "{page}: {next} ms");
        if state == "held" {
            // The next process waits as long, for a service that is well again.
            let next = desk.of("t-1", "nextAt");
            service.is_well();
            desk.run("outbox run --wait 1").exits(5);
            assert_eq!(service.bulk_requests(), 1);
            assert_eq!(desk.of("t-1", "nextAt"), next);
        }
    }
}
