//! Asks a service that failed for something harmless before anything new is sold.
//!
//! Owns that request. When it is made and what its end means is decided in `model`.

use warranty_api::{ContractId, ProductReference};

use super::Outbox;
use super::circuit_breaker::TaskOutcome;
use super::recovery::{self, ProbeKind, Probed};
use crate::profile::Profile;
use crate::{Error, Result};

impl Outbox {
    /// Reads the plans of a product or a contract. Nothing is changed at the service.
    pub(super) async fn probe_service(&self, profile: &Profile) -> Result<TaskOutcome> {
        let askable = self.context.store.askable(&profile.id).await?;
        let product = askable.product.as_deref();
        let product = product.and_then(|product| ProductReference::new(product).ok());
        let Some(endpoint) = self.endpoint(profile).await else {
            return Ok(TaskOutcome::Unavailable);
        };
        let kind = self.context.work.breaker(&profile.id).recovery.probe_kind();
        let service = &endpoint.service;
        let result = match product.filter(|_| kind == ProbeKind::Plans) {
            Some(product) => service.probe_plans(&product, &endpoint.store_id).await,
            None => {
                // That a contract does not exist is an answer too.
                let nothing = || format!("connection-test-{}", self.context.ids.uuid());
                let id = askable.contract.unwrap_or_else(nothing);
                let id = ContractId::new(&id).map_err(|_| Error::NotKnown(id.clone()))?;
                service.get_contract(&id).await.map(drop)
            }
        };
        if let Err(error) = &result {
            self.context.keep_rate_limit(&profile.id, error, 1);
        }
        Ok(match recovery::probed(result.as_ref().copied()) {
            Probed::Answered => TaskOutcome::Answered,
            Probed::Failed => {
                self.service_failed(&profile.id);
                TaskOutcome::Failed
            }
            Probed::Unreachable => TaskOutcome::Offline(self.reconnect_wait(&profile.id)),
            Probed::NotAsked => TaskOutcome::Unavailable,
        })
    }

    /// Records that a sale, a lookup or a probe failed, before anything that depends on it is stored.
    pub(super) fn service_failed(&self, profile_id: &str) {
        let (now, fraction) = (self.context.clock.monotonic(), self.context.ids.fraction());
        if self.context.work.service_failed(profile_id, now, fraction) {
            self.overviews.notify_later(profile_id);
        }
    }
}
