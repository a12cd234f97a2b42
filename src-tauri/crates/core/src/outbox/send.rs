//! Sends one batch: commit the intent, make the request, read the answer, commit the outcome.
//!
//! Owns this order. What an answer means is decided in `model`.

use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;

use super::circuit_breaker::{TaskKind, TaskOutcome};
use super::classify::{self, Evidence, Reading};
use super::scheduler::Planned;
use super::state::{Event, Hold, Record, Route, State, Step, step};
use super::{AnswerClass, Blocker, Outbox, backoff, confirmation, replay_window};
use crate::contracts::product_hint;
use crate::encryption::{Body, Decrypted};
use crate::products::KnownFrom;
use crate::profile::Profile;
use crate::{Error, StoreError};
use warranty_runtime::notifications::Change;
use warranty_runtime::repeats::retry_write;
use warranty_runtime::work::{Endpoint, lock, millis};
use warranty_store::batches::{AttemptChange, Batch, Move};

/// How long batches under a lost key wait before the keychain is asked for it again.
const LOST_KEY_WAIT: Duration = Duration::from_secs(30);

impl Outbox {
    /// Sends a batch that is due, or decides what becomes of it. `turns` are held until the circuit
    /// breaker knows the outcome.
    ///
    /// A batch of a run begins, and then waits until it may be requested; after a setback it is taken
    /// back. All others wait first.
    pub(super) async fn send(
        &self,
        profile: &Profile,
        Planned {
            batch: due,
            setbacks,
        }: Planned,
        turns: &mut Vec<OwnedSemaphorePermit>,
    ) -> Result<TaskOutcome, Error> {
        let (batch_id, backlog) = (due.batch_id.as_str(), due.backlog);
        let work = &self.context.work;
        let now = self.steady_now();
        // Another task may have tried it since the plan was made.
        let Some(batch) = self.context.store.due_batch(batch_id, now).await? else {
            return Ok(TaskOutcome::Nothing);
        };
        if batch.state == State::InFlight {
            let unwritten = lock(&work.unwritten).get(batch_id).cloned();
            if let Some(outcome) = unwritten {
                self.apply(outcome).await?;
                lock(&work.unwritten).remove(batch_id);
            } else {
                // An earlier task ended before there was an outcome.
                let wait = backoff::after_unknown(batch.record.sends, self.context.ids.fraction());
                self.mark_unknown(batch, wait).await?;
            }
            self.notifications
                .notify_soon(Change::Batch(batch_id))
                .await;
            return Ok(TaskOutcome::Nothing);
        }
        let mut lost_key = None;
        let (event, target) = match self.encryption.body_of(&batch).await? {
            Decrypted::Known(body) => {
                self.overviews.clear_key_lost(&profile.id);
                let endpoint = self.endpoint(profile).await;
                let target = endpoint.map(|endpoint| (endpoint, body));
                (
                    Event::Due(route(&batch, target.as_ref().map(|target| &target.0))),
                    target,
                )
            }
            Decrypted::Locked(error) => {
                self.overviews
                    .set_blocker(&profile.id, Some(Blocker::Vault(error)));
                (Event::Due(Route::Unavailable), None)
            }
            Decrypted::Lost if self.encryption.waits_for_key(&batch.body).await? => {
                self.overviews
                    .set_blocker(&profile.id, Some(Blocker::KeyLost));
                lost_key = batch.body.as_ref().map(|body| &body.key_id);
                (Event::Due(Route::Unavailable), None)
            }
            Decrypted::Deleted | Decrypted::Lost => {
                self.overviews.clear_key_lost(&profile.id);
                (Event::Unreadable, None)
            }
        };
        let of_profile = work.turns(&profile.id);
        let turns_to_begin = if due.of_run {
            &of_profile.begun
        } else {
            &of_profile.requests
        };
        let Some(turn) = work.turn(turns_to_begin, setbacks).await else {
            return Ok(TaskOutcome::Nothing);
        };
        turns.push(turn);
        let now = self.context.instant();
        let Ok(next) = step(batch.state, &batch.record, event, &profile.facts, now) else {
            return Ok(TaskOutcome::Nothing);
        };
        match (next.to, target) {
            (State::InFlight, Some((endpoint, body))) => {
                let begun = self.begin(&batch, next, &endpoint).await?;
                let Some(record) = begun else {
                    return Ok(TaskOutcome::Nothing);
                };
                if due.of_run {
                    let Some(turn) = work.turn(&of_profile.requests, setbacks).await else {
                        self.take_back(profile, &batch, &record).await?;
                        return Ok(TaskOutcome::Nothing);
                    };
                    turns.push(turn);
                }
                if batch.state == State::Queued {
                    let (now, fraction) = (self.context.instant(), self.context.ids.fraction());
                    work.change(&profile.id, |breaker| {
                        breaker.recovery.began(backlog, now.mono, fraction);
                        breaker.chosen.take_if(|chosen| *chosen == batch.id);
                    });
                }
                let sent = (&batch, body, backlog);
                self.execute(profile, sent, record, &endpoint, turns).await
            }
            (State::NeedsPerson(_), _) => {
                self.apply(Move {
                    failures: 0,
                    ..batch.step(next, now.wall)
                })
                .await?;
                self.notifications
                    .notify_soon(Change::Batch(batch_id))
                    .await;
                Ok(TaskOutcome::Nothing)
            }
            _ => match lost_key {
                // Everything else of the profile goes on.
                Some(key_id) => {
                    let at = self.steady_now().saturating_add(millis(LOST_KEY_WAIT));
                    let store = &self.context.store;
                    store.wait_for_key(&profile.id, key_id, at).await?;
                    Ok(TaskOutcome::Nothing)
                }
                // No endpoint is available now.
                None => Ok(TaskOutcome::Unavailable),
            },
        }
    }

