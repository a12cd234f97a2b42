//! Asks a service that failed for something harmless before anything new is sold.
//!
//! Owns that request. When it is made and what its end means is decided in `model`.

use warranty_api::{ContractId, ProductReference};

use super::Outbox;
use super::circuit_breaker::TaskOutcome;
use super::recovery::{self, ProbeKind, Probed};
use crate::Result;
use crate::profile::Profile;

impl Outbox {
    /// Reads the plans of a product or a contract. Nothing is changed at the service.
    pub(super) async fn probe_service(&self, profile: &Profile) -> Result<TaskOutcome> {
        let askable = self.context.store.askable(&profile.id).await?;
        let contract = askable.contract.and_then(|id| ContractId::new(&id).ok());
        let product = askable.product.as_deref();
        let product = product.and_then(|product| ProductReference::new(product).ok());
        let Some(endpoint) = self.endpoint(profile).await else {
            return Ok(TaskOutcome::Unavailable);
        };
        let kind = self.context.work.breaker(&profile.id).recovery.probe_kind();
        let service = &endpoint.service;
        let work = &self.context.work;
        let only_doubt = || work.change(&profile.id, |breaker| breaker.recovery.no_way_to_ask());
        let result = match (kind, contract, product) {
            (_, None, _) if only_doubt() => return Ok(TaskOutcome::Nothing),
            (ProbeKind::Contract, Some(id), _) | (ProbeKind::Plans, Some(id), None) => {
                service.get_contract(&id).await.map(drop)
            }
            (ProbeKind::Plans | ProbeKind::Contract, _, Some(product)) => {
                service.probe_plans(&product, &endpoint.store_id).await
            }
            // There is nothing to ask for: it stays silent.
            (ProbeKind::Plans | ProbeKind::Contract, None, None) => {
                self.service_failed(&profile.id);
                return Ok(TaskOutcome::Failed);
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
