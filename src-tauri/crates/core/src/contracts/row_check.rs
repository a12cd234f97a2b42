//! Checks the rows of the sheet after every paste and every keystroke.
//!
//! Owns the checks that need local data only: fields, cached plans, earlier entries. Calls no
//! service, stores nothing, and does not compare the rows with each other.

use std::collections::HashMap;

use warranty_api::{ContractItem, PlanId, PlanWithProduct};

use super::{Contracts, EntryCheck, EntryDraft, RowCheck, Warning, sale, validation};
use crate::Result;
use crate::known_codes::codes_of;
use crate::profile::Profile;
use warranty_model::contracts::preflight::{self, PlanSeen, with_lost};
use warranty_store::plans::CachedPlan;

impl Contracts {
    /// Checks rows: fields, cached plan price, unusual amounts and dates, earlier entries. Returns
    /// only rows with findings, in their order.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn check_rows(&self, rows: Vec<EntryDraft>) -> Result<Vec<RowCheck>> {
        let profile = self.context.profile_now().await?;
        let now = self.context.clock.now();
        let zone = profile.zone();
        let codes: Vec<_> = rows.iter().flat_map(codes_of).collect();
        let known = self.codes.known_codes_locally(&profile, &codes).await;
        let mut found = Vec::new();
        let (mut valid, mut dated) = (Vec::new(), Vec::new());
        for (index, row) in (0_u32..).zip(&rows) {
            match validation::entry(row, now, zone, &known) {
                Ok(item) => {
                    dated.push(!row.transaction_date.trim().is_empty());
                    valid.push((index, item));
                }
                Err(problems) => found.push(RowCheck {
                    index,
                    check: EntryCheck::failed(problems),
                }),
            }
            // Ten thousand rows take a while; let other tasks of this thread run.
            if index % 1_000 == 999 {
                tokio::task::yield_now().await;
            }
        }
        let plans = self.remembered(&profile, &valid).await;
        let sales = valid.iter().map(|(_, item)| sale::of(item)).collect();
        let earlier = self.earlier(&profile, sales, None).await?;
        let lost_until = self.lost_until().await?;
        for (((index, item), earlier), dated) in valid.into_iter().zip(earlier).zip(dated) {
            let earlier = with_lost(earlier, lost_until, &item, dated, now);
            let plan = plans.get(&item.plan.plan_id).and_then(Option::as_ref);
            let seen = seen(&item, plan);
            let mut check = preflight::evaluate(&item, &seen, now);
            // A plan that is not cached is not a finding; it is looked up when the rows are sent.
            check
                .warnings
                .retain(|warning| *warning != Warning::NotChecked);
            check
                .questions
                .extend(preflight::second_contracts(&earlier, &profile.id));
            if check != EntryCheck::default() {
                found.push(RowCheck { index, check });
            }
        }
        found.sort_by_key(|row| row.index);
        Ok(found)
    }

    /// The cached plans of these rows.
    async fn remembered(
        &self,
        profile: &Profile,
        rows: &[(u32, ContractItem)],
    ) -> HashMap<PlanId, Option<CachedPlan>> {
        let mut plans = HashMap::new();
        for (_, item) in rows {
            let id = &item.plan.plan_id;
            if !plans.contains_key(id) {
                let plan = self.context.cache.plan(&profile.id, id).await;
                plans.insert(id.clone(), plan);
            }
        }
        plans
    }
}

/// The cached plan of a row as a lookup result. A plan cached with another product may also belong to
/// this one; only the service knows.
fn seen(item: &ContractItem, plan: Option<&CachedPlan>) -> PlanSeen {
    let Some(cached) = plan else {
        return PlanSeen::NotAsked;
    };
    let product = cached
        .product
        .clone()
        .filter(|product| product.reference_id == item.product.reference_id);
    PlanSeen::Fits(Box::new(PlanWithProduct {
        plan: cached.plan.clone(),
        product,
    }))
}
