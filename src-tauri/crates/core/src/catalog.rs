//! The desk's own list of products, since the interface has none. Part 4.3.
//!
//! Owns what was last known of a product and when. An upsert overwrites everything and there is
//! no read, so what is shown before it is sent is all the protection there is.

use std::sync::Arc;

use crate::context::Context;
use warranty_api::ProductReference;

use warranty_model::products::{KnownFrom, ProductHint, ProductRecord};

use crate::Error;
use crate::profile::Profile;

/// Most products one search returns.
const MOST_FOUND: u32 = 100_000;

/// Products known here, and what is remembered of them.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) context: Arc<Context>,
}

impl Catalog {
    /// Products known here whose reference, title, category or brand contains every word of the
    /// text, by reference. No word finds all.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn search(&self, text: &str, limit: u32) -> Result<Vec<ProductRecord>, Error> {
        let profile = self.context.profile_now().await?;
        let limit = limit.min(MOST_FOUND);
        let store = &self.context.store;
        Ok(store.search_products(&profile.id, text, "", limit).await?)
    }

    /// What was last known of a product.
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

    /// Remembers products that were not read from the service and returns how many were not known
    /// before. Known fields are never blanked, and a reference or the practice catalogue never
    /// replaces what the service said.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::InUse`] on a desk opened to read; [`Error::Store`] when they
    /// cannot be kept: then none is.
    pub async fn remember(&self, hints: Vec<ProductHint>, from: KnownFrom) -> Result<u32, Error> {
        self.context.writable()?;
        let profile = self.context.profile_now().await?;
        self.keep(&profile, hints, from).await
    }

    /// Takes over what an answer of the service said of products. What cannot be remembered is no
    /// failure of the call that was answered.
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
