//! No network: sales are kept, and sold once when it is back.

use serde_json::{Value, json};

use crate::harness::{
    Desk, PLAN, PRODUCT, Run, Service, TOKEN, busy, numbered, refusal, shop, until,
};

#[test]
fn sales_entered_without_a_network_wait_and_are_sold_once_when_it_is_back() {
    let (address, desk) = Desk::offline();
    desk.enter(["t-1", "t-2"], "--wait 2")
        .exits(5)
        .says("is not responding")
        .says("`wdesk doctor` says more about the connection")
        .says("In 2 of 2 rows, product, plan and price were not checked")
        .has("waiting", 2);
    desk.outbox().has("waiting", 2);
    // Entering again while still offline adds nothing, and says where the sales stand.
    let again = desk.enter(["t-1", "t-2"], "--wait 2").exits(5);
    again.has("alreadyEntered", 2).has("waiting", 2);

    let service = Service::start_with(format!("--addr {address}"));
    desk.reports("outbox run").has("confirmed", 2);
    service.has_sold(2);
}

#[test]
fn a_sale_whose_answer_was_lost_is_repeated_by_the_same_run_once_the_network_is_back() {
    let (address, desk) = Desk::offline();
    desk.change("UPDATE profile SET key_replay_seconds = 600", []);
    let file = desk.path("service.db");
    let serve = || {
        let service = Service::start_with(format!("--addr {address} --db {}", file.display()));
        service.is_well();
        service
    };
    let mut service = serve();
    service.answers_next_sale(&json!("dropAfterCommit"));
    desk.sales("sales.csv", ["t-1"]);
    let run = desk.selling(&service, "contracts enter sales.csv --wait 60");
    service.kill();
    until("two repeats reach nobody", || {
        desk.value::<i64>("SELECT COUNT(*) FROM attempt WHERE class = 'notSent'") >= 2
    });
    let service = serve();
    Run::from(run).exits(0);
    service.has_sold(1);
}

#[test]
fn a_dry_run_names_a_refused_token_and_how_many_rows_it_could_not_check() {
    let (_service, desk) = shop();
    desk.set_token("sample-of-a-wrong-token");
    let run = desk.enter(["t-1", "t-2"], "--dry-run").exits(3);
    run.says("In 2 of 2 rows").says("refuses the token");
}

#[test]
fn a_dry_run_without_a_network_counts_the_rows_that_ask_among_those_it_could_not_check() {
    let (_address, desk) = Desk::offline();
    let rows = ["1001.0", "1002.0"];
    for answers in [
        "--confirm cell-text",
        "--confirm cell-text --rejected back.csv",
    ] {
        let run = desk.enter(rows, format!("--dry-run {answers}")).exits(5);
        let run = run.says("In 2 of 2 rows");
        run.has("unchecked", 2).has("usable", 2);
    }
    let run = desk.enter(rows, "--dry-run").exits(2);
    run.says("In 2 of 2 rows").has("unchecked", 2);
}

#[test]
fn a_dry_run_names_a_store_that_the_service_does_not_have() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "--dry-run").exits(0);
    desk.uses("elsewhere", &service.base_url, "store-nowhere");
    let run = desk.enter(["t-1"], "--dry-run").exits(4);
    run.says("store \"store-nowhere\"");
    service.has_sold(0);
}

