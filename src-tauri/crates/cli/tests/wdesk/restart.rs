//! The program killed and started again with an entry in each state it can be in: shown as it is, and
//! nothing done that the state does not allow.

use serde_json::json;

use crate::harness::{Desk, Service, kill, shop, status, until};

/// Enters sales and kills the process once all of them are shown in this state.
fn kill_when(desk: &Desk, transactions: &[&str], state: &str) {
    desk.sales("sales.csv", transactions.iter().copied());
    let process = desk.wdesk("contracts enter sales.csv").spawn();
    until(state, || {
        let entries = desk.entries();
        !entries.is_empty() && entries.iter().all(|entry| entry["state"] == state)
    });
    kill(process);
}

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
fn what_was_unknown_is_repeated_by_the_next_process() {
    let (service, desk) = shop();
    service.answers_sales(&json!("dropBeforeCommit"));
    kill_when(&desk, &["t-1"], "unknown");
    desk.shows("unknown", None);
    service.is_well();
    let sent = service.bulk_requests();
    desk.repeat();
    assert_eq!(service.bulk_requests(), sent + 1);
    desk.shows("confirmed", None);
    service.has_sold(1);
}

#[test]
fn what_was_accepted_is_looked_up_and_not_sent() {
    let (service, desk) = shop();
    service.behave(&json!("never-visible"));
    kill_when(&desk, &["t-1", "t-2"], "accepted");
    let contract = desk.of("t-1", "contractId");
    service.is_well();
    desk.send().exits(0);
    assert_eq!(desk.of("t-1", "contractId"), contract);
    stays(&service, &desk, 0, "confirmed", None);
    service.has_sold(2);
    assert_eq!(service.bulk_requests(), 1);
}

#[test]
fn what_was_refused_or_given_up_stays_so() {
    let (service, desk) = shop();
    service.answers_sales(&status(400));
    desk.enter(["t-1"], "").exits(3);
    stays(&service, &desk, 3, "rejected", None);
    desk.resolve(&desk.of("t-1", "id"), "--cancel").exits(0);
    stays(&service, &desk, 0, "cancelled", None);
    service.has_sold(0);
}

/// A sale that the service has accepted and never showed.
fn accepted_unseen(desk: &Desk) -> Service {
    let service = Service::start_with(format!("--db {}", desk.path("service.db").display()));
    desk.add_profile(&service.base_url, &service.store);
    desk.set_token(crate::harness::TOKEN);
    service.behave(&json!("never-visible"));
    kill_when(desk, &["t-1"], "accepted");
    service
}

#[test]
fn a_contract_that_is_another_than_was_sent_is_a_persons_through_a_restart() {
    let desk = Desk::fresh();
    let service = accepted_unseen(&desk);
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
fn a_contract_not_seen_for_a_day_is_a_persons_through_a_restart() {
    let desk = Desk::fresh();
    let service = accepted_unseen(&desk);
    // A day passes.
    let passed = "UPDATE submission SET accepted_at = accepted_at - ?1, next_lookup_at = NULL";
    assert_eq!(desk.change(passed, [25 * 60 * 60 * 1_000]), 1);
    desk.run("outbox run --wait 3").exits(4);
    stays(&service, &desk, 4, "needsPerson", Some("neverVisible"));
    service.has_sold(1);
}
