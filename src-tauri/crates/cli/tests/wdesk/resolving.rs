//! What a person decides about a case: what it says, and what it leaves to be sent.

use serde_json::json;

use crate::harness::{Desk, busy, kill, refusal, shop, slow, status};

#[test]
fn a_contract_that_is_let_go_is_sent_now_and_not_called_done_before() {
    let (service, desk) = shop();
    service.answers_sales(&busy(429, "1800"));
    desk.enter(["t-1"], "--wait 1").exits(5);
    let case = desk.of("t-1", "id");
    let tried = service.bulk_requests();
    desk.resolve(&case, "--send-now")
        .exits(5)
        .says("not sent yet");
    assert_eq!(service.bulk_requests(), tried + 1);
    service.is_well();
    desk.resolve(&case, "--send-now").exits(0);
    service.has_sold(1);
}

#[test]
fn a_contract_sent_now_and_refused_exits_with_3_and_one_of_unknown_outcome_with_4() {
    for (answer, exit) in [
        (refusal(400, "BadRequestException"), 3),
        (status(500), 4),
        (status(401), 4),
    ] {
        let (service, desk) = shop();
        service.answers_sales(&busy(429, "1800"));
        desk.enter(["t-1"], "--wait 1").exits(5);
        let case = desk.of("t-1", "id");
        service.answers_sales(&answer);
        let run = desk.resolve(&case, "--send-now").exits(exit);
        if answer != status(401) {
            run.does_not_say("not sent yet");
        }
    }
}

#[test]
fn the_list_and_the_case_say_why_a_contract_waits() {
    for (answer, why, held, for_token) in [
        (busy(429, "1800"), "the service asked to wait", 1, 0),
        (status(401), "refused the token", 1, 1),
        (status(500), "sent without a usable response", 0, 0),
    ] {
        let (service, desk) = shop();
        service.answers_sales(&answer);
        desk.enter(["t-1"], "--wait 1");
        let counts = desk.outbox().has("held", held);
        counts.has("heldForToken", for_token);
        desk.run("outbox list").prints(why);
        let case = desk.of("t-1", "id");
        desk.run(["outbox", "show", &case]).prints(why);
    }
}

#[test]
fn what_a_contract_or_a_lead_does_not_allow_is_said_of_that_one() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let case = desk.of("t-1", "id");
    let run = desk.resolve(&case, "--cancel").exits(2);
    let run = run.fails_with("notAllowed").says("wdesk outbox show");
    run.does_not_say("lead");

    let lead = desk.create_lead("").exits(0).text("id");
    for change in ["again", "cancel"] {
        let run = desk.json(["leads", change, &lead]).exits(2);
        let run = run.fails_with("notAllowed").says("wdesk leads list");
        run.does_not_say("outbox");
    }
}

#[test]
fn a_request_that_is_sent_once_more_warns_that_it_can_sell_twice() {
    let (service, desk) = shop();
    service.answers_sales(&slow(15_000));
    desk.sales("sales.csv", ["t-1"]);
    let process = desk.selling(&service, "contracts enter sales.csv");
    desk.outbox().has("waiting", 1);
    kill(process);
    // A look does not call what may be sold waiting.
    desk.outbox().has("waiting", 0).has("unknown", 1);
    desk.machine_starts_anew();
    service.is_well();
    desk.send().exits(4).says("wdesk outbox list");
    let case = desk.of("t-1", "id");
    desk.run(["outbox", "show", &case])
        .prints("--give-contract-id")
        .prints("it can sell twice");
    desk.resolve(&case, "--replay-once")
        .exits(5)
        .says("a second contract may be sold");
}

#[test]
fn what_waits_in_a_paused_import_is_not_said_to_be_sent_next() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    desk.change("UPDATE run SET state = 'paused'", []);
    desk.send().exits(4).says("paused");
    let case = desk.of("t-1", "id");
    desk.resolve(&case, "--send-now")
        .exits(2)
        .fails_with("notAllowed");
    desk.change("UPDATE run SET state = 'running'", []);
    desk.resolve(&case, "--send-now").exits(0);
    service.has_sold(1);
}

#[test]
fn what_waits_in_a_paused_import_is_shown_with_why_and_with_the_command_that_resumes_it() {
    let (service, desk) = shop();
    desk.keep(["t-1", "t-2"]);
    desk.change("UPDATE run SET state = 'paused'", []);
    let imports = desk.does("imports list").stdout();
    let cells: Vec<_> = imports.split_whitespace().rev().take(5).collect();
    // Rejected, waiting and all rows, from the right.
    assert_eq!(cells[2..], ["0", "2", "2"], "{imports}");
    let (case, import) = (desk.of("t-1", "id"), cells[0]);
    let why = "its import or sheet is paused";
    desk.does("outbox list").prints(why);
    desk.does(["outbox", "show", &case]).prints(why);
    let resumes = format!("`wdesk imports resume {import}`");
    desk.does("outbox status").says(&resumes);
    let resumed = desk.does(["imports", "resume", import]);
    resumed.says("`wdesk outbox run` sends");
    desk.send().exits(0);
    service.has_sold(2);
}

#[test]
fn cancelling_what_may_have_been_sold_says_so() {
    let (service, desk) = shop();
    let sale = ["bulkCreateContracts"];
    service.faults(&json!([
        {"operations": sale, "when": {"nth": 1}, "action": "dropAfterCommit"},
        {"operations": sale, "action": status(400)},
    ]));
    desk.enter(["t-1"], "").exits(4);
    let case = desk.of("t-1", "id");
    let run = desk.resolve(&case, "--cancel").exits(0);
    run.says("may have been sold all the same");
    service.has_sold(1);
}

#[test]
fn a_command_named_in_a_message_is_for_the_profile_that_was_given() {
    let desk = Desk::fresh();
    for name in ["first", "second"] {
        let to = "--base-url https://service.example.invalid --store-id s-1";
        let next = format!("`wdesk --profile \"{name}\" token set`");
        desk.does(format!("--profile first profile add {name} {to}"))
            .says(&next);
    }
    let unknown = desk.run("--profile third contracts list").exits(2);
    unknown.says("`wdesk profile list`");
    let status = desk.run("--profile second token status");
    status.prints("`wdesk --profile \"second\" token set`");
    let show = "contracts show c-1";
    desk.run(show).exits(2).says("`wdesk token set`");
    let run = desk.run(format!("--profile second {show}")).exits(2);
    run.says("`wdesk --profile \"second\" token set`");
}
