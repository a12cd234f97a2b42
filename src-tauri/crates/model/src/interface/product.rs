//! Products: the upsert and what it returns (part 2 and 4.3).

use serde::{Deserialize, Serialize};

use super::wire::{lenient_list, wire};
use super::{Amount, Count, Plan, ProductReference, Stated};

wire! {
    /// All five fields of an upsert; every one overwrites (part 4.3).
    pub struct ProductUpsert {
        /// Business-side key; unique.
        pub reference_id: ProductReference,
        pub title: String,
        /// Listed price.
        pub price: Amount,
        /// Address of a picture.
        pub image_url: String,
        pub category: String,
    }

    /// A product as the upsert returns it.
    pub struct Product {
        /// The service's id.
        pub id: Option<String>,
        /// Business-side key.
        pub reference_id: ProductReference,
        pub title: Option<String>,
        /// Listed price.
        pub price: Stated<Amount>,
        /// Address of a picture; not checked here.
        pub image_url: Option<String>,
        pub category: Option<String>,
        /// Cannot be sent.
        pub brand: Option<String>,
        /// Date-time as it came.
        pub created_at: Option<String>,
        /// Date-time as it came.
        pub updated_at: Option<String>,
        #[serde(default, deserialize_with = "lenient_list")]
        #[specta(type = Vec<Plan>)]
        pub plans: Vec<Plan>,
        pub mfr_warranty: Option<MfrWarranty>,
    }

    pub struct MfrWarranty {
        pub coverage_days: Option<Count>,
        /// Page; not checked here.
        pub url: Option<String>,
    }
}
