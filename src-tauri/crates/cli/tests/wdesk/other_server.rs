//! The token and what waits to be sent belong to one server: a changed address gets neither.

use std::sync::Arc;

use warranty_core::api::Token;
use warranty_core::vault::{KeychainVault, Vault};

use crate::harness::{Desk, Run, Sale, Service, TOKEN, sales, steady_address, until, wish};

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

/// Two profiles at two servers, each with its token; the second is for whom the lines are then.
fn two_counters(service: &Service, other: &Service) -> (Desk, String) {
    let desk = Desk::connected(service);
    let more = ["--base-url", &other.base_url, "--store-id", &other.store];
    let add = ["profile", "add", "beside", "--utc-offset", "+09:00"];
    desk.wdesk(&[&add[..], &more].concat()).run().exits(0);
    let beside = ["--profile", "beside", "token", "set"];
    desk.wdesk(&beside).input(TOKEN).run().exits(0);
    let listed = desk.wdesk(&["--json", "profile", "list"]).run().exits(0);
    let listed = listed.json();
    let mut profiles = listed["profiles"].as_array().unwrap().iter();
    let beside = profiles
        .find(|profile| profile["name"] == "beside")
        .unwrap();
    (desk, beside["id"].as_str().unwrap().to_owned())
}

#[test]
fn rows_of_a_file_of_sales_are_not_sold_under_a_profile_they_were_not_entered_for() {
    let (service, other) = (Service::start(), Service::start());
    let (desk, beside) = two_counters(&service, &other);
    let rows: Vec<Sale> = (0..3_000).map(|n| Sale::of(&format!("t-{n}"))).collect();
    let file = desk.file("sales.csv", &sales(&rows));
    let enter = ["--profile", "counter", "contracts", "enter", &file];
    let process = desk.wdesk(&enter).spawn();
    let count = |query: &str| -> u32 {
        let db = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
        db.query_row(query, [], |row| row.get(0)).unwrap_or(0)
    };
    until("the first rows are entered", || {
        count("SELECT COUNT(*) FROM submission") > 0
    });
    wish(&process, "INT");
    Run(process.wait_with_output().unwrap()).exits(5);
    let entered = count("SELECT COUNT(*) FROM submission");
    assert!(entered < 3_000);

    change(&desk, "UPDATE run SET profile_id = ?1", &beside);
    let run = desk
        .wdesk(&["--profile", "beside", "outbox", "run", "--wait", "20"])
        .run();
    assert!(run.exits(4).stderr().contains("cannot be read"));
    assert_eq!(other.bulk_requests(), 0);
    assert_eq!(count("SELECT COUNT(*) FROM submission"), entered);
    let open = "SELECT COUNT(*) FROM run WHERE state = 'running' AND entered < rows";
    assert_eq!(count(open), 1);
}

#[test]
fn rows_of_a_file_wait_until_their_profile_has_the_store_and_address_they_were_entered_for() {
    let other = Service::start();
    let address = steady_address();
    let at = format!("http://{address}");
    let path = format!("{at}/v2");
    let columns = [
        ("store_id", other.store.as_str(), "another"),
        ("base_url", &at, &other.base_url),
        ("base_url", &at, &path),
    ];
    for (column, entered_for, now) in columns {
        let desk = Desk::connected_to(&at, &other.store);
        let products = "referenceId,title,price,imageUrl,category\np-1,a,1,https://a.invalid/a,c\n";
        let file = desk.file("products.csv", products);
        desk.wdesk(&["products", "import", &file]).run().exits(5);
        let mut service = Service::start_with(&["--addr", &address]);
        let run_with = |value: &str| {
            let statement = format!("UPDATE profile SET {column} = ?1");
            change(&desk, &statement, value);
            desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
            desk.wdesk(&["outbox", "run", "--wait", "5"]).run()
        };
        let run = run_with(now).exits(4);
        assert!(run.stderr().contains("cannot be read"), "{}", run.stderr());
        for service in [&service, &other] {
            assert_eq!(service.requests("PUT", ""), 0, "{column} {now}");
        }
        let status = desk.outbox();
        assert_eq!(
            (&status["runs"], &status["nothingWaits"]),
            (&1.into(), &false.into())
        );
        let removed = desk
            .wdesk(&["--json", "profile", "remove", "counter"])
            .run();
        assert_eq!(removed.exits(4).error_code(), "profileHasOpenContracts");

        run_with(entered_for).exits(0);
        assert_eq!(service.requests("PUT", ""), 1, "{column} {now}");
        assert_eq!(desk.outbox()["runs"], 0);
        service.kill();
    }
}

#[test]
fn a_lead_is_created_for_no_other_profile_or_store_than_it_was_entered_for() {
    let (mut service, other) = (Service::start(), Service::start());
    let (desk, beside) = two_counters(&service, &other);
    service.kill();
    let create = ["--profile", "counter", "--json", "leads", "create"];
    let of = [
        "--transaction-id",
        "t-1",
        "--product",
        crate::harness::PRODUCT,
    ];
    let price = ["--purchase-price", "189800", "--quantity", "1"];
    let run = desk.wdesk(&[&create[..], &of, &price].concat()).run();
    let id = run.exits(5).json()["id"].as_str().unwrap().to_owned();
    let again = |profile: &str| {
        let line = ["--profile", profile, "--json", "leads", "again", &id];
        let run = desk.wdesk(&line).run().exits(4);
        assert_eq!(run.error_code(), "profileMoved");
        let run = desk
            .wdesk(&["--profile", profile, "outbox", "run", "--wait", "5"])
            .run();
        assert!(run.exits(4).stderr().contains("wdesk leads cancel"));
        assert_eq!(other.requests("POST", ""), 0);
    };
    let was = "UPDATE lead SET profile_id = (SELECT id FROM profile WHERE name = ?1)";
    change(&desk, "UPDATE lead SET profile_id = ?1", &beside);
    again("beside");
    change(&desk, was, "counter");
    let address = "UPDATE profile SET base_url = ?1 WHERE name = 'counter'";
    change(&desk, address, &other.base_url);
    let token = ["--profile", "counter", "token", "set"];
    desk.wdesk(&token).input(TOKEN).run().exits(0);
    again("counter");
    // Nor is it created on another path of its own server.
    let path = format!("{}/v2", service.base_url);
    change(&desk, address, &path);
    desk.wdesk(&token).input(TOKEN).run().exits(0);
    again("counter");
    // Nor does it help to take away what it is held against.
    change(
        &desk,
        "UPDATE lead SET store_mark = NULL, profile_id = ?1",
        &beside,
    );
    again("beside");
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
        let said = run.stderr().to_lowercase();
        assert!(said.contains("too long"), "{said}");
    }
    set(longest).exits(0);
    assert_eq!(token_status(&desk), "present");
}
