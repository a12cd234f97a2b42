//! The local list of known products. Part 4.3.
//!
//! Owns what was last known of a product and when. The interface cannot list or read products and
//! an upsert overwrites all fields, so the user compares an upsert with this list.

use std::sync::Arc;

use warranty_api::ProductReference;
use warranty_runtime::context::Context;

use warranty_model::products::{KnownFrom, ProductFilter, ProductHint, ProductPage, ProductRecord};

use crate::Error;
use crate::profile::Profile;

/// Maximum number of products that a search returns.
const MAX_FOUND: u32 = 100_000;

/// Searches and updates the local list of products.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) context: Arc<Context>,
}

impl Catalog {
    /// Known products whose reference, title, category or brand contains every word of the text,
    /// ordered by reference. An empty text finds all.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn search(&self, text: &str, limit: u32) -> Result<Vec<ProductRecord>, Error> {
        let profile = self.context.profile_now().await?;
        let limit = limit.min(MAX_FOUND);
        let store = &self.context.store;
        Ok(store.search_products(&profile.id, text, "", limit).await?)
    }

    /// A part of the list of known products.
    ///
    /// # Errors
    /// As [`Catalog::search`].
    pub async fn list(&self, mut filter: ProductFilter) -> Result<ProductPage, Error> {
        let profile = self.context.profile_now().await?;
        filter.limit = filter.limit.min(MAX_FOUND);
        Ok(self
            .context
            .store
            .list_products(&profile.id, filter)
            .await?)
    }

    /// A known product, as last read or sent.
    ///
    /// # Errors
    /// As [`Catalog::search`].
    pub async fn product(
        &self,
        reference: &ProductReference,
    ) -> Result<Option<ProductRecord>, Error> {
        let profile = self.context.profile_now().await?;
        Ok(self.context.store.product(&profile.id, reference).await?)
    }

    /// Stores products that were not read from the service and returns how many of them are new.
    /// Known fields are never cleared, and a reference or the practice catalogue never replaces
    /// values from the service.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::InUse`] on a read-only desk; [`Error::Store`], and then none
    /// is stored.
    pub async fn remember(&self, hints: Vec<ProductHint>, from: KnownFrom) -> Result<u32, Error> {
        self.context.writable()?;
        let profile = self.context.profile_now().await?;
        self.keep(&profile, hints, from).await
    }

    /// Stores products from an answer of the service. A failure is only logged, because the call
    /// itself succeeded.
    pub(crate) async fn learn(&self, profile: &Profile, hints: Vec<ProductHint>, from: KnownFrom) {
        if self.context.read_only {
            return;
        }
        if let Err(error) = self.keep(profile, hints, from).await {
            tracing::warn!(%error, "products could not be remembered");
        }
    }

    pub(crate) async fn keep(
        &self,
        profile: &Profile,
        hints: Vec<ProductHint>,
        from: KnownFrom,
    ) -> Result<u32, Error> {
        let at = self.context.clock.now().timestamp_millis();
        let new = self
            .context
            .store
            .remember_products(&profile.id, hints.clone(), from, at)
            .await?;
        let replaces = from.is_service();
        self.context
            .cache
            .learn_products(&profile.id, hints, replaces)
            .await;
        Ok(new)
    }
}
