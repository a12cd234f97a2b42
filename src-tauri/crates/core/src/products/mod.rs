//! Products: the desk's own list, since the interface has none, and the upsert. Part 4.3.
//!
//! Owns what was last known of a product and when. An upsert overwrites everything and there is
//! no read, so what is shown before it is sent is all the protection there is.

mod put;
pub(crate) mod rules;

use serde::{Deserialize, Serialize};
use warranty_api::{Amount, Product, ProductReference, Timestamp};

use crate::profile::Profile;
use crate::store::products;
use crate::{Desk, Error, Field};

/// Most products one search returns.
const MOST_FOUND: u32 = 100_000;

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

impl Desk {
    /// Products known here whose reference, title, category or brand contains every word of the
    /// text, by reference. No word finds all.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn products(&self, text: &str, limit: u32) -> Result<Vec<ProductRecord>, Error> {
        let profile = self.profile_now().await?;
        let text = text.to_owned();
        Ok(self
            .inner
            .store
            .call(move |connection| {
                products::search(connection, &profile.id, &text, "", limit.min(MOST_FOUND))
            })
            .await?)
    }

    /// What was last known of a product.
    ///
    /// # Errors
    /// As [`Desk::products`].
    pub async fn product_last_known(
        &self,
        reference: &ProductReference,
    ) -> Result<Option<ProductRecord>, Error> {
        let profile = self.profile_now().await?;
        let reference = reference.clone();
        Ok(self
            .inner
            .store
            .call(move |connection| products::one(connection, &profile.id, &reference))
            .await?)
    }

    /// Remembers products that were not read from the service and returns how many were not known
    /// before. Known fields are never blanked, and a reference or the practice catalogue never
    /// replaces what the service said.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::InUse`] on a desk opened to read; [`Error::Store`] when they
    /// cannot be kept: then none is.
    pub async fn products_remember(
        &self,
        hints: Vec<ProductHint>,
        from: KnownFrom,
    ) -> Result<u32, Error> {
        self.writable()?;
        let profile = self.profile_now().await?;
        self.remember(&profile, hints, from).await
    }

    /// Takes over what an answer of the service said of products. What cannot be remembered is no
    /// failure of the call that was answered.
    pub(crate) async fn learn_products(
        &self,
        profile: &Profile,
        hints: Vec<ProductHint>,
        from: KnownFrom,
    ) {
        if self.inner.read_only {
            return;
        }
        if let Err(error) = self.remember(profile, hints, from).await {
            tracing::warn!(%error, "products could not be remembered");
        }
    }

    pub(crate) async fn remember(
        &self,
        profile: &Profile,
        hints: Vec<ProductHint>,
        from: KnownFrom,
    ) -> Result<u32, Error> {
        let at = self.inner.clock.now().timestamp_millis();
        let (profile_id, heard) = (profile.id.clone(), hints.clone());
        let store = &self.inner.store;
        // Reading costs next to nothing, and a change waits for the disk.
        let news = store
            .call(move |connection| products::news(connection, &profile_id, heard, from, at))
            .await?;
        let new = if news.is_empty() {
            0
        } else {
            let profile_id = profile.id.clone();
            store
                .write(move |transaction| {
                    products::remember(transaction, &profile_id, &news, from, at)
                })
                .await?
        };
        let replaces = from.is_service();
        self.inner
            .cache
            .learn_products(&profile.id, hints, replaces)
            .await;
        Ok(new)
    }
}

impl KnownFrom {
    /// Whether the service itself said it.
    pub(crate) fn is_service(self) -> bool {
        match self {
            Self::Upsert | Self::Plan | Self::Contract => true,
            Self::Reference | Self::Practice => false,
        }
    }
}
