//! `wdesk sandbox`: what scripts and tests rely on.

use std::process::Command;

use serde_json::Value;

use crate::harness::{Desk, PRODUCT, Sale, Service, TOKEN, sales};

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
