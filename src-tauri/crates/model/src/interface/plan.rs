//! Plans: the resource (part 2), listing (4.5), reading (4.6) and linking (4.4).

use serde::{Deserialize, Serialize};

use super::wire::wire;
use super::{Amount, Count, PlanId, ProductReference, Stated};

/// A reference of the store. One that is not understood is shown, and is never taken for none.
type StoreReference = Stated<String>;

wire! {
    pub struct Plan {
        pub id: PlanId,
        /// The business's reference for the plan; absent when not linked.
        pub store_reference_id: StoreReference,
        pub title: Option<String>,
        pub price: Stated<Amount>,
        /// The interface names no unit.
        pub term_length: Option<Count>,
        /// Shown as it came.
        pub service_type: Option<String>,
        /// Shown as it came.
        pub protection_type: Option<String>,
        /// Page of the plan; not checked here.
        pub url: Option<String>,
    }

    /// A plan read by id, with its product (part 4.6).
    pub struct PlanWithProduct {
        pub plan: Plan,
        pub product: Option<PlanProduct>,
    }

    /// The product of a plan read by id.
    pub struct PlanProduct {
        /// The service's id.
        pub id: Option<String>,
        /// Business-side key.
        pub reference_id: ProductReference,
        pub title: Option<String>,
        /// Listed price.
        pub price: Stated<Amount>,
        /// Address of a picture; not checked here.
        pub image_url: Option<String>,
        /// Date-time as it came.
        pub created_at: Option<String>,
        /// Date-time as it came.
        pub updated_at: Option<String>,
    }

    /// What can be changed of a plan (part 4.4).
    pub struct PlanUpdate {
        /// The business's reference for the plan.
        pub store_reference_id: String,
    }
}

impl Plan {
    /// The business's reference for it; `None` when it is absent, empty or not understood.
    pub fn store_reference(&self) -> Option<String> {
        let reference = self.store_reference_id.known();
        reference.filter(|reference| !reference.is_empty())
    }

    /// The same as a person reads it, also one that is not understood.
    pub fn shown_store_reference(&self) -> Option<String> {
        let reference = self.store_reference_id.shown();
        reference.filter(|reference| !reference.is_empty())
    }

    /// Whether the business has a reference for it.
    pub fn is_linked(&self) -> bool {
        self.shown_store_reference().is_some()
    }
}

/// Which plans of a product a listing returns (part 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
pub enum PlanFilter {
    /// Only plans of products whose warranty display flag is true.
    Live,
    /// Only plans whose `storeReferenceId` is set.
    LiveInStore,
    Any,
}

impl PlanFilter {
    /// The value of the query parameter `status`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "Live",
            Self::LiveInStore => "LiveInStore",
            Self::Any => "Any",
        }
    }
}
