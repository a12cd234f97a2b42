//! Plans: browsing, searching, refreshing and linking them. Parts 4.4, 4.5 and 4.6.
//!
//! Owns what the desk remembers of plans. The cache may vanish at any moment and the desk goes on.

use serde::{Deserialize, Serialize};
use warranty_api::{Plan, PlanFilter, PlanId, PlanProduct, ProductReference, Timestamp};

use crate::{Desk, Error};

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
    pub product_price: Option<warranty_api::Amount>,
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
    /// The host of its page, when it is an https address that may be opened.
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

#[allow(clippy::todo, unused_variables, clippy::unused_async)]
impl Desk {
    /// What the cache knows of a product's plans; an empty shelf with no age when nothing.
    pub async fn plans_cached(
        &self,
        product: &ProductReference,
        filter: PlanFilter,
    ) -> Result<PlanShelf, Error> {
        todo!()
    }
    /// Asks the service for a product's plans and remembers the answer.
    pub async fn plans_refresh(
        &self,
        product: &ProductReference,
        filter: PlanFilter,
    ) -> Result<PlanShelf, Error> {
        todo!()
    }
    /// Finds cached plans by any text of them or their product, in both scripts; works offline.
    pub async fn plans_search(&self, text: &str, limit: u32) -> Result<Vec<PlanRecord>, Error> {
        todo!()
    }
    /// A plan by id from the cache.
    pub async fn plan_cached(&self, id: &PlanId) -> Result<Option<PlanRecord>, Error> {
        todo!()
    }
    /// A plan by id from the service.
    pub async fn plan_open(&self, id: &PlanId) -> Result<PlanRecord, Error> {
        todo!()
    }
    /// The https address of a plan's page, for the system browser.
    pub async fn plan_page(&self, id: &PlanId) -> Result<String, Error> {
        todo!()
    }
    /// Links a plan: reads it, stops if its reference is not `expected`, writes, reads again.
    pub async fn plan_link(
        &self,
        id: &PlanId,
        store_reference_id: &str,
        expected: Option<&str>,
    ) -> Result<LinkReport, Error> {
        todo!()
    }
    /// Other cached plans that carry a store reference already.
    pub async fn store_reference_used_by(
        &self,
        store_reference_id: &str,
    ) -> Result<Vec<PlanId>, Error> {
        todo!()
    }
    /// Refreshes the plans of every known product; progress comes as notices. One at a time.
    pub async fn plans_refresh_all(&self, filter: PlanFilter) -> Result<(), Error> {
        todo!()
    }
    /// Stops refreshing all; what is done stays.
    pub fn plans_refresh_cancel(&self) {
        todo!()
    }
}

/// `cache.db`.
#[derive(Debug)]
pub(crate) struct PlanCache {}

impl PlanCache {
    /// Opens the cache; whatever happens to the file, there is one afterwards.
    pub(crate) async fn open(_path: &std::path::Path, _read_only: bool) -> Self {
        Self {}
    }
}

/// The refreshing of all plans.
#[derive(Debug, Default)]
pub(crate) struct RefreshState {}
