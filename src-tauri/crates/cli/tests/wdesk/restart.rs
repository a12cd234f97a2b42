//! The program killed and started again with an entry in each state it can be in: shown as it is, and
//! nothing done that the state does not allow.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Service, TOKEN, sales, until};

/// A service, a desk, and how often bulk creation was asked for.
struct Stage {
    service: Service,
    desk: Desk,
}

impl Stage {
    fn new() -> Self {
        let service = Service::start();
        let desk = Desk::connected(&service);
        Self { service, desk }
    }

    fn bulk(&self, action: &Value) {
        self.service.behave(&json!({
            "faults": [{"operations": ["bulkCreateContracts"], "action": action}]
        }));
    }

    /// Enters sales and kills the process once the first of them is shown in this state.
    fn kill_when(&self, transactions: &[&str], state: &str) {
        let rows: Vec<Sale> = transactions.iter().map(|id| Sale::of(id)).collect();
        let file = self.desk.file("sales.csv", &sales(&rows));
        let mut process = self.desk.wdesk(&["contracts", "enter", &file]).spawn();
        until(state, || {
            let entries = self.desk.entries();
            !entries.is_empty() && entries.iter().all(|entry| entry["state"] == state)
        });
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// A process that dies in its first steps, with everything settled before.
    fn kill_a_run(&self) {
        let mut process = self.desk.wdesk(&["outbox", "run"]).spawn();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    #[track_caller]
    fn shown(&self, state: &str, case: Value) -> Value {
        let entries = self.desk.entries();
        for entry in &entries {
            assert_eq!(entry["state"], state, "{entry}");
            assert_eq!(entry["case"], case, "{entry}");
        }
        entries[0].clone()
    }

    /// Starts it again over a service that is well, and says how often it sent something.
    /// What may be repeated waits for as long as an answer would have been waited for.
    fn run_again(&self, code: i32) -> usize {
        self.run_for(code, if code == 0 { "60" } else { "8" })
    }

    /// The same, for a sale that is repeated: that the provider keeps keys is not known, so a
    /// person is to ask it.
    fn run_repeats(&self) -> usize {
        self.run_for(4, "60")
    }

    fn run_for(&self, code: i32, wait: &str) -> usize {
        self.service.behave(&json!({"visibility": {"afterMs": 0}}));
        let before = self.service.bulk_requests();
        self.desk
            .wdesk(&["outbox", "run", "--wait", wait])
            .run()
            .exits(code);
        self.service.bulk_requests() - before
    }
}

#[test]
fn what_was_queued_is_sent_once() {
    let stage = Stage::new();
    let file = stage.desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let line = ["contracts", "enter", &file, "--no-wait"];
    stage.desk.wdesk(&line).run().exits(5);
    stage.kill_a_run();
    // It may have begun to send before it was killed; then it is repeated with its key.
    let begun = stage.desk.entries()[0]["attempts"] != 0;
    let sent = stage.run_again(0);
    assert!(begun || sent == 1, "{sent}");
    stage.shown("confirmed", json!(null));
    assert_eq!(stage.service.sold().len(), 1);
}

#[test]
fn what_was_in_flight_becomes_unknown_and_is_repeated_once_with_its_key() {
    let stage = Stage::new();
    stage.bulk(&json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 15_000}}));
    stage.kill_when(&["t-1"], "inFlight");
    stage.shown("unknown", json!(null));
    assert_eq!(stage.run_repeats(), 1);
    stage.shown("confirmed", json!(null));
    assert_eq!(stage.service.sold().len(), 1);
}

#[test]
fn what_was_in_flight_before_the_machine_started_anew_becomes_a_persons() {
    let stage = Stage::new();
    stage.bulk(&json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 15_000}}));
    stage.kill_when(&["t-1"], "inFlight");
    stage.desk.machine_starts_anew();
    stage.shown("unknown", json!(null));
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("unknownTooLong"));
    // And stays there.
    stage.kill_a_run();
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("unknownTooLong"));
}

#[test]
fn what_was_unknown_is_repeated_by_the_next_process() {
    let stage = Stage::new();
    stage.bulk(&json!("dropBeforeCommit"));
    stage.kill_when(&["t-1"], "unknown");
    stage.shown("unknown", json!(null));
    assert_eq!(stage.run_repeats(), 1);
    stage.shown("confirmed", json!(null));
    assert_eq!(stage.service.sold().len(), 1);
}

#[test]
fn what_was_unknown_is_never_repeated_after_the_machine_started_anew() {
    let stage = Stage::new();
    stage.bulk(&json!("dropBeforeCommit"));
    stage.kill_when(&["t-1"], "unknown");
    stage.desk.machine_starts_anew();
    stage.shown("unknown", json!(null));
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("unknownTooLong"));
    assert!(stage.service.sold().is_empty());
}

#[test]
fn what_was_held_for_a_time_still_waits_for_it() {
    let stage = Stage::new();
    stage.bulk(&json!({"tooManyRequests": {"retryAfter": "600"}}));
    stage.kill_when(&["t-1"], "held");
    let entry = stage.shown("held", json!(null));
    assert!(entry["nextAt"].is_string(), "{entry}");
    assert_eq!(stage.run_again(5), 0);
    assert_eq!(stage.shown("held", json!(null))["nextAt"], entry["nextAt"]);
}

