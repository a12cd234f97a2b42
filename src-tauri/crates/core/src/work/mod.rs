//! What this process has in progress: tasks, waits and the endpoints found a moment ago.
//!
//! Owns nothing that must outlive the process: everything that matters is in the store. Does no
//! work itself.

mod endpoints;
mod runs;
mod unsaved_drafts;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;
use warranty_model::outbox::backoff::Budget;
use warranty_model::outbox::circuit_breaker::{CircuitBreaker, TaskKind, TasksInProgress};
use warranty_model::outbox::state::Instant;

use crate::Error;
use crate::clock::{Clock, Ids};

#[cfg(test)]
pub(crate) use endpoints::ContractsService;
pub(crate) use endpoints::{Endpoint, KnownEndpoints};
pub(crate) use runs::RunQueue;
pub(crate) use unsaved_drafts::{MOST_IN_PROFILE, UnsavedDrafts};

/// What the outbox has in progress.
#[derive(Debug)]
pub(crate) struct WorkState {
    /// Names what monotonic times count from.
    counted_from: Uuid,
    /// The wall clock when this process began, in milliseconds since 1970 UTC.
    began_wall: i64,
    /// The monotonic clock then.
    began_mono: Duration,
    /// Counts up whenever something moved.
    pub moved: watch::Sender<u64>,
    /// Closing has begun.
    pub stopping: watch::Sender<bool>,
    /// Counts how often circuit breakers were reset: what was found out about a token before the
    /// last time may be about another one.
    pub turn: AtomicU64,
    /// A circuit breaker for each profile.
    pub lanes: Mutex<HashMap<String, CircuitBreaker>>,
    /// The endpoints found a moment ago.
    pub endpoints: Mutex<KnownEndpoints>,
    /// Tasks that run.
    pub in_hand: Mutex<TasksInProgress>,
    /// Repeats this process may make.
    pub budget: Mutex<Budget>,
    /// Why work could not go on, until whoever runs the outbox is told.
    pub trouble: Mutex<Option<Error>>,
    /// Whether the outbox runs in the background.
    pub background: Mutex<bool>,
}

impl WorkState {
    /// Nothing in progress yet.
    pub(crate) fn new(clock: &dyn Clock, ids: &dyn Ids) -> Self {
        Self {
            counted_from: clock.counted_from().unwrap_or_else(|| ids.uuid()),
            began_wall: clock.now().timestamp_millis(),
            began_mono: clock.monotonic(),
            moved: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
            turn: AtomicU64::new(0),
            lanes: Mutex::default(),
            endpoints: Mutex::default(),
            in_hand: Mutex::default(),
            budget: Mutex::new(Budget::new(clock.monotonic())),
            trouble: Mutex::new(None),
            background: Mutex::new(false),
        }
    }

    /// Something may have become possible: every profile is tried again, but no sooner than its
    /// service asked.
    pub(crate) fn wake(&self) {
        self.turn.fetch_add(1, Ordering::SeqCst);
        lock(&self.endpoints).forget_all();
        for lane in lock(&self.lanes).values_mut() {
            *lane = lane.tried_anew();
        }
        self.bump();
    }

    /// The same for one profile.
    pub(crate) fn try_lane_anew(&self, profile_id: &str) {
        self.turn.fetch_add(1, Ordering::SeqCst);
        lock(&self.endpoints).forget(profile_id);
        if let Some(lane) = lock(&self.lanes).get_mut(profile_id) {
            *lane = lane.tried_anew();
        }
    }

    /// Everything is different now: nothing that was found out about a profile's service holds.
    pub(crate) fn forget_lane(&self, profile_id: &str) {
        self.turn.fetch_add(1, Ordering::SeqCst);
        lock(&self.endpoints).forget(profile_id);
        lock(&self.lanes).remove(profile_id);
    }

    /// Notes that what waits for a new token was compared with the one there was at this turn.
    pub(crate) fn token_was_compared(&self, profile_id: &str, turn: u64) {
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

    /// Keeps a wait that a profile's service asked for, from `now` on the monotonic clock.
    pub(crate) fn asked_to_wait(&self, profile_id: &str, wait: Duration, now: Duration) {
        lock(&self.lanes)
            .entry(profile_id.to_owned())
            .or_default()
            .note_asked(wait, now);
    }

    /// Wakes those who wait for something to move.
    pub(crate) fn bump(&self) {
        self.moved
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Begins a task, unless it runs already or closing has begun.
    pub(crate) fn begin(
        self: &Arc<Self>,
        id: &str,
        kind: TaskKind,
        profile_id: &str,
    ) -> Option<TaskGuard> {
        let mut in_hand = lock(&self.in_hand);
        // Asked under the lock: who closes and finds no task knows that none begins.
        (!self.is_stopping() && in_hand.take(id, kind, profile_id)).then(|| self.guard(id))
    }

    /// Takes a lead, so that nothing else sends it meanwhile; `None` when it is taken already.
    pub(crate) fn hold_lead(self: &Arc<Self>, id: &str, profile_id: &str) -> Option<TaskGuard> {
        lock(&self.in_hand)
            .take(id, TaskKind::Lead, profile_id)
            .then(|| self.guard(id))
    }

    fn guard(self: &Arc<Self>, id: &str) -> TaskGuard {
        TaskGuard {
            work: Arc::clone(self),
            id: id.to_owned(),
        }
    }

    /// Now, on both clocks.
    pub(crate) fn instant(&self, clock: &dyn Clock) -> Instant {
        Instant {
            wall: clock.now().timestamp_millis(),
            mono: clock.monotonic(),
            counted_from: self.counted_from,
        }
    }

    /// Now as this process began plus what has passed since: waits are kept in it, so that setting
    /// the wall clock neither rushes nor stops them. In milliseconds since 1970 UTC.
    pub(crate) fn steady_now(&self, clock: &dyn Clock) -> i64 {
        let passed = clock.monotonic().saturating_sub(self.began_mono);
        self.began_wall.saturating_add(millis(passed))
    }
}

/// A task in progress, ended however its work ends.
#[derive(Debug)]
pub(crate) struct TaskGuard {
    work: Arc<WorkState>,
    id: String,
}

impl Drop for TaskGuard {
    fn drop(&mut self) {
        // Bumped before the lock is given back: whoever finds no task finds it moved.
        let mut in_hand = lock(&self.work.in_hand);
        in_hand.lay_down(&self.id);
        self.work.bump();
    }
}

/// A lock whose holder never leaves it half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A wait in whole milliseconds.
pub(crate) fn millis(wait: Duration) -> i64 {
    i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)
}
