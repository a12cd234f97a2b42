//! Leads: a customer who declined today and may join later. Part 4.7.
//!
//! Owns that an unanswered lead is never repeated by itself and that its token is shown once.

use serde::{Deserialize, Serialize};
use warranty_api::{Amount, Count, Personal, ProductReference, Timestamp};

use crate::{Desk, Error};

/// A lead as typed: text, checked by the desk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the field of that name in part 4.7")]
pub struct LeadDraft {
    pub transaction_id: String,
    pub product_reference_id: String,
    pub product_purchase_price: String,
    pub quantity: String,
    /// Empty: now, with the profile's offset.
    pub transaction_date: String,
}

/// Where a lead stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum LeadState {
    /// Kept, not sent yet (no network, no token).
    Queued,
    /// On its way.
    InFlight,
    /// The service returned its token.
    Created,
    /// The service refused it.
    Rejected,
    /// Sent and not answered: it may exist; a person chooses.
    Unknown,
    /// Given up by a person.
    Cancelled,
}

/// A lead in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the field of that name in part 4.7")]
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
    /// The token: only in the answer to the call that created it, never again.
    pub token: Option<Personal>,
    /// `requestId` of the last refusal.
    pub request_id: Option<String>,
    /// The service's own words of the last refusal.
    pub refusal: Option<String>,
}

#[allow(clippy::todo, unused_variables, clippy::unused_async)]
impl Desk {
    /// Creates a lead. `id` is the caller's UUID of this entry: the same id twice is one lead.
    pub async fn lead_create(&self, id: &str, draft: &LeadDraft) -> Result<LeadView, Error> {
        todo!()
    }
    /// The history, newest first.
    pub async fn leads(&self, limit: u32) -> Result<Vec<LeadView>, Error> {
        todo!()
    }
    /// Sends an unknown, queued or refused lead once more, because a person says so.
    pub async fn lead_send_again(&self, id: &str) -> Result<LeadView, Error> {
        todo!()
    }
    /// Gives a lead up, because a person says so.
    pub async fn lead_cancel(&self, id: &str) -> Result<LeadView, Error> {
        todo!()
    }
}
