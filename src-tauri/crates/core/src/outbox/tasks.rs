//! Pieces of work, each in a task of its own.
//!
//! Owns that nothing is in hand twice and that whatever was begun is laid down. What a piece of
//! work does is decided by its subject.

use std::sync::atomic::Ordering;
use std::time::Duration;

use warranty_api::Error as ApiError;

use super::circuit_breaker::{TaskKind, TaskOutcome};
use super::dispatcher::{STORE_WAIT, lock};
use super::scheduler::Job;
use super::state::{Hold, State};
use super::{SubmissionState, backoff};
use crate::profile::Profile;
use crate::repeats::Outcome;
use crate::{Desk, Error, StoreError};
use warranty_store::batches::Batch;

impl Desk {
    /// Begins a piece of work in a task of its own, unless it is in hand already.
    pub(super) fn begin_job(&self, profile: Profile, job: Job) {
        let (id, kind) = (job.id(&profile), job.kind());
        {
            let mut in_hand = lock(&self.inner.outbox.in_hand);
            // Asked under the lock: who closes and finds nothing in hand knows that nothing begins.
            if *self.inner.outbox.stopping.borrow() || !in_hand.take(&id, kind, &profile.id) {
                return;
            }
        }
        let hand = TaskGuard {
            desk: self.clone(),
            id,
        };
        tokio::spawn(async move {
            let desk = &hand.desk;
            let done = match desk.do_job(&profile, job).await {
                Ok(sent) if desk.note(&profile.id, kind, sent) => {
                    let retried = desk.inner.store.retry_queued_now(&profile.id).await;
                    retried.map_err(Error::from)
                }
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            match done {
                Ok(()) => {}
                Err(error) => {
                    tracing::error!(%error, "the outbox could not go on with one piece of work");
                    *lock(&desk.inner.outbox.trouble) = Some(error);
                    let until = desk.inner.clock.monotonic().saturating_add(STORE_WAIT);
                    lock(&desk.inner.outbox.lanes)
                        .entry(profile.id.clone())
                        .or_default()
                        .file_until = until;
                }
            }
        });
    }

    /// Takes a lead in hand, so that nothing else sends it meanwhile; `None` when it is already.
    pub(crate) fn hold_lead(&self, id: &str, profile_id: &str) -> Option<TaskGuard> {
        lock(&self.inner.outbox.in_hand)
            .take(id, TaskKind::Lead, profile_id)
            .then(|| TaskGuard {
                desk: self.clone(),
                id: id.to_owned(),
            })
    }

    /// Sends a lead that waits.
    async fn deliver_lead(&self, profile: &Profile, id: &str) -> Result<TaskOutcome, Error> {
        let waits = self.lead_goes(id).await?;
        let now = self.inner.clock.monotonic();
        lock(&self.inner.outbox.lanes)
            .entry(profile.id.clone())
            .or_default()
            .note_lead(waits, now);
        Ok(TaskOutcome::Nothing)
    }

    async fn do_job(&self, profile: &Profile, job: Job) -> Result<TaskOutcome, Error> {
        match job {
            Job::Send(id) => self.send(profile, &id).await,
            Job::Look(id) => self.look(profile, &id).await,
            Job::Lead(id) => self.deliver_lead(profile, &id).await,
            Job::DoubtLead(id) => {
                self.doubt_lead(&id).await?;
                Ok(TaskOutcome::Nothing)
            }
            Job::Feed(run) => {
                self.feed_next(profile, run).await?;
                Ok(TaskOutcome::Nothing)
            }
            Job::Release(ids) => {
                for batch in self.held_batches(&profile.id).await? {
                    if ids.contains(&batch.id) {
                        self.release(profile, batch).await?;
                    }
                }
                self.tell_counts_soon(&profile.id).await;
                Ok(TaskOutcome::Nothing)
            }
            Job::CompareToken => {
                let turn = self.inner.outbox.turn.load(Ordering::SeqCst);
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
                self.inner.outbox.token_was_compared(&profile.id, turn);
                self.tell_counts_soon(&profile.id).await;
                Ok(TaskOutcome::Nothing)
            }
        }
    }

    /// Keeps the wait that the answer to any request asked for, when it declined it for its rate.
    pub(crate) fn respect_rate(&self, profile_id: &str, error: &ApiError) {
        if Outcome::of(error) == Outcome::Declined(Hold::Rate)
            && let Some(asked) = error.retry_after()
        {
            self.asked_to_wait(profile_id, backoff::wish(asked));
        }
    }

    /// Lets everything go that is held for its token: a person has just given one, be it the same.
    pub(crate) async fn outbox_token_given(&self, profile: &Profile) -> Result<(), Error> {
        for batch in self.held_batches(&profile.id).await? {
            if batch.state == State::Held(Hold::Token) {
                self.release(profile, batch).await?;
            }
        }
        self.inner.outbox.bump();
        self.tell_counts_soon(&profile.id).await;
        Ok(())
    }

    /// Keeps a wait that a profile's service asked for.
    pub(super) fn asked_to_wait(&self, profile_id: &str, wait: Duration) {
        let now = self.inner.clock.monotonic();
        lock(&self.inner.outbox.lanes)
            .entry(profile_id.to_owned())
            .or_default()
            .note_asked(wait, now);
    }

    /// A profile's held batches.
    pub(super) async fn held_batches(&self, profile_id: &str) -> Result<Vec<Batch>, StoreError> {
        let store = &self.inner.store;
        store.batches_of(profile_id, SubmissionState::Held).await
    }

    /// Notes what a piece of work says of the way to the service; `true` when it is there again.
    fn note(&self, profile_id: &str, kind: TaskKind, sent: TaskOutcome) -> bool {
        let (now, fraction) = (self.inner.clock.monotonic(), self.inner.ids.fraction());
        if sent == TaskOutcome::Refused {
            // There may be another token by now.
            lock(&self.inner.outbox.ways).forget(profile_id);
        }
        lock(&self.inner.outbox.lanes)
            .entry(profile_id.to_owned())
            .or_default()
            .note(kind, sent, now, fraction)
    }
}

/// Work in hand, laid down whatever becomes of its task.
#[derive(Debug)]
pub(crate) struct TaskGuard {
    desk: Desk,
    id: String,
}

impl Drop for TaskGuard {
    fn drop(&mut self) {
        let outbox = &self.desk.inner.outbox;
        // Bumped before the lock is given back: whoever finds nothing in hand finds it moved.
        let mut in_hand = lock(&outbox.in_hand);
        in_hand.lay_down(&self.id);
        outbox.bump();
    }
}
