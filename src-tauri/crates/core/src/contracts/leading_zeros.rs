//! Codes that a spreadsheet took for numbers: their leading zeros are gone.
//!
//! Owns when that is said: only of digits that nobody knows, while the same digits with zeros in
//! front are known here.

use std::sync::atomic::Ordering;

use warranty_api::{Client, PlanId, ProductReference};

use super::preflight::{Away, PATIENCE, PlanSeen};
use crate::profile::Profile;
use crate::{Desk, Field, FieldProblem, Problem};
use warranty_store::products;

/// Most zeros that are tried.
const MOST_ZEROS: usize = 8;

/// Longest code of digits that shops use (GTIN-14), in characters; theirs may be a little longer.
const LONGEST: usize = 18;

impl Desk {
    /// What was seen of a plan and its product, with lost zeros named as such: where the plan could not
    /// be read, unless the service lists plans of the product.
    pub(super) async fn with_lost_zeros(
        &self,
        profile: &Profile,
        client: Option<&Client>,
        product: &ProductReference,
        plan: &PlanId,
        seen: PlanSeen,
        away: &Away,
    ) -> PlanSeen {
        match seen {
            PlanSeen::Fits(_) => seen,
            PlanSeen::NotAsked | PlanSeen::Unlisted(_)
                if self.has_lost_zeros(profile, product).await
                    && !self.is_listed(profile, client, product, away).await =>
            {
                PlanSeen::Wrong(vec![lost(Field::ProductReferenceId)])
            }
            PlanSeen::NotAsked | PlanSeen::Unlisted(_) => seen,
            PlanSeen::Wrong(mut problems) => {
                for found in &mut problems {
                    let of_product = found.problem == Problem::UnknownProduct;
                    let of_plan = found.problem == Problem::UnknownPlan;
                    if (of_product && self.has_lost_zeros(profile, product).await)
                        || (of_plan && self.plan_has_lost_zeros(profile, plan).await)
                    {
                        *found = lost(found.field);
                    }
                }
                PlanSeen::Wrong(problems)
            }
        }
    }

    async fn is_listed(
        &self,
        profile: &Profile,
        client: Option<&Client>,
        product: &ProductReference,
        away: &Away,
    ) -> bool {
        let Some(client) = client.filter(|_| !away.listings.load(Ordering::Relaxed)) else {
            return false;
        };
        let listed = tokio::time::timeout(PATIENCE, self.plans_of(profile, client, product)).await;
        match listed.unwrap_or(Err(true)) {
            Ok(plans) => !plans.is_empty(),
            Err(unreachable) => {
                away.listings.fetch_or(unreachable, Ordering::Relaxed);
                false
            }
        }
    }

    async fn has_lost_zeros(&self, profile: &Profile, product: &ProductReference) -> bool {
        let longer: Vec<ProductReference> = with_zeros(product.as_str())
            .filter_map(|code| ProductReference::new(code).ok())
            .collect();
        if longer.is_empty() {
            return false;
        }
        let (profile_id, itself) = (profile.id.clone(), product.clone());
        let known = self.inner.store.call(move |connection| {
            if products::one(connection, &profile_id, &itself)?.is_some() {
                return Ok(false);
            }
            for code in &longer {
                if products::one(connection, &profile_id, code)?.is_some() {
                    return Ok(true);
                }
            }
            Ok(false)
        });
        known.await.unwrap_or_else(|error| {
            // A hint less: what was found stands without it.
            tracing::warn!(%error, "known products cannot be read");
            false
        })
    }

    async fn plan_has_lost_zeros(&self, profile: &Profile, plan: &PlanId) -> bool {
        for code in with_zeros(plan.as_str()).filter_map(|code| PlanId::new(code).ok()) {
            if self.inner.cache.plan(&profile.id, &code).await.is_some() {
                return true;
            }
        }
        false
    }
}

/// The same digits with one zero more each; nothing for what is no code of digits.
fn with_zeros(code: &str) -> impl Iterator<Item = String> {
    let digits = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    let room = LONGEST.saturating_sub(code.len()).min(MOST_ZEROS);
    (1..=if digits { room } else { 0 }).map(move |zeros| format!("{}{code}", "0".repeat(zeros)))
}

fn lost(field: Field) -> FieldProblem {
    FieldProblem {
        field,
        problem: Problem::LeadingZerosLost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_tried_with_zeros_in_front() {
        let codes: Vec<String> = with_zeros("4900").take(2).collect();
        assert_eq!(codes, ["04900", "004900"]);
        assert_eq!(with_zeros("1").count(), MOST_ZEROS);
        for code in ["", "SKU-1", "４９", "123456789012345678"] {
            assert_eq!(with_zeros(code).count(), 0, "{code}");
        }
    }
}
