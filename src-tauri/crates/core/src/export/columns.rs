//! The columns of each list, under the interface's names where it has them.

use warranty_api::{Amount, Personal, Plan, ProductReference, Timestamp};

use super::{DayList, List};
use crate::contracts::{RecentLookup, SubmissionView};
use crate::day::{CloseLine, DayFigures, DayPart, DaySale};
use crate::files::export::Cell;
use crate::leads::LeadView;
use crate::plans::PlanList;
use crate::products::ProductRecord;
use warranty_model::journal::JournalEntry;
use warranty_store::plans::CachedPlan;

/// The first nine columns are those of an import of sales.
const ENTRIES: &[&str] = &[
    "transactionId",
    "transactionTotal",
    "transactionDate",
    "customerName",
    "customerEmail",
    "productReferenceId",
    "productPurchasePrice",
    "planId",
    "planPurchasePrice",
    "state",
    "customer",
    "contractId",
    "inquiryCode",
    "status",
    "productTitle",
    "planTitle",
    "enteredAt",
    "enteredBy",
    "refusal",
    "requestId",
    "duplicatePossible",
];

const LOOKUPS: &[&str] = &[
    "contractId",
    "transactionId",
    "productTitle",
    "status",
    "lookedUpAt",
];

/// The first five columns are those of an import of products.
const PRODUCTS: &[&str] = &[
    "referenceId",
    "title",
    "price",
    "imageUrl",
    "category",
    "brand",
    "knownFrom",
    "knownAt",
];

/// The first two columns are those of an import of plan links.
const PLANS: &[&str] = &[
    "planId",
    "storeReferenceId",
    "title",
    "price",
    "termLength",
    "serviceType",
    "protectionType",
    "url",
    "productReferenceId",
    "productTitle",
    "fetchedAt",
];

const LEADS: &[&str] = &[
    "transactionId",
    "productReferenceId",
    "productTitle",
    "productPurchasePrice",
    "quantity",
    "transactionDate",
    "state",
    "status",
    "enteredAt",
    "enteredBy",
    "refusal",
    "requestId",
    "due",
    "note",
];

const JOURNAL: &[&str] = &["at", "user", "action", "subject", "detail"];

const DAY_SALES: &[&str] = &[
    "enteredAt",
    "enteredBy",
    "state",
    "transactionId",
    "productReferenceId",
    "productTitle",
    "category",
    "planId",
    "planTitle",
    "planPurchasePrice",
    "contractId",
];

const DAYS: &[&str] = &[
    "date",
    "contracts",
    "sold",
    "fees",
    "leads",
    "attachPermille",
];

const DAY_PARTS: &[&str] = &["name", "contracts", "fees", "leads", "attachPermille"];

const CLOSING: &[&str] = &["item", "count"];

pub(super) fn headers(list: &List) -> Vec<String> {
    named(match list {
        List::Entries { .. } => ENTRIES,
        List::Lookups => LOOKUPS,
        List::Products { .. } => PRODUCTS,
        List::Plans { .. } | List::PlansOf { .. } => PLANS,
        List::Leads { .. } => LEADS,
        List::Journal => JOURNAL,
        List::Day { list, .. } => match list {
            DayList::Sales => DAY_SALES,
            DayList::Days => DAYS,
            DayList::Staff | DayList::Categories => DAY_PARTS,
            DayList::Closing => CLOSING,
        },
    })
}

/// The headers of a plan list.
pub(super) fn of_plans() -> Vec<String> {
    named(PLANS)
}

fn named(headers: &[&str]) -> Vec<String> {
    headers.iter().map(|header| (*header).to_owned()).collect()
}

/// Leaves the name and the e-mail empty for a customer that cannot be read; `customer` says why.
pub(super) fn entry(entry: &SubmissionView) -> Vec<Cell> {
    vec![
        entry.transaction_id.as_str().into(),
        amount(Some(entry.transaction_total)),
        moment(entry.transaction_date),
        personal(entry.customer_name.as_ref()),
        personal(entry.customer_email.as_ref()),
        entry.product_reference_id.as_str().into(),
        amount(Some(entry.product_purchase_price)),
        entry.plan_id.as_str().into(),
        amount(Some(entry.plan_purchase_price)),
        word(&entry.state),
        word(&entry.customer),
        text(entry.contract_id.as_ref().map(|id| id.as_str())),
        text(entry.inquiry_code.as_deref()),
        text(entry.status.as_deref()),
        text(entry.product_title.as_deref()),
        text(entry.plan_title.as_deref()),
        moment(entry.entered_at),
        entry.entered_by.as_str().into(),
        text(entry.refusal.as_deref()),
        text(entry.request_id.as_deref()),
        text(entry.duplicate_possible.then_some("yes")),
    ]
}

pub(super) fn lookup(lookup: &RecentLookup) -> Vec<Cell> {
    vec![
        lookup.contract_id.as_str().into(),
        lookup.transaction_id.as_str().into(),
        text(lookup.product_title.as_deref()),
        text(lookup.status.as_deref()),
        moment(lookup.at),
    ]
}

