//! Checks the rows of the sheet after every paste and every keystroke.
//!
//! Owns the checks that need local data only: fields, cached plans, earlier entries. Calls no
//! service, stores nothing, and does not compare the rows with each other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use warranty_api::{ContractItem, PlanFilter, PlanWithProduct};

use super::bulk_check::{Pair, pair};
use super::{Contracts, EntryCheck, EntryDraft, RowCheck, Warning, sale, validation};
use crate::Result;
use crate::known_codes::codes_of;
use crate::profile::Profile;
use warranty_files::layout::asks_of;
use warranty_model::contracts::bulk_verdict::is_known;
use warranty_model::contracts::preflight::{self, PlanSeen, with_lost};
use warranty_store::plans::CachedPlan;

impl Contracts {
    /// Checks rows: fields, codes that a spreadsheet may have changed, cached plan price, unusual amounts and
    /// dates, earlier entries. Returns only rows with findings, in their order.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn check_rows(&self, rows: Vec<EntryDraft>) -> Result<Vec<RowCheck>> {
        let profile = self.context.profile_now().await?;
        let now = self.context.clock.now();
        let zone = profile.zone();
        let codes: Vec<_> = rows.iter().flat_map(codes_of).collect();
        let (known, ..) = self.codes.look_up_locally(&profile, &codes).await;
        let mut found = Vec::new();
        let mut valid = Vec::new();
        for (index, row) in (0_u32..).zip(&rows) {
            match validation::entry(row, now, zone, &known) {
                Ok(item) => valid.push((index, row, item)),
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
        let sales = valid.iter().map(|(.., item)| sale::of(item)).collect();
        let earlier = self.earlier(&profile, sales, None).await?;
        let lost_until = self.lost_until().await?;
        for ((index, row, item), earlier) in valid.into_iter().zip(earlier) {
            let dated = !row.transaction_date.trim().is_empty();
            let earlier = with_lost(earlier, lost_until, &item, dated, now);
            let (seen, of_another) = &plans[&pair(&item)];
            let mut check = preflight::evaluate(&item, seen, now);
            let (warnings, questions) = (&mut check.warnings, &mut check.questions);
            let asks = asks_of(row).into_iter();
            questions.extend(asks.filter(|ask| !is_known(ask, seen)));
            // A plan that is not cached is not a finding; it is looked up when the rows are sent.
            warnings.retain(|warning| *warning != Warning::NotChecked);
            warnings.extend(of_another.then_some(Warning::PlanOfAnotherProduct));
            questions.extend(preflight::second_contracts(&earlier, &profile.id));
            if check != EntryCheck::default() {
                found.push(RowCheck { index, check });
            }
        }
        found.sort_by_key(|row| row.index);
        Ok(found)
    }

    /// The cached plans of these rows, and whether each belongs to another product.
    async fn remembered(
        &self,
        profile: &Profile,
        rows: &[(u32, &EntryDraft, ContractItem)],
    ) -> HashMap<Pair, (PlanSeen, bool)> {
        let mut plans = HashMap::new();
        for (.., item) in rows {
            if let Entry::Vacant(vacant) = plans.entry(pair(item)) {
                let plan = self.context.cache.plan(&profile.id, &vacant.key().1).await;
                let of_another = self
                    .is_of_another(profile, vacant.key(), plan.as_ref())
                    .await;
                vacant.insert((seen(item, plan.as_ref()), of_another));
            }
        }
        plans
    }

    /// Whether a plan was cached with another product, and the cached plans of this one leave it out.
    async fn is_of_another(
        &self,
        profile: &Profile,
        (product, plan): &Pair,
        cached: Option<&CachedPlan>,
    ) -> bool {
        let cached_with = cached.and_then(|cached| cached.product_reference.as_ref());
        if cached_with.is_none_or(|reference| reference == product) {
            return false;
        }
        let mut listed = false;
        for filter in [PlanFilter::Any, PlanFilter::Live] {
            let listing = self.context.cache.listing(&profile.id, product, filter);
            if let Some(listing) = listing.await {
                if listing.plans.iter().any(|offered| offered.id == *plan) {
                    return false;
                }
                listed = true;
            }
        }
        listed
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