    /// Commits the intent. Nothing is sent before this returns.
    async fn begin(
        &self,
        batch: &Batch,
        next: Step,
        endpoint: &Endpoint,
    ) -> Result<Option<Record>, Error> {
        let record = next.record.clone();
        let taken = self
            .apply(Move {
                attempt: AttemptChange::Begin {
                    base_url: endpoint.base_url.clone(),
                    token_fingerprint: Some(endpoint.token_fingerprint.clone()),
                },
                ..batch.step(next, self.context.instant().wall)
            })
            .await?;
        self.high_water.update_soon();
        Ok(taken.then_some(record))
    }

    /// Takes back an intent whose request was not made.
    async fn take_back(
        &self,
        profile: &Profile,
        batch: &Batch,
        record: &Record,
    ) -> Result<(), Error> {
        let now = self.context.instant();
        let Ok(next) = step(State::InFlight, record, Event::NotSent, &profile.facts, now) else {
            return Ok(());
        };
        let outcome = Move {
            revision: batch.revision + 1,
            from: State::InFlight,
            attempt: AttemptChange::Finish {
                class: AnswerClass::NotSent,
                evidence: Evidence::default(),
            },
            ..batch.step(next, now.wall)
        };
        self.write_outcome(outcome).await?;
        self.notifications
            .notify_soon(Change::Batch(&batch.id))
            .await;
        Ok(())
    }

    /// Writes what became of a request. Only this process knows it: while it cannot be written, it is
    /// kept here and the batch stays in flight.
    async fn write_outcome(&self, outcome: Move) -> Result<(), StoreError> {
        let written = retry_write(|| self.apply(outcome.clone())).await;
        if written.is_err() {
            let batch = outcome.batch_id.clone();
            lock(&self.context.work.unwritten).insert(batch, outcome);
        }
        written.map(drop)
    }

    /// Makes the request and commits its outcome.
    async fn execute(
        &self,
        profile: &Profile,
        (batch, Body { bytes, items }, backlog): (&Batch, Body, bool),
        record: Record,
        endpoint: &Endpoint,
        turns: &mut Vec<OwnedSemaphorePermit>,
    ) -> Result<TaskOutcome, Error> {
        self.notifications
            .notify_soon(Change::Batch(&batch.id))
            .await;
        let answer = endpoint.service.create_contracts(bytes, batch.key).await;
        let reading = classify::read(&answer, &items, &profile.store_id, profile.facts.bulk);
        // First, because the next batch leaves below.
        let halted = if reading.other_store {
            self.halt_runs(profile).await
        } else {
            Ok(())
        };
        let (outcome, task_outcome) = self.outcome(profile, batch, &record, &reading, backlog);
        // Recorded first: the write below may fail, and another request may fail before it is done.
        let answered = task_outcome == TaskOutcome::Answered;
        let again = answered && self.record_outcome(&profile.id, TaskKind::Send, task_outcome);
        if answered {
            // The next batch leaves while this outcome is written.
            turns.clear();
        } else if let TaskOutcome::AskedToWait(wait) = task_outcome {
            self.context.keep_retry_after(&profile.id, wait);
        } else if task_outcome == TaskOutcome::Failed {
            self.service_failed(&profile.id);
        }
        let written = match outcome {
            Some(outcome) => self.write_outcome(outcome).await,
            None => Ok(()),
        };
        let retried = if again {
            self.context.store.retry_queued_now(&profile.id).await
        } else {
            Ok(())
        };
        written.and(retried).and(halted)?;
        if let Ok(answer) = answer {
            let contracts = answer.value.iter().flatten();
            let hints = contracts.map(|contract| product_hint(&contract.product));
            self.catalog
                .learn(profile, hints.collect(), KnownFrom::Contract)
                .await;
        }
        self.notifications
            .notify_soon(Change::Batch(&batch.id))
            .await;
        // An answer is recorded already.
        Ok(if answered {
            TaskOutcome::Nothing
        } else {
            task_outcome
        })
    }

