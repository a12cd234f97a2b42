//! Products: the desk's own list, since the interface has none, and the upsert. Part 4.3.
//!
//! Owns what was last known of a product and when. An upsert overwrites everything and there is
//! no read, so what is shown before it is sent is all the protection there is.

use serde::{Deserialize, Serialize};
use warranty_api::{Amount, Plan, Product, ProductReference, Timestamp};

use crate::{Desk, Error, Field};

/// What is known of a product here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ProductRecord {
    /// Business-side key.
    pub reference_id: ProductReference,
    /// Title, when known.
    pub title: Option<String>,
    /// Listed price, when known.
    pub price: Option<Amount>,
    /// Picture, when known.
    pub image_url: Option<String>,
    /// Category, when known.
    pub category: Option<String>,
    /// Brand, when known; it cannot be sent.
    pub brand: Option<String>,
    /// How the desk came to know it.
    pub known_from: KnownFrom,
    /// When it was last known.
    pub known_at: Timestamp,
}

/// How the desk came to know a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum KnownFrom {
    /// The answer of an upsert from here.
    Upsert,
    /// A plan read by id.
    Plan,
    /// A contract looked up or accepted.
    Contract,
    /// A reference typed, or a file of references.
    Reference,
    /// The practice catalogue: sample data.
    Practice,
}

/// A product as typed: text, checked by the desk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the field of that name in part 4.3")]
pub struct ProductDraft {
    pub reference_id: String,
    pub title: String,
    pub price: String,
    pub image_url: String,
    pub category: String,
}

/// What an upsert came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct UpsertReport {
    /// The service's answer, with plans and maker warranty.
    pub product: Product,
    /// Fields in which the answer differs from what was sent.
    pub echo_differs: Vec<Field>,
}

/// A product the desk should know of without having asked the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the field of that name in part 2")]
pub struct ProductHint {
    pub reference_id: ProductReference,
    pub title: Option<String>,
    pub price: Option<Amount>,
    pub image_url: Option<String>,
    pub category: Option<String>,
    pub brand: Option<String>,
}

#[allow(clippy::todo, unused_variables, clippy::unused_async)]
impl Desk {
    /// Products known here whose reference, title, category or brand contains the text.
    pub async fn products(&self, text: &str, limit: u32) -> Result<Vec<ProductRecord>, Error> {
        todo!()
    }
    /// What was last known of a product.
    pub async fn product_last_known(
        &self,
        reference: &ProductReference,
    ) -> Result<Option<ProductRecord>, Error> {
        todo!()
    }
    /// Checks a draft without sending it.
    pub fn product_check(&self, draft: &ProductDraft) -> Vec<crate::FieldProblem> {
        todo!()
    }
    /// Sends an upsert; one at a time for each reference, the same body repeated while in doubt.
    pub async fn product_put(&self, draft: &ProductDraft) -> Result<UpsertReport, Error> {
        todo!()
    }
    /// Remembers products that were not read from the service; known fields are never blanked.
    pub async fn products_remember(
        &self,
        hints: Vec<ProductHint>,
        from: KnownFrom,
    ) -> Result<u32, Error> {
        todo!()
    }
    /// Plans known of a product in the answer of its last upsert or listing.
    pub async fn product_plans(&self, reference: &ProductReference) -> Result<Vec<Plan>, Error> {
        todo!()
    }
}
