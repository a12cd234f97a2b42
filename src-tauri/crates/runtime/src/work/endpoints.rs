//! The calls of the service that the outbox uses, and a cache of resolved endpoints.
//!
//! Owns the trait that tests implement, and how long a token is reused before the keychain is read
//! again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use uuid::Uuid;
use warranty_api::{
    Answer, BulkContracts, Client, Contract, ContractId, Error as ApiError, ProductReference,
    StoreId,
};
use warranty_model::profile::Profile;
use zeroize::Zeroizing;

/// The calls that the outbox makes. Parts 4.1, 4.2 and 4.5.
pub trait ContractsService: Send + Sync + std::fmt::Debug {
    /// Sends a frozen body with its idempotency key, once.
    fn create_contracts(
        &self,
        body: Zeroizing<Vec<u8>>,
        key: Uuid,
    ) -> BoxFuture<'_, Result<Answer<BulkContracts>, ApiError>>;
    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>>;
    /// Lists the plans of a product, without the token, only to see whether the service answers.
    fn probe_plans<'a>(
        &'a self,
        product: &'a ProductReference,
        store: &'a StoreId,
    ) -> BoxFuture<'a, Result<(), ApiError>>;
}

impl ContractsService for Client {
    fn create_contracts(
        &self,
        body: Zeroizing<Vec<u8>>,
        key: Uuid,
    ) -> BoxFuture<'_, Result<Answer<BulkContracts>, ApiError>> {
        Self::create_contracts(self, body, key).boxed()
    }

    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>> {
        Self::get_contract(self, id).boxed()
    }

    fn probe_plans<'a>(
        &'a self,
        product: &'a ProductReference,
        store: &'a StoreId,
    ) -> BoxFuture<'a, Result<(), ApiError>> {
        async move { self.list_plans(product, store, None).await.map(drop) }.boxed()
    }
}

/// A service with its address and token.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub service: Arc<dyn ContractsService>,
    pub store_id: StoreId,
    /// Its address as stored with batches; `practice` for the practice service.
    pub base_url: String,
    /// Identifies the token without revealing it.
    pub token_fingerprint: String,
}

/// How long a resolved endpoint is reused.
const CACHED_FOR: Duration = Duration::from_secs(2);

/// Recently resolved endpoints by profile id. Reading the keychain takes as long as a request to a
/// nearby service, so a long queue reads it once for many requests. The cache is cleared when no
/// task runs and when a token changes.
#[derive(Debug, Default)]
pub struct EndpointCache(HashMap<String, (Duration, Endpoint)>);

impl EndpointCache {
    /// The endpoint of a profile, unless it expired or the address of the profile changed.
    pub fn get(&self, profile: &Profile, now: Duration) -> Option<Endpoint> {
        let (since, known) = self.0.get(&profile.id)?;
        let fresh = now.saturating_sub(*since) < CACHED_FOR;
        (fresh && known.base_url == profile.base_url).then(|| known.clone())
    }

    pub fn insert(&mut self, profile: &Profile, endpoint: Endpoint, now: Duration) {
        self.0.insert(profile.id.clone(), (now, endpoint));
    }

    pub fn remove(&mut self, profile_id: &str) {
        self.0.remove(profile_id);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warranty_api::{BaseUrl, NetworkSettings, Timeouts};
    use warranty_store::test_fixtures::profile;

    #[test]
    fn a_service_is_believed_for_two_seconds_at_its_address_until_it_is_forgotten() {
        let at = Duration::from_secs;
        let profile = profile("a", "https://service.invalid");
        let address = BaseUrl::parse(&profile.base_url).unwrap();
        let (timeouts, network) = (Timeouts::default(), NetworkSettings::default());
        let client = Client::new(address, None, timeouts, &network).unwrap();
        let found = Endpoint {
            service: Arc::new(client),
            store_id: StoreId::new("store").unwrap(),
            base_url: profile.base_url.clone(),
            token_fingerprint: "fingerprint".to_owned(),
        };
        let mut cache = EndpointCache::default();
        assert!(cache.get(&profile, at(9)).is_none());
        cache.insert(&profile, found.clone(), at(9));
        assert!(cache.get(&profile, at(10)).is_some());
        assert!(cache.get(&profile, at(11)).is_none());
        let moved = Profile {
            base_url: "https://elsewhere.invalid".to_owned(),
            ..profile.clone()
        };
        assert!(cache.get(&moved, at(10)).is_none());
        cache.remove(&profile.id);
        assert!(cache.get(&profile, at(10)).is_none());
    }
}