pub(super) fn product(product: &ProductRecord) -> Vec<Cell> {
    vec![
        product.reference_id.as_str().into(),
        text(product.title.as_deref()),
        amount(product.price),
        text(product.image_url.as_deref()),
        text(product.category.as_deref()),
        text(product.brand.as_deref()),
        word(&product.known_from),
        moment(product.known_at),
    ]
}

pub(super) fn plan(record: &CachedPlan) -> Vec<Cell> {
    let product = record.product.as_ref();
    plan_row(
        &record.plan,
        record.product_reference.as_ref(),
        product.and_then(|product| product.title.as_deref()),
        Some(record.fetched_at),
    )
}

pub(super) fn plan_of(plan: &Plan, plan_list: &PlanList) -> Vec<Cell> {
    plan_row(
        plan,
        Some(&plan_list.product_reference),
        plan_list.product_title.as_deref(),
        plan_list.fetched_at,
    )
}

fn plan_row(
    plan: &Plan,
    product: Option<&ProductReference>,
    product_title: Option<&str>,
    fetched_at: Option<Timestamp>,
) -> Vec<Cell> {
    vec![
        plan.id.as_str().into(),
        text(plan.store_reference_id.as_deref()),
        text(plan.title.as_deref()),
        amount(plan.price.known()),
        plan.term_length
            .map_or_else(|| "".into(), |length| length.get().into()),
        text(plan.service_type.as_deref()),
        text(plan.protection_type.as_deref()),
        text(plan.url.as_deref()),
        text(product.map(ProductReference::as_str)),
        text(product_title),
        fetched_at.map_or_else(|| "".into(), moment),
    ]
}

/// Leaves out the token, which is shown once and never written.
pub(super) fn lead(lead: &LeadView) -> Vec<Cell> {
    vec![
        lead.transaction_id.as_str().into(),
        lead.product_reference_id.as_str().into(),
        text(lead.product_title.as_deref()),
        amount(Some(lead.product_purchase_price)),
        lead.quantity.get().into(),
        moment(lead.transaction_date),
        word(&lead.state),
        text(lead.status.as_deref()),
        moment(lead.entered_at),
        lead.entered_by.as_str().into(),
        text(lead.refusal.as_deref()),
        text(lead.request_id.as_deref()),
        lead.due
            .map_or_else(|| "".into(), |due| due.to_string().as_str().into()),
        text(lead.note.as_ref().map(Personal::expose)),
    ]
}

/// Leaves out the customer, who is not read for this list.
pub(super) fn journal(line: &JournalEntry) -> Vec<Cell> {
    vec![
        moment(line.at),
        line.user.as_str().into(),
        line.action.as_str().into(),
        line.subject.as_str().into(),
        text(line.detail.as_deref()),
    ]
}

pub(super) fn day_sale(sale: &DaySale) -> Vec<Cell> {
    vec![
        moment(sale.entered_at),
        sale.entered_by.as_str().into(),
        word(&sale.state),
        sale.transaction_id.as_str().into(),
        sale.product_reference_id.as_str().into(),
        text(sale.product_title.as_deref()),
        text(sale.category.as_deref()),
        sale.plan_id.as_str().into(),
        text(sale.plan_title.as_deref()),
        amount(Some(sale.fee)),
        text(sale.contract_id.as_deref()),
    ]
}

pub(super) fn figures(day: &DayFigures) -> Vec<Cell> {
    vec![
        day.date.to_string().into(),
        count(Some(day.contracts)),
        count(Some(day.sold)),
        amount(Some(day.fees)),
        count(Some(day.leads)),
        count(day.attach_permille),
    ]
}

pub(super) fn day_part(part: &DayPart) -> Vec<Cell> {
    vec![
        text(part.name.as_deref()),
        count(Some(part.contracts)),
        amount(Some(part.fees)),
        count(Some(part.leads)),
        count(part.attach_permille),
    ]
}

pub(super) fn close_line(line: &CloseLine) -> Vec<Cell> {
    vec![word(&line.item), count(Some(line.count))]
}

fn count(value: Option<u32>) -> Cell {
    value.map_or_else(|| "".into(), |count| i64::from(count).into())
}

fn text(value: Option<&str>) -> Cell {
    value.unwrap_or_default().into()
}

fn personal(value: Option<&Personal>) -> Cell {
    text(value.map(Personal::expose))
}

fn amount(value: Option<Amount>) -> Cell {
    value.map_or_else(|| "".into(), |amount| amount.get().into())
}

fn moment(at: Timestamp) -> Cell {
    at.to_string().into()
}

/// A state by its name in the JSON of wdesk.
fn word(value: &impl serde::Serialize) -> Cell {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word.into(),
        // Does not happen: every state serialises to a string.
        Ok(_) | Err(_) => "".into(),
    }
}
