//! Checks an entry before it is sent: product, plan and price at the service, earlier entries.
//!
//! Owns the questions to the service and to the store; `preflight` in `model` decides what the
//! answers mean. What cannot be checked now becomes a warning.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use warranty_api::{
    Client, ContractItem, Error as ApiError, Plan, PlanFilter, PlanId, PlanWithProduct,
    ProductReference, Stated,
};

use super::{Confirmed, Contracts, EntryCheck, EntryDraft, Question, sale};
use crate::known_codes::may_be_unknown;
use crate::profile::Profile;
use crate::{Error, Field, FieldProblem, Problem, Result};
pub(crate) use warranty_model::contracts::preflight::PlanFindings;
use warranty_model::contracts::preflight::{
    PlanSeen, evaluate, second_contract, second_contracts, with_lost,
};
use warranty_runtime::repeats::Outcome;
use warranty_store::submissions::{Earlier, Sale};

/// Longest check of one entry; a customer waits at the counter.
pub(super) const CHECK_TIMEOUT: Duration = Duration::from_secs(8);

/// How many lookups in a row must fail before the others are not tried.
const OUTAGE_AFTER: u32 = 3;

/// Which requests are suspended because the service fails at them.
#[derive(Debug, Default)]
pub(super) struct Outage {
    /// Reading plans, which every row needs.
    pub plans: Failures,
    /// Listing the plans of a product, to detect lost zeros.
    pub listings: Failures,
}

/// How many lookups failed in a row.
#[derive(Debug, Default)]
pub(super) struct Failures(AtomicU32);

impl Failures {
    pub(super) fn is_outage(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= OUTAGE_AFTER
    }

    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// As after a lookup that succeeded, or as in an outage.
    pub(super) fn set(&self, outage: bool) {
        let failures = if outage { OUTAGE_AFTER } else { 0 };
        self.0.store(failures, Ordering::Relaxed);
    }
}

impl Outage {
    pub(super) fn is_complete(&self) -> bool {
        self.plans.is_outage() && self.listings.is_outage()
    }

    pub(super) fn set(&self, outage: bool) {
        self.plans.set(outage);
        self.listings.set(outage);
    }
}

impl Contracts {
    /// Checks an entry: fields, then product, plan and price at the service, then earlier entries.
    /// An unreachable service is [`Warning::NotChecked`], not an error.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn check(&self, draft: &EntryDraft) -> Result<EntryCheck> {
        let profile = self.context.profile_now().await?;
        let now = self.context.clock.now();
        match self.codes.read_entry(&profile, draft, now).await {
            Ok(item) => Ok(self.check_item(&profile, &item, None).await?.0),
            Err(problems) => Ok(EntryCheck::failed(problems)),
        }
    }

    /// The same for an entry with valid fields; `except` is the entry that it replaces.
    pub(crate) async fn check_item(
        &self,
        profile: &Profile,
        item: &ContractItem,
        except: Option<&str>,
    ) -> Result<(EntryCheck, PlanFindings)> {
        let client = self.codes.client_to_check(profile).await;
        let lookup = PlanLookup {
            contracts: self,
            profile,
            client: client.as_ref(),
            outage: &Outage::default(),
            product: &item.product.reference_id,
            plan: &item.plan.plan_id,
        };
        let seen = lookup.seen().await;
        let earlier = self.earlier(profile, vec![sale::of(item)], except).await?;
        let now = self.context.clock.now();
        let earlier = with_lost(earlier.concat(), self.lost_until().await?, item, true, now);
        let mut check = evaluate(item, &seen, now);
        let second = second_contracts(&earlier, &profile.id);
        check.questions.extend(second);
        let learned = self.plan_findings(profile, item, &seen).await?;
        Ok((check, learned))
    }

    /// The part of a lookup result that is stored with the entry. Titles that the service did not
    /// return are taken from the local data.
    pub(super) async fn plan_findings(
        &self,
        profile: &Profile,
        item: &ContractItem,
        seen: &PlanSeen,
    ) -> Result<PlanFindings> {
        let (store, cache) = (&self.context.store, &self.context.cache);
        let mut findings = match seen {
            PlanSeen::Fits(read) | PlanSeen::Unlisted(read) => PlanFindings {
                product_title: read.product.as_ref().and_then(|found| found.title.clone()),
                plan_title: read.plan.title.clone(),
                price_checked: read.plan.price != Stated::Absent,
            },
            PlanSeen::Wrong(_) | PlanSeen::NotAsked => PlanFindings::default(),
        };
        if findings.product_title.is_none() {
            let product = &item.product.reference_id;
            let known = store.product(&profile.id, product).await?;
            findings.product_title = known.and_then(|known| known.product.title);
        }
        if findings.plan_title.is_none() {
            let known = cache.plan(&profile.id, &item.plan.plan_id).await;
            findings.plan_title = known.and_then(|known| known.plan.title);
        }
        Ok(findings)
    }

    /// The time up to which the desk's file may lack entries; `None` when it is complete.
    pub(super) async fn lost_until(&self) -> Result<Option<DateTime<Utc>>> {
        let until = self.context.store.recovery_gap().await?;
        Ok(until.and_then(DateTime::from_timestamp_millis))
    }

    /// Refuses a sale that may be among entries lost with an older file, unless a person was asked.
    pub(crate) async fn refuse_lost(
        &self,
        profile: &Profile,
        item: &ContractItem,
        confirmed: &[Confirmed],
    ) -> Result<()> {
        let now = self.context.clock.now();
        let lost = with_lost(Vec::new(), self.lost_until().await?, item, true, now);
        if lost.is_empty() || sale::beside(confirmed).contains(&None) {
            Ok(())
        } else {
            Err(second_contract_error(lost, profile))
        }
    }

    /// For each sale the earlier entries at the profile's service, newest first, without `except`.
    pub(super) async fn earlier(
        &self,
        profile: &Profile,
        sales: Vec<Sale>,
        except: Option<&str>,
    ) -> Result<Vec<Vec<Earlier>>> {
        let store = &self.context.store;
        let earlier = store.earlier_entries(profile.store(), sales, except);
        Ok(earlier.await?)
    }
}

