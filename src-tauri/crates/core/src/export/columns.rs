//! The columns of each list, under the interface's names where it has them.

use warranty_api::{Amount, Personal, Plan, ProductReference, Timestamp};

use crate::contracts::{RecentLookup, SubmissionView};
use crate::day::{CloseLine, DayFigures, DayPart, DaySale};
use crate::files::export::Cell;
use crate::leads::LeadView;
use crate::plans::PlanList;
use crate::products::ProductRecord;
use warranty_model::journal::JournalEntry;
use warranty_store::plans::CachedPlan;

type Column<T> = (&'static str, fn(&T) -> Cell);

pub(super) struct Columns<T: 'static>(&'static [Column<T>]);

impl<T: 'static> Columns<T> {
    pub(super) fn headers(&self) -> Vec<String> {
        let headers = self.0.iter().map(|(header, _)| (*header).to_owned());
        headers.collect()
    }

    pub(super) fn rows<'a>(&self, items: impl IntoIterator<Item = &'a T>) -> Vec<Vec<Cell>> {
        let row = |item: &'a T| self.0.iter().map(|(_, cell)| cell(item)).collect();
        items.into_iter().map(row).collect()
    }
}

/// The first nine columns are those of an import of sales. The name and the e-mail of a customer that
/// cannot be read are empty; `customer` says why.
pub(super) const ENTRIES: Columns<SubmissionView> = Columns(&[
    ("transactionId", |entry| {
        entry.transaction_id.as_str().into()
    }),
    ("transactionTotal", |entry| {
        amount(Some(entry.transaction_total))
    }),
    ("transactionDate", |entry| moment(entry.transaction_date)),
    ("customerName", |entry| {
        personal(entry.customer_name.as_ref())
    }),
    ("customerEmail", |entry| {
        personal(entry.customer_email.as_ref())
    }),
    ("productReferenceId", |entry| {
        entry.product_reference_id.as_str().into()
    }),
    ("productPurchasePrice", |entry| {
        amount(Some(entry.product_purchase_price))
    }),
    ("planId", |entry| entry.plan_id.as_str().into()),
    ("planPurchasePrice", |entry| {
        amount(Some(entry.plan_purchase_price))
    }),
    ("state", |entry| word(&entry.state)),
    ("customer", |entry| word(&entry.customer)),
    ("contractId", |entry| {
        text(entry.contract_id.as_ref().map(|id| id.as_str()))
    }),
    ("inquiryCode", |entry| text(entry.inquiry_code.as_deref())),
    ("status", |entry| text(entry.status.as_deref())),
    ("productTitle", |entry| text(entry.product_title.as_deref())),
    ("planTitle", |entry| text(entry.plan_title.as_deref())),
    ("enteredAt", |entry| moment(entry.entered_at)),
    ("enteredBy", |entry| entry.entered_by.as_str().into()),
    ("refusal", |entry| text(entry.refusal.as_deref())),
    ("requestId", |entry| text(entry.request_id.as_deref())),
    ("duplicatePossible", |entry| {
        text(entry.duplicate_possible.then_some("yes"))
    }),
]);

pub(super) const LOOKUPS: Columns<RecentLookup> = Columns(&[
    ("contractId", |lookup| lookup.contract_id.as_str().into()),
    ("transactionId", |lookup| {
        lookup.transaction_id.as_str().into()
    }),
    ("productTitle", |lookup| {
        text(lookup.product_title.as_deref())
    }),
    ("status", |lookup| text(lookup.status.as_deref())),
    ("lookedUpAt", |lookup| moment(lookup.at)),
]);

/// The first five columns are those of an import of products.
pub(super) const PRODUCTS: Columns<ProductRecord> = Columns(&[
    ("referenceId", |product| {
        product.reference_id.as_str().into()
    }),
    ("title", |product| text(product.title.as_deref())),
    ("price", |product| amount(product.price)),
    ("imageUrl", |product| text(product.image_url.as_deref())),
    ("category", |product| text(product.category.as_deref())),
    ("brand", |product| text(product.brand.as_deref())),
    ("knownFrom", |product| word(&product.known_from)),
    ("knownAt", |product| moment(product.known_at)),
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
    /// The rows of a product's plans.
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
    ("planId", |row| row.plan.id.as_str().into()),
    ("storeReferenceId", |row| {
        text(row.plan.store_reference_id.as_deref())
    }),
    ("title", |row| text(row.plan.title.as_deref())),
    ("price", |row| amount(row.plan.price.known())),
    ("termLength", |row| {
        number(row.plan.term_length.map(|length| length.get()))
    }),
    ("serviceType", |row| text(row.plan.service_type.as_deref())),
    ("protectionType", |row| {
        text(row.plan.protection_type.as_deref())
    }),
    ("url", |row| text(row.plan.url.as_deref())),
    ("productReferenceId", |row| {
        text(row.product.as_ref().map(ProductReference::as_str))
    }),
    ("productTitle", |row| text(row.product_title.as_deref())),
    ("fetchedAt", |row| {
        row.fetched_at.map_or_else(|| "".into(), moment)
    }),
]);

