//! Plans: browsing, searching, refreshing and linking them. Parts 4.4, 4.5 and 4.6.
//!
//! Owns when plans are read from the cache and when from the service. Works without the cache.

mod link;
mod refresh;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::profile::{Profile, Profiles};
use warranty_api::{
    Client, Error as ApiError, Plan, PlanFilter, PlanId, PlanWithProduct, ProductReference,
    Timestamp, shown_host,
};
use warranty_runtime::context::Context;
use warranty_runtime::keyed_lock::KeyedLock;

use crate::search_text::words;
use crate::{Error, Operation, Result};
use warranty_model::contracts::validation::code;
use warranty_model::products::{KnownFrom, ProductHint};
pub(crate) use warranty_store::plans::PlanCache;
use warranty_store::plans::{CachedPlan, Listing};

pub(crate) use refresh::RefreshState;
pub(crate) use warranty_model::plans::page;
use warranty_model::plans::page_host;
pub use warranty_model::plans::{LinkReport, PlanList, PlanRecord, Source};

/// Browses, searches, refreshes and links plans.
#[derive(Debug, Clone)]
pub struct Plans {
    pub(crate) context: Arc<Context>,
    pub(crate) profiles: Profiles,
    pub(crate) catalog: Catalog,
    pub(crate) refresh: Arc<RefreshState>,
    pub(crate) locks: Arc<KeyedLock>,
}

