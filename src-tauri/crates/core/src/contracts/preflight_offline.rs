//! A look at many rows at once, as a sheet needs it after every paste and every key.
//!
//! Owns what can be said of a row from this computer alone: its fields, the plans and products that
//! are remembered, earlier entries. Asks no service and keeps nothing; what only the service knows
//! is found when the rows are sent. Whether rows repeat each other is seen by who holds all of them.

use std::collections::HashMap;

use warranty_api::{ContractItem, PlanId, PlanWithProduct};

use super::Contracts;
use super::sale;
use super::{EntryCheck, EntryDraft, RowCheck, Warning, validation};
use crate::Error;
use crate::known_codes::codes_of;
use crate::profile::Profile;
use warranty_model::contracts::preflight::{self, PlanSeen, with_lost};
use warranty_store::plans::CachedPlan;

impl Contracts {
    /// Looks at rows: fields, price of the plan as last read, odd amounts and dates, earlier
    /// entries. Only rows of which there is something to say come back, in their order.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn check_rows(&self, rows: Vec<EntryDraft>) -> Result<Vec<RowCheck>, Error> {
        let profile = self.context.profile_now().await?;
        let now = self.context.clock.now();
        let zone = profile.zone();
        let codes: Vec<_> = rows.iter().flat_map(codes_of).collect();
        let known = self.codes.known_codes_locally(&profile, &codes).await;
        let mut found = Vec::new();
        let (mut sound, mut dated) = (Vec::new(), Vec::new());
        for (index, row) in (0_u32..).zip(&rows) {
            match validation::entry(row, now, zone, &known) {
                Ok(item) => {
                    dated.push(!row.transaction_date.trim().is_empty());
                    sound.push((index, item));
                }
                Err(problems) => found.push(RowCheck {
                    index,
                    check: EntryCheck {
                        problems,
                        ..EntryCheck::default()
                    },
                }),
            }
            // Ten thousand rows take a while; other work of this thread goes on in between.
            if index % 1_000 == 999 {
                tokio::task::yield_now().await;
            }
        }
        let plans = self.remembered(&profile, &sound).await;
        let sales = sound.iter().map(|(_, item)| sale::of(item)).collect();
        let earlier = self.earlier(&profile, sales, None).await?;
        let gap = self.gap().await?;
        for (((index, item), earlier), dated) in sound.into_iter().zip(earlier).zip(dated) {
            let earlier = with_lost(earlier, gap, &item, dated, now);
            let seen = seen(&item, plans.get(&item.plan.plan_id));
            let mut check = preflight::judge(&item, &seen, now);
            // That nothing is remembered of a plan is no finding: it is asked for in due time.
            check
                .warnings
                .retain(|warning| *warning != Warning::NotChecked);
            check
                .questions
                .extend(preflight::seconds(&earlier, &profile.id));
            if check != EntryCheck::default() {
                found.push(RowCheck { index, check });
            }
        }
        found.sort_by_key(|row| row.index);
        Ok(found)
    }

    /// What the cache holds of the plans that these rows name.
    async fn remembered(
        &self,
        profile: &Profile,
        rows: &[(u32, ContractItem)],
    ) -> HashMap<PlanId, CachedPlan> {
        let mut plans: HashMap<PlanId, Option<CachedPlan>> = HashMap::new();
        for (_, item) in rows {
            let id = &item.plan.plan_id;
            if !plans.contains_key(id) {
                let plan = self.context.cache.plan(&profile.id, id).await;
                plans.insert(id.clone(), plan);
            }
        }
        plans
            .into_iter()
            .filter_map(|(id, plan)| Some((id, plan?)))
            .collect()
    }
}

/// What is remembered of a row's plan, as if the service had said it. A plan remembered with
/// another product may serve this one as well: only the service can tell.
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
