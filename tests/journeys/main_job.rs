//! The main job from beginning to end, in both languages, with pictures of each step.

use fantoccini::key::Key;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, Setup, Stroke, journey, journey_in, until};

/// Every field the interface gives a contract, by the key of its name on screen.
const CONTRACT_FIELDS: &[&str] = &[
    "word.inquiryCode",
    "contracts.status",
    "field.contractId",
    "field.transactionId",
    "field.transactionTotal",
    "field.transactionDate",
    "field.startedAt",
    "field.endedAt",
    "field.isFulfilled",
    "field.fraud",
    "field.createdAt",
    "field.updatedAt",
    "field.title",
    "plan.price",
    "plan.term",
    "plan.serviceType",
    "plan.protectionType",
    "field.planId",
    "field.url",
    "field.productReferenceId",
    "field.productPurchasePrice",
    "field.price",
    "field.brand",
    "field.category",
    "field.serialNumber",
    "field.imageUrl",
    "field.customerName",
    "field.customerEmail",
    "field.phone",
    "field.customerReference",
    "word.billingAddress",
    "word.shippingAddress",
    "word.store",
    "field.webSite",
    "field.logoUrl",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_main_job_in_japanese() {
    journey_in(Language::Japanese, the_main_job).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_job_in_english() {
    journey(Setup::default(), the_main_job).await;
}

async fn the_main_job(desk: &mut Desk) {
    begins_with_one_question(desk).await;
    finds_plans_and_links_one(desk).await;
    let contract_id = registers_a_contract(desk).await;
    looks_it_up(desk, &contract_id).await;
    turns_a_declined_sale_into_a_lead(desk).await;
}

async fn begins_with_one_question(desk: &mut Desk) {
    desk.page_says(desk.language().word("firstRun.title")).await;
    desk.shot("first-run").await;
    desk.practise().await;
    desk.page_says(desk.language().word("mode.sandbox")).await;
    desk.shot("practice-begins").await;
}

async fn finds_plans_and_links_one(desk: &mut Desk) {
    desk.go_to("plans").await;
    desk.write("plans-reference", sample::PRODUCT_REFRIGERATOR)
        .await;
    desk.press("plans-show").await;
    for plan in [
        sample::REFRIGERATOR_PLAN_3_YEARS,
        sample::REFRIGERATOR_PLAN_5_YEARS,
        sample::REFRIGERATOR_PLAN_10_YEARS,
    ] {
        desk.see_where(&row_of(plan)).await;
    }
    desk.shot("plans-of-a-product").await;

    desk.press_where(&format!(
        "{} [data-testid=\"plan-open\"]",
        row_of(sample::REFRIGERATOR_PLAN_10_YEARS)
    ))
    .await;
    desk.reads("plan-id", sample::REFRIGERATOR_PLAN_10_YEARS)
        .await;
    desk.write("store-reference", "EW-REF-10Y").await;
    desk.press("link-submit").await;
    let proof = desk.text("link-proof").await;
    assert!(
        proof.contains("EW-REF-10Y"),
        "the proof names the reference read back: {proof}"
    );
    desk.shot("plan-linked-and-proven").await;
    desk.keys(&[Stroke::Key(Key::Escape)]).await;
    desk.sees_no("plan-id").await;

    desk.press("plans-filter-LiveInStore").await;
    until("the linked plan is among those live", async || {
        let row = row_of(sample::REFRIGERATOR_PLAN_10_YEARS);
        let text = desk.see_where(&row).await.prop("textContent").await;
        text.is_ok_and(|text| text.is_some_and(|text| text.contains("EW-REF-10Y")))
    })
    .await;
}

async fn registers_a_contract(desk: &mut Desk) -> String {
    let sale = Sale::of_a_refrigerator();
    desk.go_to("register").await;
    desk.fill_in(&sale).await;
    desk.shot("register-filled-in").await;
    desk.press("register-submit").await;
    desk.receipt_is(&["accepted", "confirmed"]).await;
    desk.shot("registered-and-accepted").await;
    let contract_id = desk.text("receipt-contract-id").await;
    assert!(!desk.text("receipt-inquiry-code").await.is_empty());
    desk.receipt_is(&["confirmed"]).await;
    desk.shot("registered-and-confirmed").await;
    contract_id
}

async fn looks_it_up(desk: &mut Desk, contract_id: &str) {
    let sale = Sale::of_a_refrigerator();
    desk.look_up(contract_id).await;
    let sheet = desk.text("contract-sheet").await;
    for field in CONTRACT_FIELDS {
        let name = desk.language().word(field);
        assert!(
            sheet.contains(name),
            "the sheet shows {field} ({name}):\n{sheet}"
        );
    }
    let none = desk.language().word("contracts.noneOfThese");
    assert_eq!(sheet.matches(none).count(), 2, "both addresses:\n{sheet}");
    for value in [
        contract_id,
        sale.transaction_id,
        "208,780",
        sale.customer,
        sale.email,
        sale.product,
        sale.plan,
        warranty_sandbox::STORE_ID,
    ] {
        assert!(sheet.contains(value), "the sheet shows {value}:\n{sheet}");
    }
    desk.shot("contract-looked-up").await;
}

async fn turns_a_declined_sale_into_a_lead(desk: &mut Desk) {
    desk.go_to("register").await;
    desk.scan_and_see_plans(sample::PRODUCT_NOTEBOOK).await;
    desk.write("transaction-id", "POS-20261121-0002").await;
    desk.keys(&[Stroke::Alt('l')]).await;
    desk.see("lead-receipt").await;
    let token = desk.text("lead-token").await;
    desk.shot("declined-and-a-lead").await;

    desk.go_to("leads").await;
    desk.press("lead-open").await;
    desk.page_says(&token).await;
    desk.press("lead-follow-up-cancel").await;
    desk.page_says("POS-20261121-0002").await;
    desk.shot("leads").await;
    follows_the_lead_up(desk).await;
}

/// The customer is to be contacted today: the page of the day says so until it is done.
async fn follows_the_lead_up(desk: &mut Desk) {
    desk.go_to("today").await;
    desk.see("today-leads").await;
    assert!(!desk.shows("today-follow-ups").await);
    let today = desk.holds("today-date").await;
    desk.go_to("leads").await;
    desk.press("lead-open").await;
    desk.write("lead-due", &today).await;
    desk.write("lead-note", "Sample: call after 17:00").await;
    desk.shot("lead-follow-up").await;
    desk.press("lead-follow-up-save").await;
    desk.sees_no("lead-note").await;
    desk.page_says("Sample: call after 17:00").await;

    desk.go_to("today").await;
    desk.see("today-follow-ups").await;
    desk.shot("today-follow-ups").await;
    desk.press("today-follow-ups").await;
    desk.press("lead-open").await;
    desk.shot("leads-due").await;
    desk.press("lead-done").await;
    desk.sees_no("lead-row").await;
    desk.go_to("today").await;
    desk.sees_no("today-follow-ups").await;
}

fn row_of(plan: &str) -> String {
    format!("[data-testid=\"plan-row\"][data-plan=\"{plan}\"]")
}
