//! The key that customers are encrypted with, gone from the keychain: a person is told.

use serde_json::Value;

use crate::harness::{Desk, PRODUCT, Service, lose_secret, shop, status};

/// Takes the key out of the keychain.
fn lose_key(desk: &Desk) {
    let key: String = desk.value("SELECT id FROM encryption_key");
    lose_secret(&format!("customers {key}"));
}

#[test]
fn a_lost_key_is_told_until_a_person_takes_a_new_one() {
    let (service, desk) = shop();
    service.answers_sales(&status(500));
    desk.enter(["t-1"], "--wait 1");
    lose_key(&desk);
    service.is_well();

    desk.run("key status").exits(4);
    desk.enter(["t-2"], "").exits(2).says("wdesk key renew");
    // It waits: the key may be in another keychain.
    desk.send().says("wdesk key renew");
    assert_eq!(desk.of("t-1", "state"), "unknown");

    desk.does("key renew");
    desk.run("key renew").exits(2);
    desk.send().exits(4);
    assert_eq!(desk.of("t-1", "case"), "keyLost");
    assert_eq!(desk.entry("t-1")["customerEmail"], Value::Null);
    desk.does("contracts list").prints("t-1");
    let none = "--provider-has-none request-1";
    let run = desk.resolve(&desk.of("t-1", "id"), none).exits(4);
    run.says("enter the contract again");

    desk.enter(["t-1", "t-2"], "").exits(0);
    service.has_sold(2);
}

#[test]
fn doctor_and_the_status_of_the_outbox_say_that_the_key_is_lost() {
    let (_service, desk) = shop();
    desk.keep(["t-1"]);
    let doctor = format!("doctor --product {PRODUCT}");
    desk.does(&*doctor);
    lose_key(&desk);
    let found = desk.json(&*doctor).exits(4);
    found
        .has("customers/kind", "keyLost")
        .has("token", "present");
    desk.run(&*doctor).prints("wdesk key renew");
    desk.does("outbox status").says("wdesk key renew");
}

#[test]
fn a_lead_whose_key_is_gone_is_to_be_given_up_also_after_a_new_key() {
    let (address, desk) = Desk::offline();
    let id = desk.create_lead("").exits(5).text("id");
    lose_key(&desk);
    let _service = Service::start_with(format!("--addr {address}"));
    for renewed in [false, true] {
        if renewed {
            desk.does("key renew");
        }
        let again = desk.run(["leads", "again", &id]).exits(4);
        again.says("wdesk leads cancel").does_not_say("key renew");
        desk.send().exits(4).says("wdesk leads cancel");
    }
    desk.does(["leads", "cancel", &id]);
    desk.send().exits(0);
}
