//! Looks accepted entries up until the service returns them.
//!
//! Owns the lookups of the outbox. No lookup ever causes another registration.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::StreamExt as _;
use warranty_api::{ContractItem, Error as ApiError};

use super::circuit_breaker::{CircuitBreaker, TaskOutcome};
use super::confirmation::{self, Finding};
use super::state::{Event, Hold, Instant, Record, State, step};
use super::{Blocker, CaseReason, Outbox, backoff, recovery};
use crate::Error;
use crate::encryption::Decrypted;
use crate::profile::Profile;
use warranty_runtime::notifications::Change;
use warranty_runtime::repeats::Outcome;
use warranty_runtime::work::{Endpoint, lock, millis};
use warranty_store::cases::{Case, LookedUp};

enum LookupResult {
    /// A finding about the contract, its status if it was returned, and the wait before the next
    /// lookup if it was not.
    Finding(Finding, Option<String>, Duration),
    /// The service has too many requests, which says nothing of the contract, and when this one is tried
    /// again.
    RateLimited(Duration),
    /// It refused the token, and when it is tried again.
    TokenRefused(Duration),
    /// The service failed or said nothing, which says nothing of the contract either, and when it is tried
    /// again.
    Failed(Duration),
    /// It was not asked; the outcome for the circuit breaker, and the minimum wait.
    NotAsked(TaskOutcome, Duration),
}

impl Outbox {
    /// Looks accepted entries up once each, `at_once` at a time. After a failure of any request the
    /// rest of the group waits for another plan.
    pub(super) async fn look_up(
        &self,
        profile: &Profile,
        ids: Vec<String>,
        at_once: usize,
    ) -> Result<TaskOutcome, Error> {
        let mut cases = self.context.store.cases(ids).await?;
        cases.retain(|case| case.state == State::Accepted);
        let mut outcome = TaskOutcome::Nothing;
        let mut bodies = HashMap::new();
        for case in &cases {
            if let Entry::Vacant(unread) = bodies.entry(case.batch.id.clone()) {
                let body = self.encryption.body_of(&case.batch).await?;
                if let Decrypted::Locked(error) = body {
                    self.overviews
                        .set_blocker(&profile.id, Some(Blocker::Vault(error)));
                    outcome = TaskOutcome::Unavailable;
                }
                unread.insert(body);
            }
        }
        // The others are looked up without it.
        cases.retain(|case| !matches!(bodies[&case.batch.id], Decrypted::Locked(_)));
        let resets = self.context.work.resets.load(Ordering::SeqCst);
        if cases.is_empty() {
            return Ok(outcome);
        }
        let Some(endpoint) = self.endpoint(profile).await else {
            return Ok(TaskOutcome::Unavailable);
        };
        let work = &self.context.work;
        // Also one of another request: the service may have asked to be left alone.
        let setbacks = work.setbacks();
        // Set when one of this group was refused or could not be asked: the rest is not asked.
        let gives_up = &AtomicBool::new(false);
        let interrupted = || gives_up.load(Ordering::Relaxed) || work.setbacks() != setbacks;
        let lookups: Vec<_> = cases
            .iter()
            .map(|case| {
                let endpoint = &endpoint;
                let item = match &bodies[&case.batch.id] {
                    Decrypted::Known(body) => body.items.get(case.position),
                    Decrypted::Locked(_) | Decrypted::Deleted | Decrypted::Lost => None,
                };
                async move {
                    if interrupted() || work.is_stopping() {
                        return None;
                    }
                    let mut result = self
                        .look_one_up(endpoint, case, item, Some(&profile.store_id))
                        .await;
                    // Recorded first, because the write below may fail.
                    match result {
                        // Without an id nothing was asked.
                        LookupResult::Finding(..) if case.contract_id.is_none() => {}
                        LookupResult::Finding(finding, ..) => {
                            work.change(&profile.id, CircuitBreaker::note_lookup_answered);
                            if finding == Finding::Reported(CaseReason::OtherStore)
                                && let Err(error) = self.halt_runs(profile).await
                            {
                                // The finding itself is written below, or that fails too.
                                tracing::error!(%error, "the imports could not be paused");
                            }
                        }
                        LookupResult::RateLimited(_) => {}
                        LookupResult::Failed(wait) => {
                            self.service_failed(&profile.id);
                            if self.is_about_this(profile, false, resets) {
                                result = LookupResult::Finding(Finding::NotYet, None, wait);
                            }
                        }
                        LookupResult::TokenRefused(wait) => {
                            if self.is_about_this(profile, true, resets) {
                                result = LookupResult::Finding(Finding::NotYet, None, wait);
                            } else {
                                gives_up.store(true, Ordering::Relaxed);
                            }
                        }
                        LookupResult::NotAsked(..) => gives_up.store(true, Ordering::Relaxed),
                    }
                    Some((case, result))
                }
            })
            .collect();
        let found: Vec<(&Case, LookupResult)> = futures::stream::iter(lookups)
            .buffer_unordered(at_once)
            .filter_map(std::future::ready)
            .collect()
            .await;
        for (case, result) in &found {
            match result {
                LookupResult::NotAsked(sent, _) => {
                    outcome = *sent;
                    break;
                }
                LookupResult::Failed(_) => {
                    outcome = TaskOutcome::Failed;
                    break;
                }
                LookupResult::Finding(..) if case.contract_id.is_none() => {}
                LookupResult::Finding(..)
                | LookupResult::RateLimited(_)
                | LookupResult::TokenRefused(_) => outcome = TaskOutcome::Answered,
            }
        }
        let (now, steady) = (self.context.instant(), self.steady_now());
        let settled: Vec<LookedUp> = found
            .into_iter()
            .filter_map(|(case, result)| settled(profile, case, result, now, steady))
            .collect();
        let over: Vec<String> = settled
            .iter()
            .filter(|one| one.to != State::Accepted)
            .map(|one| one.id.clone())
            .collect();
        self.context.store.keep_lookups(settled, now.wall).await?;
        for id in &over {
            self.notifications.notify_soon(Change::One(id)).await;
        }
        Ok(outcome)
    }

