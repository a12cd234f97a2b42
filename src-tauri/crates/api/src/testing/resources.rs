//! Every field of every resource, as the service sends it (part 2).

use serde_json::json;

use super::samples::{answers, contract, error_object, plan, pointers, product, read_as};
use crate::answer::{items, list};
use crate::{Contract, Plan, Product};

#[test]
fn every_field_of_every_resource_is_read_and_kept() {
    for (name, answer, read) in answers() {
        let read = read(200, answer.to_string().as_bytes());
        assert_eq!(read.unwrap(), answer, "{name}");
    }
}

#[test]
fn an_item_that_is_no_contract_hides_no_contract_beside_it() {
    let body = json!([error_object(), contract(), {"id": "c-2"}, null]);
    let read = read_as(items::<Contract>, 200, body.to_string().as_bytes());
    assert_eq!(read.unwrap(), json!([null, contract(), null, null]));
}

/// The fields of an answer that we match on.
fn mandatory(name: &str) -> &'static [&'static str] {
    match name {
        "getContract" => &[
            "/id",
            "/transactionId",
            "/product",
            "/product/referenceId",
            "/plan",
            "/plan/id",
        ],
        "upsertProduct" => &["/referenceId"],
        "updatePlan" => &["/id"],
        "getPlan" => &["/plan", "/plan/id"],
        "createLead" => &["/token"],
        other => panic!("{other}"),
    }
}

/// Spoils every single field in turn; the resource must stay legible unless we match on the field.
#[test]
fn only_what_we_match_on_can_make_a_resource_illegible() {
    for (name, answer, read) in answers() {
        // A list is as legible as what is in it.
        if answer.is_array() {
            continue;
        }
        let mandatory = mandatory(name);
        let mut all = Vec::new();
        pointers(&answer, "", &mut all);
        for pointer in &all {
            for wrong in [json!(null), json!({ "odd": [1] }), json!([[]]), json!(1.5)] {
                let mut spoilt = answer.clone();
                *spoilt.pointer_mut(pointer).unwrap() = wrong.clone();
                let legible = read(200, spoilt.to_string().as_bytes()).is_ok();
                let expected = !mandatory.contains(&pointer.as_str());
                assert_eq!(legible, expected, "{name} {pointer} = {wrong}");
            }
        }
        for pointer in mandatory {
            assert!(all.iter().any(|known| known == pointer), "no {pointer}");
        }
    }
}

#[test]
fn half_a_character_is_replaced_and_every_other_escape_is_kept() {
    for (escaped, expected) in [
        (r"T-\ud842", "T-\u{fffd}"),
        (r"\uDBFF\u0041\n", "\u{fffd}A\n"),
        (
            r"\\ud842 \\\ud842 \ud83d\ude00 \ude00",
            "\\ud842 \\\u{fffd} \u{1f600} \u{fffd}",
        ),
    ] {
        let body = format!(r#"[{{"id":"p-1","title":"{escaped}"}}]"#);
        let plans = read_as(list::<Plan>, 200, body.as_bytes()).unwrap();
        assert_eq!(plans[0]["title"], expected);
    }
}

#[test]
fn absent_optional_fields_and_unknown_ones_are_tolerated() {
    let contract: Contract = serde_json::from_value(json!({
        "id": "c-1",
        "transactionId": "t-1",
        "customer": { "email": "taro@example.com" },
        "product": { "referenceId": "SKU-1" },
        "plan": { "id": "p-1", "storeReferenceId": "not expected here" },
        "addedLater": { "deep": [true] }
    }))
    .unwrap();
    assert_eq!(contract.inquiry_code, None);
    assert_eq!(contract.store, None);
    assert_eq!(contract.plan.title, None);
}

#[test]
fn an_id_that_is_empty_or_no_string_is_no_id() {
    for id in [json!(""), json!(" "), json!(".."), json!(7), json!(null)] {
        let mut wire = contract();
        wire["id"] = id.clone();
        assert!(serde_json::from_value::<Contract>(wire).is_err(), "{id}");
    }
}

#[test]
fn an_amount_that_is_not_understood_is_shown_as_it_came_in_the_window_too() {
    let amounts = [
        "/transactionTotal",
        "/product/price",
        "/product/purchasePrice",
        "/plan/price",
    ];
    for amount in amounts {
        let mut wire = contract();
        *wire.pointer_mut(amount).unwrap() = json!("5000");
        let read: Contract = serde_json::from_value(wire).unwrap();
        let shown = serde_json::to_value(&read).unwrap();
        let odd = json!({"notUnderstood": "\"5000\""});
        assert_eq!(shown.pointer(amount), Some(&odd), "{amount}");
        // The page gives it back for its paper.
        assert_eq!(serde_json::from_value::<Contract>(shown).unwrap(), read);
    }
}

#[test]
fn an_illegible_plan_of_a_product_does_not_hide_the_others() {
    let mut wire = product();
    wire["plans"] = json!([{ "title": "no id" }, plan(), null, "odd"]);
    let product: Product = serde_json::from_value(wire).unwrap();
    let ids: Vec<&str> = product.plans.iter().map(|plan| plan.id.as_str()).collect();
    assert_eq!(ids, ["p-1"]);
}
