//! Codes: what the service gave is used byte for byte, and no two codes are taken for one.

use rusqlite::params;
use serde_json::{Value, json};

use crate::harness::{Desk, PLAN, Run, Sale, Service, TOKEN, sales};

/// A service with one product more, and plans of it.
fn service_with(desk: &Desk, product: &str, plans: &[&str]) -> Service {
    let path = desk.folder().join("service.db");
    let service = Service::start_with(&["--db", path.to_str().unwrap()]);
    add_product(desk, product, plans);
    service.behave(&json!({"visibility": {"afterMs": 200}}));
    service
}

/// Gives the service of [`service_with`] another product.
fn add_product(desk: &Desk, product: &str, plans: &[&str]) {
    let database = rusqlite::Connection::open(desk.folder().join("service.db")).unwrap();
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

/// The service answers nothing that is asked of products and plans, or what it has.
fn reads(service: &Service, answered: bool) {
    let busy = json!({"operations": ["getPlan", "listPlans"], "action": {"verbatim": {
        "status": 503, "contentType": "text/html", "body": "<h1>busy</h1>",
    }}});
    let faults = if answered { json!([]) } else { json!([busy]) };
    service.behave(&json!({"visibility": {"afterMs": 0}, "faults": faults}));
}

fn enter(desk: &Desk, rows: &[Sale], more: &[&str]) -> Run {
    let file = desk.file("rows.csv", &sales(rows));
    let line = [&["--json", "contracts", "enter", &file], more].concat();
    desk.wdesk(&line).run()
}

/// What is asked of the only row that is left out.
fn asked(run: &Run) -> Value {
    let rejected = run.json()["rejected"].clone();
    assert_eq!(rejected.as_array().unwrap().len(), 1, "{rejected}");
    assert_eq!(rejected[0]["problems"], json!([]), "{rejected}");
    assert_eq!(
        rejected[0]["questions"].as_array().unwrap().len(),
        1,
        "{rejected}"
    );
    rejected[0]["questions"][0].clone()
}

fn connect(desk: &Desk, service: &Service) {
    desk.add_profile(&service.base_url, &service.store);
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
}

fn sale(transaction: &str, product: &str, plan: &str) -> Sale {
    Sale {
        product: product.to_owned(),
        plan: plan.to_owned(),
        ..Sale::of(transaction)
    }
}

fn sold(service: &Service) -> Vec<(String, String, String)> {
    let mut sold = service.sold();
    sold.sort();
    sold
}

#[test]
fn codes_that_differ_in_a_character_are_two_sales() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let transactions = ["T1", "T①", "T¹"];
    let file = desk.file("sales.csv", &sales(&transactions.map(Sale::of)));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let sold: Vec<String> = sold(&service).into_iter().map(|sale| sale.0).collect();
    assert_eq!(sold, ["T1", "T¹", "T①"]);

    // Typed with an open input method it is the same sale.
    let again = desk.file("again.csv", &sales(&[Sale::of("Ｔ１")]));
    desk.wdesk(&["contracts", "enter", &again]).run().exits(0);
    assert_eq!(service.sold().len(), 3);
}

#[test]
fn a_reference_and_a_plan_are_sold_as_the_service_has_them() {
    let desk = Desk::fresh();
    let product = "ｱｲｳ－①";
    let long = "p".repeat(130);
    let plans = ["ｱｲｳ-plan－３", long.as_str()];
    let service = service_with(&desk, product, &plans);
    connect(&desk, &service);
    let rows = [
        sale("t-1", product, plans[0]),
        sale("t-2", product, plans[1]),
    ];
    let file = desk.file("sales.csv", &sales(&rows));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let expected: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.transaction.clone(),
                row.product.clone(),
                row.plan.clone(),
            )
        })
        .collect();
    assert_eq!(sold(&service), expected);
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    assert_eq!(sold(&service), expected);
}

#[test]
fn a_product_put_again_is_the_product_that_the_service_has() {
    let desk = Desk::fresh();
    let product = "ｱｲｳ－①";
    let service = service_with(&desk, product, &["plan-kana"]);
    connect(&desk, &service);
    let product_there = put(&desk, product);
    assert_eq!(product_there["id"], format!("product-{product}"));
    assert_eq!(product_there["referenceId"], product);
}

