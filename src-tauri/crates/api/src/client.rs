//! The seven operations as calls.

use thiserror::Error as ThisError;

use crate::{
    Answer, BaseUrl, Contract, ContractId, Error, IdempotencyKey, Lead, LeadRequest, Plan,
    PlanFilter, PlanId, PlanUpdate, PlanWithProduct, Product, ProductReference, ProductUpsert,
    StoreId, Timeouts, Token,
};

/// A client of one service with one token. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {}

/// The HTTP machinery of this machine could not be set up.
#[derive(Debug, ThisError)]
#[error("the network stack could not be set up: {0}")]
pub struct ClientError(#[from] reqwest::Error);

#[allow(clippy::todo, unused_variables)]
impl Client {
    /// Prepares a client; nothing is sent.
    ///
    /// # Errors
    /// [`ClientError`] when the machine's TLS or proxy settings cannot be read.
    pub fn new(
        base_url: BaseUrl,
        token: Option<Token>,
        timeouts: Timeouts,
    ) -> Result<Self, ClientError> {
        todo!()
    }
    /// Part 4.1. `body` is the frozen JSON of a [`crate::ContractBatch`], sent byte for byte.
    pub async fn create_contracts(
        &self,
        body: Vec<u8>,
        key: IdempotencyKey,
    ) -> Result<Answer<Vec<Contract>>, Error> {
        todo!()
    }
    /// Part 4.2.
    pub async fn get_contract(&self, id: &ContractId) -> Result<Answer<Contract>, Error> {
        todo!()
    }
    /// Part 4.3.
    pub async fn upsert_product(&self, product: &ProductUpsert) -> Result<Answer<Product>, Error> {
        todo!()
    }
    /// Part 4.4.
    pub async fn update_plan(
        &self,
        id: &PlanId,
        update: &PlanUpdate,
    ) -> Result<Answer<Plan>, Error> {
        todo!()
    }
    /// Part 4.5; no token is sent.
    pub async fn list_plans(
        &self,
        product: &ProductReference,
        store: &StoreId,
        filter: Option<PlanFilter>,
    ) -> Result<Answer<Vec<Plan>>, Error> {
        todo!()
    }
    /// Part 4.6.
    pub async fn get_plan(&self, id: &PlanId) -> Result<Answer<PlanWithProduct>, Error> {
        todo!()
    }
    /// Part 4.7.
    pub async fn create_lead(&self, lead: &LeadRequest) -> Result<Answer<Lead>, Error> {
        todo!()
    }
}
