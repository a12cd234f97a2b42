//! Detects codes that lost their leading zeros in a spreadsheet.
//!
//! Owns the rule: the code is unknown, but the code with zeros in front is known here.

use super::entry_check::{CHECK_TIMEOUT, PlanLookup};
use crate::known_codes::CodeLookup;
use crate::profile::Profile;
use crate::{Field, FieldProblem, Problem, StoreError};
use warranty_model::contracts::preflight::PlanSeen;
use warranty_model::contracts::sale::with_zeros;

/// Most zeros tried in front of a code.
const MOST_ZEROS: usize = 8;

impl PlanLookup<'_> {
    /// Reports lost zeros in a lookup result. If the plan could not be read, only when the service
    /// lists no plans of the product.
    pub(super) async fn with_lost_zeros(&self, seen: PlanSeen) -> PlanSeen {
        match seen {
            PlanSeen::Fits(_) => seen,
            PlanSeen::NotAsked | PlanSeen::Unlisted(_)
                if self
                    .lost_zeros(Field::ProductReferenceId, self.product.as_str())
                    .await
                    && !self.is_listed().await =>
            {
                PlanSeen::Wrong(vec![lost(Field::ProductReferenceId)])
            }
            PlanSeen::NotAsked | PlanSeen::Unlisted(_) => seen,
            PlanSeen::Wrong(mut problems) => {
                for found in &mut problems {
                    let code = if found.problem == Problem::UnknownProduct {
                        self.product.as_str()
                    } else if found.problem == Problem::UnknownPlan {
                        self.plan.as_str()
                    } else {
                        continue;
                    };
                    if self.lost_zeros(found.field, code).await {
                        *found = lost(found.field);
                    }
                }
                PlanSeen::Wrong(problems)
            }
        }
    }

    async fn is_listed(&self) -> bool {
        let listings = &self.outage.listings;
        let Some(client) = self.client.filter(|_| !listings.is_outage()) else {
            return false;
        };
        let plans = self.plans_of(client, listings);
        match tokio::time::timeout(CHECK_TIMEOUT, plans).await {
            Ok(Some(plans)) => {
                listings.set(false);
                !plans.is_empty()
            }
            Ok(None) => false,
            Err(_) => {
                listings.add();
                false
            }
        }
    }

    async fn lost_zeros(&self, field: Field, code: &str) -> bool {
        let codes = &self.contracts.codes;
        codes.has_lost_zeros(self.profile, field, code).await
    }
}

impl CodeLookup {
    /// Whether an unknown product reference, or a plan ID, is known here with zeros in front.
    pub(crate) async fn has_lost_zeros(&self, profile: &Profile, field: Field, code: &str) -> bool {
        let here = std::slice::from_ref(&profile.id);
        let lost = async {
            if field != Field::PlanId && self.try_known_locally(here, field, code).await? {
                return Ok(false);
            }
            for longer in with_zeros(code).take(MOST_ZEROS) {
                if self.try_known_locally(here, field, &longer).await? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        lost.await.unwrap_or_else(|error: StoreError| {
            // This is only a hint; the lookup result stays as it is.
            tracing::warn!(%error, "known products cannot be read");
            false
        })
    }
}

fn lost(field: Field) -> FieldProblem {
    FieldProblem::new(field, Problem::LeadingZerosLost)
}
