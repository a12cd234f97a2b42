//! The worker: carries out what is due, in the background or for as long as a caller asks.
//!
//! Owns when, never what: the table of states decides that. Work runs in tasks of its own, so that
//! nobody's impatience leaves a request without an ear.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;

use super::backoff::{self, Budget};
use super::circuit_breaker::{CircuitBreaker, TasksInProgress};
use super::gateway::{EndpointResolver, Ways};
use super::notifications::Telling;
use super::state::Instant;
use super::{Obstacle, OutboxSummary, RunUntil};
use crate::clock::{Clock, Ids};
use crate::{Desk, Error, StoreError};

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

/// The worker's own state. Everything that matters is in the store.
#[derive(Debug)]
pub(crate) struct Outbox {
    /// Names what monotonic times count from.
    counted_from: Uuid,
    /// The wall clock when this process began, in milliseconds since 1970 UTC.
    began_wall: i64,
    /// The monotonic clock then.
    began_mono: Duration,
    /// Counts up whenever something moved.
    moved: watch::Sender<u64>,
    /// Closing has begun.
    pub(super) stopping: watch::Sender<bool>,
    /// Counts how often lanes were forgotten: what was found out about a token before the last
    /// time may be about another one.
    pub(super) turn: AtomicU64,
    /// The ways to the services, by profile.
    pub(super) lanes: Mutex<HashMap<String, CircuitBreaker>>,
    /// The services found a moment ago.
    pub(super) ways: Mutex<Ways>,
    /// What is being done.
    pub(super) in_hand: Mutex<TasksInProgress>,
    /// Repeats this process may make.
    pub(super) budget: Mutex<Budget>,
    /// What stood in the way to each profile's service when it was last looked for.
    pub(super) obstacles: Mutex<HashMap<String, Obstacle>>,
    /// When listeners were told the counts.
    pub(super) telling: Mutex<Telling>,
    /// Why work could not go on, until somebody who runs the outbox is told.
    pub(super) trouble: Mutex<Option<Error>>,
    pub(super) background: Mutex<bool>,
    reach: Arc<dyn EndpointResolver>,
}

impl Outbox {
    /// Nothing in hand yet.
    pub(crate) fn new(clock: &dyn Clock, ids: &dyn Ids, reach: Arc<dyn EndpointResolver>) -> Self {
        Self {
            counted_from: clock.counted_from().unwrap_or_else(|| ids.uuid()),
            began_wall: clock.now().timestamp_millis(),
            began_mono: clock.monotonic(),
            moved: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
            turn: AtomicU64::new(0),
            lanes: Mutex::default(),
            ways: Mutex::default(),
            in_hand: Mutex::default(),
            budget: Mutex::new(Budget::new(clock.monotonic())),
            obstacles: Mutex::default(),
            telling: Mutex::default(),
            trouble: Mutex::new(None),
            background: Mutex::new(false),
            reach,
        }
    }

    /// Something may have become possible: every lane is tried again, but no sooner than its
    /// service asked.
    pub(crate) fn wake(&self) {
        self.turn.fetch_add(1, Ordering::SeqCst);
        lock(&self.ways).forget_all();
        for lane in lock(&self.lanes).values_mut() {
            *lane = lane.tried_anew();
        }
        self.bump();
    }

    /// The same for one profile's lane.
    fn try_lane_anew(&self, profile_id: &str) {
        self.turn.fetch_add(1, Ordering::SeqCst);
        lock(&self.ways).forget(profile_id);
        if let Some(lane) = lock(&self.lanes).get_mut(profile_id) {
            *lane = lane.tried_anew();
        }
    }

    /// Everything is different now: nothing that was found out about a profile's lane holds.
    pub(super) fn forget_lane(&self, profile_id: &str) {
        self.turn.fetch_add(1, Ordering::SeqCst);
        lock(&self.ways).forget(profile_id);
        lock(&self.lanes).remove(profile_id);
    }

    /// Notes that what waits for a new token was compared with the one there was at this turn.
    pub(super) fn token_was_compared(&self, profile_id: &str, turn: u64) {
        let mut lanes = lock(&self.lanes);
        if self.turn.load(Ordering::SeqCst) == turn {
            lanes
                .entry(profile_id.to_owned())
                .or_default()
                .token_compared = true;
        }
    }

    /// Whether closing has begun.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Whether this process may repeat a request now; it counts as repeated then.
    pub(crate) fn grants_repeat(&self, now: Duration) -> bool {
        lock(&self.budget).take(now).is_ok()
    }

    pub(super) fn reach(&self) -> Arc<dyn EndpointResolver> {
        Arc::clone(&self.reach)
    }

