//! Formats unfinished entries and cases of the outbox as text.

use warranty_core::contracts::SubmissionView;
use warranty_core::outbox::{CaseReason, CaseView, SubmissionState};

use crate::{KeyValues, Table, grouped, messages, named, text, when};

pub fn open_text(open: &[SubmissionView]) -> String {
    Table::of(open)
        .column("state", |entry| named("state", &entry.state))
        .column("transaction", |entry| &entry.transaction_id)
        .column("product", product)
        .column("fee", |entry| grouped(entry.plan_purchase_price))
        .column("sent", sent)
        .column("why", why)
        .column("case", |entry| &entry.id)
        .text()
}

/// How often it was sent, unless the desk's file is an older one that may not know.
fn sent(entry: &SubmissionView) -> String {
    match entry.case {
        Some(CaseReason::RestoredFromBackup | CaseReason::OlderFilePutBack)
            if entry.attempts == 0 =>
        {
            "-".to_owned()
        }
        Some(_) | None => entry.attempts.to_string(),
    }
}

/// The title of the product, or its reference.
pub fn product(entry: &SubmissionView) -> String {
    let reference = || entry.product_reference_id.to_string();
    entry.product_title.clone().unwrap_or_else(reference)
}

/// The reason for an entry's state; empty if there is none.
pub fn why(entry: &SubmissionView) -> String {
    case_reason(entry)
        .or_else(|| waiting(entry))
        .or_else(|| entry.refusal.clone())
        .or_else(|| duplicate(entry))
        .unwrap_or_default()
}

/// Why a person is needed now: of a settled entry it is no reason any more.
fn case_reason(entry: &SubmissionView) -> Option<String> {
    let case = entry
        .case
        .filter(|_| entry.state != SubmissionState::Confirmed);
    case.map(|reason| named("case.reason", &reason))
}

/// Why an entry is not sent now, or not known to be sold.
fn waiting(entry: &SubmissionView) -> Option<String> {
    if entry.paused {
        return Some(text("wdesk.why.paused", &[]));
    }
    match (entry.state, entry.next_at) {
        (SubmissionState::Held, None) => Some(text("wdesk.why.token", &[])),
        (SubmissionState::Held, Some(at)) => Some(text("wdesk.why.held", &[("at", &when(at))])),
        (SubmissionState::Unknown, _) => Some(text("wdesk.why.unknown", &[])),
        _ => None,
    }
}

fn duplicate(entry: &SubmissionView) -> Option<String> {
    entry
        .duplicate_possible
        .then(|| text("wdesk.duplicate.one", &[]))
}

/// A case with its attempts and its possible resolutions.
pub fn case_text(case: &CaseView) -> String {
    let entry = &case.submission;
    let mut fields = KeyValues::default();
    fields
        .line("case", &entry.id)
        .line("state", named("state", &entry.state))
        .optional("why", case_reason(entry).or_else(|| waiting(entry)))
        .optional("duplicates", duplicate(entry))
        .optional("duplicates checked", entry.duplicate_checked.as_ref())
        .line("transactionId", &entry.transaction_id)
        .line("transactionTotal", grouped(entry.transaction_total))
        .line("transactionDate", entry.transaction_date)
        .line("customer", messages::customer_name(entry))
        .line("email", messages::customer_email(entry))
        .line("product", &entry.product_reference_id)
        .line(
            "productPurchasePrice",
            grouped(entry.product_purchase_price),
        )
        .line("plan", &entry.plan_id)
        .line("planPurchasePrice", grouped(entry.plan_purchase_price))
        .optional("contract", entry.contract_id.as_ref())
        .optional("inquiryCode", entry.inquiry_code.as_ref())
        .optional("status", entry.status.as_ref())
        .optional("refusal", entry.refusal.as_ref())
        .optional("batch", case.batch_id.as_ref())
        .line("contracts in it", case.batch_size);
    if case.replaces.is_some() || case.replaced_by.is_some() {
        fields
            .optional("in place of", case.replaces.as_ref())
            .optional("replaced by", case.replaced_by.as_ref());
    }
    let mut shown = fields.text();
    if !case.attempts.is_empty() {
        let attempts = Table::of(&case.attempts)
            .column("#", |attempt| attempt.number)
            .column("started", |attempt| when(attempt.started_at))
            .optional("ended", |attempt| attempt.finished_at.map(when))
            .column("response", |attempt| match attempt.class {
                Some(class) => named("wdesk.answer", &class),
                None => text("wdesk.answer.unfinished", &[]),
            })
            .optional("HTTP", |attempt| attempt.status)
            .optional("request", |attempt| attempt.request_id.as_ref())
            .optional("detail", |attempt| attempt.detail.as_ref())
            .text();
        shown += &format!("\n{attempts}");
    }
    if !case.resolutions.is_empty() {
        shown += "\nwdesk outbox resolve CASE with one of:\n";
        for kind in &case.resolutions {
            shown += &format!("  {}\n", named("wdesk.resolution", kind));
        }
    }
    shown
}
