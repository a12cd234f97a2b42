//! Sample sales, and the steps most tests of the outbox begin with.

use std::collections::BTreeMap;
use std::time::Duration;

use uuid::Uuid;
use warranty_core::Desk;
use warranty_core::bulk::{RowList, RunRow, RunView};
use warranty_core::contracts::{EntryDraft, EntryFilter, SubmissionView};
use warranty_core::outbox::{OutboxSummary, RunUntil};
use warranty_sandbox::{Sale, SamplePlan, SampleProduct, Sandbox, sample};

/// Sample products that have plans.
pub fn products() -> Vec<SampleProduct> {
    sample::catalogue()
        .into_iter()
        .filter(|product| !product.plans.is_empty())
        .collect()
}

/// The `number`th sample sale: its own transaction, product, plan and customer.
pub fn sale(number: usize) -> EntryDraft {
    let products = products();
    let product = &products[number % products.len()];
    let plan = &product.plans[number % product.plans.len()];
    of(number, product, plan)
}

/// A sale that the service does not know the product and plan of.
pub fn unknown_sale(number: usize) -> EntryDraft {
    EntryDraft {
        product_reference_id: "no-such-product".into(),
        plan_id: "no-such-plan".into(),
        ..sale(number)
    }
}

fn of(number: usize, product: &SampleProduct, plan: &SamplePlan) -> EntryDraft {
    EntryDraft {
        transaction_id: format!("T-{number:05}"),
        transaction_total: (product.price + plan.price).to_string(),
        transaction_date: String::new(),
        customer_name: format!("見本　{number}子"),
        customer_email: format!("customer{number}@sample.invalid"),
        product_reference_id: product.reference_id.clone(),
        product_purchase_price: product.price.to_string(),
        plan_id: plan.id.clone(),
        plan_purchase_price: plan.price.to_string(),
    }
}

/// The first so many sample sales.
pub fn sales(count: usize) -> Vec<EntryDraft> {
    (0..count).map(sale).collect()
}

/// A new id for an entry.
pub fn id() -> String {
    Uuid::new_v4().to_string()
}

/// Enters the good rows.
pub async fn enter(desk: &Desk, rows: &[EntryDraft]) -> RunView {
    let run = crate::runs::started(desk, rows).await;
    desk.bulk.enter(&run.id, &|_, _| {}).await.unwrap()
}

/// The rows of a run that were left out.
pub async fn left_out(desk: &Desk, run: &RunView) -> Vec<RunRow> {
    desk.bulk
        .rows(&run.id, Some(RowList::Rejected), 0, 1_000)
        .await
        .unwrap()
}

/// Runs the outbox until everything is accepted that can be.
pub async fn run(desk: &Desk) -> OutboxSummary {
    run_until(desk, false, 20).await
}

/// Runs the outbox until everything is confirmed that can be.
pub async fn run_confirmed(desk: &Desk) -> OutboxSummary {
    run_until(desk, true, 30).await
}

pub async fn run_until(desk: &Desk, confirmed: bool, seconds: u64) -> OutboxSummary {
    let until = RunUntil {
        confirmed,
        at_most: Duration::from_secs(seconds),
    };
    desk.outbox.run(until, &|_| {}).await.unwrap()
}

/// Everything entered, oldest first.
pub async fn entered(desk: &Desk) -> Vec<SubmissionView> {
    let filter = EntryFilter {
        limit: 10_000,
        ..EntryFilter::default()
    };
    let mut found = desk.contracts.submissions(&filter).await.unwrap();
    found.reverse();
    found
}

/// How often each transaction was really sold.
pub async fn sold(sandbox: &Sandbox) -> BTreeMap<String, usize> {
    let mut sold = BTreeMap::new();
    for Sale { transaction_id, .. } in sandbox.ledger().await.unwrap() {
        *sold.entry(transaction_id).or_default() += 1;
    }
    sold
}

/// Asserts that exactly these sales were made, each once.
pub async fn assert_sold_once(sandbox: &Sandbox, rows: &[EntryDraft]) {
    let expected: BTreeMap<String, usize> = rows
        .iter()
        .map(|row| (row.transaction_id.clone(), 1))
        .collect();
    assert_eq!(sold(sandbox).await, expected);
}

/// Every idempotency key that arrived with a bulk request, in order.
pub fn keys(sandbox: &Sandbox) -> Vec<String> {
    sandbox
        .requests()
        .into_iter()
        .filter_map(|request| request.idempotency_key)
        .collect()
}