    /// Tells those who wait that something moved.
    pub(super) fn bump(&self) {
        self.moved
            .send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// A lock whose holder never leaves it half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    /// Starts carrying the outbox out in the background until the desk is closed. Must be called
    /// within a tokio runtime; a second call does nothing, nor does one on a desk opened to read.
    pub fn outbox_start(&self) {
        if self.inner.read_only || std::mem::replace(&mut lock(&self.inner.outbox.background), true)
        {
            return;
        }
        let desk = self.clone();
        tokio::spawn(async move { desk.tend().await });
        let desk = self.clone();
        tokio::spawn(async move { desk.tend_customers().await });
    }

    /// Carries the outbox of the chosen profile out until nothing can be done now, or the limit is
    /// reached. Offline it returns soon, with things still queued.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::NoProfile`]; [`Error::Store`] when the
    /// desk's own file refuses: then nothing more was sent.
    pub async fn outbox_run(
        &self,
        until: RunUntil,
        progress: &(dyn Fn(&OutboxSummary) + Sync),
    ) -> Result<OutboxSummary, Error> {
        self.writable()?;
        let profile = self.profile_now().await?;
        let outbox = &self.inner.outbox;
        // A run is asked for by a person: what was out of reach a while ago is tried again.
        outbox.try_lane_anew(&profile.id);
        lock(&outbox.trouble).take();
        self.inner.runs.wake();
        self.inner.store.retry_queued_now(&profile.id).await?;
        let deadline = self.inner.clock.monotonic().saturating_add(until.at_most);
        let mut moved = outbox.moved.subscribe();
        let mut told = None;
        let tell = async || -> Result<OutboxSummary, Error> {
            let summary = self.inner.store.outbox_summary(&profile.id).await?;
            progress(&summary);
            Ok(summary)
        };
        loop {
            moved.borrow_and_update();
            let plan = self.plan(Some(&profile.id)).await?;
            let now = self.inner.clock.monotonic();
            let left = deadline.saturating_sub(now);
            if left.is_zero() || *outbox.stopping.borrow() {
                return tell().await;
            }
            for (profile, job) in plan.jobs {
                self.begin_job(profile, job);
            }
            let wait = if lock(&outbox.in_hand).of_profile(&profile.id) > 0 {
                if told.is_none_or(|told| now.saturating_sub(told) >= TELL_AGAIN) {
                    told = Some(now);
                    tell().await?;
                }
                LOOK_AROUND
            } else {
                lock(&outbox.ways).forget(&profile.id);
                let summary = tell().await?;
                if let Some(error) = lock(&outbox.trouble).take() {
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
                    Some(_) | None if moved.has_changed().unwrap_or(false) => continue,
                    Some(_) | None => return Ok(summary),
                }
            };
            pause(&mut moved, wait.min(left)).await;
        }
    }

    /// The background's loop.
    async fn tend(&self) {
        let outbox = &self.inner.outbox;
        let mut moved = outbox.moved.subscribe();
        while !*outbox.stopping.borrow() {
            moved.borrow_and_update();
            let wait = match self.plan(None).await {
                Ok(plan) => {
                    for (profile, job) in plan.jobs {
                        self.begin_job(profile, job);
                    }
                    if lock(&outbox.in_hand).is_empty() {
                        lock(&outbox.ways).forget_all();
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
            pause(&mut moved, wait).await;
        }
    }

    /// Deletes customers whose retention time is over, in a task of its own, so that no sale waits for it.
    async fn tend_customers(&self) {
        let outbox = &self.inner.outbox;
        let mut moved = outbox.moved.subscribe();
        while !*outbox.stopping.borrow() {
            moved.borrow_and_update();
            self.forget_when_due().await;
            pause(&mut moved, LOOK_AROUND).await;
        }
    }

    /// Begins nothing more, for a process that is to end: what is in hand is carried through, and a
    /// file is left behind the rows in hand. What is not done by then stays kept.
    pub fn outbox_wind_down(&self) {
        let outbox = &self.inner.outbox;
        outbox.stopping.send_replace(true);
        outbox.bump();
    }

    /// Ends the background and waits, within a limit, for requests on their way.
    pub(crate) async fn outbox_stop(&self) {
        let outbox = &self.inner.outbox;
        let mut moved = outbox.moved.subscribe();
        self.outbox_wind_down();
        // Nothing is locked while `moved` is looked at: whoever lays work down bumps it under that lock.
        let empty = async {
            loop {
                moved.borrow_and_update();
                if lock(&outbox.in_hand).is_empty() || moved.changed().await.is_err() {
                    return;
                }
            }
        };
        if tokio::time::timeout(CLOSING_WAIT, empty).await.is_err() {
            tracing::warn!("closing while a request is on its way; it will count as unknown");
        }
    }

    /// A profile's token was set or removed: what was held for it may go.
    pub(crate) fn outbox_token_changed(&self, profile_id: &str) {
        self.inner.outbox.forget_lane(profile_id);
        self.note_obstacle(profile_id, None);
        self.contact_token_changed(profile_id);
        self.inner.outbox.bump();
    }

    /// How long a profile's lane waits after one more failure to reach the service.
    pub(super) fn lane_wait(&self, profile_id: &str) -> Duration {
        let setbacks = lock(&self.inner.outbox.lanes)
            .get(profile_id)
            .map_or(0, |lane| lane.setbacks);
        backoff::backoff(setbacks.saturating_add(1), self.inner.ids.fraction())
    }

    /// Now, on both clocks.
    pub(crate) fn instant(&self) -> Instant {
        Instant {
            wall: self.inner.clock.now().timestamp_millis(),
            mono: self.inner.clock.monotonic(),
            counted_from: self.inner.outbox.counted_from,
        }
    }

    /// Now as this process began plus what has passed since: waits are kept in it, so that setting
    /// the wall clock neither rushes nor stops them. In milliseconds since 1970 UTC.
    pub(super) fn steady_now(&self) -> i64 {
        let outbox = &self.inner.outbox;
        let passed = self
            .inner
            .clock
            .monotonic()
            .saturating_sub(outbox.began_mono);
        outbox
            .began_wall
            .saturating_add(super::send::millis(passed))
    }

    /// How long until a moment of the steady clock.
    fn until(&self, at: i64) -> Duration {
        let wait = at.saturating_sub(self.steady_now()).max(1);
        Duration::from_millis(u64::try_from(wait).unwrap_or(1))
    }
}

async fn pause(moved: &mut watch::Receiver<u64>, wait: Duration) {
    tokio::select! {
        // The sender lives in the desk that is asking.
        _ = moved.changed() => {}
        () = tokio::time::sleep(wait) => {}
    }
}

#[cfg(test)]
#[path = "dispatcher_tests.rs"]
mod tests;
