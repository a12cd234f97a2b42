//! Codes: what the service gave is used byte for byte, and no two codes are taken for one.

use rusqlite::params;
use serde_json::{Value, json};

use crate::harness::{Desk, PLAN, Run, Sale, Service, TOKEN, busy, refusal, shop};

/// A desk at a service that has one product more, with these plans.
fn shop_with(product: &str, plans: &[&str]) -> (Service, Desk) {
    let desk = Desk::fresh();
    let database = desk.path("service.db");
    let service = Service::start_with(["--db", database.to_str().unwrap()]);
    add_product(&desk, product, plans);
    service.is_well();
    desk.add_profile(&service.base_url, &service.store);
    desk.set_token(TOKEN);
    (service, desk)
}

/// Gives the service of [`shop_with`] another product.
fn add_product(desk: &Desk, product: &str, plans: &[&str]) {
    let database = rusqlite::Connection::open(desk.path("service.db")).unwrap();
    database
        .execute(
            "INSERT INTO product (id, reference_id, title, price, image_url, category, brand,
                 display, created_at, updated_at)
             SELECT 'product-' || ?1, ?1, title, price, image_url, category, brand, display,
                 created_at, updated_at
             FROM product WHERE reference_id = (SELECT product_reference_id FROM plan WHERE id = ?2)",
            [product, PLAN],
        )
        .unwrap();
    for plan in plans {
        database
            .execute(
                "INSERT INTO plan (id, product_reference_id, title, price, term_length,
                     service_type, protection_type, url)
                 SELECT ?1, ?2, title, price, term_length, service_type, protection_type, url
                 FROM plan WHERE id = ?3",
                params![plan, product, PLAN],
            )
            .unwrap();
    }
}

/// The service answers nothing that is asked of products and plans.
fn answers_no_reads(service: &Service) {
    let reads = ["getPlan", "listPlans"];
    service.faults(&json!([{"operations": reads, "action": busy(503, "0")}]));
}

/// Fails unless only one row was left out, and one thing is asked of it.
#[track_caller]
fn asks(run: Run, kind: &str, about: (&str, &Value)) {
    let run = run.exits(2).has("found/0/problems", json!([]));
    assert_eq!((run.count("found"), run.count("found/0/questions")), (1, 1));
    let run = run.has("found/0/questions/0/kind", kind);
    run.has(&format!("found/0/questions/0/{}", about.0), about.1.clone());
}

fn sale(transaction: &str, product: &str, plan: &str) -> Sale {
    Sale::of(transaction).product(product).plan(plan)
}

#[track_caller]
fn has_sold(service: &Service, sales: &[(&str, &str, &str)]) {
    let text = |(sale, product, plan): &(&str, &str, &str)| {
        (
            (*sale).to_owned(),
            (*product).to_owned(),
            (*plan).to_owned(),
        )
    };
    let mut sold = service.sold();
    sold.sort();
    assert_eq!(sold, sales.iter().map(text).collect::<Vec<_>>());
}

#[test]
fn codes_that_differ_in_a_character_are_two_sales() {
    let (service, desk) = shop();
    desk.enter(["T1", "T①", "T¹"], "").exits(0);
    assert_eq!(service.transactions(), ["T1", "T¹", "T①"]);
    // Typed with an open input method it is the same sale.
    desk.enter(["Ｔ１"], "").exits(0);
    service.has_sold(3);
}

#[test]
fn a_reference_and_a_plan_are_sold_as_the_service_has_them() {
    let (product, plan, long) = ("ｱｲｳ－①", "ｱｲｳ-plan－３", "p".repeat(130));
    let (service, desk) = shop_with(product, &[plan, &long]);
    for _ in 0..2 {
        let rows = [sale("t-1", product, plan), sale("t-2", product, &long)];
        desk.enter(rows, "").exits(0);
        has_sold(&service, &[("t-1", product, plan), ("t-2", product, &long)]);
    }
}

#[test]
fn a_file_entered_while_the_service_was_away_and_again_once_it_is_back_is_asked_about() {
    let (service, desk) = shop_with("Ｐ－１", &["plan-1"]);
    let row = sale("t-1", "Ｐ－１", "plan-1");
    answers_no_reads(&service);
    desk.keep([&row]);
    let first = desk.entries()[0]["id"].clone();
    service.is_well();
    let again = desk.enter([&row], "--no-wait");
    asks(again, "secondContract", ("submissionId", &first));
    assert_eq!(desk.entries().len(), 1);
}

#[test]
fn one_sale_written_in_two_widths_is_sold_twice_only_with_a_yes() {
    let (service, desk) = shop_with("P-1", &["plan-1"]);
    add_product(&desk, "Ｐ－１", &["ｐｌａｎ-1"]);
    let narrow = sale("t-1", "P-1", "plan-1");
    let wide = sale("t-1", "Ｐ－１", "ｐｌａｎ-1");

    // In one file: the line before it is named.
    let both = [&narrow, &wide];
    asks(desk.enter(both, ""), "repeatedRow", ("line", &json!(2)));
    service.has_sold(0);

    // One file after the other: the earlier entry is named.
    desk.enter([&narrow], "").exits(0);
    let first = desk.entries()[0]["id"].clone();
    asks(
        desk.enter([&wide], ""),
        "secondContract",
        ("submissionId", &first),
    );
    service.has_sold(1);

    // With a yes it is another sale, and both stay known.
    let yes = "--confirm second-contract";
    desk.enter([&wide], yes).exits(0);
    let sold = [("t-1", "P-1", "plan-1"), ("t-1", "Ｐ－１", "ｐｌａｎ-1")];
    has_sold(&service, &sold);
    desk.enter([&wide], yes).exits(0).has("alreadyEntered", 1);
    desk.enter(both, yes).exits(0).has("alreadyEntered", 2);
    let swapped = desk.enter([&wide, &narrow], "--repeated-lines 2,3");
    swapped.exits(0).has("alreadyEntered", 2);
    has_sold(&service, &sold);
}