/// Leaves out the token, which is shown once and never written.
pub(super) const LEADS: Columns<LeadView> = Columns(&[
    ("transactionId", |lead| lead.transaction_id.as_str().into()),
    ("productReferenceId", |lead| {
        lead.product_reference_id.as_str().into()
    }),
    ("productTitle", |lead| text(lead.product_title.as_deref())),
    ("productPurchasePrice", |lead| {
        amount(Some(lead.product_purchase_price))
    }),
    ("quantity", |lead| lead.quantity.get().into()),
    ("transactionDate", |lead| moment(lead.transaction_date)),
    ("state", |lead| word(&lead.state)),
    ("status", |lead| text(lead.status.as_deref())),
    ("enteredAt", |lead| moment(lead.entered_at)),
    ("enteredBy", |lead| lead.entered_by.as_str().into()),
    ("refusal", |lead| text(lead.refusal.as_deref())),
    ("requestId", |lead| text(lead.request_id.as_deref())),
    ("due", |lead| {
        lead.due
            .map_or_else(|| "".into(), |due| due.to_string().into())
    }),
    ("note", |lead| personal(lead.note.as_ref())),
]);

/// Leaves out the customer, who is not read for this list.
pub(super) const JOURNAL: Columns<JournalEntry> = Columns(&[
    ("at", |line| moment(line.at)),
    ("user", |line| line.user.as_str().into()),
    ("action", |line| line.action.as_str().into()),
    ("subject", |line| line.subject.as_str().into()),
    ("detail", |line| text(line.detail.as_deref())),
]);

pub(super) const DAY_SALES: Columns<DaySale> = Columns(&[
    ("enteredAt", |sale| moment(sale.entered_at)),
    ("enteredBy", |sale| sale.entered_by.as_str().into()),
    ("state", |sale| word(&sale.state)),
    ("transactionId", |sale| sale.transaction_id.as_str().into()),
    ("productReferenceId", |sale| {
        sale.product_reference_id.as_str().into()
    }),
    ("productTitle", |sale| text(sale.product_title.as_deref())),
    ("category", |sale| text(sale.category.as_deref())),
    ("planId", |sale| sale.plan_id.as_str().into()),
    ("planTitle", |sale| text(sale.plan_title.as_deref())),
    ("planPurchasePrice", |sale| amount(Some(sale.fee))),
    ("contractId", |sale| text(sale.contract_id.as_deref())),
]);

pub(super) const DAYS: Columns<DayFigures> = Columns(&[
    ("date", |day| day.date.to_string().into()),
    ("contracts", |day| count(day.contracts)),
    ("sold", |day| count(day.sold)),
    ("fees", |day| amount(Some(day.fees))),
    ("leads", |day| count(day.leads)),
    ("attachPermille", |day| number(day.attach_permille)),
]);

pub(super) const DAY_PARTS: Columns<DayPart> = Columns(&[
    ("name", |part| text(part.name.as_deref())),
    ("contracts", |part| count(part.contracts)),
    ("fees", |part| amount(Some(part.fees))),
    ("leads", |part| count(part.leads)),
    ("attachPermille", |part| number(part.attach_permille)),
]);

pub(super) const CLOSING: Columns<CloseLine> = Columns(&[
    ("item", |line| word(&line.item)),
    ("count", |line| count(line.count)),
]);

fn count(value: u32) -> Cell {
    i64::from(value).into()
}

fn number(value: Option<impl Into<i64>>) -> Cell {
    value.map_or_else(|| "".into(), |number| number.into().into())
}

fn text(value: Option<&str>) -> Cell {
    value.unwrap_or_default().into()
}

fn personal(value: Option<&Personal>) -> Cell {
    text(value.map(Personal::expose))
}

fn amount(value: Option<Amount>) -> Cell {
    number(value.map(|amount| amount.get()))
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
