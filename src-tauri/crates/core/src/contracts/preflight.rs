//! A look at an entry before it is sent: product, plan and price at the service, earlier entries.
//!
//! Owns which findings stop, ask or warn. What cannot be asked now is said to be unchecked, never
//! a reason to refuse.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::DateTime;
use warranty_api::{
    Client, ContractItem, Error as ApiError, Plan, PlanFilter, PlanId, PlanWithProduct,
    ProductReference, Stated,
};

use super::Contracts;
use super::sale;
use super::{EntryCheck, EntryDraft};
use crate::known_codes::may_be_unknown;
use crate::profile::Profile;
use crate::repeats::Outcome;
use crate::{Error, Field, FieldProblem, Problem};
pub(crate) use warranty_model::contracts::preflight::Learned;
use warranty_model::contracts::preflight::{Gap, PlanSeen, judge, second, seconds, with_lost};
use warranty_store::submissions::{Earlier, Sale};

/// How long a customer at the counter waits for the check of one entry.
pub(super) const PATIENCE: Duration = Duration::from_secs(8);

/// What of the service is not to be asked more for now.
#[derive(Debug, Default)]
pub(super) struct Away {
    /// Reading plans, and with them all that is asked of every row.
    pub plans: AtomicBool,
    /// Listing the plans of a product of which it is asked beside that.
    pub listings: AtomicBool,
}

impl Away {
    pub(super) fn is_whole(&self) -> bool {
        self.plans.load(Ordering::Relaxed) && self.listings.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, away: bool) {
        self.plans.store(away, Ordering::Relaxed);
        self.listings.store(away, Ordering::Relaxed);
    }
}

/// A plan and its product, asked about.
struct ServiceAnswer {
    seen: PlanSeen,
    /// The service is not to be asked more for now.
    unreachable: bool,
}

impl From<PlanSeen> for ServiceAnswer {
    fn from(seen: PlanSeen) -> Self {
        Self {
            seen,
            unreachable: false,
        }
    }
}

