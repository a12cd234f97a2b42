//! Accepted entries, looked up until the service returns them.
//!
//! Owns the lookups of the outbox. Whatever they find, nothing is ever sent anew because of it.

use std::time::Duration;

use warranty_api::{Error as ApiError, NotSent};

use super::Outbox;
use super::circuit_breaker::TaskOutcome;
use super::confirmation::{self, Finding};
use super::state::{Event, Instant, Record, State, step};
use super::{Obstacle, backoff};
use crate::Error;
use crate::encryption::Opened;
use crate::notifications::Change;
use crate::profile::Profile;
use crate::repeats::Outcome;
use crate::work::lock;
use crate::work::millis;
use warranty_store::cases::{Case, Settlement};

/// What a lookup tells.
enum Seen {
    /// Something about the contract, with its status where it is there, and how long to wait when it
    /// is not there yet.
    Finding(Finding, Option<String>, Duration),
    /// The service will not say now, and asks that nothing is looked up for so long.
    Declined(Duration),
    /// Nothing was answered; what it says of the way to the service, and how long to wait at least.
    Nothing(TaskOutcome, Duration),
}

impl Outbox {
    /// Looks an accepted entry up once.
    pub(super) async fn look(&self, profile: &Profile, id: &str) -> Result<TaskOutcome, Error> {
        let case = self.context.store.case(id).await?;
        let Some(case) = case.filter(|case| case.state == State::Accepted) else {
            return Ok(TaskOutcome::Nothing);
        };
        let sent = match self.encryption.body_of(&case.batch).await? {
            Opened::Known(body) => body.items.into_iter().nth(case.position),
            Opened::Locked(error) => {
                self.overviews
                    .note_obstacle(&profile.id, Some(Obstacle::Vault(error)));
                return Ok(TaskOutcome::NoWay);
            }
            Opened::Forgotten | Opened::Lost => None,
        };
        let Some(contract_id) = &case.contract_id else {
            // Nothing to look up: the day's patience is all there is.
            let wait = self.look_wait(&case);
            self.settle_finding(profile, &case, Finding::NotYet, None, wait)
                .await?;
            return Ok(TaskOutcome::Nothing);
        };
        let Some(endpoint) = self.endpoint(profile).await else {
            return Ok(TaskOutcome::NoWay);
        };
        let seen = match endpoint.service.get_contract(contract_id).await {
            Ok(answer) => {
                let finding = match &sent {
                    Some(sent) => confirmation::compare(contract_id, sent, &answer.value),
                    None => confirmation::compare_sale(contract_id, &case.sale, &answer.value),
                };
                Seen::Finding(finding, answer.value.status.shown(), self.look_wait(&case))
            }
            Err(error) => self.unseen(&case, &error),
        };
        match seen {
            Seen::Finding(finding, status, wait) => {
                self.settle_finding(profile, &case, finding, status, wait)
                    .await?;
                Ok(TaskOutcome::Answered)
            }
            Seen::Declined(wait) => {
                // Kept even when what follows cannot be written.
                self.context.keep_retry_after(&profile.id, wait);
                self.settle_finding(profile, &case, Finding::NotYet, None, wait)
                    .await?;
                Ok(TaskOutcome::Answered)
            }
            Seen::Nothing(sent, wait) => {
                self.look_later(&case, State::Accepted, None, wait).await?;
                Ok(sent)
            }
        }
    }

    /// What a lookup without a contract tells.
    fn unseen(&self, case: &Case, error: &ApiError) -> Seen {
        let asked = error.retry_after().map_or(Duration::ZERO, backoff::wish);
        let wait = self.look_wait(case).max(asked);
        match error {
            _ if matches!(Outcome::of(error), Outcome::Declined(_)) => Seen::Declined(wait),
            // Whatever was answered instead, the contract did not show: the day's patience runs.
            ApiError::Refused { status, .. } if *status < 500 => {
                Seen::Finding(Finding::NotYet, None, wait)
            }
            ApiError::Refused { .. } | ApiError::Unreadable { .. } => {
                Seen::Finding(Finding::NotYet, None, wait.max(self.budgeted()))
            }
            ApiError::NotSent(NotSent::Name | NotSent::Connect | NotSent::Tls) => {
                let again = self.lane_wait(&case.profile_id);
                Seen::Nothing(TaskOutcome::Offline(again), wait)
            }
            ApiError::NotSent(NotSent::NoToken | NotSent::Unsendable) => {
                Seen::Nothing(TaskOutcome::NoWay, wait)
            }
            ApiError::NoAnswer(_) => Seen::Nothing(TaskOutcome::Nothing, wait.max(self.budgeted())),
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
        self.look_later(case, next.to, status, wait).await?;
        if next.to != State::Accepted {
            self.notifications
                .notify_soon(&profile.id, Change::One(&case.id))
                .await;
        }
        Ok(())
    }

    /// How long until this process may repeat a lookup that was not answered.
    fn budgeted(&self) -> Duration {
        lock(&self.context.work.budget).reserve(self.context.clock.monotonic())
    }

    /// How long until the next lookup.
    fn look_wait(&self, case: &Case) -> Duration {
        confirmation::wait(case.lookups.saturating_add(1), self.context.ids.fraction())
    }

    async fn look_later(
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
