//! The token: in the keychain and nowhere else.

use crate::harness::{Desk, Sale, Service, TOKEN, any_file_contains, sales};

#[test]
fn the_token_is_in_no_file_no_output_and_no_log() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let run = desk
        .wdesk(&["contracts", "enter", &file])
        .env("WDESK_LOG", "trace")
        .run()
        .exits(0);
    assert!(!run.stdout().contains(TOKEN));
    assert!(!run.stderr().contains(TOKEN));
    assert!(!run.stderr().is_empty(), "the log was asked for");
    assert!(
        !run.stderr().contains("taro@example.jp"),
        "no customer in a log"
    );
    std::fs::remove_file(file).unwrap();
    assert!(!any_file_contains(desk.folder(), TOKEN.as_bytes()));
}

#[test]
fn a_token_is_kept_seen_and_forgotten() {
    let desk = Desk::connected_to("https://service.example.invalid", "s-1");
    let status = || {
        desk.wdesk(&["--json", "token", "status"])
            .run()
            .exits(0)
            .json()
    };
    assert_eq!(status()["token"], "present");
    desk.wdesk(&["token", "remove"]).run().exits(0);
    assert_eq!(status()["token"], "absent");
    let run = desk
        .wdesk(&["--json", "token", "set"])
        .input(" \n")
        .run()
        .exits(2);
    assert_eq!(run.error_code(), "badToken");
    assert_eq!(status()["token"], "absent");
}

#[test]
fn without_a_keychain_the_token_is_refused_with_what_to_do_and_the_rest_works() {
    let service = Service::start();
    let desk = Desk::fresh();
    desk.add_profile(&service.base_url, &service.store);
    // A session without a bus: neither named nor at its usual place.
    let nowhere = tempfile::TempDir::new().unwrap();
    let without = |arguments: &[&str]| {
        desk.wdesk(arguments)
            .without_env("DBUS_SESSION_BUS_ADDRESS")
            .env("XDG_RUNTIME_DIR", nowhere.path().to_str().unwrap())
    };
    let run = without(&["--json", "token", "set"])
        .input(TOKEN)
        .run()
        .exits(2);
    assert_eq!(run.error_code(), "keychain");
    assert!(run.stderr().contains("Secret Service"), "{}", run.stderr());
    assert!(!any_file_contains(desk.folder(), TOKEN.as_bytes()));
    // The plan listing needs no token.
    without(&["plans", "list", "--product", crate::harness::PRODUCT])
        .run()
        .exits(0);
    let run = without(&["--json", "token", "status"]).run().exits(2);
    assert_eq!(run.json()["token"], "unavailable");
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let run = without(&["contracts", "enter", &file, "--wait", "5"]).run();
    assert_ne!(run.0.status.code(), Some(0));
    assert_eq!(service.sold().len(), 0);
}
