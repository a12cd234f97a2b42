//! The fields of an entry where they lie, in a draft or in the cells of a row, so that a file is
//! checked without a copy of it.

use chrono::{DateTime, Utc};

use super::EntryDraft;
use super::validation::{self, KnownCodes};
use crate::FieldProblem;
use crate::time_zone::Zone;

/// The nine fields of an entry as typed or as read from a file.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "each is the field of that name in EntryDraft")]
pub struct EntryFields<'a> {
    pub transaction_id: &'a str,
    pub transaction_total: &'a str,
    pub transaction_date: &'a str,
    pub customer_name: &'a str,
    pub customer_email: &'a str,
    pub product_reference_id: &'a str,
    pub product_purchase_price: &'a str,
    pub plan_id: &'a str,
    pub plan_purchase_price: &'a str,
}

impl EntryFields<'_> {
    /// What of them cannot be used, whatever the service has. An empty date is `now`; one without
    /// an offset gets this one, in minutes east of UTC.
    #[must_use]
    pub fn problems(self, now: DateTime<Utc>, utc_offset_minutes: i32) -> Vec<FieldProblem> {
        let zone = Zone::fixed(utc_offset_minutes);
        validation::entry(self, now, zone, &KnownCodes::default())
            .err()
            .unwrap_or_default()
    }
}

impl std::fmt::Debug for EntryFields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EntryFields")
            .field("transaction_id", &self.transaction_id)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a EntryDraft> for EntryFields<'a> {
    fn from(draft: &'a EntryDraft) -> Self {
        Self {
            transaction_id: &draft.transaction_id,
            transaction_total: &draft.transaction_total,
            transaction_date: &draft.transaction_date,
            customer_name: &draft.customer_name,
            customer_email: &draft.customer_email,
            product_reference_id: &draft.product_reference_id,
            product_purchase_price: &draft.product_purchase_price,
            plan_id: &draft.plan_id,
            plan_purchase_price: &draft.plan_purchase_price,
        }
    }
}

impl From<EntryFields<'_>> for EntryDraft {
    fn from(fields: EntryFields<'_>) -> Self {
        Self {
            transaction_id: fields.transaction_id.to_owned(),
            transaction_total: fields.transaction_total.to_owned(),
            transaction_date: fields.transaction_date.to_owned(),
            customer_name: fields.customer_name.to_owned(),
            customer_email: fields.customer_email.to_owned(),
            product_reference_id: fields.product_reference_id.to_owned(),
            product_purchase_price: fields.product_purchase_price.to_owned(),
            plan_id: fields.plan_id.to_owned(),
            plan_purchase_price: fields.plan_purchase_price.to_owned(),
        }
    }
}
