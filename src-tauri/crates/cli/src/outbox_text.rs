//! Formats unfinished entries and cases of the outbox as text.

use warranty_core::contracts::SubmissionView;
use warranty_core::outbox::CaseView;

use crate::messages::{self, named, text};
use crate::table::{KeyValues, Table, grouped, when};

/// The unfinished entries as a table.
#[must_use]
pub fn open_text(open: &[SubmissionView]) -> String {
    let mut table = Table::new(&[
        "state",
        "transaction",
        "product",
        "fee",
        "sent",
        "why",
        "case",
    ]);
    for entry in open {
        table.row([
            named("wdesk.state", &entry.state),
            entry.transaction_id.clone(),
            entry
                .product_title
                .clone()
                .unwrap_or_else(|| entry.product_reference_id.to_string()),
            grouped(entry.plan_purchase_price.get()),
            entry.attempts.to_string(),
            why(entry),
            entry.id.clone(),
        ]);
    }
    table.text()
}

/// The reason for an entry's state; empty if there is none.
#[must_use]
pub fn why(entry: &SubmissionView) -> String {
    case_reason(entry)
        .or_else(|| entry.refusal.clone())
        .or_else(|| duplicate(entry))
        .unwrap_or_default()
}

fn case_reason(entry: &SubmissionView) -> Option<String> {
    entry.case.map(|reason| named("case.reason", &reason))
}

fn duplicate(entry: &SubmissionView) -> Option<String> {
    entry
        .duplicate_possible
        .then(|| text("wdesk.duplicate.one", &[]))
}

/// A case with its attempts and its possible resolutions.
#[must_use]
pub fn case_text(case: &CaseView) -> String {
    let entry = &case.submission;
    let mut fields = KeyValues::default();
    fields
        .line("case", &entry.id)
        .line("state", named("wdesk.state", &entry.state))
        .optional("why", case_reason(entry))
        .optional("duplicates", duplicate(entry))
        .optional("duplicates checked", entry.duplicate_checked.as_deref())
        .line("transactionId", &entry.transaction_id)
        .line("transactionTotal", grouped(entry.transaction_total.get()))
        .line("transactionDate", entry.transaction_date.to_string())
        .line("customer", messages::customer_name(entry))
        .line("email", messages::customer_email(entry))
        .line("product", entry.product_reference_id.as_str())
        .line(
            "productPurchasePrice",
            grouped(entry.product_purchase_price.get()),
        )
        .line("plan", entry.plan_id.as_str())
        .line(
            "planPurchasePrice",
            grouped(entry.plan_purchase_price.get()),
        )
        .optional("contract", entry.contract_id.as_ref().map(|id| id.as_str()))
        .optional("inquiryCode", entry.inquiry_code.as_deref())
        .optional("status", entry.status.as_deref())
        .optional("refusal", entry.refusal.as_deref())
        .optional("batch", case.batch_id.as_deref())
        .line("contracts in it", case.batch_size.to_string());
    if case.replaces.is_some() || case.replaced_by.is_some() {
        fields
            .optional("in place of", case.replaces.as_deref())
            .optional("replaced by", case.replaced_by.as_deref());
    }
    let mut shown = fields.text();
    if !case.attempts.is_empty() {
        let mut table = Table::new(&["#", "started", "answer", "HTTP", "request", "words"]);
        for attempt in &case.attempts {
            table.row([
                attempt.number.to_string(),
                when(attempt.started_at),
                match attempt.class {
                    Some(class) => named("wdesk.answer", &class),
                    None => text("wdesk.answer.unfinished", &[]),
                },
                attempt
                    .status
                    .map(|status| status.to_string())
                    .unwrap_or_default(),
                attempt.request_id.clone().unwrap_or_default(),
                attempt.detail.clone().unwrap_or_default(),
            ]);
        }
        shown.push('\n');
        shown.push_str(&table.text());
    }
    if !case.resolutions.is_empty() {
        shown.push_str("\nwdesk outbox resolve CASE with one of:\n");
        for kind in &case.resolutions {
            shown.push_str("  ");
            shown.push_str(&named("wdesk.resolution", kind));
            shown.push('\n');
        }
    }
    shown
}