impl Plans {
    /// The cached plans of a product; without any, an empty list without an age.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn cached(&self, product: &ProductReference, filter: PlanFilter) -> Result<PlanList> {
        let profile = self.context.profile_now().await?;
        let cache = &self.context.cache;
        let listing = cache.listing(&profile.id, product, filter).await;
        let known = self.known_product(&profile, product).await?;
        Ok(self.plan_list(known, filter, listing, Source::Cache))
    }

    /// Lists a product's plans at the service and caches the answer. A product with plans is added to
    /// the local list of products. Needs no token.
    ///
    /// # Errors
    /// [`Error::NoProfile`], [`Error::PracticeNotRunning`], [`Error::Service`];
    /// [`Error::ProfileMoved`] when the profile has another store by the time of the answer.
    pub async fn refresh(
        &self,
        product: &ProductReference,
        filter: PlanFilter,
    ) -> Result<PlanList> {
        let profile = self.context.profile_now().await?;
        self.refresh_for(&profile, product, filter).await
    }

    /// Finds cached plans by any text of the plan or its product, in both scripts. Every word must
    /// match; an empty text finds all, and has the others read for the searches that follow. At most
    /// `limit`, ordered by product and id.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn search(&self, text: &str, limit: u32) -> Result<Vec<PlanRecord>> {
        let profile = self.context.profile_now().await?;
        let cache = &self.context.cache;
        let found = cache.search(&profile.id, words(text), limit).await;
        if text.is_empty() {
            let context = Arc::clone(&self.context);
            tokio::spawn(async move { while context.cache.read_ahead(&profile.id).await {} });
        }
        Ok(found
            .into_iter()
            .map(|plan| self.record(plan, Source::Cache))
            .collect())
    }

    /// A plan by id from the cache.
    ///
    /// # Errors
    /// As [`Plans::search`].
    pub async fn cached_plan(&self, id: &PlanId) -> Result<Option<PlanRecord>> {
        let profile = self.context.profile_now().await?;
        let found = self.context.cache.plan(&profile.id, id).await;
        Ok(found.map(|plan| self.record(plan, Source::Cache)))
    }

    /// A plan by id from the service; it and its product are cached.
    ///
    /// # Errors
    /// [`Error::NoProfile`], [`Error::PracticeNotRunning`], [`Error::Vault`], [`Error::Service`].
    pub async fn open(&self, id: &PlanId) -> Result<PlanRecord> {
        let profile = self.context.profile_now().await?;
        let read = self.read(&profile, id).await?;
        let (product_reference, product) = match read.product {
            Some(product) => (Some(product.reference_id.clone()), Some(product)),
            // The answer need not name the product, which may be known from an earlier one.
            None => {
                let cached = self.context.cache.plan(&profile.id, id).await;
                cached.map_or((None, None), |plan| (plan.product_reference, plan.product))
            }
        };
        Ok(self.record(
            CachedPlan {
                product_reference,
                plan: read.plan,
                product,
                fetched_at: self.context.now(),
            },
            Source::Service,
        ))
    }

    /// As [`Plans::open`], for a given profile.
    pub(crate) async fn read(&self, profile: &Profile, id: &PlanId) -> Result<PlanWithProduct> {
        let (client, _) = self.profiles.client_for(profile).await?;
        let read = read_plan(&client, id).await;
        let read = read.map_err(Error::service(Operation::GetPlan))?;
        self.learn(profile, &read).await;
        Ok(read)
    }

    /// The https address of a plan's page, for the system browser. `host` is the
    /// [`PlanRecord::page_host`] that the person confirmed.
    ///
    /// # Errors
    /// [`Error::NoPage`] for anything but https with that host; as [`Plans::open`] for a plan
    /// that is not cached.
    pub async fn page(&self, id: &PlanId, host: &str) -> Result<String> {
        let record = match self.cached_plan(id).await? {
            Some(record) => record,
            None => self.open(id).await?,
        };
        let address = record.plan.url.as_deref();
        let page = address.and_then(page);
        let page = page.filter(|page| shown_host(page) == host);
        page.map(String::from).ok_or(Error::NoPage)
    }

    /// Cached plans that have a store reference.
    ///
    /// # Errors
    /// As [`Plans::search`].
    pub async fn store_reference_used_by(&self, store_reference_id: &str) -> Result<Vec<PlanId>> {
        let profile = self.context.profile_now().await?;
        Ok(self.used_by(&profile, store_reference_id).await)
    }

    /// Cached plans that have a store reference, which is compared as it would be written.
    pub(crate) async fn used_by(&self, profile: &Profile, reference: &str) -> Vec<PlanId> {
        let plain = code(reference).unwrap_or(Cow::Borrowed(reference.trim()));
        self.context.cache.used_by(&profile.id, &plain).await
    }

    /// Caches a plan that was read by id, and its product. A failure is not reported, because the
    /// read itself succeeded.
    pub(crate) async fn learn(&self, profile: &Profile, read: &PlanWithProduct) {
        if self.context.read_only || self.profiles.expect_unmoved(profile).await.is_err() {
            return;
        }
        let at = self.context.clock.now().timestamp_millis();
        let cache = &self.context.cache;
        cache.keep_plan(&profile.id, read.clone(), at).await;
        if let Some(product) = &read.product {
            let hint = ProductHint {
                title: product.title.clone(),
                price: product.price.known(),
                image_url: product.image_url.clone(),
                ..ProductHint::of_reference(product.reference_id.clone())
            };
            let (hints, from) = (vec![hint], KnownFrom::Plan);
            self.catalog.learn(profile, hints, from).await;
        }
    }

    pub(crate) async fn refresh_for(
        &self,
        profile: &Profile,
        product: &ProductReference,
        filter: PlanFilter,
    ) -> Result<PlanList> {
        let client = self.profiles.client_without_token(profile)?;
        let store = self.profiles.store_of(profile)?;
        let plans = client.list_plans(product, &store, Some(filter)).await;
        let plans = plans.map_err(Error::service(Operation::ListPlans))?.value;
        let plans = first_of_each_id(plans);
        let known = self.known_product(profile, product).await?;
        self.profiles.expect_unmoved(profile).await?;
        if !self.context.read_only {
            let at = self.context.clock.now().timestamp_millis();
            let cache = &self.context.cache;
            cache
                .keep_listing(&profile.id, known.clone(), filter, plans.clone(), at)
                .await;
            if !plans.is_empty() {
                let (hints, from) = (vec![known.clone()], KnownFrom::Reference);
                self.catalog.learn(profile, hints, from).await;
            }
        }
        let listing = Listing {
            plans,
            fetched_at: self.context.now(),
        };
        Ok(self.plan_list(known, filter, Some(listing), Source::Service))
    }

    /// The local data of a product; at least its reference.
    async fn known_product(
        &self,
        profile: &Profile,
        reference: &ProductReference,
    ) -> Result<ProductHint> {
        let known = self.context.store.product(&profile.id, reference).await?;
        let known = known.map(|record| record.product);
        Ok(known.unwrap_or_else(|| ProductHint::of_reference(reference.clone())))
    }

    fn plan_list(
        &self,
        product: ProductHint,
        filter: PlanFilter,
        listing: Option<Listing>,
        source: Source,
    ) -> PlanList {
        let listing = listing.map(|listing| (listing.plans, Some(listing.fetched_at)));
        let (plans, fetched_at) = listing.unwrap_or_default();
        PlanList {
            product_reference: product.reference_id,
            product_title: product.title,
            product_price: product.price,
            filter,
            plans,
            fetched_at,
            age_seconds: fetched_at.and_then(|at| self.age_in_seconds(at)),
            source,
        }
    }

    fn record(&self, cached: CachedPlan, source: Source) -> PlanRecord {
        PlanRecord {
            page_host: page_host(cached.plan.url.as_deref()),
            age_seconds: self.age_in_seconds(cached.fetched_at),
            plan: cached.plan,
            product_reference: cached.product_reference,
            product: cached.product,
            fetched_at: cached.fetched_at,
            source,
        }
    }

    /// Whole seconds since a time; `None` when it is still to come, because the clock was set back.
    fn age_in_seconds(&self, at: Timestamp) -> Option<u32> {
        let seconds = (self.context.clock.now() - at.get().to_utc()).num_seconds();
        let seconds = u64::try_from(seconds).ok()?;
        Some(u32::try_from(seconds).unwrap_or(u32::MAX))
    }
}

/// Reads a plan by id. An answer about another plan is none.
async fn read_plan(client: &Client, id: &PlanId) -> Result<PlanWithProduct, ApiError> {
    let answer = client.get_plan(id).await?;
    answer.about(|read| read.plan.id == *id)
}

/// The plans of a listing, each once: they are offered and kept by their ids.
fn first_of_each_id(mut plans: Vec<Plan>) -> Vec<Plan> {
    let listed = plans.len();
    let mut seen = HashSet::new();
    plans.retain(|plan| seen.insert(plan.id.clone()));
    if plans.len() < listed {
        tracing::warn!(listed, kept = plans.len(), "a listing names a plan twice");
    }
    plans
}
