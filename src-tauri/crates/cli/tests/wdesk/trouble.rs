//! Lost answers, a wrong token, a killed process: nothing lost, nothing sold twice, and a clear end.

use std::process::Command;

use serde_json::json;

use crate::harness::{Desk, Sale, Service, distinct, sales, until};

/// Sells at once and takes its time to say so.
fn slow_to_answer(milliseconds: u64) -> serde_json::Value {
    let action = json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": milliseconds}});
    json!({"faults": [{"operations": ["bulkCreateContracts"], "action": action}]})
}

#[test]
fn an_answer_lost_after_the_sale_is_asked_for_again_under_the_same_key() {
    let service = Service::start_with(&["--personality", "dropped-answer"]);
    let desk = Desk::connected(&service);
    let rows: Vec<Sale> = (0..10).map(|n| Sale::of(&format!("t-{n}"))).collect();
    let file = desk.file("sales.csv", &sales(&rows));
    let report = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        // That the provider keeps keys is not known here: a person asks.
        .exits(4)
        .json();
    assert_eq!(report["confirmed"], 10);
    assert_eq!(report["possibleDuplicates"], 10);
    let sold = service.sold();
    assert_eq!(sold.len(), 10);
    assert_eq!(distinct(&sold).len(), 10);
    assert!(service.bulk_requests() > 1, "no answer was lost");
}

#[test]
fn a_wrong_token_holds_the_sales_until_a_person_gives_the_right_one() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    desk.wdesk(&["token", "set"])
        .input("not-the-token")
        .run()
        .exits(0);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    let run = desk
        .wdesk(&["contracts", "enter", &file, "--wait", "5"])
        .run()
        .exits(4);
    assert!(
        run.stdout().contains("declines the token"),
        "{}",
        run.stdout()
    );
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!(service.sold().len(), 0);

    desk.wdesk(&["token", "set"])
        .input(crate::harness::TOKEN)
        .run()
        .exits(0);
    let report = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        .exits(0)
        .json();
    assert_eq!(report["alreadyEntered"], 2);
    assert_eq!(report["confirmed"], 2);
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn a_machine_that_goes_down_while_sending_leaves_a_case_that_is_never_resent_by_itself() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    // The service sells, and its answer takes longer than the process lives.
    service.behave(&slow_to_answer(15_000));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let mut process = desk.wdesk(&["contracts", "enter", &file]).spawn();
    until("the sale", || service.sold().len() == 1);
    process.kill().unwrap();
    process.wait().unwrap();
    desk.machine_starts_anew();

    service.behave(&json!("default"));
    let sent = service.bulk_requests();
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!(service.bulk_requests(), sent, "sent again by itself");

    let open = desk
        .wdesk(&["--json", "outbox", "list"])
        .run()
        .exits(0)
        .json();
    let case = open[0]["id"].as_str().unwrap().to_owned();
    let shown = desk.wdesk(&["outbox", "show", &case]).run().exits(0);
    assert!(
        shown.stdout().contains("--give-contract-id"),
        "{}",
        shown.stdout()
    );

    let wrong = [
        "--json",
        "outbox",
        "resolve",
        &case,
        "--give-contract-id",
        "nobody-has-this",
    ];
    desk.wdesk(&wrong).run().exits(3);
    let ledger = service.ledger();
    let id = ledger[0]["contractId"].as_str().unwrap();
    until("the contract can be looked up", || {
        let run = desk.wdesk(&["contracts", "show", id]).run();
        run.0.status.code() == Some(0)
    });
    let right = ["outbox", "resolve", &case, "--give-contract-id", id];
    desk.wdesk(&right).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(desk.entries()[0]["state"], "confirmed");
    assert_eq!(desk.entries()[0]["contractId"], id);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_look_after_a_crash_does_not_call_what_may_be_sold_waiting() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&slow_to_answer(15_000));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let mut process = desk.wdesk(&["contracts", "enter", &file]).spawn();
    until("the sale", || service.sold().len() == 1);
    // While the process lives it is on its way.
    assert_eq!(desk.outbox()["waiting"], 1);
    process.kill().unwrap();
    process.wait().unwrap();
    let summary = desk.outbox();
    assert_eq!(summary["waiting"], 0, "{summary}");
    assert_eq!(
        summary["unknown"].as_u64().unwrap() + summary["needsPerson"].as_u64().unwrap(),
        1,
        "{summary}"
    );
}

#[test]
fn a_run_interrupted_by_the_system_waits_for_the_answer_on_its_way() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&slow_to_answer(1_500));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let mut process = desk.wdesk(&["contracts", "enter", &file]).spawn();
    until("the sale", || service.sold().len() == 1);
    let pid = process.id().to_string();
    let asked = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(asked.unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(0));
    let entries = desk.entries();
    assert!(entries[0]["contractId"].is_string(), "{entries:?}");
}

