//! The outbox's tasks.
//!
//! Owns which task does what. What a task does with its batch, lead or bulk job is decided by
//! their services.

use std::sync::atomic::Ordering;

use super::Outbox;
use super::SubmissionState;
use super::circuit_breaker::{TaskKind, TaskOutcome};
use super::dispatcher::STORE_WAIT;
use super::scheduler::Job;
use super::state::{Hold, State};
use crate::notifications::Change;
use crate::profile::Profile;
use crate::work::lock;
use crate::{Error, StoreError};
use warranty_store::batches::Batch;

impl Outbox {
    /// Begins a piece of work in a task of its own, unless it is in hand already.
    pub(super) fn begin_task(&self, profile: Profile, job: Job) {
        let (id, kind) = (job.id(&profile), job.kind());
        let Some(guard) = self.context.work.begin(&id, kind, &profile.id) else {
            return;
        };
        let this = self.clone();
        tokio::spawn(async move {
            let _guard = guard;
            let done = match this.do_task(&profile, job).await {
                Ok(sent) if this.note(&profile.id, kind, sent) => {
                    let retried = this.context.store.retry_queued_now(&profile.id).await;
                    retried.map_err(Error::from)
                }
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            match done {
                Ok(()) => {}
                Err(error) => {
                    tracing::error!(%error, "the outbox could not go on with one piece of work");
                    *lock(&this.context.work.failure) = Some(error);
                    let until = this.context.clock.monotonic().saturating_add(STORE_WAIT);
                    lock(&this.context.work.breakers)
                        .entry(profile.id.clone())
                        .or_default()
                        .file_until = until;
                }
            }
        });
    }

    /// Sends a lead that waits.
    async fn deliver_lead(&self, profile: &Profile, id: &str) -> Result<TaskOutcome, Error> {
        let Some(subscribers) = self.context.subscribers() else {
            return Ok(TaskOutcome::Nothing);
        };
        let waits = subscribers.lead_due(id).await?;
        let now = self.context.clock.monotonic();
        lock(&self.context.work.breakers)
            .entry(profile.id.clone())
            .or_default()
            .note_lead(waits, now);
        Ok(TaskOutcome::Nothing)
    }

    async fn do_task(&self, profile: &Profile, job: Job) -> Result<TaskOutcome, Error> {
        match job {
            Job::Send(id) => self.send(profile, &id).await,
            Job::Look(id) => self.look(profile, &id).await,
            Job::Lead(id) => self.deliver_lead(profile, &id).await,
            Job::DoubtLead(id) => {
                if let Some(subscribers) = self.context.subscribers() {
                    subscribers.lead_unknown(&id).await?;
                }
                Ok(TaskOutcome::Nothing)
            }
            Job::Feed(run) => {
                if let Some(subscribers) = self.context.subscribers() {
                    subscribers.rows_due(profile, run).await?;
                }
                Ok(TaskOutcome::Nothing)
            }
            Job::Release(ids) => {
                for batch in self.held_batches(&profile.id).await? {
                    if ids.contains(&batch.id) {
                        self.release(profile, batch).await?;
                    }
                }
                self.notifications
                    .notify_soon(&profile.id, Change::Many)
                    .await;
                Ok(TaskOutcome::Nothing)
            }
            Job::CompareToken => {
                let turn = self.context.work.resets.load(Ordering::SeqCst);
                let Some(endpoint) = self.endpoint(profile).await else {
                    return Ok(TaskOutcome::NoWay);
                };
                for batch in self.held_batches(&profile.id).await? {
                    let same = batch.token_fingerprint.as_deref()
                        == Some(endpoint.token_fingerprint.as_str());
                    if batch.state == State::Held(Hold::Token) && !same {
                        self.release(profile, batch).await?;
                    }
                }
                self.context.work.token_was_compared(&profile.id, turn);
                self.notifications
                    .notify_soon(&profile.id, Change::Many)
                    .await;
                Ok(TaskOutcome::Nothing)
            }
        }
    }

    /// Lets everything go that is held for its token: a person has just given one, be it the same.
    pub(crate) async fn token_given(&self, profile: &Profile) -> Result<(), Error> {
        for batch in self.held_batches(&profile.id).await? {
            if batch.state == State::Held(Hold::Token) {
                self.release(profile, batch).await?;
            }
        }
        self.context.work.bump();
        self.notifications
            .notify_soon(&profile.id, Change::Many)
            .await;
        Ok(())
    }

    /// A profile's held batches.
    pub(super) async fn held_batches(&self, profile_id: &str) -> Result<Vec<Batch>, StoreError> {
        let store = &self.context.store;
        store.batches_of(profile_id, SubmissionState::Held).await
    }

    /// Notes what a piece of work says of the way to the service; `true` when it is there again.
    fn note(&self, profile_id: &str, kind: TaskKind, sent: TaskOutcome) -> bool {
        let (now, fraction) = (self.context.clock.monotonic(), self.context.ids.fraction());
        if sent == TaskOutcome::Refused {
            // There may be another token by now.
            lock(&self.context.work.endpoints).remove(profile_id);
        }
        lock(&self.context.work.breakers)
            .entry(profile_id.to_owned())
            .or_default()
            .note(kind, sent, now, fraction)
    }
}
