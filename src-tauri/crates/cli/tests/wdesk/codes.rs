//! Codes: what the service gave is used byte for byte, and no two codes are taken for one.

use rusqlite::params;
use serde_json::Value;

use crate::harness::{Desk, PLAN, Sale, Service, sales};

/// A service with one product more, and plans of it, and its database.
fn service_with(desk: &Desk, product: &str, plans: &[&str]) -> Service {
    let path = desk.folder().join("service.db");
    let service = Service::start_with(&["--db", path.to_str().unwrap()]);
    let database = rusqlite::Connection::open(&path).unwrap();
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
    service.behave(&serde_json::json!({"visibility": {"afterMs": 200}}));
    service
}

fn connect(desk: &Desk, service: &Service) {
    desk.add_profile(&service.base_url, &service.store);
    let token = crate::harness::TOKEN;
    desk.wdesk(&["token", "set"]).input(token).run().exits(0);
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
    let put = [
        "--json",
        "products",
        "put",
        "--reference-id",
        product,
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
    assert_eq!(answer["product"]["id"], format!("product-{product}"));
    assert_eq!(answer["product"]["referenceId"], product);
}
