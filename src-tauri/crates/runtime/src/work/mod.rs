//! What this process has in progress: tasks, waits and cached endpoints.
//!
//! Owns only state that may be lost when the process ends. Executes no task itself.

mod endpoints;
mod runs;
mod unsaved_drafts;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use uuid::Uuid;
use warranty_model::outbox::backoff::{self, Budget};
use warranty_model::outbox::circuit_breaker::{CircuitBreaker, TaskKind, TasksInProgress};
use warranty_model::outbox::recovery::Pace;
use warranty_model::outbox::state::Instant;
use warranty_store::batches::Move;
use warranty_store::journal::Line;
use warranty_store::leads::LeadOutcome;

use crate::Error;
use crate::clock::{Clock, Ids};

pub use endpoints::{ContractsService, Endpoint, EndpointCache};
pub use runs::RunQueue;
pub use unsaved_drafts::{DraftKey, MOST_IN_PROFILE, UnsavedDraft, UnsavedDrafts};

/// What the outbox has in progress.
#[derive(Debug)]
pub struct WorkState {
    /// Identifies the origin of monotonic times.
    counted_from: Uuid,
    /// The wall clock when this process started, in milliseconds since 1970 UTC.
    pub started_wall: i64,
    /// The monotonic clock then.
    started_mono: Duration,
    /// Incremented on every change; the dispatcher waits for it.
    pub changes: watch::Sender<u64>,
    stopping: AtomicBool,
    /// How often circuit breakers were reset. A result for a token that was read before the last
    /// reset may belong to another token.
    pub resets: AtomicU64,
    pub breakers: Mutex<HashMap<String, CircuitBreaker>>,
    pub endpoints: Mutex<EndpointCache>,
    pub tasks: Mutex<TasksInProgress>,
    /// Repeated requests this process may still make.
    pub budget: Mutex<Budget>,
    /// The outcomes of requests that could not be written, by batch and by lead. They are written once
    /// that is possible: without them the batch would be unknown, and sent again.
    pub unwritten: Mutex<HashMap<String, Move>>,
    pub unwritten_leads: Mutex<HashMap<String, (LeadOutcome, Line)>>,
    /// Why a task failed, until the caller of `Outbox::run` takes it.
    pub failure: Mutex<Option<Error>>,
    /// How fast a service that was away is asked.
    pub pace: Mutex<Pace>,
    /// When a person last did anything here, on the monotonic clock.
    attended_at: Mutex<Duration>,
    pub background: Mutex<bool>,
    turns: Mutex<HashMap<String, Turns>>,
    /// How many requests had another outcome than an answer or were asked to wait, how often circuit
    /// breakers were reset, and whether closing has begun. What waits for a turn is planned again
    /// after one.
    setbacks: watch::Sender<u64>,
}

/// What a profile's batches wait for; those of another profile wait for none of it.
#[derive(Debug, Clone)]
pub struct Turns {
    /// Turns of the requests that carry a batch.
    pub requests: Arc<Semaphore>,
    /// Turns of the batches of runs whose intent is committed.
    pub begun: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            requests: Arc::new(Semaphore::new(MAX_REQUESTS)),
            begun: Arc::new(Semaphore::new(MAX_BEGUN)),
        }
    }
}

/// Maximum number of requests of a profile that carry a batch.
pub const MAX_REQUESTS: usize = 4;
/// Maximum number of batches of a profile's runs whose intent is committed: those being requested,
/// and the next ones, whose requests then need not wait for a commit. After a crash the outcome of
/// all of them is unknown, so they are few.
pub const MAX_BEGUN: usize = MAX_REQUESTS + 2;

impl WorkState {
    pub fn new(clock: &dyn Clock, ids: &dyn Ids) -> Self {
        Self {
            counted_from: clock.counted_from().unwrap_or_else(|| ids.uuid()),
            started_wall: clock.now().timestamp_millis(),
            started_mono: clock.monotonic(),
            changes: watch::Sender::new(0),
            stopping: AtomicBool::new(false),
            resets: AtomicU64::new(0),
            breakers: Mutex::default(),
            endpoints: Mutex::default(),
            tasks: Mutex::default(),
            budget: Mutex::new(Budget::new(clock.monotonic())),
            unwritten: Mutex::default(),
            unwritten_leads: Mutex::default(),
            failure: Mutex::new(None),
            pace: Mutex::default(),
            attended_at: Mutex::new(clock.monotonic()),
            background: Mutex::new(false),
            turns: Mutex::default(),
            setbacks: watch::Sender::new(0),
        }
    }

