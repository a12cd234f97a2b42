//! `wdesk sandbox`: what scripts and tests rely on.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use warranty_core::api::{BaseUrl, StoreId, Token};
use warranty_core::vault::MemoryVault;
use warranty_core::{DeskOptions, PracticeService};
use warranty_sandbox::{Database, Options, Sandbox};

use crate::harness::{Desk, PLAN, Service, TOKEN};

#[test]
fn the_service_ends_by_itself_when_the_system_asks() {
    assert_eq!(Service::start().ends_on("TERM"), Some(0));
}

#[test]
fn a_service_for_practice_is_told_how_to_behave() {
    let desk = Desk::fresh();
    desk.file("no.json", "{");
    desk.file("other.json", r#"{"mood":1}"#);
    for (options, code, words) in [
        ("--personality kind", "unknownPersonality", "dropped-answer"),
        ("--personality ./no.json", "file", ""),
        ("--personality ./other.json", "file", ""),
        ("--script ./no.json", "file", ""),
        ("--script ./other.json", "file", ""),
    ] {
        let run = desk.json(format!("sandbox serve {options}")).exits(2);
        run.fails_with(code).says(words);
    }
}

#[test]
fn a_service_follows_a_file_and_a_script() {
    let desk = Desk::fresh();
    let personality = desk.file(
        "personality.json",
        r#"{"faults":[{"action":{"status": {"status": 403}}}]}"#,
    );
    let action = r#"{"status":{"status":418}}"#;
    let script = format!(r#"[{{"operations":["getPlan"],"action":{action}}}]"#);
    let script = desk.file("script.json", &script);
    let service = Service::start_with(["--personality", &personality, "--script", &script]);
    let desk = Desk::connected(&service);
    for status in [418, 403] {
        let run = desk.json(["plans", "show", PLAN]).exits(3);
        run.has("error/status", status);
    }
}

/// Leaves a folder behind as the window does when someone chose to practise.
fn practise_in_the_window(desk: &Desk) {
    let folder = desk.folder().to_owned();
    let left = async {
        let options = DeskOptions::new(folder.clone(), Arc::new(MemoryVault::default()));
        let window = warranty_core::Desk::open(options).await.unwrap();
        let service = Sandbox::start(Options {
            database: Database::File(folder.join("practice.db")),
            ..Options::default()
        })
        .await
        .unwrap();
        window.attach_practice(PracticeService {
            base_url: BaseUrl::parse(&service.base_url()).unwrap(),
            token: Token::new(service.token()).unwrap(),
            store_id: StoreId::new(service.store_id()).unwrap(),
        });
        let display = warranty_core::profile::Display::default();
        let practised = window.profiles.practise("練習".to_owned(), display);
        practised.await.unwrap();
        window.close().await;
        service.stop().await;
    };
    tokio::runtime::Runtime::new().unwrap().block_on(left);
}

#[test]
fn a_profile_that_practises_is_served_by_the_window_alone() {
    let desk = Desk::fresh();
    practise_in_the_window(&desk);
    desk.enter(["t-1"], "")
        .exits(5)
        .says("were not checked: the practice service runs in the window alone");
    assert_eq!(desk.of("t-1", "state"), "queued");
    let again = desk.run("contracts enter sales.csv").exits(5);
    again
        .prints("runs in the window alone")
        .does_not_print("outbox run");
    desk.create_lead("")
        .exits(5)
        .says("runs in the window alone")
        .does_not_say("leads again");
    let look = desk.run(["plans", "show", PLAN]).exits(2);
    look.says("runs in the window alone")
        .says("`--offline` shows what is saved here.")
        .does_not_say("could not be started");
    let found = desk.json("doctor").exits(5).has("kind", "practice");
    found.has("service", Value::Null);
    let said = desk.run("doctor");
    said.prints("practice").prints("was not tested");
    for look in ["outbox status", "outbox list", "day"] {
        desk.run(look).says("is for practice");
    }
    // A window that practises may be sending.
    let _window = desk.open_window();
    desk.does("outbox status")
        .does_not_say("Nothing can be sent");
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Makes a sale in a practice service's file 92 days old.
fn grows_old(file: &Path, transaction: &str) {
    let practice = rusqlite::Connection::open(file).unwrap();
    let older = "UPDATE contract SET created_at_ms = created_at_ms - ?1 WHERE transaction_id = ?2";
    let done = practice.execute(older, rusqlite::params![92 * DAY, transaction]);
    assert_eq!(done.unwrap(), 1);
}

/// What a practice service's file says was sold.
fn kept_in(file: &Path) -> Vec<String> {
    let practice = rusqlite::Connection::open(file).unwrap();
    let mut asked = practice
        .prepare("SELECT transaction_id FROM contract")
        .unwrap();
    let rows = asked.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn practice_data_is_deleted_after_the_retention_time_though_nobody_practises_any_more() {
    let desk = Desk::fresh();
    let practice = desk.path("practice.db");
    let service = Service::start_with(format!("--db {}", practice.display()));
    desk.add_profile(&service.base_url, &service.store);
    desk.set_token(TOKEN);
    desk.enter(["t-1", "t-2"], "").exits(0);
    drop(service);
    grows_old(&practice, "t-1");
    let yesterday = chrono::Utc::now().timestamp_millis() - DAY;
    let checked = "UPDATE setting SET value = ?1 WHERE name = 'retentionChecked'";
    desk.change(checked, [yesterday.to_string()]);
    let since_start = "DELETE FROM setting WHERE name = 'retentionSinceStart'";
    desk.change(since_start, ());
    desk.does("settings --retention-days 90");
    assert_eq!(kept_in(&practice), ["t-2"]);
}

#[test]
fn practice_data_in_a_file_outlives_the_service_for_ninety_days() {
    let folder = Desk::fresh();
    let file = folder.path("practice.db");
    let serve = || Service::start_with(format!("--db {}", file.display()));
    let service = serve();
    let desk = Desk::connected(&service);
    desk.enter(["t-1", "t-2"], "").exits(0);
    drop(service);
    assert_eq!(serve().transactions(), ["t-1", "t-2"]);
    grows_old(&file, "t-1");
    assert_eq!(serve().transactions(), ["t-2"]);
}
