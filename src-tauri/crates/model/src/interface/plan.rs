//! Plans: the resource (part 2), listing (4.5), reading (4.6) and linking (4.4).

use serde::{Deserialize, Serialize};

#[cfg(feature = "bindings")]
use super::Amount;
use super::lenient::lenient;
use super::{Count, PlanId, ProductReference, Stated};

/// A warranty plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Plan id.
    pub id: PlanId,
    /// The business's reference for the plan; absent when not linked.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub store_reference_id: Option<String>,
    /// Name of the plan.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub title: Option<String>,
    /// Price of the plan.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<Amount>))]
    pub price: Stated,
    /// Length of the term; the interface names no unit.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Count>))]
    pub term_length: Option<Count>,
    /// Kind of service, shown as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub service_type: Option<String>,
    /// Kind of protection, shown as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub protection_type: Option<String>,
    /// Page of the plan; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub url: Option<String>,
}

/// A plan read by id, with its product (part 4.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PlanWithProduct {
    /// The plan.
    pub plan: Plan,
    /// Its product.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<PlanProduct>))]
    pub product: Option<PlanProduct>,
}

/// The product of a plan read by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PlanProduct {
    /// The service's id.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub id: Option<String>,
    /// Business-side key.
    pub reference_id: ProductReference,
    /// Title.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub title: Option<String>,
    /// Listed price.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<Amount>))]
    pub price: Stated,
    /// Address of a picture; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub image_url: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub created_at: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub updated_at: Option<String>,
}

/// What can be changed of a plan (part 4.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PlanUpdate {
    /// The business's reference for the plan.
    pub store_reference_id: String,
}

/// Which plans of a product a listing returns (part 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
pub enum PlanFilter {
    /// Only plans of products whose warranty display flag is true.
    Live,
    /// Only plans whose `storeReferenceId` is set.
    LiveInStore,
    /// All plans.
    Any,
}

impl PlanFilter {
    /// The value of the query parameter `status`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "Live",
            Self::LiveInStore => "LiveInStore",
            Self::Any => "Any",
        }
    }
}
