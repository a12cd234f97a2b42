//! What `wdesk doctor` says works, works.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::harness::{Desk, PRODUCT, TOKEN, shop};

#[test]
fn a_desk_on_which_everything_works_is_called_so_and_nothing_is_created() {
    let (service, desk) = shop();
    let doctor = format!("doctor --product {PRODUCT}");
    let found = desk.reports(&doctor).has("token", "present");
    let found = found
        .has("folder/writable", true)
        .has("network/proxy", false);
    let found = found.has("network/addresses", json!(["127.0.0.1"]));
    assert!(found.at("folder/freeBytes").as_u64() > Some(0));
    let ahead = found.at("network/clockAheadSeconds").as_i64().unwrap();
    assert!(ahead.abs() < 60, "{ahead} s");
    let found = found
        .has("service/address", "good")
        .has("service/store", "good");
    found.has("service/token", "good");
    service.has_sold(0);
    let said = desk.does(doctor).prints("direct to 127.0.0.1");
    said.does_not_print(TOKEN);
    // A store that was not tested is not called found.
    desk.json("doctor").exits(5).has("service/store", "unclear");
    // A product that was sold is known.
    desk.enter(["t-1"], "").exits(0);
    desk.reports("doctor").has("service/store", "good");
}

#[test]
fn what_does_not_work_decides_the_exit_code() {
    let (service, other) = shop();
    // No profile, then no token.
    let desk = Desk::fresh();
    desk.run("doctor").exits(2);
    desk.add_profile(&service.base_url, &service.store);
    desk.json("doctor").exits(2).has("token", "absent");
    // A refused token.
    other.set_token("sample-of-a-wrong-token");
    let refused = other.json(format!("doctor --product {PRODUCT}")).exits(3);
    refused.has("service/token", "bad");
    // Nothing listens.
    let (_address, desk) = Desk::offline();
    let silent = desk.json("doctor").exits(5);
    silent.has("network/clockAheadSeconds", Value::Null);
}

#[test]
fn the_token_of_the_profile_in_use_is_tested_where_another_one_has_the_same_store() {
    let (service, desk) = shop();
    desk.uses("another", &service.base_url, &service.store);
    desk.set_token("sample-of-a-wrong-token");
    for (profile, code, token) in [("another", 3, "bad"), ("counter", 0, "good")] {
        let doctor = format!("--profile {profile} doctor --product {PRODUCT}");
        desk.json(doctor).exits(code).has("service/token", token);
    }
}

#[test]
fn the_way_through_a_proxy_is_named_without_its_password() {
    let desk = Desk::connected_to("https://warranty.sample.invalid", "store-sample-001");
    let found = desk
        .json_line("doctor")
        .env("HTTPS_PROXY", "http://person:sample-password@127.0.0.1:9")
        .env("NO_PROXY", "")
        .env("no_proxy", "")
        .run()
        .exits(5)
        .does_not_print("sample-password");
    let found = found.has("network/proxy", true).has("network/port", 9);
    found.has("network/host", "127.0.0.1");
}

#[test]
fn a_wrong_clock_is_a_fault_of_this_computer() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            while stream.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            let answer = b"HTTP/1.1 200 OK\r\ndate: Mon, 01 Jan 2125 00:00:00 GMT\r\n\
                content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
            let _ = stream.get_mut().write_all(answer);
        }
    });
    let desk = Desk::connected_to(&address, "store-sample-001");
    desk.run("doctor")
        .exits(2)
        .prints("s behind the service: set the clock");
}
