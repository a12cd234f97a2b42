//! Hostile texts on their way to a terminal: made visible for people, exact for programs.

use serde_json::{Value, json};

use crate::harness::{Desk, PRODUCT, Run, Sale, Service, TOKEN, sales, shop, verbatim};
use crate::hostile::corpus;

fn texts() -> Vec<String> {
    let short = corpus().into_iter().filter(|text| !text.is_long());
    short.filter_map(|hostile| hostile.text()).collect()
}

/// A desk at a service that answers each of these operations word for word.
fn shop_saying(status: u16, operations: &[&str], body: &Value) -> (Service, Desk) {
    let (service, desk) = shop();
    service.faults(&json!([{"operations": operations, "action": verbatim(status, body)}]));
    (service, desk)
}

/// Nothing in it acts on a terminal, and no text passes for another line or another order.
#[track_caller]
fn tame(run: Run) -> Run {
    for text in [run.stdout(), run.stderr()] {
        let wild = text.chars().find(|character| {
            (character.is_control() && *character != '\n')
                || "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}".contains(*character)
                || ('\u{202a}'..='\u{202e}').contains(character)
                || ('\u{2066}'..='\u{2069}').contains(character)
        });
        assert_eq!(wild, None, "{text:?}");
        assert!(!text.contains(TOKEN));
    }
    run
}

#[test]
fn plans_are_a_line_each_for_people_and_exact_for_programs() {
    let plan = |(number, text): (usize, String)| {
        json!({
            "id": format!("p-{number}"), "storeReferenceId": text, "title": text, "price": 1,
            "termLength": 1, "serviceType": text, "protectionType": text, "url": text,
        })
    };
    let plans: Vec<Value> = texts().into_iter().enumerate().map(plan).collect();
    let (_service, desk) = shop_saying(200, &["listPlans"], &json!(plans));
    let list = format!("plans list --product {PRODUCT} --status any");
    let shown = tame(desk.does(&list)).stdout();
    let rows = shown.lines().filter(|line| line.contains("p-")).count();
    assert!(
        rows >= plans.len(),
        "{rows} lines for {} plans",
        plans.len()
    );
    desk.reports(&list).has("plans", plans);
    // What is kept is shown no less carefully.
    tame(desk.does(format!("{list} --offline")));
    tame(desk.run("plans search a"));
}

#[test]
fn a_contract_is_shown_field_by_field_whatever_is_in_it() {
    let all = texts().concat();
    let contract = json!({
        "id": "c-1", "inquiryCode": all, "transactionId": all, "status": all,
        "customer": {
            "name": all, "email": all, "phone": all,
            "billingAddress": {"postalNumber": all, "city": all, "address": all, "building": all},
        },
        "product": {"referenceId": "SKU-1", "title": all, "serialNumber": all, "imageUrl": all},
        "plan": {"id": "p-1", "title": all, "url": all},
        "store": {"name": all, "webSite": all, "logoUrl": all},
        "startedAt": all, "endedAt": all, "createdAt": all, "updatedAt": all,
    });
    let (_service, desk) = shop_saying(200, &["getContract"], &contract);
    tame(desk.does("contracts show c-1"));
    desk.reports("contracts show c-1").has("customer/name", all);
}

#[test]
fn a_refusal_in_hostile_words_is_told_in_visible_ones() {
    let all = texts().concat();
    let refusal = json!({"requestId": all, "code": all, "error": all});
    let operations = [
        "getPlan",
        "listPlans",
        "getContract",
        "upsertProduct",
        "createLead",
    ];
    let (_service, desk) = shop_saying(400, &operations, &refusal);
    let put = "products put --reference-id SKU-1 --title t --price 1 --category c";
    let lead = format!("leads create --transaction-id t-1 --product {PRODUCT}");
    for run in [
        desk.run("plans show p-1"),
        desk.run(format!("plans list --product {PRODUCT}")),
        desk.run("contracts show c-1"),
        desk.run(format!("{put} --image-url https://sample.invalid/a.png")),
        desk.run(format!("{lead} --purchase-price 1 --quantity 1")),
    ] {
        assert_ne!(tame(run).code(), Some(0));
    }
}

#[test]
fn a_file_of_hostile_cells_is_reported_in_visible_words() {
    let (service, desk) = shop();
    let row = |(number, text): (usize, String)| {
        let cell = format!("\"{}\"", text.replace('"', "\"\""));
        let sale = || Sale::of(&format!("t-{number}"));
        let of_codes = [
            sale().transaction(&cell),
            sale().product(&cell),
            sale().plan(&cell),
        ];
        of_codes.into_iter().chain([sale().customer(&cell)])
    };
    let cells = texts().into_iter().filter(|text| !text.contains('\0'));
    desk.file("hostile.csv", &sales(cells.enumerate().flat_map(row)));
    tame(desk.run("contracts enter hostile.csv --dry-run"));
    desk.json("contracts enter hostile.csv --dry-run").value();
    assert_eq!(service.bulk_requests(), 0);
    // A file that is nothing but one hostile line.
    for text in ["\u{1b}]0;t\u{7}", "\u{202e}a", "a\u{2028}b", "=a()"] {
        desk.file("line.csv", text);
        tame(desk.run("contracts enter line.csv").exits(2));
    }
}
