//! One store under two profiles, one sale under two entries: sold once, unless a person says that
//! both are wanted.

use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Service, TOKEN, sales};

/// Adds a profile of the service's store and gives it the token.
fn add(desk: &Desk, name: &str, service: &Service) -> Value {
    let add = [
        "--json",
        "profile",
        "add",
        name,
        "--base-url",
        &service.base_url,
        "--store-id",
        &service.store,
    ];
    let added = desk.wdesk(&add).run().exits(0);
    let token = desk.wdesk(&["--profile", name, "token", "set"]);
    token.input(TOKEN).run().exits(0);
    json!({"profile": added.json(), "said": added.stderr()})
}

/// The sale of the counter once more, through a file of another name.
fn enter(desk: &Desk, profile: &str, exit: i32) -> Value {
    let file = desk.file(&format!("{profile}.csv"), &sales(&[Sale::of("t-1")]));
    let line = ["--json", "--profile", profile, "contracts", "enter", &file];
    desk.wdesk(&line).run().exits(exit).json()
}

#[test]
fn a_sale_is_entered_once_whichever_profile_of_its_store_it_is_entered_under() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    assert_eq!(enter(&desk, "counter", 0)["confirmed"], 1);

    let added = add(&desk, "second", &service);
    let report = enter(&desk, "second", 0);
    assert_eq!(report["alreadyEntered"], 1, "{report}");
    assert_eq!(service.sold().len(), 1);
    let said = added["said"].as_str().unwrap();
    assert!(said.contains("\"counter\""), "{said}");
    let warning = &added["profile"]["warnings"][0];
    assert_eq!(warning["kind"], "sameStore", "{added}");
    assert_eq!(warning["profile"], "counter");
    assert_eq!(warning["removed"], false);

    let removed = desk.wdesk(&["--json", "profile", "remove", "counter"]);
    let removed = removed.run().exits(0);
    let warning = &removed.json()["warnings"][0];
    assert_eq!(warning["kind"], "recentSales", "{warning}");
    assert_eq!(warning["count"], 1);
    assert!(
        removed.stderr().contains("1 sale was"),
        "{}",
        removed.stderr()
    );
    desk.wdesk(&["profile", "remove", "second"]).run().exits(0);
    let added = add(&desk, "counter", &service);
    let warnings = added["profile"]["warnings"].as_array().unwrap();
    assert!(
        warnings.iter().all(|warning| warning["removed"] == true),
        "{added}"
    );
    let report = enter(&desk, "counter", 0);
    assert_eq!(report["alreadyEntered"], 1, "{report}");
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_server_is_the_same_with_a_dot_at_the_end_of_its_name() {
    let desk = Desk::fresh();
    let add = |name: &str, address: &str| {
        let line = ["--json", "profile", "add", name, "--base-url", address];
        let line = [&line[..], &["--store-id", "store-1"]].concat();
        desk.wdesk(&line).run().exits(0).json()
    };
    add("one", "https://service.invalid");
    let added = add("two", "https://SERVICE.invalid.:443/");
    assert_eq!(added["warnings"][0]["kind"], "sameStore", "{added}");
}
