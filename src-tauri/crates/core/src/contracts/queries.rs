//! Looks contracts up: entries made here, and contracts at the service. Part 4.2.

use warranty_api::{Contract, ContractId, ContractProduct, bounded};

use super::{Contracts, RecentLookup, SubmissionView};
use crate::products::{KnownFrom, ProductHint};
use crate::profile::Profile;
use crate::{Error, Operation, Result};

impl Contracts {
    /// One entered contract.
    ///
    /// # Errors
    /// [`Error::NotKnown`] when no entry has this id; [`Error::Store`].
    pub async fn submission(&self, id: &str) -> Result<SubmissionView> {
        let known = self.known_submission(id).await?;
        known.ok_or_else(|| Error::NotKnown(id.to_owned()))
    }

    pub(super) async fn known_submission(&self, id: &str) -> Result<Option<SubmissionView>> {
        let kept = self.context.store.submission(id).await?;
        Ok(self.shown(kept.into_iter().collect()).await?.pop())
    }

    /// Looks a contract up at the service and stores it as a recent lookup.
    ///
    /// # Errors
    /// [`Error::Service`] with the service's message when it does not find it; a contract just
    /// created may not be visible yet. [`Error::NoProfile`]; [`Error::Vault`];
    /// [`Error::PracticeNotRunning`].
    pub async fn look_up(&self, id: &ContractId) -> Result<Contract> {
        let profile = self.context.profile_now().await?;
        let (client, _) = self.profiles.client_for(&profile).await?;
        let found = client.get_contract(id).await;
        let contract = found
            .and_then(|answer| answer.about(|contract| contract.id == *id))
            .map_err(Error::service(Operation::GetContract))?;
        self.remember_lookup(&profile, &contract).await;
        let (hints, from) = (vec![product_hint(&contract.product)], KnownFrom::Contract);
        self.catalog.learn(&profile, hints, from).await;
        Ok(contract)
    }

    /// Recent lookups under the chosen profile, newest first.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn recent_lookups(&self) -> Result<Vec<RecentLookup>> {
        let profile = self.context.profile_now().await?;
        Ok(self.context.store.recent_lookups(&profile.id).await?)
    }

    /// A failure is only logged: the lookup itself succeeded.
    async fn remember_lookup(&self, profile: &Profile, contract: &Contract) {
        if self.context.read_only {
            return;
        }
        let lookup = RecentLookup {
            contract_id: contract.id.clone(),
            at: self.context.now(),
            transaction_id: bounded(&contract.transaction_id),
            product_title: contract.product.title.as_deref().map(bounded),
            status: contract.status.shown(),
        };
        let store = &self.context.store;
        if let Err(error) = store.remember_lookup(&profile.id, lookup).await {
            tracing::warn!(%error, "a lookup could not be remembered");
        }
    }
}

/// Product data of a contract, as stored with a lookup.
pub(crate) fn product_hint(product: &ContractProduct) -> ProductHint {
    ProductHint {
        reference_id: product.reference_id.clone(),
        title: product.title.clone(),
        price: product.price.known(),
        image_url: product.image_url.clone(),
        category: product.category.clone(),
        brand: product.brand.clone(),
    }
}
