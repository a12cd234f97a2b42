//! A circuit breaker for each profile's service, and the tasks in progress.
//!
//! Owns nothing durable: it is empty at every start, and losing it costs one request.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::backoff;
use super::recovery::{Fresh, Recovery};

/// A profile without a token, a keychain or a practice service is tried again after this.
const UNAVAILABLE_WAIT: Duration = Duration::from_secs(30);
/// How often something else is tried with a refused token: the refusal may be about one thing only.
pub const TOKEN_WAIT: Duration = Duration::from_secs(60);
/// The first wait of leads that could not be sent.
const LEAD_WAIT: Duration = Duration::from_secs(60);
/// Their longest wait.
const LONGEST_LEAD_WAIT: Duration = Duration::from_secs(60 * 60);

/// What a task came to, for the circuit breaker of its profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskOutcome {
    /// The service answered, and what it said is known.
    Answered,
    /// The service answered, and asks to be left alone for so long.
    AskedToWait(Duration),
    /// The service refused the token.
    Refused,
    /// It failed, or said nothing that is understood; noted when the answer came.
    Failed,
    /// It could not be reached; not before this wait again.
    Offline(Duration),
    /// It cannot be asked now: no token, no keychain, no practice service.
    Unavailable,
    Nothing,
}

/// Whether one profile's service is asked now.
#[derive(Debug, Clone, Default)]
pub struct CircuitBreaker {
    /// Failures to reach it in a row. While there are any, one request at a time tries.
    pub failures: u32,
    /// Whether the service answers, and how the backlog returns to it.
    pub recovery: Recovery,
    /// Whether the last attempt that an earlier process recorded was taken into it.
    pub derived: bool,
    /// Tries in a row after which a lead still waited.
    pub lead_failures: u32,
    /// No lead before this, on the monotonic clock.
    pub leads_at: Duration,
    /// Since the token was last refused, a batch was taken with it: the refusal was the batch's.
    pub token_works: bool,
    /// Not before this, on the monotonic clock.
    pub until: Duration,
    /// The desk's own file refused: nothing at all before this, on the monotonic clock.
    pub file_until: Duration,
    /// There was no token, no keychain or no practice service.
    pub unavailable: bool,
    /// The service asked to be left alone until this, on the monotonic clock: nothing that was
    /// never sent goes, and nothing is looked up.
    pub asked_until: Duration,
    /// The same for what was not entered just now, so that not all desks return at once.
    pub backlog_until: Duration,
    /// When batches that wait for a new token were last compared with the one there is: the begin of
    /// the comparison, on the monotonic clock.
    pub token_compared_at: Option<Duration>,
    /// Before when nothing is looked up since the token was refused for it, on the monotonic clock.
    pub lookups_at: Duration,
    /// Whether lookups are answered, as far as the last failure among them tells.
    lookups: Lookups,
    /// The batch that a person sends now, whatever the probes say, until it sets out.
    pub chosen: Option<String>,
    /// Leads that cannot leave as they were entered, whatever the service does.
    pub stuck_leads: HashSet<String>,
}

/// What the last failure of a lookup was followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Lookups {
    #[default]
    NoneFailed,
    /// It may have been about all of them.
    OneFailed,
    /// A registration or a probe was answered since: the service works, and this token may not be one to look up
    /// with.
    ServedSince,
    /// Another lookup was answered since.
    AnsweredSince,
}

/// What came of a lead that was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadAttempt {
    /// It waits no longer.
    Over,
    /// It is tried again.
    Waits,
    /// It cannot leave as it was entered.
    Stuck,
}

impl CircuitBreaker {
    /// Whether leads may go now: the service is reachable as far as is known.
    pub fn takes_leads(&self, now: Duration) -> bool {
        self.failures == 0
            && matches!(self.recovery.fresh(now), Fresh::All | Fresh::One)
            && !self.unavailable
            && self.leads_at.max(self.backlog_not_before()) <= now
    }

    /// Whether the service may be asked for something harmless now.
    pub fn may_probe(&self, now: Duration) -> bool {
        let silent_until = self.recovery.asked_again_at().unwrap_or_default();
        self.until.max(self.asked_until).max(silent_until) <= now
    }

    /// Before when the backlog must not go, on the monotonic clock.
    pub fn backlog_not_before(&self) -> Duration {
        let paced = self.recovery.backlog_at().unwrap_or_default();
        self.backlog_until.max(paced)
    }

    /// Sales entered at the counter and runs submitted from here on go ahead of the backlog; `None` while
    /// there is no backlog to wait for. On the monotonic clock.
    pub fn entered_now_since(&self, now: Duration) -> Option<Duration> {
        let differs = self.backlog_until > now || self.recovery.backlog_at().is_some();
        differs.then(|| self.recovery.entered_now_since())
    }

    /// Whether what waits for a new token is compared with the one there is: another program may have
    /// stored it.
    pub fn compares_token(&self, now: Duration) -> bool {
        let compared = self.token_compared_at;
        compared.is_none_or(|at| at.saturating_add(TOKEN_WAIT) <= now)
    }

    /// Notes that a lookup was refused for its token, or that the service failed at it. `true`: other requests
    /// were answered since this last happened, so that it is about this contract.
    pub fn note_lookup_failed(&mut self, refused: bool, now: Duration) -> bool {
        let about_this = match self.lookups {
            Lookups::AnsweredSince => true,
            Lookups::ServedSince => !refused,
            Lookups::NoneFailed | Lookups::OneFailed => false,
        };
        self.lookups = Lookups::OneFailed;
        if refused && !about_this {
            self.lookups_at = now.saturating_add(TOKEN_WAIT);
        }
        about_this
    }

