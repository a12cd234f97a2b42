//! The token and what waits to be sent belong to one server: a changed address gets neither.

use std::sync::Arc;

use warranty_core::api::Token;
use warranty_core::vault::{KeychainVault, Vault};

use crate::harness::{Desk, Sale, Service, TOKEN, sales};

/// A desk with one sale that waits.
fn desk_that_waits(service: &Service) -> Desk {
    let desk = Desk::connected(service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let enter = ["contracts", "enter", &file, "--no-wait"];
    desk.wdesk(&enter).run().exits(5);
    desk
}

fn change(desk: &Desk, statement: &str, value: &str) {
    let db = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
    assert_eq!(db.execute(statement, [value]).unwrap(), 1);
}

fn token_status(desk: &Desk) -> String {
    let run = desk.wdesk(&["--json", "token", "status"]).run().exits(0);
    run.json()["token"].as_str().unwrap().to_owned()
}

#[test]
fn an_address_changed_in_the_file_gets_neither_the_token_nor_a_sale() {
    let (service, other) = (Service::start(), Service::start());
    let desk = desk_that_waits(&service);
    change(&desk, "UPDATE profile SET base_url = ?1", &other.base_url);
    let run = desk.wdesk(&["outbox", "run"]).run();
    assert!(run.stderr().contains("wdesk token set"), "{}", run.stderr());
    assert_eq!(token_status(&desk), "otherServer");
    change(&desk, "UPDATE batch SET base_url = ?1", &other.base_url);
    desk.wdesk(&["outbox", "run"]).run();
    // Whoever looks a plan or a contract up sends no token there either.
    desk.wdesk(&["plans", "show", crate::harness::PLAN]).run();
    assert_eq!(other.requests("", ""), 0);

    // The other server has a token of its own: what waits was entered for another one all the same.
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    assert_eq!(token_status(&desk), "present");
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!((other.sold(), service.sold()), (vec![], vec![]));
    assert_eq!(other.bulk_requests(), 0);
    let entry = &desk.entries()[0];
    assert_eq!(
        (&entry["state"], &entry["case"]),
        (&"needsPerson".into(), &"keyLost".into())
    );
}

#[test]
fn what_waits_is_not_sent_to_an_address_that_only_the_profile_has() {
    let (service, other) = (Service::start(), Service::start());
    let desk = desk_that_waits(&service);
    change(&desk, "UPDATE profile SET base_url = ?1", &other.base_url);
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!((other.sold(), service.sold()), (vec![], vec![]));
    assert_eq!(desk.entries()[0]["case"], "keyLost");
}

#[test]
fn what_waits_is_not_sent_under_another_idempotency_key() {
    let service = Service::start();
    let desk = desk_that_waits(&service);
    let key = "00000000-0000-4000-8000-000000000001";
    change(&desk, "UPDATE batch SET idempotency_key = ?1", key);
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!(service.bulk_requests(), 0);
    assert_eq!(desk.entries()[0]["case"], "keyLost");
}

#[test]
fn a_token_that_was_kept_without_its_server_is_asked_for_again() {
    let service = Service::start();
    let desk = desk_that_waits(&service);
    let listed = desk.wdesk(&["--json", "profile", "list"]).run().exits(0);
    let listed = listed.json();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let vault = Arc::new(KeychainVault::new());
    let profile = listed["current"].as_str().unwrap();
    let as_before = vault.keep(profile, Token::new(TOKEN).unwrap());
    runtime.block_on(as_before).unwrap();

    assert_eq!(token_status(&desk), "otherServer");
    let run = desk.wdesk(&["outbox", "run"]).run();
    assert!(run.stderr().contains("wdesk token set"), "{}", run.stderr());
    assert_eq!(service.bulk_requests(), 0);
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_token_too_long_for_every_keychain_is_named_when_it_is_entered() {
    let desk = Desk::connected_to("https://service.example.invalid", "s-1");
    let set = |length: usize| {
        let token = "x".repeat(length);
        desk.wdesk(&["--json", "token", "set"]).input(&token).run()
    };
    let longest = 2048 - "v1 https://service.example.invalid ".len();
    for length in [longest + 1, 2049, 100_000] {
        let run = set(length).exits(2);
        assert!(run.stderr().contains("too long"), "{}", run.stderr());
    }
    set(longest).exits(0);
    assert_eq!(token_status(&desk), "present");
}
