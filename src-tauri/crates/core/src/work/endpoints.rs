//! The service as the outbox sees it: two calls and where they go.
//!
//! Owns the seam at which a test puts another service in, and how long a token that was read is used
//! without asking the keychain again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use warranty_api::{Answer, Client, Contract, ContractId, Error as ApiError, IdempotencyKey};
use warranty_model::profile::Profile;
use zeroize::Zeroizing;

/// What the outbox asks of a service. Parts 4.1 and 4.2.
pub(crate) trait ContractsService: Send + Sync + std::fmt::Debug {
    /// Sends a frozen body with its key, once.
    fn create_contracts(
        &self,
        body: Zeroizing<Vec<u8>>,
        key: IdempotencyKey,
    ) -> BoxFuture<'_, Result<Answer<Vec<Contract>>, ApiError>>;
    /// Reads one contract.
    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>>;
}

impl ContractsService for Client {
    fn create_contracts(
        &self,
        body: Zeroizing<Vec<u8>>,
        key: IdempotencyKey,
    ) -> BoxFuture<'_, Result<Answer<Vec<Contract>>, ApiError>> {
        Self::create_contracts(self, body, key).boxed()
    }

    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>> {
        Self::get_contract(self, id).boxed()
    }
}

/// A service with the address and the token it is reached by.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    /// The service.
    pub service: Arc<dyn ContractsService>,
    /// Its address as frozen with batches; the word `practice` for the practice service.
    pub base_url: String,
    /// Which token it is asked with.
    pub token_fingerprint: String,
}

/// How long a service that was found is believed to be found the same way.
const BELIEVED: Duration = Duration::from_secs(2);

/// The services that were found a moment ago. Asking the keychain takes as long as a whole answer
/// of a near service, so a long queue asks once for many requests; nothing is kept once there is
/// nothing to be done, nor beyond a change of a token.
#[derive(Debug, Default)]
pub(crate) struct KnownEndpoints(HashMap<String, (Duration, Endpoint)>);

impl KnownEndpoints {
    /// The service of a profile, when it was found a moment ago.
    pub fn to(&self, profile: &Profile, now: Duration) -> Option<Endpoint> {
        let (since, known) = self.0.get(&profile.id)?;
        let fresh = now.saturating_sub(*since) < BELIEVED;
        (fresh && known.base_url == profile.base_url).then(|| known.clone())
    }

    /// Keeps what was found.
    pub fn keep(&mut self, profile: &Profile, found: Endpoint, now: Duration) {
        self.0.insert(profile.id.clone(), (now, found));
    }

    /// Lets go what was found for a profile.
    pub fn forget(&mut self, profile_id: &str) {
        self.0.remove(profile_id);
    }

    /// Lets go what was found for all.
    pub fn forget_all(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use warranty_store::test_fixtures::profile;

    #[derive(Debug)]
    struct Silent;

    impl ContractsService for Silent {
        fn create_contracts(
            &self,
            _body: Zeroizing<Vec<u8>>,
            _key: IdempotencyKey,
        ) -> BoxFuture<'_, Result<Answer<Vec<Contract>>, ApiError>> {
            futures::future::pending().boxed()
        }

        fn get_contract<'a>(
            &'a self,
            _id: &'a ContractId,
        ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>> {
            futures::future::pending().boxed()
        }
    }

    #[test]
    fn a_service_is_believed_for_two_seconds_at_its_address_until_it_is_forgotten() {
        let at = Duration::from_secs;
        let profile = profile("a", "https://service.invalid");
        let found = Endpoint {
            service: Arc::new(Silent),
            base_url: profile.base_url.clone(),
            token_fingerprint: "fingerprint".to_owned(),
        };
        let mut ways = KnownEndpoints::default();
        assert!(ways.to(&profile, at(9)).is_none());
        ways.keep(&profile, found.clone(), at(9));
        assert!(ways.to(&profile, at(10)).is_some());
        assert!(ways.to(&profile, at(11)).is_none());
        let moved = Profile {
            base_url: "https://elsewhere.invalid".to_owned(),
            ..profile.clone()
        };
        assert!(ways.to(&moved, at(10)).is_none());
        ways.forget(&profile.id);
        assert!(ways.to(&profile, at(10)).is_none());
    }
}
