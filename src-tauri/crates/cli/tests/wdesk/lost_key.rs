//! The key that customers are encrypted with, gone from the keychain: nothing is overwritten, nothing that
//! cannot be read travels, everything else stays readable, and a person is told.

use crate::harness::{Desk, Service, lose_secret, shop, status};

/// Everything of the desk's file that is encrypted, and the ids of the keys.
fn encrypted(desk: &Desk) -> (Vec<Vec<u8>>, Vec<String>) {
    let db = desk.database();
    let customers = "SELECT encrypted FROM submission_customer ORDER BY submission_id";
    let mut customers = db.prepare(customers).unwrap();
    let mut keys = db
        .prepare("SELECT id FROM encryption_key ORDER BY 1")
        .unwrap();
    let customers = customers.query_map([], |row| row.get(0)).unwrap();
    let keys = keys.query_map([], |row| row.get(0)).unwrap();
    (
        customers.map(Result::unwrap).collect(),
        keys.map(Result::unwrap).collect(),
    )
}

/// Takes the key out of the keychain.
fn lose_key(desk: &Desk) {
    lose_secret(&format!("customers {}", encrypted(desk).1[0]));
}

#[test]
fn a_lost_key_keeps_everything_as_it_is_until_a_person_takes_a_new_one() {
    let (service, desk) = shop();
    desk.enter(["t-sold"], "").exits(0);
    desk.keep(["t-waits"]);
    let (customers, keys) = encrypted(&desk);
    assert_eq!((customers.len(), keys.len()), (2, 1));
    lose_key(&desk);

    desk.run("key status").exits(4);
    desk.enter(["t-new"], "").exits(2).says("wdesk key renew");
    desk.send().exits(4);
    service.has_sold(1);
    assert_eq!(encrypted(&desk), (customers.clone(), keys), "overwritten");

    let entries = desk.entries();
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        assert!(entry["planId"].is_string());
        assert_ne!(entry["customerEmail"], "taro@example.jp");
    }
    assert_eq!(desk.of("t-sold", "state"), "confirmed");
    assert_eq!(desk.of("t-waits", "state"), "needsPerson");
    assert_eq!(desk.of("t-waits", "case"), "keyLost");
    desk.run("contracts list").exits(0).prints("t-waits");

    desk.run("key renew");
    desk.enter(["t-new"], "").exits(0);
    desk.resolve(&desk.of("t-waits", "id"), "--cancel").exits(0);
    desk.enter(["t-waits"], "").exits(0);
    service.has_sold(3);
    let (now, keys) = encrypted(&desk);
    assert!(customers.iter().all(|old| now.contains(old)), "overwritten");
    assert_eq!(keys.len(), 2);
}

#[test]
fn a_lead_whose_key_is_gone_is_to_be_given_up_also_after_a_new_key() {
    let (address, desk) = Desk::offline();
    let id = desk.create_lead("").exits(5).text("id");
    lose_key(&desk);
    let _service = Service::start_with(format!("--addr {address}"));
    for _ in 0..2 {
        let again = desk.run(["leads", "again", &id]).exits(4);
        again.says("wdesk leads cancel").does_not_say("key renew");
        desk.send().exits(4).says("wdesk leads cancel");
        desk.run("key renew");
    }
    desk.run(["leads", "cancel", &id]).exits(0);
    desk.send().exits(0);
}

#[test]
fn what_the_provider_does_not_have_and_nobody_can_read_is_to_be_entered_again() {
    let (service, desk) = shop();
    service.answers_sales(&status(500));
    desk.enter(["t-1"], "--wait 1");
    lose_key(&desk);
    service.is_well();
    desk.send().exits(4);
    assert_eq!(desk.of("t-1", "case"), "keyLost");
    let case = desk.of("t-1", "id");
    let run = desk
        .resolve(&case, "--provider-has-none request-1")
        .exits(4);
    run.says("enter the contract again");
    desk.run("key renew");
    desk.enter(["t-1"], "").exits(0);
    service.has_sold(1);
}
