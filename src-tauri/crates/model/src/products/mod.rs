//! Products as they are known at this desk and as they are typed. Part 4.3.

use serde::{Deserialize, Serialize};

use crate::interface::{Amount, Product, ProductReference, ProductUpsert, Timestamp};
use crate::{Field, fields_where};

pub mod validation;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProductRecord {
    #[serde(flatten)]
    pub product: ProductHint,
    /// How the desk came to know it.
    pub known_from: KnownFrom,
    /// When it was last known.
    pub known_at: Timestamp,
}

/// How the desk came to know a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProductDraft {
    pub reference_id: String,
    pub title: String,
    pub price: String,
    pub image_url: String,
    pub category: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpsertReport {
    /// The service's answer, with plans and maker warranty.
    pub product: Product,
    /// Fields in which the answer differs from what was sent.
    pub echo_differs: Vec<Field>,
}

/// Longest brand that is kept, in characters.
const MAX_BRAND: usize = 1000;

/// What a source says of a product.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProductHint {
    /// Business-side key.
    pub reference_id: ProductReference,
    pub title: Option<String>,
    pub price: Option<Amount>,
    pub image_url: Option<String>,
    pub category: Option<String>,
    /// Brand, when known; it cannot be sent.
    pub brand: Option<String>,
}

impl ProductHint {
    /// A product of which nothing but its reference is known.
    pub fn of_reference(reference_id: ProductReference) -> Self {
        Self {
            reference_id,
            title: None,
            price: None,
            image_url: None,
            category: None,
            brand: None,
        }
    }

    /// With texts cut where no more may be sent, and an ellipsis above that: the form then refuses them
    /// as too long, where an older text, or none, would replace the service's unseen.
    #[must_use]
    pub fn bounded(self) -> Self {
        let cut = |text: Option<String>, longest| {
            text.map(|text| match text.char_indices().nth(longest) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            })
        };
        Self {
            title: cut(self.title, validation::MAX_TITLE),
            image_url: cut(self.image_url, validation::MAX_URL),
            category: cut(self.category, validation::MAX_CATEGORY),
            brand: cut(self.brand, MAX_BRAND),
            ..self
        }
    }
}

impl KnownFrom {
    /// Whether the service itself said it.
    pub fn is_service(self) -> bool {
        match self {
            Self::Upsert | Self::Plan | Self::Contract => true,
            Self::Reference | Self::Practice => false,
        }
    }
}

/// Which known products are listed, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProductFilter {
    /// Only products that contain every word of it.
    pub text: String,
    pub sort: ProductSort,
    /// From the lowest on. Products without a value are last either way.
    pub ascending: bool,
    /// How many are left out at the beginning.
    pub offset: u32,
    /// How many are read at most.
    pub limit: u32,
}

/// What products are ordered by; those that are equal in it are in the order of their references.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProductSort {
    #[default]
    ReferenceId,
    Title,
    Price,
    Category,
    Brand,
    KnownAt,
}

/// A part of a list of products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProductPage {
    /// The products from the offset on, as many as the limit allows.
    pub products: Vec<ProductRecord>,
    /// How many products the whole list has.
    pub count: u32,
}

/// Fields in which the answer differs from what was sent; an absent field differs.
pub fn echo_differs(sent: &ProductUpsert, product: &Product) -> Vec<Field> {
    let differs = |found: &Option<String>, sent: &str| found.as_deref() != Some(sent);
    let reference = product.reference_id != sent.reference_id;
    fields_where([
        (Field::ProductReferenceId, reference),
        (Field::Title, differs(&product.title, &sent.title)),
        (Field::Price, product.price.known() != Some(sent.price)),
        (
            Field::ImageUrl,
            differs(&product.image_url, &sent.image_url),
        ),
        (Field::Category, differs(&product.category, &sent.category)),
    ])
}
