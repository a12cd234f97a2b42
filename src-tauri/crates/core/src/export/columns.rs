//! The columns of each list, under the interface's names where it has them.

use warranty_api::{Amount, Personal, Plan, ProductReference, Timestamp};

use crate::contracts::{RecentLookup, SubmissionView};
use crate::day::{CloseLine, DayFigures, DayPart, DaySale};
use crate::files::export::Cell;
use crate::leads::LeadView;
use crate::plans::PlanList;
use crate::products::ProductRecord;
use warranty_model::journal::JournalEntry;
use warranty_model::profile::Zone;
use warranty_store::plans::CachedPlan;

type Column<T> = (&'static str, fn(&T) -> Value);

/// What a column shows of an item.
enum Value {
    Cell(Cell),
    /// A time that was taken here, shown on the clock of the store.
    Local(Timestamp),
}

impl<C: Into<Cell>> From<C> for Value {
    fn from(cell: C) -> Self {
        Self::Cell(cell.into())
    }
}

pub(super) struct Columns<T: 'static>(&'static [Column<T>]);

impl<T: 'static> Columns<T> {
    pub(super) fn headers(&self) -> Vec<String> {
        let headers = self.0.iter().map(|(header, _)| (*header).to_owned());
        headers.collect()
    }

    pub(super) fn rows<'a>(
        &self,
        items: impl IntoIterator<Item = &'a T>,
        zone: Zone,
    ) -> Vec<Vec<Cell>> {
        let cell = |value| match value {
            Value::Cell(cell) => cell,
            Value::Local(at) => Timestamp::new(zone.at(at.get().to_utc()))
                .to_string()
                .into(),
        };
        let row = |item: &'a T| self.0.iter().map(|(_, value)| cell(value(item))).collect();
        items.into_iter().map(row).collect()
    }
}

/// The first nine columns are those of an import of sales. The name and the e-mail of a customer that
/// cannot be read are empty; `customer` says why.
pub(super) const ENTRIES: Columns<SubmissionView> = Columns(&[
    ("transactionId", |entry| text(&entry.transaction_id)),
    ("transactionTotal", |entry| amount(entry.transaction_total)),
    ("transactionDate", |entry| {
        entry.transaction_date.to_string().into()
    }),
    ("customerName", |entry| personal(&entry.customer_name)),
    ("customerEmail", |entry| personal(&entry.customer_email)),
    ("productReferenceId", |entry| {
        text(&entry.product_reference_id)
    }),
    ("productPurchasePrice", |entry| {
        amount(entry.product_purchase_price)
    }),
    ("planId", |entry| text(&entry.plan_id)),
    ("planPurchasePrice", |entry| {
        amount(entry.plan_purchase_price)
    }),
    ("state", |entry| word(&entry.state)),
    ("customer", |entry| word(&entry.customer)),
    ("contractId", |entry| optional(&entry.contract_id)),
    ("inquiryCode", |entry| optional(&entry.inquiry_code)),
    ("status", |entry| optional(&entry.status)),
    ("productTitle", |entry| optional(&entry.product_title)),
    ("planTitle", |entry| optional(&entry.plan_title)),
    ("enteredAt", |entry| local(entry.entered_at)),
    ("enteredBy", |entry| text(&entry.entered_by)),
    ("refusal", |entry| optional(&entry.refusal)),
    ("requestId", |entry| optional(&entry.request_id)),
    ("duplicatePossible", |entry| {
        optional(&entry.duplicate_possible.then_some("yes"))
    }),
]);

pub(super) const LOOKUPS: Columns<RecentLookup> = Columns(&[
    ("contractId", |lookup| text(&lookup.contract_id)),
    ("transactionId", |lookup| text(&lookup.transaction_id)),
    ("productTitle", |lookup| optional(&lookup.product_title)),
    ("status", |lookup| optional(&lookup.status)),
    ("lookedUpAt", |lookup| local(lookup.at)),
]);

/// The first five columns are those of an import of products.
pub(super) const PRODUCTS: Columns<ProductRecord> = Columns(&[
    ("referenceId", |known| text(&known.product.reference_id)),
    ("title", |known| optional(&known.product.title)),
    ("price", |known| amount(known.product.price)),
    ("imageUrl", |known| optional(&known.product.image_url)),
    ("category", |known| optional(&known.product.category)),
    ("brand", |known| optional(&known.product.brand)),
    ("knownFrom", |known| word(&known.known_from)),
    ("knownAt", |known| local(known.known_at)),
]);

/// A plan in a list of one product or of all.
pub(super) struct PlanRow {
    pub plan: Plan,
    product: Option<ProductReference>,
    product_title: Option<String>,
    fetched_at: Option<Timestamp>,
}

impl From<CachedPlan> for PlanRow {
    fn from(cached: CachedPlan) -> Self {
        Self {
            plan: cached.plan,
            product: cached.product_reference,
            product_title: cached.product.and_then(|product| product.title),
            fetched_at: Some(cached.fetched_at),
        }
    }
}

impl PlanRow {
    pub(super) fn of_list(list: &PlanList) -> Vec<Self> {
        let row = |plan: &Plan| Self {
            plan: plan.clone(),
            product: Some(list.product_reference.clone()),
            product_title: list.product_title.clone(),
            fetched_at: list.fetched_at,
        };
        list.plans.iter().map(row).collect()
    }
}