#[test]
fn what_one_profile_of_a_store_learned_of_a_code_holds_for_the_other() {
    let (product, plan) = ("Ｐ－１", "ｐｌａｎ-1");
    let (service, desk) = shop_with(product, &[plan]);
    desk.enter([sale("t-1", product, plan)], "").exits(0);
    desk.uses("second", &service.base_url, &service.store);
    answers_no_reads(&service);
    desk.enter([sale("t-2", product, plan)], "").exits(0);
    has_sold(&service, &[("t-1", product, plan), ("t-2", product, plan)]);
}

#[test]
fn a_plan_that_cannot_be_looked_up_is_sold_as_it_is_written() {
    let plan = "plan－Ａ";
    let (service, desk) = shop_with("P-1", &[plan]);
    answers_no_reads(&service);
    desk.enter([sale("t-1", "P-1", plan)], "").exits(0);
    has_sold(&service, &[("t-1", "P-1", plan)]);
    service.is_well();
    let again = desk.enter([sale("t-1", "P-1", plan)], "").exits(0);
    again.has("alreadyEntered", 1);
    has_sold(&service, &[("t-1", "P-1", plan)]);
}

#[test]
fn a_product_is_put_under_its_reference_as_it_is_given() {
    // Listing the plans of the second does not tell that the service has it: there are none.
    for (reference, plans) in [("ｱｲｳ－①", &["plan-kana"][..]), ("Ｐ－２", &[])] {
        let (_service, desk) = shop_with(reference, plans);
        let put = desk.put_product(reference).exits(0);
        let put = put.has("product/id", format!("product-{reference}"));
        put.has("product/referenceId", reference);
    }
    let (service, desk) = shop_with("Ｐ－３", &["plan-3"]);
    answers_no_reads(&service);
    desk.put_product(" Ｐ－３ ")
        .exits(0)
        .has("product/id", "product-Ｐ－３");
}

#[test]
fn a_code_of_digits_is_sold_though_it_is_known_with_zeros_in_front_when_the_listing_has_it() {
    for (status, code) in [(503, "UnavailableException"), (400, "ThrottlingException")] {
        let (service, desk) = shop_with("0015", &["plan-0015"]);
        add_product(&desk, "15", &["plan-15"]);
        desk.enter([sale("t-0", "0015", "plan-0015")], "").exits(0);
        service.answers("getPlan", &refusal(status, code));
        desk.enter([sale("t-1", "15", "plan-15")], "").exits(0);
        has_sold(
            &service,
            &[("t-0", "0015", "plan-0015"), ("t-1", "15", "plan-15")],
        );
    }
}

#[test]
fn a_transaction_written_with_other_capitals_is_sold_again_only_with_a_yes() {
    let (service, desk) = shop();
    desk.enter(["t-0012ab"], "").exits(0);
    let id = desk.entry("t-0012ab")["id"].clone();
    let capitals = desk.enter(["T-0012AB"], "");
    asks(capitals, "secondContract", ("submissionId", &id));
    let one_file = desk.enter(["ab-1", "AB-1"], "");
    asks(one_file, "repeatedRow", ("line", &json!(2)));
    service.has_sold(1);

    // With a yes it is another sale, and both stay known.
    let yes = "--confirm second-contract";
    desk.enter(["T-0012AB"], yes).exits(0);
    let again = desk.enter(["T-0012AB", "t-0012ab"], "").exits(0);
    again.has("alreadyEntered", 2).has("found", json!([]));
    service.has_sold(2);
}

#[test]
fn a_transaction_that_may_have_lost_its_zeros_is_sold_again_only_with_a_yes() {
    let (service, desk) = shop();
    let asked = |run: &Run| -> Vec<Value> {
        let questions = run.questions().into_iter();
        questions.map(|(_, ask)| ask["kind"].clone()).collect()
    };
    let written = ["000000001037", "000000000001", "0000"];
    desk.enter(written, "").exits(0);
    // A spreadsheet took them for numbers.
    let numbers = ["1037", "1", "0"];
    let run = desk.enter(numbers, "").exits(2);
    assert_eq!(asked(&run), ["secondContract"; 3]);
    let id = desk.entry(written[0])["id"].clone();
    assert_eq!(run.questions()[0].1["submissionId"], id);
    desk.enter(written, "").exits(0).has("alreadyEntered", 3);
    service.has_sold(3);

    // With a yes they are other sales, and all stay known.
    desk.enter(numbers, "--confirm second-contract").exits(0);
    let all = [&written[..], &numbers].concat();
    let again = desk.enter(all, "").exits(0);
    again.has("alreadyEntered", 6).has("found", json!([]));
    service.has_sold(6);

    // What was entered as a number is known when it has its zeros.
    desk.enter(["38"], "").exits(0);
    assert_eq!(
        asked(&desk.enter(["0038"], "").exits(2)),
        ["secondContract"]
    );
    // In one file the line before it is named.
    asks(
        desk.enter(["0002", "2"], ""),
        "repeatedRow",
        ("line", &json!(2)),
    );
    service.has_sold(7);
    // No spreadsheet makes these the same.
    desk.enter(
        ["T-01", "T-1", "0123456789012345678", "123456789012345678"],
        "",
    )
    .exits(0)
    .has("entered", 4);
}
