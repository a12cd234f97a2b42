//! The local list of known products. Part 4.3.
//!
//! Owns what was last known of a product and when. The interface cannot list or read products and
//! an upsert overwrites all fields, so the user compares an upsert with this list.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use warranty_api::ProductReference;
use warranty_runtime::context::Context;
use warranty_runtime::work::lock;

use warranty_model::products::{KnownFrom, ProductFilter, ProductHint, ProductPage, ProductRecord};
use warranty_model::profile::ServiceStore;

use crate::Result;
use crate::profile::Profile;

/// Most products that contracts named to remember.
const MAX_REMEMBERED: usize = 1_000;

/// Searches and updates the local list of products.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) context: Arc<Context>,
    /// What contracts said of products, by the profile and its store.
    pub(crate) sold: Arc<Mutex<HashSet<(String, ServiceStore, ProductHint)>>>,
}

impl Catalog {
    /// A part of the list of known products: those whose reference, title, category or brand contains
    /// every word of the filter's text. An empty text finds all.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn list(&self, filter: ProductFilter) -> Result<ProductPage> {
        let profile = self.context.profile_now().await?;
        let store = &self.context.store;
        Ok(store.list_products(&profile.id, filter).await?)
    }

    /// A known product, as last read or sent.
    ///
    /// # Errors
    /// As [`Catalog::list`].
    pub async fn product(&self, reference: &ProductReference) -> Result<Option<ProductRecord>> {
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
    pub async fn remember(&self, hints: Vec<ProductHint>, from: KnownFrom) -> Result<u32> {
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
        let mut hints: Vec<_> = hints.into_iter().map(ProductHint::bounded).collect();
        if from == KnownFrom::Contract {
            // The same words of a contract add nothing a second time, and a long queue is answered with
            // the same products many times a second.
            let mut sold = lock(&self.sold);
            if sold.len() >= MAX_REMEMBERED {
                sold.clear();
            }
            hints.retain(|hint| sold.insert((profile.id.clone(), profile.store(), hint.clone())));
        }
        if hints.is_empty() {
            return;
        }
        if let Err(error) = self.keep(profile, hints, from).await {
            lock(&self.sold).clear();
            tracing::warn!(%error, "products could not be remembered");
        }
    }

    pub(crate) async fn keep(
        &self,
        profile: &Profile,
        hints: Vec<ProductHint>,
        from: KnownFrom,
    ) -> Result<u32> {
        let at = self.context.clock.now().timestamp_millis();
        let store = &self.context.store;
        Ok(store
            .remember_products(&profile.id, hints, from, at)
            .await?)
    }
}