    /// The step that an answer leads to, and the outcome for the circuit breaker.
    fn outcome(
        &self,
        profile: &Profile,
        batch: &Batch,
        record: &Record,
        reading: &Reading,
        backlog: bool,
    ) -> (Option<Move>, TaskOutcome) {
        let now = self.context.instant();
        let failures = batch.failures.saturating_add(1);
        let (offline_wait, task_outcome) = match (reading.event, reading.online) {
            (Event::Unclear | Event::InPart, _) => (None, TaskOutcome::Failed),
            (Event::Declined(Hold::Token), _) => (None, TaskOutcome::Refused),
            (_, Some(false)) => {
                let wait = self.reconnect_wait(&profile.id);
                (Some(wait), TaskOutcome::Offline(wait))
            }
            (_, Some(true)) => (None, TaskOutcome::Answered),
            (_, None) => (None, TaskOutcome::Nothing),
        };
        let Ok(next) = step(State::InFlight, record, reading.event, &profile.facts, now) else {
            return (None, task_outcome);
        };
        let fraction = self.context.ids.fraction();
        let only_a_person = next.to == State::Unknown
            && matches!(
                replay_window::repeat(&next.record, Route::Same, &profile.facts, now),
                replay_window::Repeat::Never
            );
        let wait = match (offline_wait, reading.retry_after) {
            // Nothing is to be waited for: the case is shown at once.
            _ if only_a_person => Duration::ZERO,
            (Some(wait), _) => wait,
            (None, Some(asked)) => {
                let longest = (next.to == State::Unknown)
                    .then(|| replay_window::longest_wait(&next.record, &profile.facts, now))
                    .flatten();
                let asked = backoff::wish(asked).saturating_add(backoff::jitter_now(fraction));
                asked.min(longest.unwrap_or(Duration::MAX))
            }
            (None, None) if next.to == State::Unknown => {
                backoff::after_unknown(next.record.sends, fraction)
            }
            (None, None) => backoff::backoff(failures, fraction),
        };
        let task_outcome = if reading.event == Event::Declined(Hold::Rate) {
            // Other requests wait for the full time, even if this one is repeated earlier.
            TaskOutcome::AskedToWait(reading.retry_after.map_or(wait, backoff::wish))
        } else {
            task_outcome
        };
        let due = |wait: Duration| Some(self.steady_now().saturating_add(millis(wait)));
        let (failures, next_at) = match next.to {
            State::Queued | State::Unknown | State::Held(Hold::Rate) => (failures, due(wait)),
            State::Held(Hold::Token) => (failures, None),
            State::Accepted => {
                let wait = confirmation::first_wait(backlog, self.context.ids.fraction());
                (0, due(wait))
            }
            State::Draft
            | State::InFlight
            | State::Confirmed
            | State::Rejected
            | State::NeedsPerson(_)
            | State::Cancelled => (0, None),
        };
        let outcome = Move {
            // The intent was one revision before.
            revision: batch.revision + 1,
            from: State::InFlight,
            failures,
            next_at,
            attempt: AttemptChange::Finish {
                class: reading.class,
                evidence: reading.evidence.clone(),
            },
            created: reading.created.clone(),
            named: reading.named.clone(),
            ..batch.step(next, now.wall)
        };
        (Some(outcome), task_outcome)
    }

    pub(super) async fn release(&self, profile: &Profile, batch: Batch) -> Result<(), Error> {
        let now = self.context.instant();
        if let Ok(next) = step(
            batch.state,
            &batch.record,
            Event::HoldOver,
            &profile.facts,
            now,
        ) {
            self.apply(batch.step(next, now.wall)).await?;
        }
        Ok(())
    }

    /// Applies a step; `false` when the batch has changed since it was read.
    pub(super) async fn apply(&self, step: Move) -> Result<bool, StoreError> {
        let now = self.context.instant();
        self.context.store.take_step(step, now).await
    }
}

/// Compares an endpoint with the address and token that the batch has.
pub(super) fn route(batch: &Batch, endpoint: Option<&Endpoint>) -> Route {
    match endpoint {
        None => Route::Unavailable,
        Some(endpoint) if endpoint.base_url != batch.base_url => Route::Elsewhere,
        Some(endpoint)
            if batch.token_fingerprint.as_deref() == Some(&endpoint.token_fingerprint) =>
        {
            Route::Same
        }
        Some(_) => Route::Other,
    }
}
