//! Plans as they are shown. Parts 4.4, 4.5 and 4.6.

use serde::{Deserialize, Serialize};

use crate::interface::{
    Amount, Plan, PlanFilter, PlanId, PlanProduct, ProductReference, Timestamp,
};

/// The plans of one product, as the desk knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PlanShelf {
    /// The product.
    pub product_reference: ProductReference,
    /// Its title, when known.
    pub product_title: Option<String>,
    /// Its listed price, when known.
    pub product_price: Option<Amount>,
    /// Which plans were asked for.
    pub filter: PlanFilter,
    /// The plans in the service's order.
    pub plans: Vec<Plan>,
    /// When the service said so; `None` when it was never asked.
    pub fetched_at: Option<Timestamp>,
    /// Age of that, in whole seconds.
    pub age_seconds: Option<u32>,
    /// Where this answer comes from.
    pub source: Source,
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// Remembered.
    Cache,
    /// Just read.
    Service,
}

/// A plan found in the cache or read by id, with what is known of its product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PlanRecord {
    /// The plan.
    pub plan: Plan,
    /// The reference of its product, when known.
    pub product_reference: Option<ProductReference>,
    /// The product, when known.
    pub product: Option<PlanProduct>,
    /// The host of its page, with a port that is not the usual one and foreign letters in their
    /// ASCII form, when it is an https address that may be opened.
    pub page_host: Option<String>,
    /// When the service said so.
    pub fetched_at: Timestamp,
    /// Age of that, in whole seconds.
    pub age_seconds: u32,
    /// Where this answer comes from.
    pub source: Source,
}

/// What linking a plan came to: sent, read again, and seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct LinkReport {
    /// The plan as read after the change.
    pub plan: Plan,
    /// What stood there before.
    pub previous: Option<String>,
    /// Other plans known here that carry the same store reference.
    pub also_used_by: Vec<PlanId>,
}
