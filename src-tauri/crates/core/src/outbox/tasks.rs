//! Runs the outbox's tasks.
//!
//! Owns which service runs which task. Does not decide what becomes of a batch, lead or bulk job.

use std::sync::atomic::Ordering;

use tokio::sync::OwnedSemaphorePermit;

use super::circuit_breaker::{LeadAttempt, TaskKind, TaskOutcome};
use super::dispatcher::STORE_WAIT;
use super::scheduler::Task;
use super::state::{Hold, State};
use super::{Outbox, SubmissionState};
use crate::profile::Profile;
use crate::{Error, Result, StoreError};
use warranty_runtime::notifications::Change;
use warranty_runtime::work::lock;
use warranty_store::batches::Batch;

impl Outbox {
    pub(super) fn spawn_task(&self, profile: Profile, task: Task) {
        let (id, kind) = (task.id(&profile), task.kind());
        let Some(guard) = self.context.work.begin(&id, kind, &profile.id) else {
            return;
        };
        let this = self.clone();
        tokio::spawn(async move {
            let _guard = guard;
            // Dropped last: the next batch is sent once the circuit breaker knows of this one.
            let mut turns = Vec::new();
            let result = match this.run_task(&profile, task, &mut turns).await {
                Ok(outcome) if this.record_outcome(&profile.id, kind, outcome) => {
                    let retried = this.context.store.retry_queued_now(&profile.id).await;
                    retried.map_err(Error::from)
                }
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = result {
                tracing::error!(%error, "the outbox could not go on with one piece of work");
                let work = &this.context.work;
                *lock(&work.failure) = Some(error);
                let until = this.context.clock.monotonic().saturating_add(STORE_WAIT);
                work.change(&profile.id, |breaker| breaker.file_until = until);
                work.set_back();
            }
        });
    }

    async fn send_lead(&self, profile: &Profile, id: &str) -> Result<()> {
        let outcome = self.leads.send_due(id).await?;
        let (now, fraction) = (self.context.clock.monotonic(), self.context.ids.fraction());
        self.context.work.change(&profile.id, |breaker| {
            breaker.note_lead(id, outcome, now);
            if outcome != LeadAttempt::Stuck {
                breaker.recovery.began(true, now, fraction);
            }
        });
        Ok(())
    }

    async fn run_task(
        &self,
        profile: &Profile,
        task: Task,
        turns: &mut Vec<OwnedSemaphorePermit>,
    ) -> Result<TaskOutcome> {
        match task {
            Task::Send(planned) => return self.send(profile, planned, turns).await,
            Task::Probe => return self.probe_service(profile).await,
            Task::LookUp { ids, at_once } => return self.look_up(profile, ids, at_once).await,
            Task::Lead(id) => self.send_lead(profile, &id).await?,
            Task::LeadOutcome(id) => self.leads.write_outcome(&id).await?,
            Task::WorkOnRows(run) => Box::pin(self.bulk.work_on_next(profile, run)).await?,
            Task::Release(ids) => {
                self.release_held(profile, |batch| ids.contains(&batch.id))
                    .await?;
            }
            Task::CompareToken => {
                // A token that is stored from here on may not be seen yet.
                let begun = self.context.clock.monotonic();
                if let Err(error) = self.profiles.help_after_refusal(profile).await {
                    // What keeps it away keeps the endpoint away too, and is shown then.
                    tracing::info!(%error, "the token helper was not asked");
                }
                let resets = self.context.work.resets.load(Ordering::SeqCst);
                // What is remembered may have been read before the token was stored.
                lock(&self.context.work.endpoints).remove(&profile.id);
                let Some(endpoint) = self.endpoint(profile).await else {
                    return Ok(TaskOutcome::Unavailable);
                };
                let token = Some(endpoint.token_fingerprint);
                self.release_held(profile, |batch| {
                    batch.state == State::Held(Hold::Token) && batch.token_fingerprint != token
                })
                .await?;
                let work = &self.context.work;
                work.change(&profile.id, |breaker| {
                    // After a reset they may have been compared with another token.
                    if work.resets.load(Ordering::SeqCst) == resets {
                        breaker.token_compared_at = Some(begun);
                    }
                });
            }
        }
        Ok(TaskOutcome::Nothing)
    }

    /// Releases all batches that are held for their token, because a person has just set one.
    pub(crate) async fn token_given(&self, profile: &Profile) -> Result<()> {
        self.release_held(profile, |batch| batch.state == State::Held(Hold::Token))
            .await?;
        self.context.work.bump();
        Ok(())
    }

    async fn release_held(
        &self,
        profile: &Profile,
        is_released: impl Fn(&Batch) -> bool,
    ) -> Result<()> {
        let mut held = self.held_batches(&profile.id).await?;
        held.retain(is_released);
        if held.is_empty() {
            return Ok(());
        }
        for batch in held {
            self.release(profile, batch).await?;
        }
        self.notifications.notify_soon(Change::Many).await;
        Ok(())
    }

    pub(super) async fn held_batches(&self, profile_id: &str) -> Result<Vec<Batch>, StoreError> {
        let store = &self.context.store;
        store.batches_of(profile_id, SubmissionState::Held).await
    }

    /// Records the outcome of a task in the circuit breaker; `true` when the service works again.
    pub(super) fn record_outcome(
        &self,
        profile_id: &str,
        kind: TaskKind,
        outcome: TaskOutcome,
    ) -> bool {
        let now = self.context.clock.monotonic();
        if outcome == TaskOutcome::Refused {
            // The token may have changed.
            lock(&self.context.work.endpoints).remove(profile_id);
        }
        let work = &self.context.work;
        let (again, answers_again) = work.change(profile_id, |breaker| {
            let was_silent = breaker.recovery.asked_again_at().is_some();
            let again = breaker.note(kind, outcome, now);
            (
                again,
                was_silent && breaker.recovery.asked_again_at().is_none(),
            )
        });
        if !matches!(outcome, TaskOutcome::Answered | TaskOutcome::Nothing) {
            work.set_back();
        }
        if answers_again {
            self.overviews.notify_later(profile_id);
        }
        again
    }
}
