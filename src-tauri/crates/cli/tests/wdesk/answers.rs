//! What answers of the service prove: error objects of every kind, pages of proxies, and waits.

use serde_json::{Value, json};

use crate::harness::{Desk, PLAN, PRODUCT, Run, Sale, Service, UNLINKED_PLAN, sales};

/// Every request of an operation is answered like this.
fn always(operations: &[&str], action: &Value) -> Value {
    json!({
        "visibility": {"afterMs": 0},
        "faults": [{"operations": operations, "action": action}],
    })
}

/// An error object of a kind that the interface does not list.
fn odd(status: u16, code: &str, after_commit: bool) -> Value {
    let body = json!({"requestId": "odd-1", "code": code, "error": "sample words"});
    json!({"verbatim": {
        "status": status, "contentType": "application/json", "body": body.to_string(),
        "afterCommit": after_commit,
    }})
}

/// Other JSON, after the work was done.
fn verbatim(status: u16, body: &Value) -> Value {
    json!({"verbatim": {
        "status": status, "contentType": "application/json", "body": body.to_string(),
        "afterCommit": true,
    }})
}

fn page(status: u16, retry_after: &str) -> Value {
    json!({"verbatim": {
        "status": status, "contentType": "text/html", "body": "<h1>Sample page of a proxy</h1>",
        "headers": [["retry-after", retry_after]],
    }})
}

fn create_lead(desk: &Desk) -> Run {
    desk.wdesk(&[
        "--json",
        "leads",
        "create",
        "--transaction-id",
        "t-1",
        "--product",
        PRODUCT,
        "--purchase-price",
        "189800",
        "--quantity",
        "1",
    ])
    .run()
}

fn enter(desk: &Desk, more: &[&str]) -> Run {
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let line = ["--json", "contracts", "enter", &file];
    desk.wdesk(&[&line[..], more].concat()).run()
}

/// Milliseconds from now until the one entry is sent or looked up again.
fn until_next(desk: &Desk) -> i64 {
    let next = desk.entries()[0]["nextAt"].as_str().unwrap().to_owned();
    let next = chrono::DateTime::parse_from_rfc3339(&next).unwrap();
    (next.to_utc() - chrono::Utc::now()).num_milliseconds()
}

#[test]
fn a_lead_answered_with_an_error_of_another_kind_may_exist_and_is_not_called_refused() {
    for (status, code) in [(409, "ConflictException"), (200, "InternalException")] {
        let service = Service::start();
        let desk = Desk::connected(&service);
        service.behave(&always(&["createLead"], &odd(status, code, true)));
        let run = create_lead(&desk).exits(4);
        assert_eq!(run.json()["state"], "unknown", "{status} {code}");
        assert_eq!(run.json()["refusal"], "sample words");
        assert!(run.stderr().contains("may exist"), "{}", run.stderr());
        assert_eq!(service.requests("POST", "/v1/leads"), 1);
    }
}

#[test]
fn a_product_answered_with_an_error_of_another_kind_may_be_changed() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&always(&["upsertProduct"], &odd(409, "Busy", true)));
    let run = desk
        .wdesk(&[
            "--json",
            "products",
            "put",
            "--reference-id",
            "r-1",
            "--title",
            "見本",
            "--price",
            "1000",
            "--image-url",
            "https://sample.invalid/1.png",
            "--category",
            "見本",
        ])
        .run()
        .exits(4);
    let error = run.json()["error"].clone();
    assert_eq!(error["maySold"], "maybe", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("may have been changed"), "{message}");
    assert_eq!(error["requestId"], "odd-1");
}

#[test]
fn a_link_answered_with_an_error_of_another_kind_is_what_reading_the_plan_shows() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let link = |reference: &str| {
        desk.wdesk(&["--json", "plans", "link", UNLINKED_PLAN, reference])
            .run()
    };
    // Written all the same: the plan shows it.
    service.behave(&always(&["updatePlan"], &odd(400, "StateException", true)));
    let report = link("SHELF-1").exits(0).json();
    assert_eq!(report["plan"]["storeReferenceId"], "SHELF-1");
    // Not written: the plan says what it is now.
    service.behave(&always(&["updatePlan"], &odd(400, "StateException", false)));
    let line = [
        "plans",
        "link",
        UNLINKED_PLAN,
        "SHELF-2",
        "--expect",
        "SHELF-1",
    ];
    let run = desk
        .wdesk(&[&["--json"], &line[..]].concat())
        .run()
        .exits(4);
    let error = run.json()["error"].clone();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("is now \"SHELF-1\""), "{message}");
    assert!(message.contains("sample words"), "{message}");
    assert_eq!(error["maySold"], "maybe");
}