pub(super) struct PlanLookup<'a> {
    pub contracts: &'a Contracts,
    pub profile: &'a Profile,
    /// `None` when the service cannot be called now.
    pub client: Option<&'a Client>,
    /// Saves the rest of a long file from waiting for a service that fails.
    pub outage: &'a Outage,
    pub product: &'a ProductReference,
    pub plan: &'a PlanId,
}

impl PlanLookup<'_> {
    pub(super) async fn seen(&self) -> PlanSeen {
        let plans = &self.outage.plans;
        let seen = match self.client.filter(|_| !plans.is_outage()) {
            None => PlanSeen::NotAsked,
            Some(client) => {
                let asked = tokio::time::timeout(CHECK_TIMEOUT, self.ask(client)).await;
                asked.unwrap_or_else(|_| {
                    plans.add();
                    PlanSeen::NotAsked
                })
            }
        };
        if seen.is_checked() {
            plans.set(false);
        }
        self.with_lost_zeros(seen).await
    }

    async fn ask(&self, client: &Client) -> PlanSeen {
        let plan = self.plan;
        match client.get_plan(plan).await {
            Ok(answer) if answer.value.plan.id == *plan => {
                let read = answer.value;
                self.contracts.plans.learn(self.profile, &read).await;
                let named = read.product.as_ref().map(|found| &found.reference_id);
                if named == Some(self.product) {
                    return PlanSeen::Fits(Box::new(read));
                }
                // A plan may belong to several products, each at its own price; reading it returns only
                // one of them, or none.
                match self.plans_of(client, &self.outage.plans).await {
                    Some(plans) if plans.is_empty() => PlanSeen::Wrong(vec![unknown_product()]),
                    Some(plans) => self.among(plans, Problem::PlanOfAnotherProduct),
                    None => {
                        let mut plan = read.plan;
                        if read.product.is_some() {
                            // It is the price for the other product.
                            plan.price = Stated::Absent;
                        }
                        PlanSeen::Unlisted(Box::new(PlanWithProduct {
                            plan,
                            product: None,
                        }))
                    }
                }
            }
            Err(error) if !may_be_unknown(&error) => {
                tracing::info!(%error, "product and plan are not checked now");
                if is_failure(&error) {
                    self.outage.plans.add();
                }
                PlanSeen::NotAsked
            }
            // No such plan, or an answer about another one: the list of the product's plans decides.
            Ok(_) | Err(_) => {
                let Some(plans) = self.plans_of(client, &self.outage.plans).await else {
                    return PlanSeen::NotAsked;
                };
                if plans.is_empty() {
                    let unknown_plan = FieldProblem::new(Field::PlanId, Problem::UnknownPlan);
                    return PlanSeen::Wrong(vec![unknown_product(), unknown_plan]);
                }
                self.among(plans, Problem::UnknownPlan)
            }
        }
    }

    /// The plan as the product's own plans have it, or what it means that they leave it out.
    fn among(&self, plans: Vec<Plan>, missing: Problem) -> PlanSeen {
        match plans.into_iter().find(|offered| offered.id == *self.plan) {
            Some(plan) => PlanSeen::Fits(Box::new(PlanWithProduct {
                plan,
                product: None,
            })),
            None => PlanSeen::Wrong(vec![FieldProblem::new(Field::PlanId, missing)]),
        }
    }

    /// All plans of the product, none when the service does not know it; `None` without an answer that
    /// says so. Notes in `failures` that the service failed.
    pub(super) async fn plans_of(&self, client: &Client, failures: &Failures) -> Option<Vec<Plan>> {
        let store = self.contracts.profiles.store_of(self.profile).ok()?;
        // The interface does not say what a listing without a status filter holds.
        let listed = client.list_plans(self.product, &store, Some(PlanFilter::Any));
        match listed.await {
            Ok(answer) => Some(answer.value),
            Err(error) if Outcome::of(&error) == Outcome::Rejected => Some(Vec::new()),
            Err(error) => {
                tracing::info!(%error, "the plans of a product are not checked now");
                if is_failure(&error) {
                    failures.add();
                }
                None
            }
        }
    }
}

/// Refuses an entry with problems, or with questions that are not answered.
pub(crate) fn refuse_open(
    check: EntryCheck,
    is_answered: impl Fn(&Question) -> bool,
) -> Result<()> {
    if !check.problems.is_empty() {
        return Err(Error::Input(check.problems));
    }
    let mut open = check.questions;
    open.retain(|question| !is_answered(question));
    if open.is_empty() {
        Ok(())
    } else {
        Err(Error::Questions(open))
    }
}

pub(crate) fn second_contract_error(earlier: Vec<Earlier>, profile: &Profile) -> Error {
    let earlier = earlier.into_iter();
    let questions = earlier.map(|earlier| second_contract(earlier, &profile.id));
    Error::Questions(questions.collect())
}

/// Whether requests about other plans may fail too. An error object with another status concerns only the
/// requested plan.
fn is_failure(error: &ApiError) -> bool {
    match error {
        ApiError::NotSent(_) | ApiError::NoAnswer(_) | ApiError::Unreadable { .. } => true,
        ApiError::Refused { status, .. } => matches!(status, 401 | 403 | 429 | 500..),
    }
}

fn unknown_product() -> FieldProblem {
    FieldProblem::new(Field::ProductReferenceId, Problem::UnknownProduct)
}
