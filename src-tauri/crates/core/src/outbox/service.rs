//! The service as the outbox sees it: two calls, and the way to them.
//!
//! Owns the seam at which another service than the network's can be put in.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use warranty_api::{Answer, Client, Contract, ContractId, Error as ApiError, IdempotencyKey};

use crate::profile::Profile;
use crate::{Desk, Error};

/// What the outbox asks of a service. Parts 4.1 and 4.2.
pub(crate) trait ContractsService: Send + Sync + std::fmt::Debug {
    /// Sends a frozen body with its key, once.
    fn create_contracts(
        &self,
        body: Vec<u8>,
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
        body: Vec<u8>,
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
pub(crate) struct Counterpart {
    /// The service.
    pub service: Arc<dyn ContractsService>,
    /// Its address as frozen with batches; the word `practice` for the practice service.
    pub base_url: String,
    /// Which token it is asked with.
    pub token_fingerprint: String,
}

/// How a profile's service is found.
pub(crate) trait Reach: Send + Sync + std::fmt::Debug {
    /// The service; `None` while no token is set.
    fn reach<'a>(
        &'a self,
        desk: &'a Desk,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Counterpart>, Error>>;
}

/// The service at the profile's address.
#[derive(Debug)]
pub(crate) struct Network;

impl Reach for Network {
    fn reach<'a>(
        &'a self,
        desk: &'a Desk,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Counterpart>, Error>> {
        async move {
            let (client, fingerprint) = desk.client_for(profile).await?;
            Ok(fingerprint.map(|fingerprint| Counterpart {
                service: Arc::new(client),
                base_url: profile.base_url.clone(),
                token_fingerprint: fingerprint.as_str().to_owned(),
            }))
        }
        .boxed()
    }
}