impl Contracts {
    /// Looks at an entry: fields, then product, plan and price at the service, then earlier
    /// entries. A service out of reach is [`Warning::NotChecked`], not an error.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn check(&self, draft: &EntryDraft) -> Result<EntryCheck, Error> {
        let profile = self.context.profile_now().await?;
        let now = self.context.clock.now();
        match self.codes.read_entry(&profile, draft, now).await {
            Ok(item) => Ok(self.check_item(&profile, &item, None).await?.0),
            Err(problems) => Ok(EntryCheck {
                problems,
                ..EntryCheck::default()
            }),
        }
    }

    /// The same for an entry whose fields are sound; `except` is an entry it is made in place of.
    pub(crate) async fn check_item(
        &self,
        profile: &Profile,
        item: &ContractItem,
        except: Option<&str>,
    ) -> Result<(EntryCheck, Learned), Error> {
        let client = self.codes.client_to_check(profile).await;
        let seen = self
            .ask_about(
                profile,
                client.as_ref(),
                &item.product.reference_id,
                &item.plan.plan_id,
                &Away::default(),
            )
            .await;
        let earlier = self
            .earlier(profile, vec![sale::of(item)], except)
            .await?
            .concat();
        let now = self.context.clock.now();
        let earlier = with_lost(earlier, self.gap().await?, item, true, now);
        let mut check = judge(item, &seen, now);
        check.questions.extend(seconds(&earlier, &profile.id));
        let learned = self.learned(profile, item, &seen).await?;
        Ok((check, learned))
    }

    /// Asks the service about a plan and its product. Once the service was out of reach,
    /// `away` keeps the rest of a long file from waiting for it again and again.
    pub(super) async fn ask_about(
        &self,
        profile: &Profile,
        client: Option<&Client>,
        product: &ProductReference,
        plan: &PlanId,
        away: &Away,
    ) -> PlanSeen {
        let seen = match client.filter(|_| !away.plans.load(Ordering::Relaxed)) {
            None => PlanSeen::NotAsked,
            Some(client) => {
                let asked = self.ask(profile, client, product, plan);
                let asked = tokio::time::timeout(PATIENCE, asked)
                    .await
                    .unwrap_or(ServiceAnswer {
                        seen: PlanSeen::NotAsked,
                        unreachable: true,
                    });
                if asked.unreachable {
                    away.plans.store(true, Ordering::Relaxed);
                }
                asked.seen
            }
        };
        self.with_lost_zeros(profile, client, product, plan, seen, away)
            .await
    }

    async fn ask(
        &self,
        profile: &Profile,
        client: &Client,
        product: &ProductReference,
        plan: &PlanId,
    ) -> ServiceAnswer {
        match client.get_plan(plan).await {
            Ok(answer) => {
                let read = answer.value;
                self.plans.learn(profile, &read).await;
                let other = read
                    .product
                    .as_ref()
                    .is_some_and(|found| found.reference_id != *product);
                if !other {
                    return PlanSeen::Fits(Box::new(read)).into();
                }
                // One plan may serve several products; it is read with one of them only.
                let read = Box::new(PlanWithProduct {
                    product: None,
                    ..read
                });
                match self.plans_of(profile, client, product).await {
                    Ok(plans) if plans.iter().any(|offered| offered.id == *plan) => {
                        PlanSeen::Fits(read).into()
                    }
                    Ok(plans) if plans.is_empty() => {
                        wrong(&[(Field::ProductReferenceId, Problem::UnknownProduct)])
                    }
                    Ok(_) => wrong(&[(Field::PlanId, Problem::PlanOfAnotherProduct)]),
                    Err(unreachable) => ServiceAnswer {
                        seen: PlanSeen::Unlisted(read),
                        unreachable,
                    },
                }
            }
            Err(error) if may_be_unknown(&error) => {
                let plans = match self.plans_of(profile, client, product).await {
                    Ok(plans) => plans,
                    Err(unreachable) => {
                        return ServiceAnswer {
                            seen: PlanSeen::NotAsked,
                            unreachable,
                        };
                    }
                };
                let unknown = (Field::PlanId, Problem::UnknownPlan);
                if plans.is_empty() {
                    return wrong(&[
                        (Field::ProductReferenceId, Problem::UnknownProduct),
                        unknown,
                    ]);
                }
                match plans.into_iter().find(|offered| offered.id == *plan) {
                    Some(plan) => PlanSeen::Fits(Box::new(PlanWithProduct {
                        plan,
                        product: None,
                    }))
                    .into(),
                    None => wrong(&[unknown]),
                }
            }
            Err(error) => {
                tracing::info!(%error, "product and plan are not checked now");
                ServiceAnswer {
                    seen: PlanSeen::NotAsked,
                    unreachable: is_unreachable(&error),
                }
            }
        }
    }

    /// Every plan the service offers for a product, none when it does not know it. The error says
    /// whether the service is not to be asked more for now.
    pub(super) async fn plans_of(
        &self,
        profile: &Profile,
        client: &Client,
        product: &ProductReference,
    ) -> Result<Vec<Plan>, bool> {
        let store = self.profiles.store_of(profile).map_err(|_| false)?;
        // What a listing without a status holds is not shown: it may leave plans out.
        match client
            .list_plans(product, &store, Some(PlanFilter::Any))
            .await
        {
            Ok(answer) => Ok(answer.value),
            Err(error) if Outcome::of(&error) == Outcome::Rejected => Ok(Vec::new()),
            Err(error) => {
                tracing::info!(%error, "the plans of a product are not checked now");
                Err(is_unreachable(&error))
            }
        }
    }

    /// What is kept of a check with the entry.
    pub(super) async fn learned(
        &self,
        profile: &Profile,
        item: &ContractItem,
        seen: &PlanSeen,
    ) -> Result<Learned, Error> {
        let (product_title, plan_title) = self.titles(profile, item, seen).await?;
        let price_checked = match seen {
            PlanSeen::Fits(read) | PlanSeen::Unlisted(read) => read.plan.price != Stated::Absent,
            PlanSeen::Wrong(_) | PlanSeen::NotAsked => false,
        };
        Ok(Learned {
            product_title,
            plan_title,
            price_checked,
        })
    }

    /// Titles of an entry's product and plan: as the service gave them now, else as they are
    /// remembered.
    async fn titles(
        &self,
        profile: &Profile,
        item: &ContractItem,
        seen: &PlanSeen,
    ) -> Result<(Option<String>, Option<String>), Error> {
        let (mut product, mut plan) = match seen {
            PlanSeen::Fits(read) | PlanSeen::Unlisted(read) => (
                read.product
                    .as_ref()
                    .and_then(|product| product.title.clone()),
                read.plan.title.clone(),
            ),
            PlanSeen::Wrong(_) | PlanSeen::NotAsked => (None, None),
        };
        if product.is_none() {
            product = self
                .context
                .store
                .product(&profile.id, &item.product.reference_id)
                .await?
                .and_then(|known| known.title);
        }
        if plan.is_none() {
            let known = self
                .context
                .cache
                .plan(&profile.id, &item.plan.plan_id)
                .await;
            plan = known.and_then(|known| known.plan.title);
        }
        Ok((product, plan))
    }

    /// Up to when entries may be missing in the desk's file; `None` when none may.
    pub(super) async fn gap(&self) -> Result<Option<Gap>, Error> {
        let until = self.context.store.recovery_gap().await?;
        let until = until.and_then(DateTime::from_timestamp_millis);
        Ok(until.map(|until| Gap { until }))
    }

    /// For each sale of the profile's store the earlier entries of it other than `except`, the newest
    /// first.
    pub(super) async fn earlier(
        &self,
        profile: &Profile,
        sales: Vec<Sale>,
        except: Option<&str>,
    ) -> Result<Vec<Vec<Earlier>>, Error> {
        let store = &self.context.store;
        Ok(store
            .earlier_entries(profile.store(), sales, except)
            .await?)
    }
}

/// The error that asks about each of these entries.
pub(crate) fn asked_about(earlier: Vec<Earlier>, asked_under: &Profile) -> Error {
    let questions = earlier
        .into_iter()
        .map(|earlier| second(earlier, &asked_under.id));
    Error::Questions(questions.collect())
}

/// Whether asking about another plan would only make a person wait. An error object with another
/// status is about the one that was asked for.
fn is_unreachable(error: &ApiError) -> bool {
    match error {
        ApiError::NotSent(_) | ApiError::NoAnswer(_) | ApiError::Unreadable { .. } => true,
        ApiError::Refused { status, .. } => matches!(status, 401 | 403 | 429 | 500..),
    }
}

fn wrong(problems: &[(Field, Problem)]) -> ServiceAnswer {
    let problems = problems.iter().copied();
    PlanSeen::Wrong(
        problems
            .map(|(field, problem)| self::problem(field, problem))
            .collect(),
    )
    .into()
}

fn problem(field: Field, problem: Problem) -> FieldProblem {
    FieldProblem { field, problem }
}
