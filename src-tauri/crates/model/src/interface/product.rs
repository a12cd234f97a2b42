//! Products: the upsert and what it returns (part 2 and 4.3).

use serde::{Deserialize, Serialize};

use super::lenient::{lenient, lenient_list};
use super::{Amount, Count, Plan, ProductReference, Stated};

/// All five fields of an upsert; every one overwrites (part 4.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ProductUpsert {
    /// Business-side key; unique.
    pub reference_id: ProductReference,
    /// Title.
    pub title: String,
    /// Listed price.
    pub price: Amount,
    /// Address of a picture.
    pub image_url: String,
    /// Category.
    pub category: String,
}

/// A product as the upsert returns it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Product {
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
    /// Category.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub category: Option<String>,
    /// Brand; cannot be sent.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub brand: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub created_at: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub updated_at: Option<String>,
    /// Its plans.
    #[serde(default, deserialize_with = "lenient_list")]
    #[cfg_attr(feature = "bindings", specta(type = Vec<Plan>))]
    pub plans: Vec<Plan>,
    /// The maker's warranty.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<MfrWarranty>))]
    pub mfr_warranty: Option<MfrWarranty>,
}

/// The maker's warranty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct MfrWarranty {
    /// Days covered.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Count>))]
    pub coverage_days: Option<Count>,
    /// Page; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub url: Option<String>,
}
