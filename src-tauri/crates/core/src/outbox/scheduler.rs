//! Decides which tasks can start now, and when the next ones are due.
//!
//! Owns the limits: concurrent tasks, circuit breakers, the budget of repeats.

use std::time::Duration;

use super::Outbox;
use super::circuit_breaker::{CircuitBreaker, TOKEN_WAIT, TaskKind};
use super::recovery::{Fresh, Recovery};
use crate::Error;
use crate::profile::Profile;
use warranty_model::bulk::RunKind;
use warranty_runtime::work::{MAX_BEGUN, MAX_REQUESTS, lock, millis, run_task_id};
use warranty_store::runs::working;
use warranty_store::work_queue::{Due, ProfileWork, Turn};

/// Maximum number of batches of a profile's runs being sent: those that have begun, and as many as
/// can be requested at once, which are read and decrypted meanwhile.
pub(super) const MAX_RUN_SENDS: usize = MAX_BEGUN + MAX_REQUESTS;
/// Maximum number of batches of a profile being sent. A run leaves the rest to single sales.
const MAX_SENDS: usize = MAX_RUN_SENDS + MAX_REQUESTS;
/// Maximum number of concurrent lookups.
const MAX_LOOKUPS: usize = 4;
/// The same for one profile, while a batch of it can be sent for the first time.
const LOOKUPS_BESIDE_SENDS: usize = 1;
/// Entries in a group of lookups, for each that may be looked up at a time. A group is read at once
/// and its findings share a commit.
const LOOKUPS_IN_TURN: usize = 16;
/// While so many batches of runs are queued, no more rows of contracts are entered.
const MAX_BATCHES_AHEAD: u32 = 40;
/// Maximum number of batches read at once: those that tasks have, and as many more.
const MAX_READ: usize = 2 * MAX_SENDS;
/// Consecutive failures after which the service counts as unreachable.
const OFFLINE_AFTER: u32 = 2;

/// A recorded attempt that failed counts at the start of a process for so long, in milliseconds.
const FAILED_RECENTLY: i64 = 24 * 3600 * 1000;
/// After so many failures in a row of a silent service a command line run waits for it no longer.
const SILENT_AFTER: u32 = 3;

/// A batch to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Planned {
    pub batch: Due,
    /// What [`WorkState::setbacks`](warranty_runtime::work::WorkState::setbacks) counted then.
    pub setbacks: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Task {
    /// Send this batch, or decide what becomes of it.
    Send(Planned),
    /// Ask the silent service for something harmless.
    Probe,
    LookUp {
        ids: Vec<String>,
        /// How many requests at once.
        at_once: usize,
    },
    Lead(String),
    /// Write the outcome of this lead, which no task is sending.
    LeadOutcome(String),
    WorkOnRows(i64),
    /// Release these held batches.
    Release(Vec<String>),
    /// Release batches that were declined with another token than the current one.
    CompareToken,
}

impl Task {
    pub(super) fn kind(&self) -> TaskKind {
        match self {
            Self::Send(_) => TaskKind::Send,
            Self::Probe => TaskKind::Probe,
            Self::LookUp { .. } => TaskKind::Look,
            Self::Lead(_) | Self::LeadOutcome(_) => TaskKind::Lead,
            Self::Release(_) | Self::CompareToken => TaskKind::Release,
            Self::WorkOnRows(_) => TaskKind::Feed,
        }
    }

    /// Identifies the task while it runs.
    pub(super) fn id(&self, profile: &Profile) -> String {
        match self {
            Self::Send(planned) => planned.batch.batch_id.clone(),
            Self::Lead(id) | Self::LeadOutcome(id) => id.clone(),
            Self::Probe => format!("probe {}", profile.id),
            Self::LookUp { .. } => format!("lookups {}", profile.id),
            Self::Release(_) | Self::CompareToken => format!("release {}", profile.id),
            Self::WorkOnRows(run) => run_task_id(*run),
        }
    }
}

/// Tasks that can start now, and when the next ones are due.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub due: Vec<(Profile, Task)>,
    /// When the next batch is due, on the steady clock.
    pub next_batch: Option<i64>,
    pub next_lookup: Option<i64>,
    /// A profile has no token, no keychain or no practice service.
    pub unavailable: bool,
    /// The service of a profile is unreachable or does not answer, so nothing is sold to it.
    pub silent: bool,
}