    /// Notes that the service answered a lookup.
    pub fn note_lookup_answered(&mut self) {
        if let Lookups::OneFailed | Lookups::ServedSince = self.lookups {
            self.lookups = Lookups::AnsweredSince;
        }
    }

    /// Lets the next try be made now, unless the service asked for a wait.
    pub fn try_now(&mut self) {
        self.until = Duration::ZERO;
        self.recovery.try_now();
    }

    /// Notes what came of a lead that was due. If it still waits, the next try is a minute away, and
    /// later twice as far each time, up to an hour. A stuck one is left out, and makes no other wait.
    pub fn note_lead(&mut self, id: &str, outcome: LeadAttempt, now: Duration) {
        match outcome {
            LeadAttempt::Waits => {
                let wait =
                    LEAD_WAIT.saturating_mul(2_u32.saturating_pow(self.lead_failures.min(6)));
                self.leads_at = now.saturating_add(wait.min(LONGEST_LEAD_WAIT));
                self.lead_failures = self.lead_failures.saturating_add(1);
            }
            LeadAttempt::Over => {
                self.leads_at = now;
                self.lead_failures = 0;
            }
            LeadAttempt::Stuck => {
                self.stuck_leads.insert(id.to_owned());
            }
        }
    }

    /// A new breaker that keeps the wait its service asked for.
    pub fn tried_anew(&self) -> Self {
        Self {
            asked_until: self.asked_until,
            backlog_until: self.backlog_until,
            ..self.let_go()
        }
    }

    /// A new breaker that knows no wait. A silent service is asked at once, before anything is sold.
    #[must_use]
    pub fn let_go(&self) -> Self {
        let mut recovery = self.recovery.clone();
        recovery.try_now();
        Self {
            recovery,
            derived: self.derived,
            chosen: self.chosen.clone(),
            ..Self::default()
        }
    }

    /// Notes that the service asked to be left alone for so long. `fraction` in `0.0..1.0` is the
    /// jitter of the return.
    pub fn note_asked(&mut self, wait: Duration, now: Duration, fraction: f64) {
        let over = now.saturating_add(wait);
        let asked = over.saturating_add(backoff::jitter_now(fraction));
        let backlog = over.saturating_add(backoff::jitter_rest(wait, fraction));
        self.asked_until = self.asked_until.max(asked);
        self.recovery.asked(wait, self.asked_until);
        self.backlog_until = self.backlog_until.max(backlog);
    }

    /// Records what the outcome of a task says about the service; `now` is on the monotonic clock.
    /// Returns `true` when the service is reachable again.
    pub fn note(&mut self, kind: TaskKind, sent: TaskOutcome, now: Duration) -> bool {
        if sent != TaskOutcome::Nothing {
            self.unavailable = sent == TaskOutcome::Unavailable;
        }
        match sent {
            TaskOutcome::Answered | TaskOutcome::Refused | TaskOutcome::AskedToWait(_) => {
                let again =
                    self.failures > 0 || (kind == TaskKind::Send && self.recovery.failures() > 0);
                self.recovery.reached(self.failures, now);
                self.failures = 0;
                self.until = Duration::ZERO;
                // A lookup that is answered says nothing of registrations.
                match kind {
                    TaskKind::Send => {
                        self.recovery.sale_answered(now);
                        self.token_works = sent != TaskOutcome::Refused;
                    }
                    TaskKind::Probe => self.recovery.probe_answered(now),
                    TaskKind::Lead | TaskKind::Look | TaskKind::Release | TaskKind::Feed => {}
                }
                if let (TaskKind::Send | TaskKind::Probe, TaskOutcome::Answered) = (kind, sent)
                    && self.lookups == Lookups::OneFailed
                {
                    self.lookups = Lookups::ServedSince;
                }
                again
            }
            TaskOutcome::Offline(wait) => {
                self.failures = self.failures.saturating_add(1);
                self.until = now.saturating_add(wait);
                false
            }
            TaskOutcome::Unavailable => {
                self.until = now.saturating_add(UNAVAILABLE_WAIT);
                false
            }
            TaskOutcome::Failed | TaskOutcome::Nothing => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// A batch is being sent.
    Send,
    /// A lead is being sent.
    Lead,
    /// An entry is being looked up.
    Look,
    /// A silent service is asked for something harmless.
    Probe,
    /// Held batches are being released.
    Release,
    /// Rows of a run are worked on.
    Feed,
}

/// Tasks in progress by id, each with its kind and profile.
#[derive(Debug, Default)]
pub struct TasksInProgress(HashMap<String, (TaskKind, String)>);

impl TasksInProgress {
    /// Registers a task; `false` when it is in progress already.
    pub fn take(&mut self, id: &str, kind: TaskKind, profile_id: &str) -> bool {
        if self.0.contains_key(id) {
            return false;
        }
        self.0.insert(id.to_owned(), (kind, profile_id.to_owned()));
        true
    }

    pub fn release(&mut self, id: &str) {
        self.0.remove(id);
    }

    pub fn holds(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// The number of tasks of a kind for all profiles.
    pub fn count(&self, kind: TaskKind) -> usize {
        self.0.values().filter(|(held, _)| *held == kind).count()
    }

    pub fn of_kind(&self, kind: TaskKind, profile_id: &str) -> usize {
        self.0
            .values()
            .filter(|(held, profile)| *held == kind && profile == profile_id)
            .count()
    }

    pub fn of_profile(&self, profile_id: &str) -> usize {
        self.0
            .values()
            .filter(|(_, profile)| profile == profile_id)
            .count()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
#[path = "circuit_breaker_tests.rs"]
mod tests;