#[test]
fn a_file_entered_while_the_service_was_away_and_again_once_it_is_back_is_asked_about() {
    let desk = Desk::fresh();
    let rows = [sale("t-1", "Ｐ－１", "plan-1")];
    let service = service_with(&desk, "Ｐ－１", &["plan-1"]);
    connect(&desk, &service);
    reads(&service, false);
    enter(&desk, &rows, &["--no-wait"]).exits(5);
    let first = desk.entries()[0]["id"].clone();

    reads(&service, true);
    let question = asked(&enter(&desk, &rows, &["--no-wait"]).exits(2));
    assert_eq!(
        (&question["kind"], &question["submissionId"]),
        (&json!("secondContract"), &first)
    );
    assert_eq!(desk.entries().len(), 1);
}

#[test]
fn one_sale_written_in_two_widths_is_sold_twice_only_with_a_yes() {
    let desk = Desk::fresh();
    let service = service_with(&desk, "P-1", &["plan-1"]);
    add_product(&desk, "Ｐ－１", &["ｐｌａｎ-1"]);
    connect(&desk, &service);
    let narrow = sale("t-1", "P-1", "plan-1");
    let wide = sale("t-1", "Ｐ－１", "ｐｌａｎ-1");

    // In one file: the line before it is named.
    let both = [narrow.clone(), wide.clone()];
    let question = asked(&enter(&desk, &both, &[]).exits(2));
    assert_eq!(
        (&question["kind"], &question["line"]),
        (&json!("repeatedRow"), &json!(2))
    );
    assert_eq!(sold(&service), []);

    // One file after the other: the earlier entry is named.
    enter(&desk, &[narrow], &[]).exits(0);
    let wide = [wide];
    let question = asked(&enter(&desk, &wide, &[]).exits(2));
    assert_eq!(
        (&question["kind"], &question["submissionId"]),
        (&json!("secondContract"), &desk.entries()[0]["id"])
    );
    assert_eq!(service.sold().len(), 1);

    // With a yes it is another sale, and both stay known.
    let yes = ["--confirm", "second-contract"];
    enter(&desk, &wide, &yes).exits(0);
    let expected = [("t-1", "P-1", "plan-1"), ("t-1", "Ｐ－１", "ｐｌａｎ-1")]
        .map(|(sale, product, plan)| (sale.to_owned(), product.to_owned(), plan.to_owned()));
    assert_eq!(sold(&service), expected);
    for rows in [&wide[..], &both] {
        let again = enter(&desk, rows, &yes).exits(0).json();
        assert_eq!(again["alreadyEntered"], rows.len(), "{again}");
    }
    let [narrow, wide] = both;
    let swapped = enter(&desk, &[wide, narrow], &["--repeated-lines", "2,3"]);
    assert_eq!(swapped.exits(0).json()["alreadyEntered"], 2);
    assert_eq!(sold(&service), expected);
}

