//! Linking plans, sending products, creating leads.

use serde_json::json;

use crate::harness::{Desk, PLAN, PRODUCT, Service, TOKEN, UNLINKED_PLAN};

#[test]
fn a_plan_is_linked_and_proved_by_reading_it_again() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let link = ["--json", "plans", "link", UNLINKED_PLAN, "SHELF-10Y"];
    let report = desk.wdesk(&link).run().exits(0).json();
    assert_eq!(report["plan"]["storeReferenceId"], "SHELF-10Y");
    assert_eq!(report["previous"], json!(null));
    let opened = desk
        .wdesk(&["--json", "plans", "show", UNLINKED_PLAN])
        .run()
        .exits(0)
        .json();
    assert_eq!(opened["plan"]["storeReferenceId"], "SHELF-10Y");
}

#[test]
fn a_link_stops_when_something_else_stands_there_than_expected() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let run = desk
        .wdesk(&[
            "--json",
            "plans",
            "link",
            PLAN,
            "NEW",
            "--expect",
            "SOMETHING-ELSE",
        ])
        .run()
        .exits(4);
    assert_eq!(run.error_code(), "changedMeanwhile");
    let opened = desk
        .wdesk(&["--json", "plans", "show", PLAN])
        .run()
        .exits(0)
        .json();
    assert_ne!(opened["plan"]["storeReferenceId"], "NEW");
}

#[test]
fn a_reference_used_by_two_plans_is_said() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    desk.wdesk(&["plans", "list", "--product", PRODUCT])
        .run()
        .exits(0);
    desk.wdesk(&["plans", "link", PLAN, "SAME"]).run().exits(0);
    let run = desk
        .wdesk(&["plans", "link", UNLINKED_PLAN, "SAME"])
        .run()
        .exits(0);
    assert!(run.stderr().contains(PLAN), "{}", run.stderr());
}

#[test]
fn a_product_is_sent_and_known_afterwards() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let put = desk
        .wdesk(&[
            "--json",
            "products",
            "put",
            "--reference-id",
            "r-100",
            "--title",
            "見本 炊飯器",
            "--price",
            "12,800",
            "--image-url",
            "https://sample.invalid/r-100.png",
            "--category",
            "炊飯器",
        ])
        .run()
        .exits(0)
        .json();
    assert_eq!(put["product"]["price"], 12_800);
    assert_eq!(put["echoDiffers"], json!([]));
    let known = desk
        .wdesk(&["--json", "products", "list", "炊飯"])
        .run()
        .exits(0)
        .json();
    assert_eq!(known[0]["referenceId"], "r-100");
    drop(service);
}

#[test]
fn a_file_of_products_is_checked_whole_before_anything_is_sent() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let good = "referenceId,title,price,imageUrl,category\n\
                r-1,見本 扇風機,3980,https://sample.invalid/1.png,季節家電\n\
                r-2,見本 加湿器,5980,https://sample.invalid/2.png,季節家電\n";
    let bad = format!("{good}r-3,見本,abc,https://sample.invalid/3.png,季節家電\n");

    let file = desk.file("products.csv", &bad);
    let run = desk
        .wdesk(&["--json", "products", "import", &file])
        .run()
        .exits(2);
    assert_eq!(run.json()["done"], 0);
    assert_eq!(run.json()["rejected"][0]["line"], 4);
    assert!(run.stderr().contains("line 4: price"), "{}", run.stderr());

    let file = desk.file("products.csv", good);
    let run = desk
        .wdesk(&["--json", "products", "import", &file, "--dry-run"])
        .run()
        .exits(0);
    assert_eq!(run.json()["done"], 0);
    let listed = desk
        .wdesk(&["--json", "products", "list"])
        .run()
        .exits(0)
        .json();
    assert_eq!(listed, json!([]));
    let run = desk
        .wdesk(&["--json", "products", "import", &file])
        .run()
        .exits(0);
    assert_eq!(run.json()["done"], 2);
    let listed = desk
        .wdesk(&["--json", "products", "list"])
        .run()
        .exits(0)
        .json();
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[test]
fn products_that_found_no_service_are_told_and_may_be_sent_again() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    drop(service);
    let file = desk.file(
        "products.csv",
        "referenceId,title,price,imageUrl,category\n\
         r-1,a,1,https://sample.invalid/1.png,c\nr-2,b,2,https://sample.invalid/2.png,c\n",
    );
    let report = desk
        .wdesk(&["--json", "products", "import", &file])
        .run()
        .exits(5)
        .json();
    assert_eq!(report["done"], 0);
    assert_eq!(report["waits"]["code"], "notSent");
    assert_eq!(report["notDone"], 2);
}

#[test]
fn a_lead_shows_its_token_once() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let created = desk
        .wdesk(&[
            "--json",
            "leads",
            "create",
            "--transaction-id",
            "t-1",
            "--product",
            PRODUCT,
            "--purchase-price",
            "189800",
            "--quantity",
            "1",
            "--date",
            "2026-11-20 18:30",
        ])
        .run()
        .exits(0)
        .json();
    let token = created["token"].as_str().unwrap();
    assert_eq!(created["transactionDate"], "2026-11-20T18:30:00.000+09:00");
    let run = desk.wdesk(&["--json", "leads", "list"]).run().exits(0);
    assert_eq!(run.json()[0]["transactionId"], "t-1");
    assert!(!run.stdout().contains(token));
    assert!(!crate::harness::any_file_contains(
        desk.folder(),
        token.as_bytes()
    ));
}

