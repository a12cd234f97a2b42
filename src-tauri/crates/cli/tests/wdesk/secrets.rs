//! The token: in the keychain and nowhere else.

use crate::harness::{Desk, PRODUCT, Service, TOKEN, any_file_contains};

#[test]
fn a_token_is_kept_seen_and_forgotten() {
    let desk = Desk::connected_to("https://service.example.invalid", "s-1");
    assert_eq!(desk.token(), "present");
    let set = "SELECT COUNT(*) FROM journal WHERE action = 'token.set'";
    assert_eq!(desk.value::<i64>(set), 1);
    desk.does("token remove");
    assert_eq!(desk.token(), "absent");
    let set = desk.json_line("token set").input(" \n").run().exits(2);
    set.fails_with("badToken");
    assert_eq!(desk.token(), "absent");
}

#[test]
fn without_a_keychain_the_token_is_refused_with_what_to_do_and_the_rest_works() {
    let service = Service::start();
    let desk = Desk::fresh();
    desk.add_profile(&service.base_url, &service.store);
    desk.sales("sales.csv", ["t-1"]);
    // A session without a bus: neither named nor at its usual place.
    let without = |line: &str| {
        let line = desk.json_line(line).input(TOKEN);
        let line = line.env("XDG_RUNTIME_DIR", desk.path("nowhere"));
        line.without_env("DBUS_SESSION_BUS_ADDRESS").run()
    };
    let set = without("token set").exits(2).fails_with("noKeychain");
    set.says("Secret Service");
    assert!(!any_file_contains(desk.folder(), TOKEN.as_bytes()));
    // The plan listing needs no token.
    without(&format!("plans list --product {PRODUCT}")).exits(0);
    without("token status").exits(2).has("token", "unavailable");
    let enter = without("contracts enter sales.csv --wait 5");
    assert_ne!(enter.code(), Some(0));
    service.has_sold(0);
}
