//! Checks the rows of the sheet after every paste and every keystroke.
//!
//! Owns the checks that need local data only: fields, cached plans, earlier entries. Calls no
//! service, stores nothing, and does not compare the rows with each other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use warranty_api::{ContractItem, PlanFilter, PlanWithProduct, Stated};

use super::bulk_check::{Pair, pair};
use super::{Contracts, EntryCheck, EntryDraft, RowCheck, Warning, sale, validation};
use crate::Result;
use crate::known_codes::codes_of;
use crate::profile::Profile;
use warranty_files::layout::asks_of;
use warranty_model::contracts::bulk_verdict::is_known;
use warranty_model::contracts::preflight::{self, PlanSeen, with_lost};

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
                let plan = self.cached_plan(profile, vacant.key()).await;
                vacant.insert(plan);
            }
        }
        plans
    }

    /// The plan as it is cached for this product, and whether the cached plans of the product leave it
    /// out. A plan that is cached for another product only may belong to this one too; only the service
    /// knows.
    async fn cached_plan(&self, profile: &Profile, (product, plan): &Pair) -> (PlanSeen, bool) {
        let cache = &self.context.cache;
        let Some(cached) = cache.plan(&profile.id, plan).await else {
            return (PlanSeen::NotAsked, false);
        };
        let mut read = PlanWithProduct {
            plan: cached.plan,
            product: cached.product,
        };
        let cached_with = cached.product_reference;
        if cached_with.is_none_or(|reference| reference == *product) {
            return (PlanSeen::Fits(Box::new(read)), false);
        }
        // It is the price for the other product.
        read.plan.price = Stated::Absent;
        read.product = None;
        let mut listed = false;
        for filter in [PlanFilter::Any, PlanFilter::Live, PlanFilter::LiveInStore] {
            let listing = cache.listing(&profile.id, product, filter).await;
            // The linked plans of a product are not all it has.
            listed |= listing.is_some() && filter != PlanFilter::LiveInStore;
            let mut plans = listing.into_iter().flat_map(|listing| listing.plans);
            if let Some(offered) = plans.find(|offered| offered.id == *plan) {
                read.plan = offered;
                return (PlanSeen::Fits(Box::new(read)), false);
            }
        }
        (PlanSeen::Unlisted(Box::new(read)), listed)
    }
}
