//! Leads: a customer who declined today and may join later. Part 4.7.

use serde::{Deserialize, Serialize};

use crate::call_outcome::{Hold, Outcome};
use crate::day::Date;
use crate::interface::{
    Amount, Count, Error, Lead, LeadProduct, LeadRequest, NotSent, Personal, ProductReference,
    Stated, Timestamp,
};
use crate::{Field, fields_where};

pub mod validation;

/// A lead as typed: text, checked by the desk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LeadDraft {
    pub transaction_id: String,
    pub product_reference_id: String,
    pub product_purchase_price: String,
    pub quantity: String,
    /// Empty: now, with the profile's offset.
    pub transaction_date: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LeadState {
    /// Stored, not sent yet (no network, no token).
    Queued,
    InFlight,
    /// The service returned its token.
    Created,
    Rejected,
    /// Sent and not answered: it may exist; a person decides.
    Unknown,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LeadView {
    /// Its own id at this desk, a UUID.
    pub id: String,
    pub state: LeadState,
    pub transaction_id: String,
    pub product_reference_id: ProductReference,
    pub product_title: Option<String>,
    pub product_purchase_price: Amount,
    pub quantity: Count,
    pub transaction_date: Timestamp,
    /// State at the service, as it came.
    pub status: Option<String>,
    pub entered_at: Timestamp,
    pub entered_by: String,
    /// The token of a lead that was created, until the retention time.
    pub token: Option<Personal>,
    /// `requestId` of the last refusal.
    pub request_id: Option<String>,
    /// The service's message of the last refusal.
    pub refusal: Option<String>,
    /// For an unknown lead with an answer about another lead: what the answer named.
    pub mismatch: Option<LeadMismatch>,
    /// Whether there is a token that cannot be decrypted now.
    pub token_unreadable: bool,
    /// The day on the store's clock on which to contact the customer.
    pub due: Option<Date>,
    /// The note of staff, known only at this desk.
    pub note: Option<Personal>,
    /// Whether there is a note that cannot be decrypted now.
    pub note_unreadable: bool,
    /// Whether it never can be again, because its key is gone.
    pub note_lost: bool,
    /// Whether it is queued and cannot be sent, because the key that binds it to its store is lost.
    pub key_lost: bool,
}

/// Numbers of a profile's unfinished leads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenLeads {
    /// Stored, and can be sent as far as is known.
    pub sendable: u32,
    /// Stored, but cannot be sent as entered: the key that binds them is lost, or the profile, its
    /// address or its store has changed.
    pub stuck: u32,
    /// [`LeadState::Unknown`].
    pub unanswered: u32,
}

/// Longest stored text of an answer, in characters.
const MOST_KEPT: usize = 200;

/// The data of an answer that differ from the request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LeadMismatch {
    /// Its transaction, if it is another one.
    pub transaction_id: Option<String>,
    /// Its product, if it is another one, or one in another quantity or at another price: these
    /// follow.
    pub product_reference_id: Option<String>,
}

/// A lead that was entered before for the same transaction and product at the same store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EarlierLead {
    pub id: String,
    /// Its state. If it is cancelled, it may still have been sent before, and exist.
    pub state: LeadState,
    pub entered_at: Timestamp,
}

/// The differences between an answer and the lead that was sent, as far as the answer has the
/// fields.
pub fn mismatch(sent: &LeadRequest, lead: &Lead) -> Option<LeadMismatch> {
    let short = |text: &str| text.chars().take(MOST_KEPT).collect();
    let transaction = lead
        .transaction_id
        .as_ref()
        .filter(|found| **found != sent.transaction_id);
    let mut product = match &lead.product {
        Stated::Absent => sent.product.reference_id.to_string(),
        Stated::Known(found) => found.reference_id.to_string(),
        Stated::NotUnderstood(text) => format!("{text} (not understood)"),
    };
    if !lead.quantity.agrees_with(sent.quantity) {
        product.push_str(&format!(" × {}", lead.quantity.shown().unwrap_or_default()));
    }
    let price = lead.product.known().map(|product| product.purchase_price);
    if let Some(price) = price.filter(|price| !price.agrees_with(sent.product.purchase_price)) {
        product.push_str(&format!(" @ {}", price.shown().unwrap_or_default()));
    }
    let product = (product != sent.product.reference_id.as_str()).then_some(product);
    (transaction.is_some() || product.is_some()).then(|| LeadMismatch {
        transaction_id: transaction.map(|found| short(found)),
        product_reference_id: product.map(|found| short(&found)),
    })
}

/// The fields in which a lead differs from one that was entered; the date is compared only when it
/// has one of its own.
pub fn differences(lead: &LeadRequest, dated: bool, before: &LeadRequest) -> Vec<Field> {
    let transaction = lead.transaction_id != before.transaction_id;
    let price = lead.product.purchase_price != before.product.purchase_price;
    let reference = lead.product.reference_id != before.product.reference_id;
    let date = lead.transaction_date.get() != before.transaction_date.get();
    fields_where([
        (Field::TransactionId, transaction),
        (Field::ProductReferenceId, reference),
        (Field::ProductPurchasePrice, price),
        (Field::Quantity, lead.quantity != before.quantity),
        (Field::TransactionDate, dated && date),
    ])
}

impl LeadView {
    pub fn request(&self) -> LeadRequest {
        LeadRequest {
            transaction_id: self.transaction_id.clone(),
            product: LeadProduct {
                reference_id: self.product_reference_id.clone(),
                purchase_price: self.product_purchase_price,
            },
            quantity: self.quantity,
            transaction_date: self.transaction_date,
        }
    }
}

impl LeadState {
    /// The journal action for a lead that enters this state.
    pub fn action(self) -> &'static str {
        match self {
            Self::Created => "lead.created",
            Self::Rejected => "lead.rejected",
            Self::Unknown => "lead.unknown",
            Self::Queued => "lead.waits",
            Self::InFlight => "lead.sending",
            Self::Cancelled => "lead.cancelled",
        }
    }
}

/// Whether a retry may help. It does not help with a certificate, a proxy's password or a token, and must not
/// follow a request that may have been executed.
pub fn may_help(error: &Error) -> bool {
    Outcome::of(error) == Outcome::Declined(Hold::Rate)
        || matches!(
            error,
            Error::NotSent(NotSent::Name | NotSent::Connect | NotSent::ProxyRefused)
        )
}