/// The first two columns are those of an import of plan links.
pub(super) const PLANS: Columns<PlanRow> = Columns(&[
    ("planId", |row| text(&row.plan.id)),
    ("storeReferenceId", |row| {
        optional(&row.plan.store_reference())
    }),
    ("title", |row| optional(&row.plan.title)),
    ("price", |row| amount(row.plan.price.known())),
    ("termLength", |row| {
        number(row.plan.term_length.map(|length| length.get()))
    }),
    ("serviceType", |row| optional(&row.plan.service_type)),
    ("protectionType", |row| optional(&row.plan.protection_type)),
    ("url", |row| optional(&row.plan.url)),
    ("productReferenceId", |row| optional(&row.product)),
    ("productTitle", |row| optional(&row.product_title)),
    ("fetchedAt", |row| local(row.fetched_at)),
]);

/// Leaves out the token, a secret of the customer.
pub(super) const LEADS: Columns<LeadView> = Columns(&[
    ("transactionId", |lead| text(&lead.transaction_id)),
    ("productReferenceId", |lead| {
        text(&lead.product_reference_id)
    }),
    ("productTitle", |lead| optional(&lead.product_title)),
    ("productPurchasePrice", |lead| {
        amount(lead.product_purchase_price)
    }),
    ("quantity", |lead| lead.quantity.get().into()),
    ("transactionDate", |lead| {
        lead.transaction_date.to_string().into()
    }),
    ("state", |lead| word(&lead.state)),
    ("status", |lead| optional(&lead.status)),
    ("enteredAt", |lead| local(lead.entered_at)),
    ("enteredBy", |lead| text(&lead.entered_by)),
    ("refusal", |lead| optional(&lead.refusal)),
    ("requestId", |lead| optional(&lead.request_id)),
    ("due", |lead| optional(&lead.due.map(|due| due.to_string()))),
    ("note", |lead| personal(&lead.note)),
]);

/// Leaves out the customer, who is not read for this list.
pub(super) const JOURNAL: Columns<JournalEntry> = Columns(&[
    ("at", |line| local(line.at)),
    ("user", |line| text(&line.user)),
    ("action", |line| text(&line.action)),
    ("subject", |line| text(&line.subject)),
    ("detail", |line| optional(&line.detail)),
]);

pub(super) const DAY_SALES: Columns<DaySale> = Columns(&[
    ("enteredAt", |sale| local(sale.entered_at)),
    ("enteredBy", |sale| text(&sale.entered_by)),
    ("state", |sale| word(&sale.state)),
    ("transactionId", |sale| text(&sale.transaction_id)),
    ("productReferenceId", |sale| {
        text(&sale.product_reference_id)
    }),
    ("productTitle", |sale| optional(&sale.product_title)),
    ("category", |sale| optional(&sale.category)),
    ("planId", |sale| text(&sale.plan_id)),
    ("planTitle", |sale| optional(&sale.plan_title)),
    ("planPurchasePrice", |sale| amount(sale.fee)),
    ("contractId", |sale| optional(&sale.contract_id)),
    ("duplicatePossible", |sale| {
        optional(&sale.duplicate_possible.then_some("yes"))
    }),
]);

pub(super) const DAYS: Columns<DayFigures> = Columns(&[
    ("date", |day| text(&day.date.to_string())),
    ("contracts", |day| count(day.counts.contracts)),
    ("sold", |day| count(day.sold)),
    ("fees", |day| amount(day.counts.fees)),
    ("leads", |day| count(day.counts.leads)),
    ("attachPermille", |day| number(day.counts.attach_permille)),
]);

pub(super) const DAY_PARTS: Columns<DayPart> = Columns(&[
    ("name", |part| optional(&part.name)),
    ("contracts", |part| count(part.counts.contracts)),
    ("fees", |part| amount(part.counts.fees)),
    ("leads", |part| count(part.counts.leads)),
    ("attachPermille", |part| number(part.counts.attach_permille)),
]);

pub(super) const CLOSING: Columns<CloseLine> = Columns(&[
    ("item", |line| word(&line.item)),
    ("count", |line| count(line.count)),
]);

fn count(value: u32) -> Value {
    i64::from(value).into()
}

fn number(value: Option<impl Into<i64>>) -> Value {
    value.map_or_else(|| "".into(), |number| Into::<i64>::into(number).into())
}

fn text(value: &impl AsRef<str>) -> Value {
    value.as_ref().into()
}

fn optional(value: &Option<impl AsRef<str>>) -> Value {
    value.as_ref().map_or("", AsRef::as_ref).into()
}

fn personal(value: &Option<Personal>) -> Value {
    optional(&value.as_ref().map(Personal::expose))
}

fn amount(value: impl Into<Option<Amount>>) -> Value {
    number(value.into().map(Amount::get))
}

fn local(at: impl Into<Option<Timestamp>>) -> Value {
    at.into().map_or_else(|| "".into(), Value::Local)
}

/// A state by its name in the JSON of wdesk.
fn word(value: &impl serde::Serialize) -> Value {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word.into(),
        // Does not happen: every state serialises to a string.
        Ok(_) | Err(_) => "".into(),
    }
}
