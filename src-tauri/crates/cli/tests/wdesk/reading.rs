//! Plans and contracts, read from the service.

use serde_json::json;

use crate::harness::{PLAN, PRODUCT, UNLINKED_PLAN, shop};

#[test]
fn the_plans_of_a_product_are_listed_by_status() {
    let (_service, desk) = shop();
    for (status, plan, listed) in [
        ("Any", UNLINKED_PLAN, true),
        ("LiveInStore", UNLINKED_PLAN, false),
        ("liveinstore", PLAN, true),
    ] {
        let list = format!("plans list --product {PRODUCT} --status {status}");
        let list = desk.reports(list)["plans"].clone();
        let mut plans = list.as_array().unwrap().iter();
        assert_eq!(
            plans.any(|one| one["id"] == plan),
            listed,
            "{status}: {list}"
        );
    }
    let hidden = warranty_sandbox::sample::PRODUCT_NOT_DISPLAYED;
    let list = desk.json(format!("plans list --product {hidden} --status Live"));
    list.exits(0).has("plans", json!([]));
}

#[test]
fn an_unknown_plan_is_the_services_refusal_with_its_request_id() {
    let (_service, desk) = shop();
    let run = desk
        .json("plans show plan-nobody-has")
        .exits(3)
        .says("refused");
    run.fails_with("refused").text("error/requestId");
}

#[test]
fn a_contract_is_looked_up_with_all_its_fields_and_an_unknown_one_refused() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let contract = desk.of("t-1", "contractId");
    let shown = desk.reports(["contracts", "show", &contract]);
    shown
        .has("transactionId", "t-1")
        .has("customer/name", "見本 太郎");
    let mut shown = desk.does(["contracts", "show", &contract]);
    for words in [
        "inquiryCode",
        "customer.name",
        "見本 太郎",
        "store.name",
        "200,000",
    ] {
        shown = shown.prints(words);
    }
    let unknown = desk.run("contracts show contract-nobody-has").exits(3);
    unknown.does_not_say("sale of this desk");
    desk.run("contracts show ..").exits(2);
}
