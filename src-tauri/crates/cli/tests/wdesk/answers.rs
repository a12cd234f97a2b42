//! What answers of the service prove: error objects of every kind, pages of proxies, and waits.

use serde_json::{Value, json};

use crate::harness::{
    Desk, PLAN, PRODUCT, Sale, UNLINKED_PLAN, busy, refusal, replace, shop, status, verbatim,
};

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
fn a_lead_without_an_answer_that_proves_anything_may_exist_and_is_not_called_refused() {
    let odd = |status, code| after_commit(refusal(status, code));
    for (answer, words) in [
        (odd(409, "ConflictException"), json!("sample words")),
        (odd(200, "InternalException"), json!("sample words")),
        (json!("dropAfterCommit"), Value::Null),
    ] {
        let (service, desk) = shop();
        service.answers("createLead", &answer);
        let lead = desk.create_lead("").exits(4).says("may exist");
        lead.has("state", "unknown").has("refusal", words);
        assert_eq!(service.requests("POST", "/v1/leads"), 1);
    }
}

#[test]
fn a_product_answered_with_an_error_of_another_kind_may_be_changed() {
    for answer in [after_commit(refusal(409, "Busy")), status(500)] {
        let (service, desk) = shop();
        service.answers("upsertProduct", &answer);
        let run = desk
            .put_product("r-1")
            .exits(4)
            .says("may have been changed");
        run.has("error/maySold", "maybe").text("error/requestId");
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
        .has("error/maySold", "maybe");
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
fn a_batch_of_several_refused_in_any_words_is_never_repeated() {
    let other_code = json!({"code": "BadRequestException", "error": "sample words"});
    for answer in [
        refusal(400, "ValidationException"),
        refusal(404, "NotFoundException"),
        verbatim(400, &other_code),
        verbatim(422, &json!({"message": "Validation failed"})),
    ] {
        let (service, desk) = shop();
        service.answers_sales(&after_commit(answer.clone()));
        desk.enter(["t-1", "t-2"], "--wait 10").exits(4);
        desk.shows("needsPerson", Some("rejectedBatch"));
        desk.resolve(&desk.of("t-1", "id"), "--replay-once")
            .exits(2)
            .fails_with("notLawful");
        desk.send().exits(4);
        assert_eq!(service.bulk_requests(), 1, "{answer}");
    }
}

#[test]
fn a_batch_answered_in_part_is_never_repeated_and_shows_the_contracts_it_was_answered_with() {
    let (service, desk) = shop();
    service.behave(&json!({"visibility": {"afterMs": 0}, "completeness": {"partial": 1}}));
    desk.enter(["t-1", "t-2"], "--wait 10").exits(4);
    assert_eq!(service.bulk_requests(), 1);
    assert_eq!(desk.of("t-1", "case"), "rejectedBatch");
    let (id, contract) = (desk.of("t-1", "id"), service.contract());
    desk.run(["outbox", "show", &id]).exits(0).prints(&contract);
    desk.resolve(&id, ["--give-contract-id", &contract])
        .exits(0);
    assert_eq!(desk.of("t-1", "state"), "confirmed");
    service.has_sold(2);
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
fn a_good_sale_is_not_blocked_by_a_service_that_is_too_busy_to_say_what_its_plan_is() {
    for (status, code) in [
        (400, "ThrottlingException"),
        (408, "RequestTimeout"),
        (409, "ConflictException"),
        (500, "InternalException"),
    ] {
        let (service, desk) = shop();
        service.answers("getPlan", &refusal(status, code));
        desk.enter(["t-1"], "").exits(0).has("unchecked", 1);
        service.has_sold(1);
    }
}

#[test]
fn a_plan_is_called_another_products_only_when_a_listing_of_all_plans_says_so() {
    let (service, desk) = shop();
    // The plan is read with another product, as of a plan that serves several.
    let other = json!({"operations": ["getPlan"], "action": replace(PRODUCT, "ANOTHER-1")});
    let unavailable = refusal(503, "UnavailableException");
    let unlisted = json!({"operations": ["listPlans"], "action": unavailable});
    service.faults(&json!([other, unlisted]));
    let looked = desk.enter(["t-1"], "--dry-run").exits(5);
    looked.has("unchecked", 1).has("rejected", json!([]));
    // What the price is was answered, and is asked about.
    let dearer = desk.enter([Sale::of("t-2").fee("1")], "--dry-run").exits(2);
    dearer.has("rejected/0/questions/0/kind", "changedPrice");
    // The listing of all plans has it.
    service.faults(&json!([other]));
    desk.enter(["t-1"], "").exits(0).has("unchecked", 0);
    service.has_sold(1);
}

#[test]
fn a_plan_that_the_service_does_not_know_is_named_before_anything_is_sent() {
    let (service, desk) = shop();
    service.answers("getPlan", &refusal(400, "BadRequestException"));
    let wrong = desk
        .enter([Sale::of("t-1").plan("no-such-plan")], "")
        .exits(2);
    let problem = json!({"field": "planId", "problem": "unknownPlan"});
    wrong.has("rejected/0/problems/0", problem);
    // The listing has the right one, whatever reading it says.
    desk.enter(["t-1"], "").exits(0);
    service.has_sold(1);
    assert_eq!(service.sold()[0].2, PLAN);
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
    // A lead is declined in the same way: it is kept, and does not exist.
    let (service, desk) = shop();
    service.answers("createLead", &busy(429, "1800"));
    desk.create_lead("").exits(5).has("state", "queued");
}