#[test]
fn a_wait_that_any_request_is_asked_for_is_kept_before_the_next_sale_is_sent() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&always(&["getPlan", "listPlans"], &page(429, "600")));
    enter(&desk, &["--wait", "5"]).exits(5);
    assert_eq!(service.bulk_requests(), 0);
    assert_eq!(desk.entries()[0]["state"], "queued");
}

fn enter_two(desk: &Desk, exit: i32) -> String {
    let file = desk.file("two.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    let enter = ["contracts", "enter", &file, "--wait", "10"];
    desk.wdesk(&enter).run().exits(exit);
    desk.entries()[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_batch_of_several_refused_in_any_words_is_never_repeated() {
    for answer in [
        odd(400, "ValidationException", true),
        odd(404, "NotFoundException", true),
        verbatim(
            400,
            &json!({"code": "BadRequestException", "error": "sample words"}),
        ),
        verbatim(422, &json!({"message": "Validation failed"})),
    ] {
        let service = Service::start();
        service.behave(&always(&["bulkCreateContracts"], &answer));
        let desk = Desk::connected(&service);
        let id = enter_two(&desk, 4);
        assert_eq!(service.bulk_requests(), 1, "{answer}");
        assert_eq!(desk.entries()[0]["case"], "rejectedBatch", "{answer}");
        let replay = ["outbox", "resolve", &id, "--replay-once"];
        desk.wdesk(&replay).run().exits(2);
        desk.wdesk(&["outbox", "run"]).run().exits(4);
        assert_eq!(service.bulk_requests(), 1, "{answer}");
    }
}

#[test]
fn a_batch_answered_in_part_is_never_repeated_and_shows_the_contracts_it_was_answered_with() {
    let service = Service::start();
    service.behave(&json!({"visibility": {"afterMs": 0}, "completeness": {"partial": 1}}));
    let desk = Desk::connected(&service);
    enter_two(&desk, 4);
    assert_eq!(service.bulk_requests(), 1);
    let first = || {
        let entries = desk.entries();
        let mut entries = entries.iter();
        let first = entries.find(|entry| entry["transactionId"] == "t-1");
        first.unwrap().clone()
    };
    assert_eq!(first()["case"], "rejectedBatch");
    let id = first()["id"].as_str().unwrap().to_owned();
    let shown = desk.wdesk(&["outbox", "show", &id]).run().exits(0);
    let contract = service.ledger()[0]["contractId"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(shown.stdout().contains(&contract), "{}", shown.stdout());
    let give = ["outbox", "resolve", &id, "--give-contract-id", &contract];
    desk.wdesk(&give).run().exits(0);
    assert_eq!(first()["state"], "confirmed");
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn what_is_left_of_a_batch_waits_as_long_as_the_batch_was_asked_to() {
    let service = Service::start();
    service.behave(&always(&["bulkCreateContracts"], &page(429, "600")));
    let desk = Desk::connected(&service);
    let id = enter_two(&desk, 5);
    desk.wdesk(&["outbox", "resolve", &id, "--cancel"])
        .run()
        .exits(0);
    service.behave(&json!({}));
    desk.wdesk(&["outbox", "run", "--wait", "3"]).run().exits(5);
    assert_eq!(service.sold().len(), 0);
}

#[test]
fn a_sale_in_doubt_is_asked_about_while_that_is_safe_whatever_wait_was_asked_for() {
    let service = Service::start();
    service.behave(&always(&["bulkCreateContracts"], &page(503, "3600")));
    let desk = Desk::connected(&service);
    enter(&desk, &["--wait", "3"]).exits(4);
    let next = until_next(&desk);
    assert!((300_000..600_000).contains(&next), "{next}");
}

#[test]
fn a_good_sale_is_not_blocked_by_a_service_that_is_too_busy_to_say_what_its_plan_is() {
    for (operation, action) in [
        ("getPlan", odd(400, "ThrottlingException", false)),
        ("getPlan", odd(408, "RequestTimeout", false)),
        ("getPlan", odd(409, "ConflictException", false)),
        ("getPlan", odd(500, "InternalException", false)),
    ] {
        let service = Service::start();
        let desk = Desk::connected(&service);
        service.behave(&always(&[operation], &action));
        let report = enter(&desk, &[]).exits(0).json();
        assert_eq!(report["unchecked"], 1, "{action}: {report}");
        assert_eq!(service.sold().len(), 1, "{action}");
    }
}

#[test]
fn a_plan_is_called_another_products_only_when_a_listing_of_all_plans_says_so() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    // The plan is read with another product, as of a plan that serves several.
    let read = |listing: Option<Value>| {
        let other = json!({"replace": {"from": PRODUCT, "to": "ANOTHER-1"}});
        let mut faults = vec![json!({"operations": ["getPlan"], "action": other})];
        faults.extend(listing.map(|action| json!({"operations": ["listPlans"], "action": action})));
        service.behave(&json!({"visibility": {"afterMs": 0}, "faults": faults}));
    };
    read(Some(odd(503, "UnavailableException", false)));
    let looked = enter(&desk, &["--dry-run"]).exits(5).json();
    assert_eq!(
        (&looked["unchecked"], &looked["rejected"]),
        (&json!(1), &json!([]))
    );
    // What the price is was answered, and is asked about.
    let dearer = Sale {
        fee: "1".to_owned(),
        ..Sale::of("t-2")
    };
    let file = desk.file("dearer.csv", &sales(&[dearer]));
    let line = ["--json", "contracts", "enter", &file, "--dry-run"];
    let asked = desk.wdesk(&line).run().exits(2).json();
    assert_eq!(asked["rejected"][0]["questions"][0]["kind"], "changedPrice");
    // The listing of all plans has it.
    read(None);
    let report = enter(&desk, &[]).exits(0).json();
    assert_eq!((&report["unchecked"], service.sold().len()), (&json!(0), 1));
}

#[test]
fn a_plan_that_the_service_does_not_know_is_named_before_anything_is_sent() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&always(
        &["getPlan"],
        &odd(400, "BadRequestException", false),
    ));
    let wrong = Sale {
        plan: "no-such-plan".to_owned(),
        ..Sale::of("t-1")
    };
    let file = desk.file("sales.csv", &sales(&[wrong]));
    let run = desk.wdesk(&["--json", "contracts", "enter", &file]).run();
    let problem = run.exits(2).json()["rejected"][0]["problems"][0].clone();
    assert_eq!(
        problem,
        json!({"field": "planId", "problem": "unknownPlan"})
    );
    // The listing has the right one, whatever reading it says.
    enter(&desk, &[]).exits(0);
    assert_eq!(service.sold().len(), 1);
    assert_eq!(service.sold()[0].2, PLAN);
}

#[test]
fn a_page_that_says_too_many_requests_declines_and_its_wait_counts() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&always(&["bulkCreateContracts"], &page(429, "1800")));
    let report = enter(&desk, &["--wait", "1"]).exits(5).json();
    assert_eq!(
        (&report["held"], &report["unknown"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(service.bulk_requests(), 1);
    let wait = until_next(&desk);
    // Desks that are asked for the same wait do not return in the same second.
    assert!((1_700_000..=1_805_000).contains(&wait), "{wait} ms");
    // A lead is declined in the same way: it is kept, and does not exist.
    service.behave(&always(&["createLead"], &page(429, "1800")));
    assert_eq!(create_lead(&desk).exits(5).json()["state"], "queued");
}

#[test]
fn the_wait_of_a_page_that_says_unavailable_counts() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&always(&["bulkCreateContracts"], &page(503, "300")));
    let report = enter(&desk, &["--wait", "1"]).exits(4).json();
    assert_eq!(report["unknown"], 1);
    let wait = until_next(&desk);
    assert!((250_000..=305_000).contains(&wait), "{wait} ms");
}

#[test]
fn the_wait_of_a_page_counts_for_a_lookup() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&always(&["getContract"], &page(503, "900")));
    let report = enter(&desk, &["--wait", "4"]).exits(0).json();
    assert_eq!(report["accepted"], 1);
    let wait = until_next(&desk);
    assert!((800_000..=900_000).contains(&wait), "{wait} ms");
}
