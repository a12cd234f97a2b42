//! `wdesk sandbox`: what scripts and tests rely on.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::Value;
use warranty_core::api::{BaseUrl, StoreId, Token};
use warranty_core::vault::MemoryVault;
use warranty_core::{DeskOptions, PracticeService};
use warranty_sandbox::{Database, Options, Sandbox};

use crate::harness::{Desk, PLAN, PRODUCT, Sale, Service, TOKEN, sales};

#[test]
fn the_service_ends_by_itself_when_the_system_asks() {
    let mut service = Service::start();
    let pid = service.pid().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(service.wait(), Some(0));
}

#[test]
fn practice_data_in_a_file_outlives_the_service() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("practice.db");
    let file = file.to_str().unwrap();
    let service = Service::start_with(&["--db", file]);
    let desk = Desk::connected(&service);
    let sales = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &sales]).run().exits(0);
    let sold = service.sold();
    assert_eq!(sold.len(), 1);
    drop(service);
    assert_eq!(Service::start_with(&["--db", file]).sold(), sold);
}

#[test]
fn every_exchange_is_recorded_on_request_with_the_token_masked() {
    let folder = tempfile::TempDir::new().unwrap();
    let record = folder.path().join("record.jsonl");
    let service = Service::start_with(&["--record", record.to_str().unwrap()]);
    let desk = Desk::connected(&service);
    desk.wdesk(&["plans", "list", "--product", PRODUCT])
        .run()
        .exits(0);
    drop(service);
    let text = std::fs::read_to_string(&record).unwrap();
    let exchange: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(exchange["method"], "GET");
    assert_eq!(exchange["response"]["status"], 200);
    assert!(!text.contains(TOKEN));
}

#[test]
fn a_service_for_practice_is_not_for_the_network() {
    let desk = Desk::fresh();
    let serve = ["--json", "sandbox", "serve", "--addr", "0.0.0.0:0"];
    let run = desk.wdesk(&serve).run().exits(2);
    assert_eq!(run.error_code(), "sandbox");
    let serve = ["--json", "sandbox", "serve", "--personality", "kind"];
    let run = desk.wdesk(&serve).run().exits(2);
    assert_eq!(run.error_code(), "unknownPersonality");
    assert!(run.stderr().contains("dropped-answer"), "{}", run.stderr());
}

#[test]
fn a_service_follows_a_file_and_a_script() {
    let desk = Desk::fresh();
    let personality = desk.file("personality.json", r#"{"faults":[{"action":"forbidden"}]}"#);
    let action = r#"{"status":{"status":418}}"#;
    let script = format!(r#"[{{"operations":["getPlan"],"action":{action}}}]"#);
    let script = desk.file("script.json", &script);
    let service = Service::start_with(&["--personality", &personality, "--script", &script]);
    let desk = Desk::connected(&service);
    for status in [418, 403] {
        let run = desk
            .wdesk(&["--json", "plans", "show", PLAN])
            .run()
            .exits(3);
        assert_eq!(run.json()["error"]["status"], status, "{}", run.stdout());
    }
}

#[test]
fn a_file_that_says_nothing_about_behaviour_starts_nothing() {
    let desk = Desk::fresh();
    for text in ["{", r#"{"mood":1}"#] {
        let path = desk.file("a.json", text);
        for option in ["--personality", "--script"] {
            let serve = ["--json", "sandbox", "serve", option, &path];
            assert_eq!(desk.wdesk(&serve).run().exits(2).error_code(), "file");
        }
    }
}

#[test]
fn the_personalities_are_listed_and_each_can_be_served() {
    let desk = Desk::fresh();
    let run = desk.wdesk(&["--json", "sandbox", "personalities"]).run();
    let names = run.exits(0).json();
    let names = names.as_array().unwrap();
    for name in ["default", "flaky", "redirect-307", "interim-without-end"] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
}

#[test]
fn the_catalogue_names_products_and_their_plans() {
    let desk = Desk::fresh();
    let catalogue = desk
        .wdesk(&["--json", "sandbox", "catalogue"])
        .run()
        .exits(0)
        .json();
    let products = catalogue["products"].as_array().unwrap();
    assert!(products.len() > 200);
    let one = products
        .iter()
        .find(|product| product["referenceId"] == PRODUCT)
        .unwrap();
    assert!(one["plans"].as_array().unwrap().len() >= 3);
}

/// Leaves a folder behind as the window does when someone chose to practise.
pub fn practise_in_the_window(desk: &Desk) {
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
        window
            .profiles
            .practise(
                "練習".to_owned(),
                warranty_core::profile::Display::default(),
            )
            .await
            .unwrap();
        window.close().await;
        service.stop().await;
    };
    tokio::runtime::Runtime::new().unwrap().block_on(left);
}

#[test]
fn a_profile_that_practises_works_without_the_window_and_needs_no_token() {
    let desk = Desk::fresh();
    practise_in_the_window(&desk);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let run = desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    assert!(
        run.stderr().contains("nothing is really sold"),
        "{}",
        run.stderr()
    );
    // The contract outlives the run, as it does in the window.
    let entries = desk.entries();
    let id = entries[0]["contractId"].as_str().unwrap();
    desk.wdesk(&["contracts", "show", id]).run().exits(0);
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Makes a sale in a practice service's file 91 days old.
fn grows_old(file: &Path, transaction: &str) {
    let practice = rusqlite::Connection::open(file).unwrap();
    let older = "UPDATE contract SET created_at_ms = created_at_ms - ?1 WHERE transaction_id = ?2";
    let done = practice.execute(older, rusqlite::params![91 * DAY, transaction]);
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
    practise_in_the_window(&desk);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    desk.wdesk(&["profile", "remove", "練習"]).run().exits(0);
    let practice = desk.folder().join("practice.db");
    grows_old(&practice, "t-1");
    // The clock is believed since yesterday.
    let now = chrono::Utc::now().timestamp_millis();
    let own = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
    let looked = "INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)";
    for (name, at) in [("retentionChecked", now - DAY), ("retentionNotBefore", 0)] {
        own.execute(looked, [name.to_owned(), at.to_string()])
            .unwrap();
    }
    drop(own);
    desk.wdesk(&["settings", "--retention-days", "90"])
        .run()
        .exits(0);
    assert_eq!(kept_in(&practice), ["t-2"]);
}

#[test]
fn a_service_with_a_file_deletes_what_is_older_than_ninety_days() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("practice.db");
    let serve = || Service::start_with(&["--db", file.to_str().unwrap()]);
    let service = serve();
    let desk = Desk::connected(&service);
    let sales = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    desk.wdesk(&["contracts", "enter", &sales]).run().exits(0);
    drop(service);
    grows_old(&file, "t-1");
    let sold = serve().sold();
    assert_eq!(sold.len(), 1);
    assert_eq!(sold[0].0, "t-2");
}

#[test]
fn practice_data_of_a_key_that_was_renewed_is_deleted() {
    let desk = Desk::fresh();
    practise_in_the_window(&desk);
    let practice = desk.folder().join("practice.db");
    for (transaction, kept) in [("t-1", ["t-1"]), ("t-2", ["t-2"])] {
        let file = desk.file("sales.csv", &sales(&[Sale::of(transaction)]));
        desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
        assert_eq!(kept_in(&practice), kept);
        desk.wdesk(&["key", "renew"]).run().exits(0);
    }
}