    /// What was planned before is planned again. Called once the circuit breaker has changed, so that
    /// no plan is made with the new count and the old breaker.
    pub fn set_back(&self) {
        self.setbacks
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// How often something that was planned had to be planned again.
    pub fn setbacks(&self) -> u64 {
        *self.setbacks.borrow()
    }

    pub fn turns(&self, profile_id: &str) -> Turns {
        let mut turns = lock(&self.turns);
        turns.entry(profile_id.to_owned()).or_default().clone()
    }

    /// Waits for a turn; `None` when it must not be used, because of a setback since `setbacks` were
    /// counted.
    pub async fn turn(
        &self,
        turns: &Arc<Semaphore>,
        setbacks: u64,
    ) -> Option<OwnedSemaphorePermit> {
        let mut counted = self.setbacks.subscribe();
        tokio::select! {
            biased;
            _ = counted.wait_for(|count| *count != setbacks) => None,
            turn = Arc::clone(turns).acquire_owned() => {
                turn.ok().filter(|_| self.setbacks() == setbacks)
            }
        }
    }

    /// Resets all circuit breakers and runs the dispatcher. A wait that a service asked for stays.
    pub fn wake(&self) {
        self.resets.fetch_add(1, Ordering::SeqCst);
        lock(&self.endpoints).clear();
        for breaker in lock(&self.breakers).values_mut() {
            *breaker = breaker.tried_anew();
        }
        self.set_back();
        self.bump();
    }

    /// Resets the circuit breaker of one profile. A wait that its service asked for stays.
    pub fn reset_breaker(&self, profile_id: &str) {
        self.resets.fetch_add(1, Ordering::SeqCst);
        lock(&self.endpoints).remove(profile_id);
        if let Some(breaker) = lock(&self.breakers).get_mut(profile_id) {
            *breaker = breaker.tried_anew();
        }
        self.set_back();
    }

    /// Resets the circuit breaker of a profile, with any wait that its service asked for.
    pub fn drop_breaker(&self, profile_id: &str) {
        self.resets.fetch_add(1, Ordering::SeqCst);
        lock(&self.endpoints).remove(profile_id);
        self.change(profile_id, |breaker| *breaker = breaker.let_go());
        self.set_back();
    }

    pub fn breaker(&self, profile_id: &str) -> CircuitBreaker {
        let breakers = lock(&self.breakers);
        breakers.get(profile_id).cloned().unwrap_or_default()
    }

    pub fn change<T>(&self, profile_id: &str, change: impl FnOnce(&mut CircuitBreaker) -> T) -> T {
        let mut breakers = lock(&self.breakers);
        change(breakers.entry(profile_id.to_owned()).or_default())
    }

    /// Records that a sale, a lookup or a probe failed; `true` when that sets the time of the next
    /// probe. `fraction` in `0.0..1.0` is the jitter of its time.
    pub fn service_failed(&self, profile_id: &str, now: Duration, fraction: f64) -> bool {
        let longest = self.longest_wait(now);
        let failed = self.change(profile_id, |breaker| {
            breaker.recovery.failed(now, longest, fraction)
        });
        self.set_back();
        failed
    }

    /// A person entered a sale at the counter: a service that does not answer is tried now.
    pub fn sale_entered(&self, profile_id: &str, now: Duration) {
        *lock(&self.attended_at) = now;
        self.change(profile_id, CircuitBreaker::try_now);
    }

    /// A person is at the window. When nobody was for a while, every service is tried now.
    pub fn attended(&self, now: Duration) {
        let before = std::mem::replace(&mut *lock(&self.attended_at), now);
        if now.saturating_sub(before) >= backoff::ALONE_AFTER {
            lock(&self.breakers)
                .values_mut()
                .for_each(CircuitBreaker::try_now);
            self.bump();
        }
    }

    /// The longest wait between tries to reach a service: longer with nobody at the window. For a
    /// command line run a person waits.
    pub fn longest_wait(&self, now: Duration) -> Duration {
        let alone = now.saturating_sub(*lock(&self.attended_at)) >= backoff::ALONE_AFTER;
        if alone && *lock(&self.background) {
            lock(&self.pace).unattended_cap
        } else {
            backoff::LONGEST
        }
    }

    /// Begins to close: no task starts any more.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.set_back();
        self.bump();
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Records a wait that a profile's service asked for, from `now` on the monotonic clock.
    /// `fraction` in `0.0..1.0` is the jitter of the return.
    pub fn keep_retry_after(&self, profile_id: &str, wait: Duration, now: Duration, fraction: f64) {
        self.change(profile_id, |breaker| {
            breaker.note_asked(wait, now, fraction);
        });
        self.set_back();
    }

    /// Wakes everyone who waits for a change.
    pub fn bump(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Registers a task, unless it runs already or closing has begun.
    pub fn begin(
        self: &Arc<Self>,
        id: &str,
        kind: TaskKind,
        profile_id: &str,
    ) -> Option<TaskGuard> {
        let mut in_progress = lock(&self.tasks);
        // Checked under the lock: after closing has found no task, none can begin.
        (!self.is_stopping() && in_progress.take(id, kind, profile_id)).then(|| self.guard(id))
    }

    /// Registers the sending of a lead; `None` when another task has this lead.
    pub fn begin_lead(self: &Arc<Self>, id: &str, profile_id: &str) -> Option<TaskGuard> {
        lock(&self.tasks)
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
    pub fn instant(&self, clock: &dyn Clock) -> Instant {
        Instant {
            wall: clock.now().timestamp_millis(),
            mono: clock.monotonic(),
            counted_from: self.counted_from,
        }
    }

    /// The time in milliseconds since 1970 UTC, unaffected by later changes of the wall clock. Waits
    /// are stored in it.
    pub fn steady_now(&self, clock: &dyn Clock) -> i64 {
        let passed = clock.monotonic().saturating_sub(self.started_mono);
        self.started_wall.saturating_add(millis(passed))
    }
}

/// A registered task; dropping it ends the registration.
#[derive(Debug)]
pub struct TaskGuard {
    work: Arc<WorkState>,
    id: String,
}

impl Drop for TaskGuard {
    fn drop(&mut self) {
        // Bumped under the lock: whoever sees no task also sees the change.
        let mut in_progress = lock(&self.work.tasks);
        in_progress.release(&self.id);
        self.work.bump();
    }
}

/// Identifies the task that works on the rows of a run.
pub fn run_task_id(number: i64) -> String {
    format!("run {number}")
}

/// Locks a mutex and ignores poisoning: no holder leaves its value half changed.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn millis(wait: Duration) -> i64 {
    i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)
}