#[test]
fn a_second_lead_of_one_sale_needs_a_persons_yes() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let create = |more: &[&str]| {
        let sale = [
            ["--transaction-id", "t-1"],
            ["--product", PRODUCT],
            ["--purchase-price", "189800"],
            ["--quantity", "1"],
        ];
        let line = [&["--json", "leads", "create"], sale.as_flattened(), more].concat();
        desk.wdesk(&line).run()
    };
    let first = create(&[]).exits(0).json();
    let again = create(&[]).exits(4);
    assert_eq!(again.error_code(), "secondLead");
    assert!(again.stderr().contains(first["id"].as_str().unwrap()));
    let beside = ["--beside", first["id"].as_str().unwrap()];
    let second = create(&beside).exits(0).json();
    assert_ne!(second["token"], first["token"]);
    let leads = desk.wdesk(&["--json", "leads", "list"]).run().exits(0);
    assert_eq!(leads.json().as_array().unwrap().len(), 2);
}

#[test]
fn an_unanswered_lead_is_not_repeated_by_itself() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({
        "faults": [{"operations": ["createLead"], "action": "dropAfterCommit"}]
    }));
    let run = desk
        .wdesk(&[
            "--json",
            "leads",
            "create",
            "--transaction-id",
            "t-1",
            "--product",
            PRODUCT,
            "--purchase-price",
            "189800",
            "--quantity",
            "1",
        ])
        .run()
        .exits(4);
    assert_eq!(run.json()["state"], "unknown");
    assert!(run.stderr().contains("may exist"), "{}", run.stderr());
}

#[test]
fn profiles_are_made_chosen_and_removed() {
    let desk = Desk::fresh();
    let run = desk.wdesk(&["--json", "token", "status"]).run().exits(2);
    assert_eq!(run.error_code(), "noProfile");
    for name in ["one", "two"] {
        desk.wdesk(&[
            "profile",
            "add",
            name,
            "--base-url",
            "https://service.example.invalid",
            "--store-id",
            "s-1",
        ])
        .run()
        .exits(0);
    }
    let listing = || {
        desk.wdesk(&["--json", "profile", "list"])
            .run()
            .exits(0)
            .json()
    };
    let current = |listing: &serde_json::Value| {
        let profiles = listing["profiles"].as_array().unwrap();
        let one = profiles
            .iter()
            .find(|profile| profile["id"] == listing["current"]);
        one.unwrap()["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(current(&listing()), "one");
    desk.wdesk(&["profile", "use", "two"]).run().exits(0);
    assert_eq!(current(&listing()), "two");
    // A profile named for one command leaves the chosen one as it is.
    let status = desk
        .wdesk(&["--json", "--profile", "one", "token", "status"])
        .run()
        .exits(0);
    assert_eq!(status.json()["profile"], "one");
    assert_eq!(status.json()["token"], "absent");
    assert_eq!(current(&listing()), "two");
    desk.wdesk(&["profile", "remove", "two"]).run().exits(0);
    assert_eq!(listing()["profiles"].as_array().unwrap().len(), 1);
    let run = desk
        .wdesk(&["--json", "profile", "use", "two"])
        .run()
        .exits(2);
    assert_eq!(run.error_code(), "unknownProfile");
    let run = desk
        .wdesk(&[
            "profile",
            "add",
            "x",
            "--base-url",
            "http://example.invalid",
            "--store-id",
            "s",
        ])
        .run()
        .exits(2);
    assert!(run.stderr().contains("https"), "{}", run.stderr());
}

#[test]
fn a_store_is_tested_with_a_product_whose_plans_are_known() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let test = |more: &[&str], code: i32| {
        let line = [&["--json", "profile", "test"], more].concat();
        desk.wdesk(&line).run().exits(code).json()["store"].clone()
    };
    // Nothing is known yet, and nothing is claimed.
    assert_eq!(test(&[], 0), "unclear");
    let text = desk.wdesk(&["profile", "test"]).run().stdout();
    assert!(text.contains("was not tested"), "{text}");
    assert_eq!(test(&["--product", "no-such-product"], 3), "bad");
    assert_eq!(test(&["--product", PRODUCT], 0), "good");
    desk.wdesk(&["plans", "list", "--product", PRODUCT])
        .run()
        .exits(0);
    assert_eq!(test(&[], 0), "good");
    service.behave(&json!({"faults": [{
        "operations": ["listPlans"],
        "action": {"verbatim": {"status": 200, "contentType": "application/json", "body": "[]"}},
    }]}));
    assert_eq!(test(&[], 5), "unclear");

    // The same server and token, and a store that it does not have.
    service.behave(&json!({}));
    let elsewhere = [
        "profile",
        "add",
        "elsewhere",
        "--base-url",
        &service.base_url,
        "--store-id",
        "store-nowhere",
    ];
    desk.wdesk(&elsewhere).run().exits(0);
    desk.wdesk(&["profile", "use", "elsewhere"]).run().exits(0);
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    assert_eq!(test(&[], 3), "bad");
    let text = desk.wdesk(&["profile", "test"]).run().exits(3).stdout();
    assert!(text.contains("store-nowhere"), "{text}");
}

#[test]
fn a_profile_is_tested_and_nothing_is_created() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let test = |code: i32| {
        let run = desk.wdesk(&["--json", "profile", "test"]).run().exits(code);
        let found = run.json();
        (found["address"].clone(), found["token"].clone())
    };
    assert_eq!(test(0), (json!("good"), json!("good")));
    desk.wdesk(&["token", "set"])
        .input("not-the-token")
        .run()
        .exits(0);
    assert_eq!(test(3), (json!("good"), json!("bad")));
    desk.wdesk(&["token", "remove"]).run().exits(0);
    assert_eq!(test(2), (json!("good"), json!("unclear")));
    service.behave(&json!("html-with-200"));
    assert_eq!(test(5).0, json!("bad"));
    drop(service);
    assert_eq!(test(5).0, json!("bad"));
}
