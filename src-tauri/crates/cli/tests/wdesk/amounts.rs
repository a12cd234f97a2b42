//! Amounts in answers that are not plain whole numbers: before a sale, and after it.

use serde_json::json;

use crate::harness::{Sale, Service, plan_price, replace, shop};

/// From now on an operation answers with this field written otherwise.
fn writes(service: &Service, operation: &str, field: &str, number: i64, otherwise: &str) {
    let from = format!("\"{field}\":{number},");
    service.answers(
        operation,
        &replace(&from, &format!("\"{field}\":{otherwise},")),
    );
}

#[test]
fn a_price_that_is_whole_in_another_notation_is_compared_as_that_number() {
    let (service, desk) = shop();
    let price = plan_price();
    for (number, notation) in [format!("{price}.0"), format!("{price}0.00e-1")]
        .iter()
        .enumerate()
    {
        writes(&service, "getPlan", "price", price, notation);
        let asked = json!({"kind": "changedPrice", "entered": 50, "current": price});
        let wrong = Sale::of(&format!("t-wrong-{number}")).fee("50");
        desk.enter([wrong], "")
            .exits(2)
            .has("rejected/0/questions/0", asked);
        service.has_sold(number);
        desk.enter([&format!("t-right-{number}")], "").exits(0);
    }
    service.has_sold(2);
}

#[test]
fn a_price_that_is_not_understood_is_a_question_before_anything_is_sold() {
    let (service, desk) = shop();
    let price = plan_price();
    for said in [format!("\"{price}\""), "1.5".to_owned(), "true".to_owned()] {
        writes(&service, "getPlan", "price", price, &said);
        let asked = json!({"kind": "priceNotUnderstood", "entered": price, "current": said});
        let run = desk
            .enter(["t-1"], "")
            .exits(2)
            .has("rejected/0/questions/0", asked);
        run.says("not a whole amount");
    }
    service.has_sold(0);
    desk.enter(["t-1"], "--confirm price-not-understood")
        .exits(0);
    service.has_sold(1);
    // A field that is null says nothing, as one that is absent.
    writes(&service, "getPlan", "price", price, "null");
    desk.enter(["t-2"], "").exits(0);
    service.has_sold(2);
}

#[test]
fn a_lookup_whose_total_is_not_understood_is_never_called_confirmed() {
    let (service, desk) = shop();
    for (number, said) in ["1.5", "\"1\"", "\"200000\""].iter().enumerate() {
        writes(&service, "getContract", "transactionTotal", 200_000, said);
        let run = desk.enter([&format!("t-{number}")], "").exits(4);
        let run = run.has("confirmed", 0).has("needsPerson", 1);
        let shown = run.text("cases/0/reason");
        assert!(
            shown.contains("differs from what was sent"),
            "{said}: {shown}"
        );
    }
    writes(&service, "getContract", "transactionTotal", 200_000, "2e5");
    desk.enter(["t-whole"], "").exits(0).has("confirmed", 1);
}

#[test]
fn an_answer_to_the_sale_with_other_amounts_needs_a_person_and_keeps_its_contract_id() {
    let (service, desk) = shop();
    for (transaction, field, number, said) in [
        ("t-1", "transactionTotal", 200_000, "\"200000\""),
        ("t-2", "transactionTotal", 200_000, "1"),
        ("t-3", "purchasePrice", 189_800, "1.5"),
    ] {
        writes(&service, "bulkCreateContracts", field, number, said);
        desk.enter([transaction], "").exits(4).has("needsPerson", 1);
        let entry = desk.entry(transaction);
        assert_eq!(entry["case"], "contradiction", "{field} {said}");
        assert!(entry["contractId"].is_string(), "{entry}");
    }
    service.has_sold(3);
}