#[test]
fn what_answers_in_place_of_the_service_is_named() {
    let service = Service::start_as("portal-page");
    let desk = Desk::connected(&service);
    let run = desk.enter(["t-1", "t-2"], "--wait 3").exits(5);
    run.says("in place of the service")
        .does_not_say("not responding");
    assert_eq!(service.bulk_requests(), 0);
    // No attempt was made that a case could show.
    assert!(desk.logged(r#""kind":"OtherAnswer""#));
    let look = desk.json(["plans", "show", PLAN]).exits(5);
    look.says("sign-in page").fails_with("unreadable");

    // Also by a later process.
    let run = desk.run("outbox run --wait 3").exits(5);
    run.says("in place of the service");
    assert_eq!(service.bulk_requests(), 0);
}

#[test]
fn an_error_of_a_gateway_is_not_called_silence_or_another_program() {
    let (service, desk) = shop();
    service.answers_sales(&busy(502, "1"));
    let run = desk.enter(numbered(200), "--wait 10").exits(4);
    run.says("The service, or something in front of it, reports an error")
        .says("`wdesk doctor` shows what it responds now")
        .does_not_say("not responding")
        .does_not_say("in place of the service");
    service.answers("getPlan", &busy(502, "9"));
    let look = desk.json(["plans", "show", PLAN]).exits(3);
    look.says("HTTP 502").does_not_say("sign-in page");
}

#[test]
fn a_service_that_answers_and_does_not_say_what_it_did_is_not_called_silent() {
    let (service, desk) = shop();
    service.answers_sales(&refusal(400, "StateException"));
    let run = desk.enter(numbered(200), "--wait 10").exits(4);
    run.says("The service responds, but")
        .does_not_say("not responding");
}

#[test]
fn a_run_that_may_try_nothing_yet_says_when_and_calls_no_service_silent() {
    let (service, desk) = shop();
    service.answers_sales(&busy(503, "900"));
    desk.enter(["t-1"], "--wait 1").exits(4);
    let run = desk.run("outbox run --wait 1").exits(4);
    run.says("tried again from")
        .says("--send-now")
        .does_not_say("not responding");
}

#[test]
fn a_run_whose_time_is_over_says_so_and_how_the_rest_is_sent() {
    let (service, desk) = shop();
    for line in ["contracts enter sales.csv", "outbox run"] {
        desk.sales("sales.csv", ["t-1"]);
        let run = desk.run(format!("{line} --wait 0")).exits(5);
        run.says("`wdesk outbox run --wait SECONDS`")
            .does_not_say("not responding");
    }
    service.has_sold(0);
}

#[test]
fn a_run_with_nothing_but_a_sale_on_hold_says_when_it_can_be_sent_and_by_what() {
    let (service, desk) = shop();
    service.answers_sales(&busy(429, "900"));
    let entered = desk.enter(["t-1"], "--wait 1").exits(5);
    entered.says("The service asks to wait until");
    let run = desk.run("outbox run --wait 1").exits(5);
    run.says("tried again from")
        .says("--send-now")
        .does_not_say("automatically");
    desk.does("outbox list")
        .prints("`wdesk outbox run` sends it after")
        .does_not_print("automatically");
}

#[test]
fn the_documents_of_the_outbox_say_what_keeps_it_from_sending() {
    let (service, desk) = shop();
    service.behave(&json!("portal-page"));
    desk.enter(["t-1"], "--wait 3").exits(5);
    let run = || desk.json("outbox run --wait 3").exits(5);
    let portal = run().has("connection", "otherAnswer");
    portal.has("blocker", Value::Null);
    desk.does("token remove");
    run().has("blocker/kind", "noToken");
    let status = desk.outbox().has("blocker/kind", "noToken");
    status.has("connection", "notReady");

    service.is_well();
    service.answers_sales(&busy(429, "900"));
    desk.set_token(TOKEN);
    run().has("connection", "connected").text("waitUntil");
    let status = desk.outbox().has("connection", "notTried");
    let status = status.has("unseenReport", false);
    status.has("pausedRuns", json!([])).text("waitUntil");
    desk.change("UPDATE run SET state = 'paused'", []);
    let import = desk.reports("imports list").text("0/id");
    desk.outbox().has("pausedRuns/0/id", import);
}

#[test]
fn a_service_that_asks_to_wait_at_a_read_is_said_to() {
    let (service, desk) = shop();
    service.answers("getPlan", &busy(429, "900"));
    let run = desk.enter(["t-1"], "--wait 1").exits(5);
    run.says("not checked: the service asks to wait until")
        .says("The service asks to wait until")
        .says("--send-now");
    service.has_sold(0);
}

#[test]
fn a_connection_that_is_not_secure_is_named_and_not_called_silence() {
    let service = Service::start();
    let address = format!("https://{}", service.address());
    let desk = Desk::connected_to(&address, &service.store);
    let run = desk.enter(["t-1"], "--wait 1").exits(5);
    run.says("No secure connection")
        .does_not_say("not responding");
}

#[test]
fn a_service_that_is_gone_is_named_while_accepted_sales_wait_to_be_confirmed() {
    let service = Service::start_as("never-visible");
    let desk = Desk::connected(&service);
    desk.sales("sales.csv", ["t-1"]);
    desk.does("contracts enter sales.csv --wait 1");
    drop(service);
    desk.does("outbox run --wait 10").says("not responding");
    let entered = desk.does("contracts enter sales.csv --no-wait");
    entered.prints("not visible yet").does_not_print("normal");
}

#[test]
fn reading_without_a_network_shows_what_is_remembered_with_its_age() {
    let (service, desk) = shop();
    let list = format!("plans list --product {PRODUCT}");
    let online = desk.reports(&list).has("source", "service");
    drop(service);

    let away = desk.run(&list).exits(5).says("cannot be reached");
    away.says("`--offline` shows what is saved here.");
    let offline = desk.reports(format!("{list} --offline"));
    let offline = offline
        .has("source", "cache")
        .has("plans", online["plans"].clone());
    assert!(offline["ageSeconds"].is_u64());
    assert_eq!(offline.stderr(), "");
}

#[test]
fn a_lead_without_a_network_is_kept_and_sent_when_a_person_says_so() {
    let (address, desk) = Desk::offline();
    let id = desk.create_lead("").exits(5).text("id");
    let status = || desk.does("outbox status");
    status()
        .prints("leads waiting                       1")
        .does_not_say("Nothing waits here");
    desk.outbox()
        .has("leadsWaiting", 1)
        .has("nothingWaits", false);
    assert!(desk.outbox()["unsent"].as_u64() > Some(0));
    let _service = Service::start_with(format!("--addr {address}"));
    // A run of the outbox names the lead that waits and how it is sent.
    desk.send()
        .exits(5)
        .says("1 lead waits")
        .says("wdesk leads again");
    let again = desk
        .reports(["leads", "again", &id])
        .has("state", "created");
    assert!(again["token"].is_string());
    desk.send().exits(0);
    status()
        .prints("leads waiting                       0")
        .says("Nothing waits here");
    desk.outbox().has("nothingWaits", true).has("unsent", 0);
}
