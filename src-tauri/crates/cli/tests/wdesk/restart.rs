//! The program killed and started again: what was refused, cancelled or left to a person keeps its state,
//! and nothing is sent again.

use serde_json::json;

use crate::harness::{Desk, Service, TOKEN, kill, shop, slow, status, until};

/// Over a service that is well nothing more is sent, and the entries stay as they are, whether a process
/// dies in its first steps or ends as it should.
#[track_caller]
fn stays(service: &Service, desk: &Desk, code: i32, state: &str, case: Option<&str>) {
    service.is_well();
    let sent = service.bulk_requests();
    for _ in 0..2 {
        kill(desk.wdesk("outbox run").spawn());
        desk.shows(state, case);
        desk.run("outbox run --wait 8").exits(code);
        desk.shows(state, case);
    }
    assert_eq!(service.bulk_requests(), sent);
}

#[test]
fn what_was_refused_or_given_up_stays_so() {
    let (service, desk) = shop();
    service.answers_sales(&status(400));
    let report = desk.enter(["t-1"], "").exits(3).has("refused", 1);
    report.text("cases/0/requestId");
    stays(&service, &desk, 3, "rejected", None);
    desk.resolve(&desk.of("t-1", "id"), "--cancel").exits(0);
    stays(&service, &desk, 0, "cancelled", None);
    service.has_sold(0);
}

#[test]
fn a_contract_that_is_another_than_was_sent_is_a_persons_through_a_restart() {
    let desk = Desk::fresh();
    let service = Service::start_with(format!("--db {}", desk.path("service.db").display()));
    desk.add_profile(&service.base_url, &service.store);
    desk.set_token(TOKEN);
    service.behave(&json!("never-visible"));
    desk.sales("sales.csv", ["t-1"]);
    let process = desk.wdesk("contracts enter sales.csv").spawn();
    until("accepted", || {
        let entries = desk.entries();
        entries.iter().any(|entry| entry["state"] == "accepted")
    });
    kill(process);
    let database = rusqlite::Connection::open(desk.path("service.db")).unwrap();
    let changed = "UPDATE contract SET document = replace(document, 'taro@', 'jiro@')";
    assert_eq!(database.execute(changed, []).unwrap(), 1);
    drop(database);
    service.is_well();
    desk.send().exits(4);
    stays(&service, &desk, 4, "needsPerson", Some("contradiction"));
    service.has_sold(1);
}

#[test]
fn a_machine_that_goes_down_while_sending_leaves_a_case_that_is_never_resent_by_itself() {
    let (service, desk) = shop();
    // The service sells, and its answer takes longer than the process lives.
    service.answers_sales(&slow(15_000));
    desk.sales("sales.csv", ["t-1"]);
    let process = desk.selling(&service, "contracts enter sales.csv");
    // While the process lives it is on its way.
    desk.outbox().has("waiting", 1);
    kill(process);
    // A look does not call what may be sold waiting.
    desk.outbox().has("waiting", 0).has("unknown", 1);
    desk.machine_starts_anew();
    desk.shows("unknown", None);

    service.is_well();
    for _ in 0..2 {
        desk.send().exits(4).says("wdesk outbox list");
        desk.shows("needsPerson", Some("unknownTooLong"));
    }
    assert_eq!(service.bulk_requests(), 1, "sent again by itself");

    let case = desk.json("outbox list").exits(0).text("0/id");
    desk.run(["outbox", "show", &case])
        .exits(0)
        .prints("--give-contract-id");
    desk.resolve(&case, "--give-contract-id nobody-has-this")
        .exits(3);
    let contract = service.contract();
    service.shows(&contract);
    desk.resolve(&case, ["--give-contract-id", &contract])
        .exits(0);
    desk.send().exits(0);
    desk.shows("confirmed", None);
    assert_eq!(desk.of("t-1", "contractId"), contract);
    service.has_sold(1);
}
