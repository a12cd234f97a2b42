//! What `wdesk doctor` says works, works.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use crate::harness::{Desk, PRODUCT, Service, TOKEN, steady_address};

#[test]
fn a_desk_on_which_everything_works_is_called_so_and_nothing_is_created() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let found = desk
        .wdesk(&["--json", "doctor", "--product", PRODUCT])
        .run()
        .exits(0)
        .json();
    assert_eq!(found["folder"]["writable"], true);
    assert!(found["folder"]["freeBytes"].as_u64() > Some(0));
    assert_eq!(found["token"], "present");
    assert_eq!(
        found["network"]["addresses"],
        serde_json::json!(["127.0.0.1"])
    );
    assert_eq!(found["network"]["proxy"], false);
    let ahead = found["network"]["clockAheadSeconds"].as_i64().unwrap();
    assert!(ahead.abs() < 60, "{ahead} s");
    for what in ["address", "store", "token"] {
        assert_eq!(found["service"][what], "good", "{what}");
    }
    assert!(service.sold().is_empty());
    let said = desk.wdesk(&["doctor", "--product", PRODUCT]).run().exits(0);
    assert!(!said.stdout().contains(TOKEN));
    assert!(
        said.stdout().contains("direct to 127.0.0.1"),
        "{}",
        said.stdout()
    );
}

#[test]
fn a_store_that_was_not_tested_is_not_called_found() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let found = desk.wdesk(&["--json", "doctor"]).run().exits(5).json();
    assert_eq!(found["service"]["store"], "unclear");
}

#[test]
fn what_does_not_work_decides_the_exit_code() {
    let service = Service::start();
    // No profile, then no token.
    let desk = Desk::fresh();
    desk.wdesk(&["doctor"]).run().exits(2);
    desk.add_profile(&service.base_url, &service.store);
    let found = desk.wdesk(&["--json", "doctor"]).run().exits(2).json();
    assert_eq!(found["token"], "absent");
    // A refused token.
    let refused = desk
        .wdesk(&["token", "set"])
        .input("sample-of-a-wrong-token");
    refused.run().exits(0);
    let arguments = ["--json", "doctor", "--product", PRODUCT];
    let found = desk.wdesk(&arguments).run().exits(3).json();
    assert_eq!(found["service"]["token"], "bad");
    // Nothing listens.
    let address = format!("http://{}", steady_address());
    let desk = Desk::connected_to(&address, &service.store);
    let found = desk.wdesk(&["--json", "doctor"]).run().exits(5).json();
    assert_eq!(
        found["network"]["clockAheadSeconds"],
        serde_json::Value::Null
    );
}

#[test]
fn the_way_through_a_proxy_is_named_without_its_password() {
    let desk = Desk::connected_to("https://warranty.sample.invalid", "store-sample-001");
    let found = desk
        .wdesk(&["--json", "doctor"])
        .env("HTTPS_PROXY", "http://person:sample-password@127.0.0.1:9")
        .env("NO_PROXY", "")
        .env("no_proxy", "")
        .run()
        .exits(5);
    assert!(!found.stdout().contains("sample-password"));
    let network = &found.json()["network"];
    assert_eq!(
        (&network["proxy"], &network["host"], &network["port"]),
        (&true.into(), &"127.0.0.1".into(), &9.into())
    );
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
    let said = desk.wdesk(&["doctor"]).run().exits(2).stdout();
    assert!(
        said.contains("s behind the service: set the clock"),
        "{said}"
    );
}