#[test]
fn what_was_held_for_a_token_waits_for_another_one() {
    let stage = Stage::new();
    let token = |text: &str| {
        stage
            .desk
            .wdesk(&["token", "set"])
            .input(text)
            .run()
            .exits(0)
    };
    token("not-the-token");
    let file = stage.desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    stage
        .desk
        .wdesk(&["contracts", "enter", &file])
        .run()
        .exits(4);
    stage.kill_a_run();
    let entry = stage.shown("held", json!(null));
    assert!(entry["nextAt"].is_null(), "{entry}");
    assert_eq!(stage.run_again(4), 0);
    token(TOKEN);
    assert_eq!(stage.run_again(0), 1);
    stage.shown("confirmed", json!(null));
}

#[test]
fn what_was_accepted_is_looked_up_and_not_sent() {
    let stage = Stage::new();
    stage.service.behave(&json!("never-visible"));
    stage.kill_when(&["t-1", "t-2"], "accepted");
    let entry = stage.shown("accepted", json!(null));
    assert!(entry["contractId"].is_string());
    assert_eq!(stage.run_again(0), 0);
    assert_eq!(
        stage.shown("confirmed", json!(null))["contractId"],
        entry["contractId"]
    );
    stage.kill_a_run();
    assert_eq!(stage.run_again(0), 0);
    stage.shown("confirmed", json!(null));
    assert_eq!(stage.service.sold().len(), 2);
}

#[test]
fn what_was_refused_or_given_up_stays_so() {
    let stage = Stage::new();
    stage.bulk(&json!({"status": {"status": 400}}));
    let file = stage.desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    stage
        .desk
        .wdesk(&["contracts", "enter", &file])
        .run()
        .exits(3);
    stage.kill_a_run();
    let entry = stage.shown("rejected", json!(null));
    assert_eq!(stage.run_again(3), 0);
    stage.shown("rejected", json!(null));

    let id = entry["id"].as_str().unwrap();
    stage
        .desk
        .wdesk(&["outbox", "resolve", id, "--cancel"])
        .run()
        .exits(0);
    stage.kill_a_run();
    stage.shown("cancelled", json!(null));
    assert_eq!(stage.run_again(0), 0);
    stage.shown("cancelled", json!(null));
    assert!(stage.service.sold().is_empty());
}

#[test]
fn a_case_that_waits_for_a_person_waits_on() {
    let stage = Stage::new();
    stage.bulk(&json!({"status": {"status": 400}}));
    let rows = [Sale::of("t-1"), Sale::of("t-2")];
    let file = stage.desk.file("sales.csv", &sales(&rows));
    stage
        .desk
        .wdesk(&["contracts", "enter", &file])
        .run()
        .exits(4);
    stage.kill_a_run();
    stage.shown("needsPerson", json!("rejectedBatch"));
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("rejectedBatch"));
    assert!(stage.service.sold().is_empty());
}

#[test]
fn a_refusal_after_a_lost_answer_waits_for_a_person_through_a_restart() {
    let stage = Stage::new();
    stage.service.behave(&json!({"faults": [
        {"operations": ["bulkCreateContracts"], "when": {"nth": 1}, "action": "dropAfterCommit"},
        {"operations": ["bulkCreateContracts"], "action": {"status": {"status": 400}}},
    ]}));
    let file = stage.desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    stage
        .desk
        .wdesk(&["contracts", "enter", &file])
        .run()
        .exits(4);
    stage.kill_a_run();
    stage.shown("needsPerson", json!("rejectedAfterUnknown"));
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("rejectedAfterUnknown"));
    assert_eq!(stage.service.sold().len(), 1);
}

/// A service whose file can be reached, and a desk with a sale it has accepted and never saw.
fn accepted_unseen() -> (Stage, tempfile::TempDir) {
    let folder = tempfile::TempDir::new().unwrap();
    let db = folder.path().join("service.db");
    let service = Service::start_with(&["--db", db.to_str().unwrap()]);
    let desk = Desk::connected(&service);
    let stage = Stage { service, desk };
    stage.service.behave(&json!("never-visible"));
    stage.kill_when(&["t-1"], "accepted");
    (stage, folder)
}

#[test]
fn a_contract_that_is_another_than_was_sent_is_a_persons_through_a_restart() {
    let (stage, folder) = accepted_unseen();
    let db = Connection::open(folder.path().join("service.db")).unwrap();
    let changed = "UPDATE contract SET document = replace(document, 'taro@', 'jiro@')";
    assert_eq!(db.execute(changed, []).unwrap(), 1);
    drop(db);
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("contradiction"));
    stage.kill_a_run();
    assert_eq!(stage.run_again(4), 0);
    stage.shown("needsPerson", json!("contradiction"));
    assert_eq!(stage.service.sold().len(), 1);
}

#[test]
fn a_contract_not_seen_for_a_day_is_a_persons_through_a_restart() {
    let (stage, _folder) = accepted_unseen();
    // A day passes.
    let db = Connection::open(stage.desk.folder().join("desk.db")).unwrap();
    let day = 25 * 60 * 60 * 1_000;
    let passed = "UPDATE submission SET accepted_at = accepted_at - ?1, next_lookup_at = NULL";
    assert_eq!(db.execute(passed, [day]).unwrap(), 1);
    drop(db);
    let before = stage.service.bulk_requests();
    let run = ["outbox", "run", "--wait", "3"];
    stage.desk.wdesk(&run).run().exits(4);
    stage.shown("needsPerson", json!("neverVisible"));
    stage.kill_a_run();
    stage.desk.wdesk(&run).run().exits(4);
    stage.shown("needsPerson", json!("neverVisible"));
    assert_eq!(stage.service.bulk_requests(), before);
    assert_eq!(stage.service.sold().len(), 1);
}
