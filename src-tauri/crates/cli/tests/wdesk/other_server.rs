//! The token and what waits to be sent belong to one server: a changed address gets neither.

use crate::harness::{
    Desk, PLAN, Run, Service, TOKEN, numbered, shop, signal, steady_address, until,
};

/// A service, another one, and a desk of the first with one sale that waits.
fn shop_that_waits() -> (Service, Service, Desk) {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    (service, Service::start(), desk)
}

fn change(desk: &Desk, statement: &str, value: &str) {
    assert_eq!(desk.change(statement, [value]), 1);
}

#[test]
fn an_address_changed_in_the_file_gets_neither_the_token_nor_a_sale() {
    for in_the_batch_too in [false, true] {
        let (service, other, desk) = shop_that_waits();
        change(&desk, "UPDATE profile SET base_url = ?1", &other.base_url);
        desk.send().says("wdesk token set");
        assert_eq!(desk.token(), "otherServer");
        if in_the_batch_too {
            change(&desk, "UPDATE batch SET base_url = ?1", &other.base_url);
            desk.send();
        }
        // Whoever looks a plan or a contract up sends no token there either.
        desk.run(["plans", "show", PLAN]);
        assert_eq!(other.requests("", ""), 0);

        // The other server has a token of its own: what waits was entered for another one all the same.
        desk.set_token(TOKEN);
        assert_eq!(desk.token(), "present");
        desk.send().exits(4);
        assert_eq!((other.bulk_requests(), service.bulk_requests()), (0, 0));
        desk.shows("needsPerson", Some("keyLost"));
    }
}

/// Two profiles at two servers, each with its token, and the id of the second.
fn two_counters() -> (Service, Service, Desk, String) {
    let ((service, desk), other) = (shop(), Service::start());
    let to = format!("--base-url {} --store-id {}", other.base_url, other.store);
    let added = desk.json(format!("profile add beside --utc-offset +09:00 {to}"));
    let beside = added.exits(0).text("id");
    let set = desk.wdesk("--profile beside token set").input(TOKEN);
    set.run().exits(0);
    (service, other, desk, beside)
}

#[test]
fn rows_of_a_file_of_sales_are_not_sold_under_a_profile_they_were_not_entered_for() {
    let (_service, other, desk, beside) = two_counters();
    desk.sales("sales.csv", numbered(1_500));
    let process = desk
        .wdesk("--profile counter contracts enter sales.csv")
        .spawn();
    let count = |query: &str| -> u32 {
        let found = desk.database().query_row(query, [], |row| row.get(0));
        found.unwrap_or(0)
    };
    let entered = || count("SELECT COUNT(*) FROM submission");
    until("the first rows are entered", || entered() > 0);
    signal(&process, "INT");
    Run::from(process).exits(5);
    let before = entered();
    assert!(before < 1_500);

    change(&desk, "UPDATE run SET profile_id = ?1", &beside);
    let run = desk.run("--profile beside outbox run --wait 20");
    run.exits(4).says("cannot be read");
    assert_eq!(other.bulk_requests(), 0);
    assert_eq!(entered(), before);
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
        desk.file("products.csv", products);
        desk.run("products import products.csv").exits(5);
        let mut service = Service::start_with(format!("--addr {address}"));
        let run_with = |value: &str| {
            change(&desk, &format!("UPDATE profile SET {column} = ?1"), value);
            desk.set_token(TOKEN);
            desk.run("outbox run --wait 5")
        };
        run_with(now).exits(4).says("cannot be read");
        for service in [&service, &other] {
            assert_eq!(service.requests("PUT", ""), 0, "{column} {now}");
        }
        desk.outbox().has("runs", 1).has("nothingWaits", false);
        let removed = desk.json("profile remove counter").exits(4);
        removed.fails_with("profileHasOpenContracts");

        run_with(entered_for).exits(0);
        assert_eq!(service.requests("PUT", ""), 1, "{column} {now}");
        desk.outbox().has("runs", 0);
        service.kill();
    }
}

#[test]
fn a_lead_is_created_for_no_other_profile_or_store_than_it_was_entered_for() {
    let (mut service, other, desk, beside) = two_counters();
    desk.does("profile use counter");
    service.kill();
    let id = desk.create_lead("").exits(5).text("id");
    let again = |profile: &str| {
        desk.does(["profile", "use", profile]);
        let again = desk.json(["leads", "again", &id]).exits(4);
        again.fails_with("profileMoved");
        let run = desk.run("outbox run --wait 5").exits(4);
        run.says("wdesk leads cancel");
        assert_eq!(other.requests("POST", ""), 0);
    };
    change(&desk, "UPDATE lead SET profile_id = ?1", &beside);
    again("beside");
    let was = "UPDATE lead SET profile_id = (SELECT id FROM profile WHERE name = ?1)";
    change(&desk, was, "counter");
    desk.does("profile use counter");
    // Nor is it created on another path of its own server.
    for address in [&other.base_url, &format!("{}/v2", service.base_url)] {
        change(
            &desk,
            "UPDATE profile SET base_url = ?1 WHERE name = 'counter'",
            address,
        );
        desk.set_token(TOKEN);
        again("counter");
    }
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
    let (service, _other, desk) = shop_that_waits();
    let key = "00000000-0000-4000-8000-000000000001";
    change(&desk, "UPDATE batch SET idempotency_key = ?1", key);
    desk.send().exits(4);
    assert_eq!(service.bulk_requests(), 0);
    desk.shows("needsPerson", Some("keyLost"));
}
