//! Linking plans, sending products, creating leads; and profiles.

use serde_json::json;

use crate::harness::{Desk, PRODUCT, any_file_contains, refusal, shop, verbatim};

#[test]
fn a_product_is_sent_and_known_afterwards() {
    let (_service, desk) = shop();
    let of = "--price 12,800 --category 炊飯器 --image-url https://sample.invalid/r-100.png";
    let with = (["--title", "見本 炊飯器"], of);
    let put = desk.reports(("products put --reference-id r-100", with));
    put.has("product/price", 12_800)
        .has("echoDiffers", json!([]));
    desk.reports("products list 炊飯")
        .has("0/referenceId", "r-100");
    // The plans of a product come back with all that tells them apart.
    desk.does((["products", "put", "--reference-id", PRODUCT], with))
        .prints("plans.3.protectionType");
}

#[test]
fn a_lead_shows_its_token_again_and_a_second_lead_of_one_sale_needs_a_persons_yes() {
    let (_service, desk) = shop();
    let first = desk.create_lead(["--date", "2026-11-20 18:30"]).exits(0);
    let first = first.has("transactionDate", "2026-11-20T18:30:00.000+09:00");
    let (id, token) = (first.text("id"), first.text("token"));
    let listed = desk.reports("leads list").has("0/transactionId", "t-1");
    listed.does_not_print(&token);
    desk.does(["leads", "show", &id]).prints(&token);
    assert!(!any_file_contains(desk.folder(), token.as_bytes()));

    desk.create_lead("")
        .exits(4)
        .fails_with("secondLead")
        .says(&id);
    let second = desk.create_lead(["--beside", &id]).exits(0);
    assert_ne!(second.text("token"), token);
    assert_eq!(desk.reports("leads list").list().len(), 2);
}

#[test]
fn a_created_lead_that_cannot_be_written_is_not_said_to_show_its_token_again() {
    let (_service, desk) = shop();
    let refused = "CREATE TRIGGER refused BEFORE UPDATE ON lead WHEN NEW.state = 'created'
         BEGIN SELECT RAISE(ABORT, 'x'); END";
    desk.change(refused, []);
    let created = desk.create_lead("").exits(4).has("state", "created");
    created
        .says("Note its token down")
        .does_not_say("leads show");
}

#[test]
fn a_refused_lead_is_sent_again_beside_a_later_one_only_after_a_persons_yes() {
    let (_service, desk) = shop();
    let create = || {
        let of = "--transaction-id t-1 --product r-100 --purchase-price 9800 --quantity 1";
        desk.json(format!("leads create {of}"))
    };
    let refused = create().exits(3).text("id");
    desk.put_product("r-100").exits(0);
    let later = create().exits(0).text("id");

    desk.json(["leads", "again", &refused])
        .exits(4)
        .fails_with("secondLead")
        .says(&later);
    desk.reports(["leads", "again", &refused, "--beside", &later])
        .has("state", "created");
}

#[test]
fn profiles_are_made_chosen_and_removed() {
    let desk = Desk::fresh();
    desk.json("token status").exits(2).fails_with("noProfile");
    let add = |name: &str, url: &str| {
        desk.run(format!(
            "profile add {name} --base-url {url} --store-id s-1"
        ))
    };
    add("one", "https://service.example.invalid").exits(0);
    add("two", "https://service.example.invalid").exits(0);
    add("x", "http://example.invalid").exits(2).says("https");
    let current = || {
        let listing = desk.reports("profile list");
        let mut profiles = listing["profiles"].as_array().unwrap().iter();
        let current = profiles.find(|profile| profile["id"] == listing["current"]);
        current.unwrap()["name"].clone()
    };
    assert_eq!(current(), "one");
    desk.does("profile use two");
    assert_eq!(current(), "two");
    // A profile named for one command leaves the chosen one as it is.
    let status = desk.reports("--profile one token status");
    status.has("profile", "one").has("token", "absent");
    assert_eq!(current(), "two");
    // The next command must not sell under a profile that no person selected.
    desk.does("profile remove two");
    desk.does("--profile one outbox run");
    desk.json("token status").exits(2).fails_with("noProfile");
    assert_eq!(desk.reports("profile list").count("profiles"), 1);
    add("three", "https://service.example.invalid").exits(0);
    assert_eq!(current(), "three");
    desk.json("profile use two")
        .exits(2)
        .fails_with("unknownProfile");
}

#[test]
fn a_store_is_tested_with_a_product_whose_plans_are_known() {
    let (service, desk) = shop();
    let test = |options: &str, code: i32| {
        let found = desk.json(format!("doctor {options}")).exits(code);
        found.text("service/store")
    };
    // Nothing is known yet, and nothing is claimed.
    assert_eq!(test("", 5), "unclear");
    desk.run("doctor").exits(5).prints("was not tested");
    assert_eq!(test("--product no-such-product", 3), "bad");
    assert_eq!(test(&format!("--product {PRODUCT}"), 0), "good");
    desk.does(format!("plans list --product {PRODUCT}"));
    assert_eq!(test("", 0), "good");
    service.answers("listPlans", &verbatim(200, &json!([])));
    assert_eq!(test("", 5), "unclear");
    // A path that is not found is no proof of an address, and no token is called accepted there.
    service.answers("listPlans", &refusal(404, "NotFoundException"));
    let found = desk.json("doctor").exits(5);
    let found = found.has("service/address", "unclear");
    found.has("service/token", "unclear");

    // The same server and token, and a store that it does not have.
    service.is_well();
    desk.uses("elsewhere", &service.base_url, "store-nowhere");
    assert_eq!(test("", 3), "bad");
    desk.run("doctor").exits(3).prints("store-nowhere");
    // An address at which something else answers, and a token that is missing.
    let test = |code: i32| desk.json("doctor").exits(code);
    service.behave(&json!("html-with-200"));
    test(5).has("service/address", "bad");
    service.is_well();
    desk.does("token remove");
    test(2)
        .has("service/address", "good")
        .has("service/token", "unclear");
}

#[test]
fn a_profile_is_not_removed_while_something_is_typed_or_a_customer_is_to_be_contacted_under_it() {
    let (_service, desk) = shop();
    desk.does(format!(
        "leads create --transaction-id t-1 --product {PRODUCT} --purchase-price 1 --quantity 1"
    ));
    assert_eq!(desk.change("UPDATE lead SET due = '2030-01-01'", []), 1);
    let forms = [
        ("sheet/1", "7"),
        ("counter/1", "0"),
        ("lead/form", "0"),
        ("product/form", "0"),
    ];
    for (name, rows) in forms {
        let typed =
            "INSERT INTO draft (profile_id, name, key_id, kept_at, size, encrypted, entries)
             SELECT id, ?1, '', 0, 1, x'00', ?2 FROM profile";
        assert_eq!(desk.change(typed, [name, rows]), 1);
    }
    let kept = desk.json("profile remove counter").exits(4);
    let mut kept = kept.fails_with("profileHasOpenContracts");
    for left in [
        "Sheet rows not registered: 7",
        "Unfinished sales at the counter: 1",
        "Leads being typed: 1",
        "Products being typed: 1",
        "Leads with a follow-up: 1",
    ] {
        kept = kept.says(left);
    }
    desk.reports("profile list")
        .has("profiles/0/name", "counter");
    desk.change("DELETE FROM draft", []);
    desk.change("UPDATE lead SET due = NULL", []);
    desk.does("profile remove counter");
}
