//! The local list of known products. Part 4.3.
//!
//! Owns what was last known of a product and when. The interface cannot list or read products and
//! an upsert overwrites all fields, so the user compares an upsert with this list.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use warranty_api::ProductReference;
use warranty_runtime::context::Context;
use warranty_runtime::work::lock;

use warranty_model::products::{KnownFrom, ProductFilter, ProductHint, ProductPage, ProductRecord};

use crate::Result;
use crate::profile::Profile;

/// How long the same words of the service about a product are ignored: a long queue is answered with
/// the same product many times a second.
const SAME_WORDS: Duration = Duration::from_secs(60);
const MAX_REMEMBERED: usize = 1_000;
const MAX_FOUND: u32 = 100_000;

/// Searches and updates the local list of products.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) context: Arc<Context>,
    pub(crate) last_words: Arc<Mutex<LastWords>>,
}

/// What the service last said of products, by profile and reference, in which kind of answer, and since
/// when.
#[derive(Debug, Default)]
pub(crate) struct LastWords {
    since: Duration,
    said: HashMap<(String, ProductReference), (ProductHint, KnownFrom)>,
}

impl LastWords {
    /// Whether a hint says something else than the last one of its product, or nothing was said lately.
    fn is_news(
        &mut self,
        profile_id: &str,
        hint: &ProductHint,
        from: KnownFrom,
        now: Duration,
    ) -> bool {
        if now.saturating_sub(self.since) >= SAME_WORDS || self.said.len() >= MAX_REMEMBERED {
            self.said.clear();
            self.since = now;
        }
        let product = (profile_id.to_owned(), hint.reference_id.clone());
        let said = (hint.clone(), from);
        self.said.insert(product, said.clone()).as_ref() != Some(&said)
    }
}

impl Catalog {
    /// A part of the list of known products: those whose reference, title, category or brand contains
    /// every word of the filter's text. An empty text finds all.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn list(&self, mut filter: ProductFilter) -> Result<ProductPage> {
        let profile = self.context.profile_now().await?;
        filter.limit = filter.limit.min(MAX_FOUND);
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
    pub(crate) async fn learn(
        &self,
        profile: &Profile,
        mut hints: Vec<ProductHint>,
        from: KnownFrom,
    ) {
        let now = self.context.clock.monotonic();
        hints.retain(|hint| lock(&self.last_words).is_news(&profile.id, hint, from, now));
        if self.context.read_only || hints.is_empty() {
            return;
        }
        if let Err(error) = self.keep(profile, hints, from).await {
            lock(&self.last_words).said.clear();
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
        let (store, cache) = (&self.context.store, &self.context.cache);
        let references: Vec<_> = hints.iter().map(|hint| hint.reference_id.clone()).collect();
        let new = store.remember_products(&profile.id, hints, from, at);
        let new = new.await?;
        // The cache follows what the list has now: a hint may be older than that.
        let mut known = Vec::new();
        for reference in references {
            known.extend(store.product(&profile.id, &reference).await?);
        }
        let known = known.into_iter().map(|record| record.product).collect();
        let replaces = from.is_service();
        cache.learn_products(&profile.id, known, replaces).await;
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_news_again_after_a_minute_and_other_words_at_once() {
        let hint = |title: &str| ProductHint {
            title: Some(title.to_owned()),
            ..ProductHint::of_reference(ProductReference::new("p").unwrap())
        };
        let mut words = LastWords::default();
        let mut at = |title, millis| {
            let now = Duration::from_millis(millis);
            words.is_news("profile", &hint(title), KnownFrom::Contract, now)
        };
        let heard = [
            ("a", 0),
            ("a", 1),
            ("b", 2),
            ("a", 3),
            ("a", 59_999),
            ("a", 60_000),
        ];
        let news = heard.map(|(title, millis)| at(title, millis));
        assert_eq!(news, [true, false, true, true, false, true]);
    }
}
