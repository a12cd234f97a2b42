//! The worker: carries out what is due, in the background or for as long as a caller asks.
//!
//! Owns when, never what: the table of states decides that. Work runs in tasks of its own, so that
//! nobody's impatience leaves a request without an ear.

use std::time::Duration;

use tokio::sync::watch;

use super::Outbox;
use super::backoff::{self};
use super::{OutboxSummary, RunUntil};
use crate::work::lock;
use crate::{Error, StoreError};

/// The worker looks around at least this often.
const LOOK_AROUND: Duration = Duration::from_secs(60);
/// While work is in hand, who runs the outbox hears the counts this often: counting takes longer
/// the more entries there are.
const TELL_AGAIN: Duration = Duration::from_millis(100);
/// After the desk's own file refused.
pub(super) const STORE_WAIT: Duration = Duration::from_secs(5);
/// How long closing waits for requests on their way: as long as a request may take, and a little
/// to write down what came of it.
const CLOSING_WAIT: Duration = Duration::from_secs(65);

impl Outbox {
    /// Starts carrying the outbox out in the background until the desk is closed. Must be called
    /// within a tokio runtime; a second call does nothing, nor does one on a desk opened to read.
    pub fn start(&self) {
        if self.context.read_only
            || std::mem::replace(&mut lock(&self.context.work.background), true)
        {
            return;
        }
        let outbox = self.clone();
        tokio::spawn(async move { outbox.run_in_background().await });
        let outbox = self.clone();
        tokio::spawn(async move { outbox.delete_expired_customers().await });
    }

    /// Carries the outbox of the chosen profile out until nothing can be done now, or the limit is
    /// reached. Offline it returns soon, with things still queued.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::NoProfile`]; [`Error::Store`] when the
    /// desk's own file refuses: then nothing more was sent.
    pub async fn run(
        &self,
        until: RunUntil,
        progress: &(dyn Fn(&OutboxSummary) + Sync),
    ) -> Result<OutboxSummary, Error> {
        self.context.writable()?;
        let profile = self.context.profile_now().await?;
        let outbox = &self.context.work;
        // A run is asked for by a person: what was out of reach a while ago is tried again.
        outbox.reset_breaker(&profile.id);
        lock(&outbox.failure).take();
        self.context.runs.wake();
        self.context.store.retry_queued_now(&profile.id).await?;
        let deadline = self.context.clock.monotonic().saturating_add(until.at_most);
        let mut changes = outbox.changes.subscribe();
        let mut told = None;
        let tell = async || -> Result<OutboxSummary, Error> {
            let summary = self.context.store.outbox_summary(&profile.id).await?;
            progress(&summary);
            Ok(summary)
        };
        loop {
            changes.borrow_and_update();
            let plan = self.plan(Some(&profile.id)).await?;
            let now = self.context.clock.monotonic();
            let left = deadline.saturating_sub(now);
            if left.is_zero() || *outbox.stopping.borrow() {
                return tell().await;
            }
            for (profile, job) in plan.jobs {
                self.begin_task(profile, job);
            }
            let wait = if lock(&outbox.tasks).of_profile(&profile.id) > 0 {
                if told.is_none_or(|told| now.saturating_sub(told) >= TELL_AGAIN) {
                    told = Some(now);
                    tell().await?;
                }
                LOOK_AROUND
            } else {
                lock(&outbox.endpoints).remove(&profile.id);
                let summary = tell().await?;
                if let Some(error) = lock(&outbox.failure).take() {
                    return Err(error);
                }
                let looks = until.confirmed && summary.accepted > 0;
                let next = [plan.next_batch, plan.next_look.filter(|_| looks)]
                    .into_iter()
                    .flatten()
                    .min();
                match next {
                    Some(next) if !plan.out_of_reach => self.until(next),
                    // Something was finished since the plan was made: make another.
                    Some(_) | None if changes.has_changed().unwrap_or(false) => continue,
                    Some(_) | None => return Ok(summary),
                }
            };
            pause(&mut changes, wait.min(left)).await;
        }
    }

    /// The background's loop.
    async fn run_in_background(&self) {
        let outbox = &self.context.work;
        let mut changes = outbox.changes.subscribe();
        while !*outbox.stopping.borrow() {
            changes.borrow_and_update();
            let wait = match self.plan(None).await {
                Ok(plan) => {
                    for (profile, job) in plan.jobs {
                        self.begin_task(profile, job);
                    }
                    if lock(&outbox.tasks).is_empty() {
                        lock(&outbox.endpoints).clear();
                    }
                    [plan.next_batch, plan.next_look]
                        .into_iter()
                        .flatten()
                        .min()
                        .map_or(LOOK_AROUND, |next| self.until(next).min(LOOK_AROUND))
                }
                Err(Error::Store(StoreError::Closed)) => return,
                Err(error) => {
                    tracing::error!(%error, "the outbox could not be read");
                    STORE_WAIT
                }
            };
            pause(&mut changes, wait).await;
        }
    }

    /// Deletes customers whose retention time is over, in a task of its own, so that no sale waits for it.
    async fn delete_expired_customers(&self) {
        let outbox = &self.context.work;
        let mut changes = outbox.changes.subscribe();
        while !*outbox.stopping.borrow() {
            changes.borrow_and_update();
            self.encryption.forget_when_due().await;
            pause(&mut changes, LOOK_AROUND).await;
        }
    }

    /// Begins nothing more, for a process that is to end: what is in hand is carried through, and a
    /// file is left behind the rows in hand. What is not done by then stays kept.
    pub fn wind_down(&self) {
        let outbox = &self.context.work;
        outbox.stopping.send_replace(true);
        outbox.bump();
    }

    /// Ends the background and waits, within a limit, for requests on their way.
    pub(crate) async fn stop(&self) {
        let outbox = &self.context.work;
        let mut changes = outbox.changes.subscribe();
        self.wind_down();
        // Nothing is locked while `moved` is looked at: whoever lays work down bumps it under that lock.
        let empty = async {
            loop {
                changes.borrow_and_update();
                if lock(&outbox.tasks).is_empty() || changes.changed().await.is_err() {
                    return;
                }
            }
        };
        if tokio::time::timeout(CLOSING_WAIT, empty).await.is_err() {
            tracing::warn!("closing while a request is on its way; it will count as unknown");
        }
    }

    /// How long a profile's lane waits after one more failure to reach the service.
    pub(super) fn lane_wait(&self, profile_id: &str) -> Duration {
        let setbacks = lock(&self.context.work.breakers)
            .get(profile_id)
            .map_or(0, |lane| lane.setbacks);
        backoff::backoff(setbacks.saturating_add(1), self.context.ids.fraction())
    }

    /// Now, on the clock that waits are kept in. In milliseconds since 1970 UTC.
    pub(super) fn steady_now(&self) -> i64 {
        self.context.work.steady_now(self.context.clock.as_ref())
    }

    /// How long until a moment of the steady clock.
    fn until(&self, at: i64) -> Duration {
        let wait = at.saturating_sub(self.steady_now()).max(1);
        Duration::from_millis(u64::try_from(wait).unwrap_or(1))
    }
}

async fn pause(changes: &mut watch::Receiver<u64>, wait: Duration) {
    tokio::select! {
        // The sender lives in the desk that is asking.
        _ = changes.changed() => {}
        () = tokio::time::sleep(wait) => {}
    }
}

#[cfg(test)]
#[path = "dispatcher_tests.rs"]
mod tests;
