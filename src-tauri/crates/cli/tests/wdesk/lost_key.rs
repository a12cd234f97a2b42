//! The key that customers are sealed with, gone from the keychain: nothing is overwritten, nothing that
//! cannot be read travels, everything else stays readable, and a person is told.

use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};
use warranty_core::vault::{KeychainVault, Vault};

use crate::harness::{Desk, PRODUCT, Sale, Service, sales, steady_address};

/// Everything of the desk's file that is sealed, and the ids of the keys.
fn sealed(desk: &Desk) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
    let path = desk.folder().join("desk.db");
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let customers = db
        .prepare("SELECT submission_id, encrypted FROM submission_customer ORDER BY 1")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let keys = db
        .prepare("SELECT id FROM encryption_key ORDER BY 1")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    (customers, keys)
}

fn enter(desk: &Desk, transaction: &str, more: &[&str], code: i32) -> String {
    let file = desk.file("sales.csv", &sales(&[Sale::of(transaction)]));
    let line = [&["--json", "contracts", "enter", &file][..], more].concat();
    let run = desk.wdesk(&line).run().exits(code);
    run.stdout() + &run.stderr()
}

/// Takes a key out of the keychain, and gives what puts it back.
fn lose(key: &str) -> impl FnOnce() + use<> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let name = format!("customers {key}");
    let vault = Arc::new(KeychainVault::new());
    let secret = runtime.block_on(vault.token(&name)).unwrap().unwrap();
    runtime.block_on(vault.forget(&name)).unwrap();
    move || runtime.block_on(vault.keep(&name, secret)).unwrap()
}

#[test]
fn a_lost_key_keeps_everything_as_it_is_until_a_person_takes_a_new_one() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    enter(&desk, "t-sold", &[], 0);
    enter(&desk, "t-waits", &["--no-wait"], 5);
    let (customers, keys) = sealed(&desk);
    assert_eq!((customers.len(), keys.len()), (2, 1));
    drop(lose(&keys[0]));

    desk.wdesk(&["key", "status"]).run().exits(4);
    let said = enter(&desk, "t-new", &[], 2);
    assert!(said.contains("wdesk key renew"), "{said}");
    desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert_eq!(service.sold().len(), 1);
    assert_eq!(
        sealed(&desk),
        (customers.clone(), keys.clone()),
        "overwritten"
    );

    let entries = desk.entries();
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        assert!(entry["transactionId"].is_string() && entry["planId"].is_string());
        assert_ne!(entry["customerEmail"], "taro@example.jp");
        match entry["transactionId"].as_str().unwrap() {
            "t-sold" => assert_eq!(entry["state"], "confirmed"),
            _ => assert_eq!(
                (&entry["state"], &entry["case"]),
                (&"needsPerson".into(), &"keyLost".into())
            ),
        }
    }
    let listed = desk.wdesk(&["contracts", "list"]).run().exits(0);
    assert!(listed.stdout().contains("t-waits"), "{}", listed.stdout());

    desk.wdesk(&["key", "renew"]).run();
    enter(&desk, "t-new", &[], 0);
    let waits = entries
        .iter()
        .find(|entry| entry["transactionId"] == "t-waits");
    let case = waits.unwrap()["id"].as_str().unwrap();
    desk.wdesk(&["outbox", "resolve", case, "--cancel"])
        .run()
        .exits(0);
    enter(&desk, "t-waits", &[], 0);
    assert_eq!(service.sold().len(), 3);
    let (now, keys_now) = sealed(&desk);
    assert!(customers.iter().all(|old| now.contains(old)), "overwritten");
    assert_eq!(keys_now.len(), 2);
}

#[test]
fn rows_of_a_file_go_on_when_the_key_that_was_gone_is_back() {
    let address = steady_address();
    let desk = Desk::connected_to(&format!("http://{address}"), "store-sample-001");
    let products = "referenceId,title,price,imageUrl,category\np-1,a,1,https://a.invalid/a,c\n";
    let file = desk.file("products.csv", products);
    desk.wdesk(&["products", "import", &file]).run().exits(5);
    let service = Service::start_with(&["--addr", &address]);
    let put_back = lose(&sealed(&desk).1[0]);
    for _ in 0..2 {
        let run = desk.wdesk(&["outbox", "run"]).run().exits(4);
        assert!(run.stderr().contains("cannot be read"), "{}", run.stderr());
        assert_eq!(desk.outbox()["runs"], 1);
    }
    put_back();
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(desk.outbox()["runs"], 0);
    assert_eq!(service.requests("PUT", ""), 1);
}

#[test]
fn a_lead_whose_key_is_gone_is_to_be_given_up_also_after_a_new_key() {
    let address = steady_address();
    let desk = Desk::connected_to(&format!("http://{address}"), "store-sample-001");
    let id = lead_that_waits(&desk);
    drop(lose(&sealed(&desk).1[0]));
    let _service = Service::start_with(&["--addr", &address]);
    for _ in 0..2 {
        let again = desk.wdesk(&["leads", "again", &id]).run().exits(4);
        assert!(
            again.stderr().contains("wdesk leads cancel"),
            "{}",
            again.stderr()
        );
        assert!(!again.stderr().contains("key renew"), "{}", again.stderr());
        let run = desk.wdesk(&["outbox", "run"]).run().exits(4);
        assert!(
            run.stderr().contains("wdesk leads cancel"),
            "{}",
            run.stderr()
        );
        desk.wdesk(&["key", "renew"]).run();
    }
    desk.wdesk(&["leads", "cancel", &id]).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
}

#[test]
fn a_run_of_the_outbox_names_the_lead_that_waits_and_how_it_is_sent() {
    let address = steady_address();
    let desk = Desk::connected_to(&format!("http://{address}"), "store-sample-001");
    let id = lead_that_waits(&desk);
    let _service = Service::start_with(&["--addr", &address]);
    let run = desk.wdesk(&["outbox", "run"]).run().exits(5);
    assert!(
        run.stderr().contains("wdesk leads again"),
        "{}",
        run.stderr()
    );
    desk.wdesk(&["leads", "again", &id]).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
}

/// Creates a lead while nothing answers, and gives its id.
fn lead_that_waits(desk: &Desk) -> String {
    let create = ["--json", "leads", "create", "--transaction-id", "t-1"];
    let of = ["--product", PRODUCT, "--purchase-price", "189800"];
    let line = [&create[..], &of, &["--quantity", "1"]].concat();
    let created = desk.wdesk(&line).run().exits(5).json();
    created["id"].as_str().unwrap().to_owned()
}