impl Outbox {
    /// What can start now, for one profile or for all.
    pub(super) async fn plan(&self, only: Option<&str>) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        if self.context.work.is_stopping() {
            return Ok(plan);
        }
        let ids = match only {
            Some(id) => vec![id.to_owned()],
            None => self.context.store.profiles_with_work().await?,
        };
        for id in ids {
            self.plan_for(&id, &mut plan).await?;
        }
        Ok(plan)
    }

    async fn plan_for(&self, profile_id: &str, plan: &mut Plan) -> Result<(), Error> {
        let state = &self.context.work;
        let now = self.steady_now();
        let after = |wait| Some(now.saturating_add(millis(wait)));
        let store = &self.context.store;
        // Read first: what happens after this is not in the breaker below.
        let setbacks = state.setbacks();
        let breaker = self.breaker_now(profile_id).await?;
        let mono = self.context.clock.monotonic();
        let backlog_waits = breaker.backlog_not_before().saturating_sub(mono);
        let turn = Turn {
            entered_since: breaker
                .entered_now_since(mono)
                .map(|since| self.wall_at(since)),
            backlog: backlog_waits.is_zero(),
        };
        // A profile has one group of lookups at a time.
        let looks = lock(&state.tasks).of_kind(TaskKind::Look, profile_id) > 0;
        let most_looked_up = if looks {
            0
        } else {
            MAX_LOOKUPS * LOOKUPS_IN_TURN
        };
        let work = store.work_of(profile_id, now, turn, (MAX_READ, most_looked_up));
        let Some(work) = work.await? else {
            return Ok(());
        };
        if !work.backlog && work.leads_queued.is_empty() {
            state.change(profile_id, |breaker| breaker.recovery.end(true, mono));
        }
        let ProfileWork {
            profile, mut due, ..
        } = work;
        let refused_at = work.token_refused_at;
        earliest(&mut plan.next_batch, work.next_batch);
        // A command line run sends contracts alone.
        let in_background = *lock(&state.background);
        let mut leads = work.leads_queued;
        leads.retain(|id| !breaker.stuck_leads.contains(id));
        let leads_wait = in_background && !leads.is_empty();
        if (work.backlog || leads_wait) && !turn.backlog {
            earliest(&mut plan.next_batch, after(backlog_waits));
        }
        earliest(&mut plan.next_lookup, work.next_lookup);
        if breaker.file_until > mono {
            earliest(&mut plan.next_batch, after(breaker.file_until - mono));
            return Ok(());
        }
        for run in self.runnable_runs(&work.runs, &breaker, mono) {
            plan.due.push((profile.clone(), Task::WorkOnRows(run)));
        }
        if !work.waited.is_empty() {
            let release = Task::Release(work.waited);
            plan.due.push((profile.clone(), release));
        }
        for id in work.leads_in_flight {
            // The task that sends a lead runs until its outcome is stored.
            if !lock(&state.tasks).holds(&id) {
                plan.due.push((profile.clone(), Task::LeadOutcome(id)));
            }
        }
        let has_work = !due.is_empty() || !work.lookups.is_empty();
        // Also while nothing is due: after each failure the only batch waits for its next try.
        plan.unavailable |= breaker.unavailable;
        plan.silent |= breaker.failures >= OFFLINE_AFTER;
        if breaker.until > mono {
            if has_work {
                earliest(&mut plan.next_batch, after(breaker.until - mono));
            }
            return Ok(());
        }
        if refused_at.is_some() && breaker.compares_token(mono) {
            plan.due.push((profile.clone(), Task::CompareToken));
        }
        let free;
        let (mut sends_left, mut run_sends_left, mut lookups_at_once) = {
            let in_progress = lock(&state.tasks);
            let sending = in_progress.of_kind(TaskKind::Send, profile_id);
            let mut sends_left = MAX_SENDS.saturating_sub(sending);
            let mut lookups_at_once = MAX_LOOKUPS.saturating_sub(in_progress.count(TaskKind::Look));
            let asks = |kind| in_progress.of_kind(kind, profile_id) > 0;
            free = !asks(TaskKind::Send) && !asks(TaskKind::Look) && !asks(TaskKind::Probe);
            if breaker.failures > 0 || breaker.unavailable {
                // One task probes the service; the others follow when it succeeds.
                let free = usize::from(free);
                sends_left = sends_left.min(free);
                lookups_at_once = lookups_at_once.min(if due.is_empty() { free } else { 0 });
            }
            let run_sends_left = MAX_RUN_SENDS.saturating_sub(sending);
            (sends_left, run_sends_left, lookups_at_once)
        };
        let mut fresh_left = self.max_fresh(profile_id, &breaker, refused_at);
        if fresh_left > 0 && due.iter().any(|next| next.fresh) {
            // Sending a sale is more urgent than confirming another.
            lookups_at_once = lookups_at_once.min(LOOKUPS_BESIDE_SENDS);
        }
        let mut lookups = work.lookups;
        if breaker.asked_until > mono {
            fresh_left = 0;
            lookups.clear();
            earliest(&mut plan.next_batch, after(breaker.asked_until - mono));
            earliest(&mut plan.next_lookup, after(breaker.asked_until - mono));
        }
        if breaker.lookups_at > mono && !lookups.is_empty() {
            lookups.clear();
            earliest(&mut plan.next_lookup, after(breaker.lookups_at - mono));
        }
        let waits = leads_wait || !lookups.is_empty() || due.iter().any(|next| next.fresh);
        if waits && breaker.asked_until <= mono {
            match breaker.recovery.fresh(mono) {
                Fresh::AfterProbe => {
                    lookups.clear();
                    if free {
                        sends_left = sends_left.saturating_sub(1);
                        plan.due.push((profile.clone(), Task::Probe));
                    }
                }
                Fresh::NotBefore(at) => {
                    lookups.clear();
                    plan.silent |= breaker.recovery.failures() >= SILENT_AFTER;
                    earliest(&mut plan.next_batch, after(at - mono));
                }
                Fresh::All | Fresh::One => {}
            }
        }
        // The batch that a person sends now, if it may.
        let mut chosen = None;
        if let Some(id) = breaker.chosen.as_ref()
            && breaker.asked_until <= mono
            && store.may_set_out(id, now).await?
        {
            due.retain(|next| next.batch_id != *id);
            due.insert(0, Due::chosen(id.clone()));
            chosen = Some(id);
        }
        // A backlog that goes out slowly has one batch on its way.
        let slowly = breaker.recovery.backlog_at().is_some();
        let in_progress = |next: &Due| lock(&state.tasks).holds(&next.batch_id);
        let mut backlog_left = !slowly || !due.iter().any(|next| next.backlog && in_progress(next));
        for mut next in due {
            // What was tried before is repeated in its own time.
            next.backlog &= next.fresh;
            if sends_left == 0 || next.of_run && run_sends_left == 0 {
                break;
            }
            if in_progress(&next) {
                continue;
            }
            let held_back = next.fresh && fresh_left == 0 || next.backlog && !backlog_left;
            if held_back && chosen != Some(&next.batch_id) {
                continue;
            }
            if next.again
                && let Err(wait) = lock(&state.budget).take(mono)
            {
                let at = now.saturating_add(millis(wait).max(1));
                earliest(&mut plan.next_batch, Some(at));
                continue;
            }
            sends_left -= 1;
            run_sends_left = run_sends_left.saturating_sub(1);
            if next.fresh {
                fresh_left = fresh_left.saturating_sub(1);
            }
            backlog_left &= !(slowly && next.backlog);
            let send = Planned {
                batch: next,
                setbacks,
            };
            plan.due.push((profile.clone(), Task::Send(send)));
        }
        let refused = refused_at.is_some() && !breaker.token_works;
        if in_background && breaker.takes_leads(mono) && !refused {
            let in_progress = lock(&state.tasks);
            // One at a time: leads have no idempotency key, and nobody waits for them.
            if in_progress.of_kind(TaskKind::Lead, profile_id) == 0
                && let Some(next) = leads.into_iter().next()
                && (breaker.lead_failures == 0 || lock(&state.budget).take(mono).is_ok())
            {
                plan.due.push((profile.clone(), Task::Lead(next)));
            }
        }
        let probing = breaker.failures > 0 || breaker.unavailable;
        lookups.truncate(if probing {
            lookups_at_once
        } else {
            lookups_at_once * LOOKUPS_IN_TURN
        });
        if !lookups.is_empty() {
            let group = Task::LookUp {
                ids: lookups,
                at_once: lookups_at_once,
            };
            plan.due.push((profile.clone(), group));
        }
        Ok(())
    }

    /// The circuit breaker of a profile as it is now. In a new process it begins with the last recorded
    /// attempt, and with what waited. A backlog that is to go out slowly is counted once the wait for it is over.
    async fn breaker_now(&self, profile_id: &str) -> Result<CircuitBreaker, Error> {
        let (work, store) = (&self.context.work, &self.context.store);
        let now = self.context.instant();
        let breaker = work.breaker(profile_id);
        if !breaker.derived {
            let since = now.wall.saturating_sub(FAILED_RECENTLY);
            let failed_at = store.last_attempt_failed(profile_id, since, now.wall);
            let failed_at = failed_at.await?;
            let age = failed_at.map(|at| u64::try_from(now.wall.saturating_sub(at)).unwrap_or(0));
            let waited = store.count_backlog(profile_id, work.started_wall).await? > 0;
            work.change(profile_id, |breaker| {
                if let Some(age) = age.filter(|_| breaker.recovery.failures() == 0) {
                    let age = Duration::from_millis(age);
                    breaker.recovery = Recovery::after_restart(age, now.mono);
                } else if waited {
                    breaker.recovery.doubt(now.mono);
                }
                breaker.derived = true;
            });
        } else if breaker.recovery.counts() && breaker.asked_until <= now.mono {
            let before = self.wall_at(breaker.recovery.entered_now_since());
            let backlog = store.count_backlog(profile_id, before).await?;
            let (pace, fraction) = (*lock(&work.pace), self.context.ids.fraction());
            work.change(profile_id, |breaker| {
                breaker.recovery.counted(backlog, now.mono, pace, fraction);
            });
        }
        Ok(work.change(profile_id, |breaker| {
            breaker.recovery.end(false, now.mono);
            breaker.clone()
        }))
    }

    /// What the wall clock, as it is set now, showed at a time on the monotonic clock: entries keep
    /// their times by it.
    fn wall_at(&self, mono: Duration) -> i64 {
        let now = self.context.instant();
        now.wall
            .saturating_sub(millis(now.mono.saturating_sub(mono)))
    }

    /// One running run of each kind. Of contracts the oldest that need not wait. Of the other kinds
    /// only the oldest, and none while it waits: of two files with the same product or plan, the
    /// newer must be applied last. None while the service asks to wait: rows of contracts would be
    /// entered unchecked.
    fn runnable_runs(
        &self,
        running: &working::Next,
        breaker: &CircuitBreaker,
        mono: Duration,
    ) -> Vec<i64> {
        let may_go_on = |run: &i64| self.context.runs.may_continue(*run, mono);
        let of_kind = |wanted: RunKind| {
            let runs = running.runs.iter();
            runs.filter(move |(_, kind)| *kind == wanted)
                .map(|(run, _)| *run)
        };
        if breaker.asked_until > mono {
            return Vec::new();
        }
        let contracts = of_kind(RunKind::Contracts)
            .find(may_go_on)
            .filter(|_| running.ahead < MAX_BATCHES_AHEAD);
        let others = [
            RunKind::Products,
            RunKind::PlanLinks,
            RunKind::ProductReferences,
        ];
        let others = others
            .into_iter()
            .filter_map(|kind| of_kind(kind).next().filter(may_go_on));
        contracts.into_iter().chain(others).collect()
    }

    /// How many batches may be sent for the first time now: all, none, or one as a probe.
    fn max_fresh(
        &self,
        profile_id: &str,
        breaker: &CircuitBreaker,
        refused_at: Option<i64>,
    ) -> usize {
        let refused_at = refused_at.filter(|_| !breaker.token_works);
        let now = self.context.instant();
        match breaker.recovery.fresh(now.mono) {
            Fresh::All if refused_at.is_none() => return usize::MAX,
            Fresh::All | Fresh::One => {}
            Fresh::AfterProbe | Fresh::NotBefore(_) => return 0,
        }
        // When the clock was set back, the refusal appears to be in the future: then one may try.
        let just_refused = refused_at
            .is_some_and(|at| (at..at.saturating_add(millis(TOKEN_WAIT))).contains(&now.wall));
        let sending = lock(&self.context.work.tasks).of_kind(TaskKind::Send, profile_id) > 0;
        usize::from(!just_refused && !sending)
    }
}

fn earliest(known: &mut Option<i64>, other: Option<i64>) {
    *known = known.iter().copied().chain(other).min();
}
