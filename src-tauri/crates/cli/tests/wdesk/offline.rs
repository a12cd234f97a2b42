//! No network: sales are kept, and sold once when it is back.

use std::net::TcpListener;

use crate::harness::{Desk, Sale, Service, sales};

/// An address on which nothing listens now.
fn silent_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

#[test]
fn sales_entered_without_a_network_wait_and_are_sold_once_when_it_is_back() {
    let address = silent_address();
    let desk = Desk::connected_to(&format!("http://{address}"), warranty_sandbox::STORE_ID);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));

    let run = desk
        .wdesk(&["--json", "contracts", "enter", &file, "--wait", "5"])
        .run()
        .exits(5);
    assert_eq!(run.json()["waiting"], 2);
    assert_eq!(desk.outbox()["waiting"], 2);
    // Entering again while still offline adds nothing, and says where the sales stand.
    let run = desk
        .wdesk(&["--json", "contracts", "enter", &file, "--wait", "5"])
        .run()
        .exits(5);
    assert_eq!(run.json()["alreadyEntered"], 2);
    assert_eq!(run.json()["waiting"], 2);

    let service = Service::start_with(&["--addr", &address]);
    let run = desk.wdesk(&["--json", "outbox", "run"]).run().exits(0);
    assert_eq!(run.json()["confirmed"], 2);
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn reading_without_a_network_shows_what_is_remembered_with_its_age() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let list = [
        "--json",
        "plans",
        "list",
        "--product",
        crate::harness::PRODUCT,
    ];
    let online = desk.wdesk(&list).run().exits(0).json();
    assert_eq!(online["source"], "service");
    drop(service);

    let run = desk.wdesk(&list).run().exits(5);
    let remembered = run.json();
    assert_eq!(remembered["source"], "cache");
    assert_eq!(remembered["plans"], online["plans"]);
    assert!(remembered["ageSeconds"].is_u64());
    assert!(
        run.stderr().contains("cannot be reached"),
        "{}",
        run.stderr()
    );

    let mut offline = list.to_vec();
    offline.push("--offline");
    let run = desk.wdesk(&offline).run().exits(0);
    assert_eq!(run.json()["plans"], online["plans"]);
    assert!(run.stderr().is_empty(), "{}", run.stderr());
}

#[test]
fn a_lead_without_a_network_is_kept_and_sent_when_a_person_says_so() {
    let address = silent_address();
    let desk = Desk::connected_to(&format!("http://{address}"), warranty_sandbox::STORE_ID);
    let run = desk
        .wdesk(&[
            "--json",
            "leads",
            "create",
            "--transaction-id",
            "t-1",
            "--product",
            crate::harness::PRODUCT,
            "--purchase-price",
            "189800",
            "--quantity",
            "1",
        ])
        .run()
        .exits(5);
    let id = run.json()["id"].as_str().unwrap().to_owned();
    let said = |line: &str| {
        let status = desk.wdesk(&["outbox", "status"]).run().exits(0);
        assert!(status.stdout().contains(line), "{}", status.stdout());
        status.stderr().contains("Nothing waits here")
    };
    assert!(!said("leads waiting                1"));
    let status = desk.outbox();
    assert_eq!(status["leadsWaiting"], 1);
    assert_eq!(status["nothingWaits"], false);
    assert!(status["unsent"].as_u64() > Some(0));
    let _service = Service::start_with(&["--addr", &address]);
    let run = desk
        .wdesk(&["--json", "leads", "again", &id])
        .run()
        .exits(0);
    assert_eq!(run.json()["state"], "created");
    assert!(run.json()["token"].is_string());
    assert!(said("leads waiting                0"));
    assert_eq!(desk.outbox()["nothingWaits"], true);
    assert_eq!(desk.outbox()["unsent"], 0);
}
