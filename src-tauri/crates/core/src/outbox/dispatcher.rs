//! The dispatcher: starts due tasks, in the background or while a caller runs the outbox.
//!
//! Owns when tasks start, not what they do. Each task is spawned, so that a caller that stops
//! waiting does not cancel a request.

use std::time::Duration;

use tokio::sync::watch;

use super::scheduler::Task;
use super::{Blocker, Outbox, OutboxSummary, RunUntil, backoff};
use crate::{Error, Result, StoreError};
use warranty_runtime::notifications::Change;
use warranty_runtime::work::lock;
use warranty_store::batches::Move;

/// Maximum wait between two plans.
const IDLE_WAIT: Duration = Duration::from_secs(60);
/// How often [`Outbox::run`] reports the counts while tasks run: counting takes longer the more
/// entries there are.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
pub(super) const STORE_WAIT: Duration = Duration::from_secs(5);
/// How long closing waits for running requests: the longest time of a request, and a little more
/// to store its outcome.
const CLOSING_WAIT: Duration = Duration::from_secs(65);

impl Outbox {
    /// Starts the dispatcher in the background until the desk is closed. Must be called within a
    /// tokio runtime. Does nothing when it runs already or the desk is read-only.
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
        let profiles = self.profiles.clone();
        tokio::spawn(async move {
            for profile in profiles.all().await.unwrap_or_default() {
                profiles.help_at_first_need(&profile).await;
            }
        });
    }

    /// Starts a rescue if the keychain knows of newer data than this file has. A run does so itself only
    /// before it sends something.
    ///
    /// # Errors
    /// As [`Outbox::run`].
    pub async fn compare_with_keychain(&self) -> Result<()> {
        let profile = self.context.profile_now().await?;
        self.high_water.compare_with_keychain(&profile).await
    }

    /// Runs the outbox of the chosen profile until nothing can be done now, or until the time limit.
    /// When the service is offline or silent it returns soon, with entries still queued, unless one of
    /// unknown outcome can be repeated.
    ///
    /// # Errors
    /// [`Error::InUse`] on a read-only desk; [`Error::NoProfile`]; [`Error::Store`], and then
    /// nothing more was sent.
    pub async fn run(
        &self,
        until: RunUntil,
        progress: &(dyn Fn(&OutboxSummary) + Sync),
    ) -> Result<OutboxSummary> {
        self.context.writable()?;
        let profile = self.context.profile_now().await?;
        self.profiles.help_at_first_need(&profile).await;
        let work = &self.context.work;
        // A person asks for this run, so an unreachable service is tried again at once.
        work.reset_breaker(&profile.id);
        lock(&work.failure).take();
        self.context.runs.wake();
        self.context.store.retry_queued_now(&profile.id).await?;
        let deadline = self.context.clock.monotonic().saturating_add(until.at_most);
        let mut changes = work.changes.subscribe();
        let mut reported = None;
        let report = async || -> Result<OutboxSummary> {
            let summary = self.context.store.outbox_summary(&profile.id).await?;
            progress(&summary);
            Ok(summary)
        };
        loop {
            changes.borrow_and_update();
            let plan = self.plan(Some(&profile.id)).await?;
            let now = self.context.clock.monotonic();
            let left = deadline.saturating_sub(now);
            if left.is_zero() || work.is_stopping() {
                return report().await;
            }
            for (profile, task) in plan.due {
                self.spawn_task(profile, task);
            }
            let wait = if lock(&work.tasks).of_profile(&profile.id) > 0 {
                if reported.is_none_or(|reported| now.saturating_sub(reported) >= PROGRESS_INTERVAL)
                {
                    reported = Some(now);
                    report().await?;
                }
                IDLE_WAIT
            } else {
                lock(&work.endpoints).remove(&profile.id);
                let summary = report().await?;
                if let Some(error) = lock(&work.failure).take() {
                    return Err(error);
                }
                let confirming = until.confirmed && summary.accepted > 0;
                // A sale of unknown outcome can be repeated for a few minutes only.
                let gives_up = plan.unavailable || (plan.silent && summary.unknown == 0);
                // Nobody knows when a lost key comes back.
                let key_lost = self.overviews.blocker_of(&profile.id) == Some(Blocker::KeyLost);
                let next_batch = plan.next_batch.filter(|_| !key_lost);
                let next = [next_batch, plan.next_lookup.filter(|_| confirming)]
                    .into_iter()
                    .flatten()
                    .min();
                match next {
                    Some(next) if !gives_up => self.until(next),
                    // A task ended since the plan was made.
                    Some(_) | None if changes.has_changed().unwrap_or(false) => continue,
                    Some(_) | None => return Ok(summary),
                }
            };
            pause(&mut changes, wait.min(left)).await;
        }
    }

    async fn run_in_background(&self) {
        let work = &self.context.work;
        let mut changes = work.changes.subscribe();
        // Without the services the desk is gone.
        while !work.is_stopping() && self.context.subscribers().is_some() {
            changes.borrow_and_update();
            let wait = match self.plan(None).await {
                Ok(plan) => {
                    for (profile, task) in plan.due {
                        self.spawn_task(profile, task);
                    }
                    if lock(&work.tasks).is_empty() {
                        lock(&work.endpoints).clear();
                    }
                    [plan.next_batch, plan.next_lookup]
                        .into_iter()
                        .flatten()
                        .min()
                        .map_or(IDLE_WAIT, |next| self.until(next).min(IDLE_WAIT))
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

    /// Deletes customers whose retention time is over. Runs separately, so that no sale waits for it.
    async fn delete_expired_customers(&self) {
        let work = &self.context.work;
        let mut changes = work.changes.subscribe();
        while !work.is_stopping() {
            changes.borrow_and_update();
            let deleted = self.encryption.delete_expired().await;
            if deleted > 0 {
                self.notifications.notify_soon(Change::Many).await;
            }
            pause(&mut changes, IDLE_WAIT).await;
        }
    }

    /// Called while a person uses the window. Ends the longer waits that began while nobody used it. If
    /// the last request failed, probes the service: while nothing is queued, no other request may find
    /// out that it is available again.
    pub async fn attended(&self) {
        let work = &self.context.work;
        let now = self.context.clock.monotonic();
        work.attended(now);
        let Ok(profile) = self.context.profile_now().await else {
            return;
        };
        let is_idle = lock(&work.tasks).of_profile(&profile.id) == 0;
        let may_ask = is_idle && work.breaker(&profile.id).may_probe(now);
        if may_ask && self.overviews.may_be_back(&profile.id) {
            self.spawn_task(profile, Task::Probe);
        }
    }

    /// Starts no more tasks, because the process is about to end. Running tasks finish, and bulk jobs
    /// stop after their current rows. The rest stays in the store.
    pub fn wind_down(&self) {
        self.context.work.stop();
    }

    /// Stops the background loops and waits, within a limit, for running tasks.
    pub async fn stop(&self) {
        let work = &self.context.work;
        let mut changes = work.changes.subscribe();
        self.wind_down();
        // No lock is held while `changes` is read: a task that ends bumps it under the tasks lock.
        let empty = async {
            loop {
                changes.borrow_and_update();
                if lock(&work.tasks).is_empty() || changes.changed().await.is_err() {
                    return;
                }
            }
        };
        if tokio::time::timeout(CLOSING_WAIT, empty).await.is_err() {
            tracing::warn!("closing while a request is on its way; it will count as unknown");
        }
        self.write_kept_outcomes().await;
    }

    /// Tries once more to write the outcomes that only this process knows.
    async fn write_kept_outcomes(&self) {
        let lost = |error: &Error| {
            tracing::error!(%error, "an outcome could not be written; it will count as unknown");
        };
        let work = &self.context.work;
        let outcomes: Vec<Move> = lock(&work.unwritten).values().cloned().collect();
        for outcome in outcomes {
            if let Err(error) = self.apply(outcome).await {
                lost(&error.into());
            }
        }
        let leads: Vec<String> = lock(&work.unwritten_leads).keys().cloned().collect();
        for lead in leads {
            if let Err(error) = self.leads.write_outcome(&lead).await {
                lost(&error);
            }
        }
    }

    /// How long a profile waits after one more failure to connect to its service.
    pub(super) fn reconnect_wait(&self, profile_id: &str) -> Duration {
        let work = &self.context.work;
        let failures = work.breaker(profile_id).failures.saturating_add(1);
        let longest = work.longest_wait(self.context.clock.monotonic());
        backoff::backoff_within(longest, failures, self.context.ids.fraction())
    }

    /// Now on the steady clock, in milliseconds since 1970 UTC.
    pub(super) fn steady_now(&self) -> i64 {
        self.context.work.steady_now(self.context.clock.as_ref())
    }

    /// How long until a time on the steady clock.
    fn until(&self, at: i64) -> Duration {
        let wait = at.saturating_sub(self.steady_now()).max(1);
        Duration::from_millis(u64::try_from(wait).unwrap_or(1))
    }
}

async fn pause(changes: &mut watch::Receiver<u64>, wait: Duration) {
    tokio::select! {
        // Cannot fail: the caller keeps the sender alive.
        _ = changes.changed() => {}
        () = tokio::time::sleep(wait) => {}
    }
}

#[cfg(test)]
#[path = "dispatcher_tests.rs"]
mod tests;