#[test]
fn a_sale_the_provider_does_not_have_is_sent_anew_and_once() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    // Every connection dies before the service does anything, and the desk cannot know that.
    service.behave(&json!({
        "faults": [{"operations": ["bulkCreateContracts"], "action": "dropBeforeCommit"}]
    }));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "1"])
        .run()
        .exits(4);
    desk.machine_starts_anew();
    service.behave(&json!("default"));
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert!(service.sold().is_empty(), "sent again by itself");

    let open = desk
        .wdesk(&["--json", "outbox", "list"])
        .run()
        .exits(0)
        .json();
    let case = open[0]["id"].as_str().unwrap();
    let none = [
        "outbox",
        "resolve",
        case,
        "--provider-has-none",
        "desk 4711",
    ];
    desk.wdesk(&none).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_case_is_only_closed_in_a_lawful_way() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let entries = desk.entries();
    let id = entries[0]["id"].as_str().unwrap();
    for kind in [
        &["--cancel"][..],
        &["--replay-once"],
        &["--provider-has-none", "x"],
    ] {
        let line = [&["--json", "outbox", "resolve", id], kind].concat();
        let run = desk.wdesk(&line).run().exits(2);
        assert_eq!(run.error_code(), "notLawful", "{kind:?}");
    }
    let run = desk
        .wdesk(&["--json", "outbox", "show", "no-such-case"])
        .run()
        .exits(2);
    assert_eq!(run.error_code(), "notKnown");
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_change_answered_with_a_fault_of_the_service_is_for_a_person() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let fault = |operation: &str| {
        service.behave(&json!({"faults": [{
            "operations": [operation],
            "action": {"status": {"status": 500}},
        }]}));
    };
    fault("updatePlan");
    let link = [
        "--json",
        "plans",
        "link",
        crate::harness::UNLINKED_PLAN,
        "NEW",
    ];
    let run = desk.wdesk(&link).run().exits(4);
    // The plan was read again: what it shows now is said with the service's words.
    assert_eq!(run.error_code(), "notProven");
    assert!(run.stdout().contains("HTTP 500"), "{}", run.stdout());
    assert!(
        run.stderr().contains("reference is now empty"),
        "{}",
        run.stderr()
    );
    fault("upsertProduct");
    let put = [
        "products",
        "put",
        "--reference-id",
        "r-1",
        "--title",
        "t",
        "--price",
        "1",
        "--image-url",
        "https://sample.invalid/1.png",
        "--category",
        "c",
    ];
    let run = desk.wdesk(&put).run().exits(4);
    assert!(
        run.stderr().contains("may have been changed"),
        "{}",
        run.stderr()
    );
}

#[test]
fn a_service_that_answers_with_a_web_page_is_named_as_such() {
    let service = Service::start_with(&["--personality", "html-with-200"]);
    let desk = Desk::connected(&service);
    let run = desk
        .wdesk(&["--json", "plans", "show", crate::harness::PLAN])
        .run()
        .exits(5);
    assert_eq!(run.error_code(), "unreadableAnswer");
    assert!(run.stderr().contains("sign-in page"), "{}", run.stderr());
}

#[test]
fn a_service_that_asks_for_patience_gets_it_and_the_sales_are_kept() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"faults": [{
        "operations": ["bulkCreateContracts"],
        "action": {"tooManyRequests": {"retryAfter": "600"}},
    }]}));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let enter = ["--json", "contracts", "enter", &file, "--wait", "3"];
    let report = desk.wdesk(&enter).run().exits(5).json();
    assert_eq!(report["held"], 1);
    assert!(report["cases"][0]["nextAt"].is_string());
    desk.wdesk(&["outbox", "run", "--wait", "1"]).run().exits(5);
    assert_eq!(service.bulk_requests(), 1, "asked again too soon");
    assert_eq!(service.sold().len(), 0);
}

#[test]
fn a_sale_the_service_refuses_is_told_with_its_words_and_sold_once_when_entered_again() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"faults": [{
        "operations": ["bulkCreateContracts"],
        "action": {"status": {"status": 400}},
    }]}));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let report = desk
        .wdesk(&["--json", "contracts", "enter", &file, "--wait", "5"])
        .run()
        .exits(3)
        .json();
    assert_eq!(report["refused"], 1);
    assert!(report["cases"][0]["requestId"].is_string());
    assert_eq!(service.sold().len(), 0);

    service.behave(&json!("default"));
    let report = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        .exits(0)
        .json();
    assert_eq!(report["entered"], 1);
    assert_eq!(service.sold().len(), 1);
}
