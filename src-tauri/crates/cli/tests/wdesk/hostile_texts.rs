//! Hostile texts on their way to a terminal: made visible for people, exact for programs.

use serde_json::{Value, json};

use crate::harness::{Desk, PRODUCT, Run, Sale, Service, TOKEN, sales};
use crate::hostile::corpus;

fn texts() -> Vec<String> {
    let short = corpus().into_iter().filter(|text| !text.is_long());
    short.filter_map(|hostile| hostile.text()).collect()
}

/// A service whose next answers to these operations are given word for word.
fn saying(desk: &Desk, status: u16, answers: &[(&str, Value)]) -> Service {
    let script: Vec<Value> = answers
        .iter()
        .map(|(operation, body)| {
            json!({
                "operations": [operation],
                "action": {"verbatim": {
                    "status": status, "contentType": "application/json", "body": body.to_string(),
                }},
            })
        })
        .collect();
    let script = desk.file("script.json", &json!(script).to_string());
    Service::start_with(&["--script", &script])
}

/// Nothing in it acts on a terminal, and no text passes for another line or another order.
#[track_caller]
fn assert_tame(run: &Run) {
    for text in [run.stdout(), run.stderr()] {
        let wild = text.chars().find(|character| {
            (character.is_control() && *character != '\n')
                || matches!(
                    character,
                    '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
                )
                || ('\u{202a}'..='\u{202e}').contains(character)
                || ('\u{2066}'..='\u{2069}').contains(character)
        });
        assert_eq!(wild, None, "{text:?}");
        assert!(!text.contains(TOKEN));
    }
}

fn plans() -> Vec<Value> {
    let texts = texts().into_iter().enumerate();
    texts
        .map(|(number, text)| {
            json!({
                "id": format!("p-{number}"), "storeReferenceId": text, "title": text, "price": 1,
                "termLength": 1, "serviceType": text, "protectionType": text, "url": text,
            })
        })
        .collect()
}

#[test]
fn plans_are_a_line_each_for_people_and_exact_for_programs() {
    let place = Desk::fresh();
    let plans = plans();
    let answer = || ("listPlans", json!(plans));
    let service = saying(&place, 200, &[answer(), answer()]);
    let desk = Desk::connected(&service);
    let list = ["plans", "list", "--product", PRODUCT, "--status", "any"];
    let run = desk.wdesk(&list).run().exits(0);
    assert_tame(&run);
    let rows = run
        .stdout()
        .lines()
        .filter(|line| line.contains("p-"))
        .count();
    assert!(
        rows >= plans.len(),
        "{rows} lines for {} plans",
        plans.len()
    );
    let run = desk
        .wdesk(&[&["--json"][..], &list].concat())
        .run()
        .exits(0);
    assert_eq!(run.json()["plans"], json!(plans));
    // What is kept is shown no less carefully.
    let offline = [&list[..], &["--offline"]].concat();
    assert_tame(&desk.wdesk(&offline).run().exits(0));
    assert_tame(&desk.wdesk(&["plans", "search", "a"]).run());
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
    let place = Desk::fresh();
    let answer = || ("getContract", contract.clone());
    let service = saying(&place, 200, &[answer(), answer()]);
    let desk = Desk::connected(&service);
    assert_tame(&desk.wdesk(&["contracts", "show", "c-1"]).run().exits(0));
    let run = desk.wdesk(&["--json", "contracts", "show", "c-1"]).run();
    assert_eq!(run.exits(0).json()["customer"]["name"], json!(all));
}

#[test]
fn a_refusal_in_hostile_words_is_told_in_visible_ones() {
    let all = texts().concat();
    let refusal = json!({"requestId": all, "code": all, "error": all});
    let place = Desk::fresh();
    let operations = [
        "getPlan",
        "listPlans",
        "getContract",
        // Words that prove nothing leave the outcome unknown: a product is sent again.
        "upsertProduct",
        "upsertProduct",
        "upsertProduct",
        "createLead",
    ];
    let answers: Vec<_> = operations.map(|name| (name, refusal.clone())).to_vec();
    let service = saying(&place, 400, &answers);
    let desk = Desk::connected(&service);
    for line in [
        &["plans", "show", "p-1"][..],
        &["plans", "list", "--product", PRODUCT],
        &["contracts", "show", "c-1"],
        &[
            "products",
            "put",
            "--reference-id",
            "SKU-1",
            "--title",
            "x",
            "--price",
            "1",
            "--image-url",
            "https://example.com/a.png",
            "--category",
            "x",
        ],
        &[
            "leads",
            "create",
            "--transaction-id",
            "t-1",
            "--product",
            PRODUCT,
            "--purchase-price",
            "1",
            "--quantity",
            "1",
        ],
    ] {
        let run = desk.wdesk(line).run();
        assert_tame(&run);
        assert_ne!(run.0.status.code(), Some(0), "{line:?}: {}", run.stdout());
    }
}

#[test]
fn a_file_of_hostile_cells_is_reported_in_visible_words() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut rows = Vec::new();
    for text in texts() {
        if text.contains('\0') {
            continue;
        }
        let quoted = format!("\"{}\"", text.replace('"', "\"\""));
        for column in 0..4 {
            let mut row = Sale::of(&format!("t-{}", rows.len()));
            *[
                &mut row.transaction,
                &mut row.customer,
                &mut row.product,
                &mut row.plan,
            ][column] = quoted.clone();
            rows.push(row);
        }
    }
    let file = desk.file("hostile.csv", &sales(&rows));
    let enter = ["contracts", "enter", &file, "--dry-run"];
    assert_tame(&desk.wdesk(&enter).run());
    desk.wdesk(&[&["--json"][..], &enter].concat()).run().json();
    assert_eq!(service.bulk_requests(), 0);
    // A file that is nothing but one hostile line.
    for text in texts() {
        let file = desk.file("line.csv", &text);
        let run = desk.wdesk(&["contracts", "enter", &file]).run().exits(2);
        assert_tame(&run);
    }
}
