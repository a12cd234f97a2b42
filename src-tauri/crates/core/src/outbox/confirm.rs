//! Looks accepted entries up until the service returns them.
//!
//! Owns the lookups of the outbox. No lookup ever causes another registration.

use std::time::Duration;

use warranty_api::{Error as ApiError, NotSent};

use super::Outbox;
use super::circuit_breaker::TaskOutcome;
use super::confirmation::{self, Finding};
use super::state::{Event, Instant, Record, State, step};
use super::{Blocker, backoff};
use crate::Error;
use crate::encryption::Decrypted;
use crate::notifications::Change;
use crate::profile::Profile;
use crate::repeats::Outcome;
use crate::work::lock;
use crate::work::millis;
use warranty_store::cases::{Case, Settlement};

/// What a lookup found.
enum LookupResult {
    /// A finding about the contract, its status if it was returned, and the wait before the next
    /// lookup if it was not.
    Finding(Finding, Option<String>, Duration),
    /// The service declined the lookup and asks to wait this long.
    Declined(Duration),
    /// No answer; the outcome for the circuit breaker, and the minimum wait.
    NoAnswer(TaskOutcome, Duration),
}

impl Outbox {
    /// Looks an accepted entry up once.
    pub(super) async fn look_up(&self, profile: &Profile, id: &str) -> Result<TaskOutcome, Error> {
        let case = self.context.store.case(id).await?;
        let Some(case) = case.filter(|case| case.state == State::Accepted) else {
            return Ok(TaskOutcome::Nothing);
        };
        let sent = match self.encryption.body_of(&case.batch).await? {
            Decrypted::Known(body) => body.items.into_iter().nth(case.position),
            Decrypted::Locked(error) => {
                self.overviews
                    .set_blocker(&profile.id, Some(Blocker::Vault(error)));
                return Ok(TaskOutcome::Unavailable);
            }
            Decrypted::Deleted | Decrypted::Lost => None,
        };
        let Some(contract_id) = &case.contract_id else {
            // Without an id there is nothing to look up, and only the time limit applies.
            let wait = self.lookup_wait(&case);
            self.settle_finding(profile, &case, Finding::NotYet, None, wait)
                .await?;
            return Ok(TaskOutcome::Nothing);
        };
        let Some(endpoint) = self.endpoint(profile).await else {
            return Ok(TaskOutcome::Unavailable);
        };
        let result = match endpoint.service.get_contract(contract_id).await {
            Ok(answer) => {
                let finding = match &sent {
                    Some(sent) => confirmation::compare(contract_id, sent, &answer.value),
                    None => confirmation::compare_sale(contract_id, &case.sale, &answer.value),
                };
                LookupResult::Finding(
                    finding,
                    answer.value.status.shown(),
                    self.lookup_wait(&case),
                )
            }
            Err(error) => self.read_error(&case, &error),
        };
        match result {
            LookupResult::Finding(finding, status, wait) => {
                self.settle_finding(profile, &case, finding, status, wait)
                    .await?;
                Ok(TaskOutcome::Answered)
            }
            LookupResult::Declined(wait) => {
                // Recorded first, because the write below may fail.
                self.context.keep_retry_after(&profile.id, wait);
                self.settle_finding(profile, &case, Finding::NotYet, None, wait)
                    .await?;
                Ok(TaskOutcome::Answered)
            }
            LookupResult::NoAnswer(sent, wait) => {
                self.schedule_lookup(&case, State::Accepted, None, wait)
                    .await?;
                Ok(sent)
            }
        }
    }

    /// What the error of a lookup means.
    fn read_error(&self, case: &Case, error: &ApiError) -> LookupResult {
        let asked = error.retry_after().map_or(Duration::ZERO, backoff::wish);
        let wait = self.lookup_wait(case).max(asked);
        match error {
            _ if matches!(Outcome::of(error), Outcome::Declined(_)) => LookupResult::Declined(wait),
            // The service answered without the contract, so the time limit of a day applies.
            ApiError::Refused { status, .. } if *status < 500 => {
                LookupResult::Finding(Finding::NotYet, None, wait)
            }
            ApiError::Refused { .. } | ApiError::Unreadable { .. } => {
                LookupResult::Finding(Finding::NotYet, None, wait.max(self.budget_wait()))
            }
            ApiError::NotSent(NotSent::Name | NotSent::Connect | NotSent::Tls) => {
                let again = self.reconnect_wait(&case.profile_id);
                LookupResult::NoAnswer(TaskOutcome::Offline(again), wait)
            }
            ApiError::NotSent(NotSent::NoToken | NotSent::Unsendable) => {
                LookupResult::NoAnswer(TaskOutcome::Unavailable, wait)
            }
            ApiError::NoAnswer(_) => {
                LookupResult::NoAnswer(TaskOutcome::Nothing, wait.max(self.budget_wait()))
            }
        }
    }

    async fn settle_finding(
        &self,
        profile: &Profile,
        case: &Case,
        finding: Finding,
        status: Option<String>,
        wait: Duration,
    ) -> Result<(), Error> {
        let record = Record {
            accepted_at: case.accepted_at,
            ..case.batch.record.clone()
        };
        let now = Instant {
            wall: self.steady_now(),
            ..self.context.instant()
        };
        let Ok(next) = step(
            State::Accepted,
            &record,
            Event::LookedUp(finding),
            &profile.facts,
            now,
        ) else {
            return Ok(());
        };
        self.schedule_lookup(case, next.to, status, wait).await?;
        if next.to != State::Accepted {
            self.notifications
                .notify_soon(&profile.id, Change::One(&case.id))
                .await;
        }
        Ok(())
    }

    /// How long until the budget allows to repeat a lookup that was not answered.
    fn budget_wait(&self) -> Duration {
        lock(&self.context.work.budget).reserve(self.context.clock.monotonic())
    }

    /// How long until the next lookup.
    fn lookup_wait(&self, case: &Case) -> Duration {
        confirmation::wait(case.lookups.saturating_add(1), self.context.ids.fraction())
    }

    async fn schedule_lookup(
        &self,
        case: &Case,
        to: State,
        status: Option<String>,
        wait: Duration,
    ) -> Result<(), Error> {
        let settlement = Settlement {
            id: case.id.clone(),
            from: State::Accepted,
            revision: case.batch.revision,
            to,
            at: self.context.instant().wall,
            contract: None,
            status,
            duplicate_possible: false,
            next_lookup_at: (to == State::Accepted)
                .then(|| self.steady_now().saturating_add(millis(wait))),
            resolved: None,
            dissolve: false,
            anew: Vec::new(),
            unsold: Vec::new(),
            lines: Vec::new(),
        };
        self.context.store.settle_case(settlement).await?;
        Ok(())
    }
}
