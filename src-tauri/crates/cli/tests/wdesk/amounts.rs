//! Amounts in answers that are not plain whole numbers: before a sale, and after it.

use serde_json::{Value, json};

use crate::harness::{Desk, Run, Sale, Service, sales};
use crate::sheet::plan_price;

/// From now on an operation answers with this field written otherwise.
fn writes(service: &Service, operation: &str, field: &str, number: i64, otherwise: &str) {
    let from = format!("\"{field}\":{number},");
    let to = format!("\"{field}\":{otherwise},");
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{"operations": [operation], "action": {"replace": {"from": from, "to": to}}}],
    }));
}

fn enter(desk: &Desk, sale: Sale) -> Run {
    let file = desk.file(&format!("{}.csv", sale.transaction), &sales(&[sale]));
    desk.wdesk(&["--json", "contracts", "enter", &file]).run()
}

fn with_fee(transaction: &str, fee: &str) -> Sale {
    Sale {
        fee: fee.to_owned(),
        ..Sale::of(transaction)
    }
}

fn question(run: &Run) -> Value {
    run.json()["rejected"][0]["questions"][0].clone()
}

#[test]
fn a_price_that_is_whole_in_another_notation_is_compared_as_that_number() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let price = plan_price();
    for (number, notation) in [format!("{price}.0"), format!("{price}0.00e-1")]
        .iter()
        .enumerate()
    {
        writes(&service, "getPlan", "price", price, notation);
        let run = enter(&desk, with_fee(&format!("t-wrong-{number}"), "50")).exits(2);
        let asked = json!({"kind": "changedPrice", "entered": 50, "current": price});
        assert_eq!(question(&run), asked, "{notation}");
        assert_eq!(service.sold().len(), number, "{notation}");
        enter(&desk, Sale::of(&format!("t-right-{number}"))).exits(0);
    }
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn a_price_that_is_not_understood_is_a_question_before_anything_is_sold() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let price = plan_price();
    for said in [format!("\"{price}\""), "1.5".to_owned(), "true".to_owned()] {
        writes(&service, "getPlan", "price", price, &said);
        let run = enter(&desk, Sale::of("t-1")).exits(2);
        let asked = json!({"kind": "priceNotUnderstood", "entered": price, "current": said});
        assert_eq!(question(&run), asked);
        assert!(
            run.stderr().contains("not a whole amount"),
            "{}",
            run.stderr()
        );
    }
    assert_eq!(service.sold().len(), 0);
    let file = desk.file("t-1.csv", &sales(&[Sale::of("t-1")]));
    let yes = ["--confirm", "price-not-understood"];
    let line = [&["contracts", "enter", &file][..], &yes].concat();
    desk.wdesk(&line).run().exits(0);
    assert_eq!(service.sold().len(), 1);
    // A field that is null says nothing, as one that is absent.
    writes(&service, "getPlan", "price", price, "null");
    enter(&desk, Sale::of("t-2")).exits(0);
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn a_lookup_whose_total_is_not_understood_is_never_called_confirmed() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    for (number, said) in ["1.5", "\"1\"", "\"200000\""].iter().enumerate() {
        writes(&service, "getContract", "transactionTotal", 200_000, said);
        let report = enter(&desk, Sale::of(&format!("t-{number}")))
            .exits(4)
            .json();
        let counts = (&report["confirmed"], &report["needsPerson"]);
        assert_eq!(counts, (&json!(0), &json!(1)), "{said}");
        let shown = report["cases"][0]["reason"].as_str().unwrap();
        assert!(shown.contains("differs from what was sent"), "{shown}");
    }
    writes(&service, "getContract", "transactionTotal", 200_000, "2e5");
    let report = enter(&desk, Sale::of("t-whole")).exits(0).json();
    assert_eq!(report["confirmed"], 1);
}

#[test]
fn an_answer_to_the_sale_with_other_amounts_needs_a_person_and_keeps_its_contract_id() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    for (field, number, said) in [
        ("transactionTotal", 200_000, "\"200000\""),
        ("transactionTotal", 200_000, "1"),
        ("purchasePrice", 189_800, "1.5"),
    ] {
        writes(&service, "bulkCreateContracts", field, number, said);
        let transaction = format!("t-{}", service.sold().len());
        let report = enter(&desk, Sale::of(&transaction)).exits(4).json();
        assert_eq!(report["needsPerson"], 1, "{field} {said}");
        let entries = desk.entries();
        let entry = entries
            .iter()
            .find(|entry| entry["transactionId"] == transaction.as_str())
            .unwrap();
        assert_eq!(entry["case"], "contradiction", "{field} {said}");
        assert!(entry["contractId"].is_string(), "{entry}");
    }
    assert_eq!(service.sold().len(), 3);
}