#[test]
fn equal_rows_in_two_widths_are_sold_with_a_yes_to_the_line_and_never_again() {
    let desk = Desk::fresh();
    let service = service_with(&desk, "P-1", &["plan-1"]);
    add_product(&desk, "Ｐ－１", &["ｐｌａｎ-1"]);
    connect(&desk, &service);
    let rows = [
        sale("t-1", "Ｐ－１", "ｐｌａｎ-1"),
        sale("t-1", "P-1", "plan-1"),
    ];
    let yes = ["--repeated-lines", "3"];
    assert_eq!(enter(&desk, &rows, &yes).exits(0).json()["entered"], 2);
    assert_eq!(service.sold().len(), 2);
    let again = enter(&desk, &rows, &yes).exits(0).json();
    assert_eq!(again["alreadyEntered"], 2, "{again}");
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn what_one_profile_of_a_store_learned_of_a_code_holds_for_the_other() {
    let desk = Desk::fresh();
    let (product, plan) = ("Ｐ－１", "ｐｌａｎ-1");
    let service = service_with(&desk, product, &[plan]);
    connect(&desk, &service);
    enter(&desk, &[sale("t-1", product, plan)], &[]).exits(0);
    let address = [
        "--base-url",
        &service.base_url,
        "--store-id",
        &service.store,
    ];
    let add = [&["profile", "add", "second"], &address[..]].concat();
    desk.wdesk(&add).run().exits(0);
    let token = desk.wdesk(&["--profile", "second", "token", "set"]);
    token.input(TOKEN).run().exits(0);

    reads(&service, false);
    let file = desk.file("second.csv", &sales(&[sale("t-2", product, plan)]));
    let line = ["--json", "--profile", "second", "contracts", "enter", &file];
    desk.wdesk(&line).run().exits(0);
    let sale = ("t-2".to_owned(), product.to_owned(), plan.to_owned());
    assert!(service.sold().contains(&sale), "{:?}", service.sold());
}

#[test]
fn a_plan_that_cannot_be_looked_up_is_sold_as_it_is_written() {
    let desk = Desk::fresh();
    let plan = "plan－Ａ";
    let service = service_with(&desk, "P-1", &[plan]);
    connect(&desk, &service);
    reads(&service, false);
    let row = [sale("t-1", "P-1", plan)];
    enter(&desk, &row, &[]).exits(0);
    let expected = [("t-1".to_owned(), "P-1".to_owned(), plan.to_owned())];
    assert_eq!(sold(&service), expected);

    reads(&service, true);
    let again = enter(&desk, &row, &[]).exits(0).json();
    assert_eq!(again["alreadyEntered"], 1, "{again}");
    assert_eq!(sold(&service), expected);
}

/// `wdesk products put` of a reference.
fn put(desk: &Desk, reference: &str) -> Value {
    let put = [
        "--json",
        "products",
        "put",
        "--reference-id",
        reference,
        "--title",
        "見本",
        "--price",
        "9800",
        "--image-url",
        "https://sample.invalid/a.png",
        "--category",
        "見本",
    ];
    let answer: Value = desk.wdesk(&put).run().exits(0).json();
    answer["product"].clone()
}

#[test]
fn a_product_is_put_under_its_reference_as_it_is_given() {
    let desk = Desk::fresh();
    let service = service_with(&desk, "Ｐ－２", &[]);
    connect(&desk, &service);
    // Listing its plans does not tell that the service has it: there are none.
    let product = put(&desk, "Ｐ－２");
    assert_eq!(
        (&product["id"], &product["referenceId"]),
        (&json!("product-Ｐ－２"), &json!("Ｐ－２"))
    );
    add_product(&desk, "Ｐ－３", &["plan-3"]);
    reads(&service, false);
    assert_eq!(put(&desk, " Ｐ－３ ")["id"], "product-Ｐ－３");
}

#[test]
fn a_code_of_digits_is_sold_though_it_is_known_with_zeros_in_front_when_the_listing_has_it() {
    let action = |status: u16, code: &str| {
        let body = json!({"requestId": "r", "code": code, "error": "sample words"}).to_string();
        json!({"verbatim": {"status": status, "contentType": "application/json", "body": body}})
    };
    for (transaction, busy) in [
        ("t-1", action(503, "UnavailableException")),
        ("t-2", action(400, "ThrottlingException")),
    ] {
        let desk = Desk::fresh();
        let service = service_with(&desk, "0015", &["plan-0015"]);
        add_product(&desk, "15", &["plan-15"]);
        connect(&desk, &service);
        enter(&desk, &[sale("t-0", "0015", "plan-0015")], &[]).exits(0);
        let faults = json!([{"operations": ["getPlan"], "action": busy}]);
        service.behave(&json!({"visibility": {"afterMs": 0}, "faults": faults}));
        enter(&desk, &[sale(transaction, "15", "plan-15")], &[]).exits(0);
        let expected = (
            transaction.to_owned(),
            "15".to_owned(),
            "plan-15".to_owned(),
        );
        assert_eq!(sold(&service)[1..], [expected]);
    }
}