    /// Looks one entry up; `sent` is what was sent for it, as far as it can still be read.
    async fn look_one_up(
        &self,
        endpoint: &Endpoint,
        case: &Case,
        sent: Option<&ContractItem>,
        store_id: Option<&str>,
    ) -> LookupResult {
        let Some(contract_id) = &case.contract_id else {
            // Only in a file that was changed from outside: there is nothing to look up.
            return LookupResult::Finding(Finding::NotYet, None, self.lookup_wait(case));
        };
        match endpoint.service.get_contract(contract_id).await {
            Ok(answer) => {
                let finding = match sent {
                    Some(sent) => confirmation::compare(contract_id, sent, store_id, &answer.value),
                    None => {
                        confirmation::compare_sale(contract_id, &case.sale, store_id, &answer.value)
                    }
                };
                LookupResult::Finding(finding, answer.value.status.shown(), self.lookup_wait(case))
            }
            Err(error) => self.read_error(case, &error),
        }
    }

    fn read_error(&self, case: &Case, error: &ApiError) -> LookupResult {
        let asked = error.retry_after().map(backoff::wish);
        let wait = self.lookup_wait(case).max(asked.unwrap_or_default());
        if let Outcome::Declined(hold) = Outcome::of(error) {
            if hold == Hold::Token {
                return LookupResult::TokenRefused(wait);
            }
            let tries = case.lookups.saturating_add(1);
            self.context.keep_rate_limit(&case.profile_id, error, tries);
            return LookupResult::RateLimited(wait);
        }
        match error {
            // The service answered without the contract, so the time limit of a day applies.
            ApiError::Refused { .. } | ApiError::Unreadable { .. } if !recovery::fails(error) => {
                LookupResult::Finding(Finding::NotYet, None, wait)
            }
            ApiError::Refused { .. } | ApiError::Unreadable { .. } | ApiError::NoAnswer(_) => {
                LookupResult::Failed(wait.max(self.budget_wait()))
            }
            ApiError::NotSent(reason) if reason.is_unreachable() => {
                let again = self.reconnect_wait(&case.profile_id);
                LookupResult::NotAsked(TaskOutcome::Offline(again), wait)
            }
            ApiError::NotSent(_) => LookupResult::NotAsked(TaskOutcome::Unavailable, wait),
        }
    }

    /// Notes a lookup that failed, or was refused for the token. `true`: others were answered since the
    /// last one, so that it is about its contract.
    fn is_about_this(&self, profile: &Profile, refused: bool, resets: u64) -> bool {
        let (work, now) = (&self.context.work, self.context.clock.monotonic());
        work.change(&profile.id, |breaker| {
            // It says nothing of a token that was set meanwhile.
            work.resets.load(Ordering::SeqCst) == resets && breaker.note_lookup_failed(refused, now)
        })
    }

    /// How long until the budget allows to repeat a lookup that was not answered.
    fn budget_wait(&self) -> Duration {
        lock(&self.context.work.budget).reserve(self.context.clock.monotonic())
    }

    fn lookup_wait(&self, case: &Case) -> Duration {
        confirmation::wait(case.lookups.saturating_add(1), self.context.ids.fraction())
    }
}

/// What becomes of an entry after its lookup; `None` when its state allows nothing. `steady` is now on
/// the steady clock.
fn settled(
    profile: &Profile,
    case: &Case,
    result: LookupResult,
    now: Instant,
    steady: i64,
) -> Option<LookedUp> {
    let (finding, status, wait) = match result {
        LookupResult::Finding(finding, status, wait) => (Some(finding), status, wait),
        LookupResult::RateLimited(wait)
        | LookupResult::TokenRefused(wait)
        | LookupResult::Failed(wait)
        | LookupResult::NotAsked(_, wait) => (None, None, wait),
    };
    // When the clock was set meanwhile, a sale is not older than either clock says, unless it is of a
    // time that is still to come.
    let wall = match case.accepted_at {
        Some(at) if at > now.wall => steady,
        Some(_) | None => now.wall.min(steady),
    };
    let record = Record {
        accepted_at: case.accepted_at,
        lookups: case.lookups,
        ..case.batch.record.clone()
    };
    let to = match finding {
        Some(finding) => {
            let event = Event::LookedUp(finding);
            let now = Instant { wall, ..now };
            step(State::Accepted, &record, event, &profile.facts, now)
                .ok()?
                .to
        }
        None => State::Accepted,
    };
    let next = steady.saturating_add(millis(wait));
    Some(LookedUp {
        id: case.id.clone(),
        revision: case.batch.revision,
        to,
        status,
        next_lookup_at: (to == State::Accepted).then_some(next),
    })
}
