//! What can be done now, and when there will be more.
//!
//! Owns the limits: how much at once, which lane waits, what the budget of repeats allows.

use std::time::Duration;

use super::Outbox;
use super::circuit_breaker::{CircuitBreaker, TaskKind};
use crate::Error;
use crate::profile::Profile;
use crate::work::lock;
use crate::work::millis;
use warranty_model::bulk::RunKind;
use warranty_store::runs::working;
use warranty_store::work_queue::ProfileWork;

/// Batches in flight at once.
const MOST_SENDS: usize = 4;
/// Lookups on their way at once.
const MOST_LOOKS: usize = 4;
/// Those of one profile, while something of it that was never sent can go.
const LOOKS_BESIDE: usize = 1;
/// While so many batches of runs wait to be sent, no more rows of one are entered.
const BATCHES_AHEAD: u32 = 40;
/// Rows of the agenda read at once.
const MOST_READ: usize = 64;
/// Failures in a row after which the service counts as out of reach.
const OFFLINE_AFTER: u32 = 2;

/// While a batch is held for its token, another one tries it this often, in milliseconds: one
/// batch may be refused for itself.
const TOKEN_PROBE_WAIT: i64 = 60_000;

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Job {
    /// Send, or decide about, this batch.
    Send(String),
    /// Look this entry up.
    Look(String),
    /// Send this lead, of which nothing was done so far.
    Lead(String),
    /// Say of this lead, which was left in flight, that nobody knows.
    DoubtLead(String),
    /// Work on the next rows of this run.
    Feed(i64),
    /// Let these batches go.
    Release(Vec<String>),
    /// Let batches go that were declined with another token than there is now.
    CompareToken,
}

impl Job {
    /// What kind it is.
    pub(super) fn kind(&self) -> TaskKind {
        match self {
            Self::Send(_) => TaskKind::Send,
            Self::Look(_) => TaskKind::Look,
            Self::Lead(_) | Self::DoubtLead(_) => TaskKind::Lead,
            Self::Release(_) | Self::CompareToken => TaskKind::Release,
            Self::Feed(_) => TaskKind::Feed,
        }
    }

    /// What it is known by while in hand.
    pub(super) fn id(&self, profile: &Profile) -> String {
        match self {
            Self::Send(id) | Self::Look(id) | Self::Lead(id) | Self::DoubtLead(id) => id.clone(),
            Self::Release(_) | Self::CompareToken => format!("release {}", profile.id),
            Self::Feed(run) => format!("run {run}"),
        }
    }
}

/// What can be done now, and when there will be more.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// To be begun.
    pub jobs: Vec<(Profile, Job)>,
    /// When a batch is due next, on the steady clock.
    pub next_batch: Option<i64>,
    /// When a lookup is due next.
    pub next_look: Option<i64>,
    /// Some lane is out of reach.
    pub out_of_reach: bool,
}

impl Outbox {
    /// What can be begun now, for one profile or for all.
    pub(super) async fn plan(&self, only: Option<&str>) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        if *self.context.work.stopping.borrow() {
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
        let outbox = &self.context.work;
        let now = self.steady_now();
        let store = &self.context.store;
        let Some(work) = store.work_of(profile_id, now, MOST_READ).await? else {
            return Ok(());
        };
        let ProfileWork { profile, due, .. } = work;
        let refused_at = work.token_refused_at;
        earliest(&mut plan.next_batch, work.next_batch);
        earliest(&mut plan.next_look, work.next_lookup);
        let lane = lock(&outbox.breakers)
            .get(profile_id)
            .cloned()
            .unwrap_or_default();
        let mono = self.context.clock.monotonic();
        if lane.file_until > mono {
            let at = now.saturating_add(millis(lane.file_until - mono));
            earliest(&mut plan.next_batch, Some(at));
            return Ok(());
        }
        for run in self.to_feed(&work.runs, mono) {
            plan.jobs.push((profile.clone(), Job::Feed(run)));
        }
        if !work.waited.is_empty() {
            let release = Job::Release(work.waited);
            plan.jobs.push((profile.clone(), release));
        }
        for id in work.leads_in_flight {
            // Who sends one has it in hand until its outcome is kept.
            if !lock(&outbox.tasks).holds(&id) {
                plan.jobs.push((profile.clone(), Job::DoubtLead(id)));
            }
        }
        let has_work = !due.is_empty() || !work.lookups.is_empty();
        // Also while all work waits for its next try: after each failure the only batch does.
        if lane.no_way || lane.setbacks >= OFFLINE_AFTER {
            plan.out_of_reach = true;
        }
        if lane.until > mono {
            if has_work {
                let at = now.saturating_add(millis(lane.until - mono));
                earliest(&mut plan.next_batch, Some(at));
            }
            return Ok(());
        }
        if refused_at.is_some() && !lane.token_compared {
            plan.jobs.push((profile.clone(), Job::CompareToken));
        }
        let (mut sends, mut looking) = {
            let in_progress = lock(&outbox.tasks);
            let mut sends = MOST_SENDS.saturating_sub(in_progress.count(TaskKind::Send));
            let mut looking = MOST_LOOKS.saturating_sub(in_progress.count(TaskKind::Look));
            if lane.setbacks > 0 || lane.no_way {
                // One tries the way; the others follow when it is there.
                let free = usize::from(in_progress.of_profile(profile_id) == 0);
                sends = sends.min(free);
                looking = looking.min(if due.is_empty() { free } else { 0 });
            }
            (sends, looking)
        };
        let mut fresh = self.fresh_allowed(profile_id, &lane, refused_at);
        if fresh > 0 && due.iter().any(|next| next.fresh) {
            // A sale comes before the proof of another.
            let begun = lock(&outbox.tasks).of_kind(TaskKind::Look, profile_id);
            looking = looking.min(LOOKS_BESIDE.saturating_sub(begun));
        }
        let mut looks = work.lookups;
        if lane.asked_until > mono {
            fresh = 0;
            looks.clear();
            let at = now.saturating_add(millis(lane.asked_until - mono));
            earliest(&mut plan.next_batch, Some(at));
            earliest(&mut plan.next_look, Some(at));
        }
        if lane.doubts > 0 && lane.probe_at > mono && due.iter().any(|next| next.fresh) {
            let at = now.saturating_add(millis(lane.probe_at - mono));
            earliest(&mut plan.next_batch, Some(at));
        }
        for next in due {
            if sends == 0 {
                break;
            }
            if lock(&outbox.tasks).holds(&next.batch_id) {
                continue;
            }
            if next.fresh && fresh == 0 {
                continue;
            }
            if next.again
                && let Err(wait) = lock(&outbox.budget).take(mono)
            {
                let at = now.saturating_add(millis(wait).max(1));
                earliest(&mut plan.next_batch, Some(at));
                break;
            }
            sends -= 1;
            if next.fresh {
                fresh = fresh.saturating_sub(1);
            }
            plan.jobs.push((profile.clone(), Job::Send(next.batch_id)));
        }
        let refused = refused_at.is_some() && !lane.token_works;
        // Only where someone can still see the token: a run that ends would take it along.
        let shown = *lock(&outbox.background);
        if shown && lane.takes_leads(mono) && !refused {
            let in_progress = lock(&outbox.tasks);
            // One at a time: they have no key, and nobody waits for them any more.
            if in_progress.of_kind(TaskKind::Lead, profile_id) == 0
                && let Some(next) = work.leads_queued.into_iter().next()
                && (lane.lead_setbacks == 0 || outbox.take_repeat(mono))
            {
                plan.jobs.push((profile.clone(), Job::Lead(next)));
            }
        }
        for id in looks {
            if looking == 0 {
                break;
            }
            if !lock(&outbox.tasks).holds(&id) {
                looking -= 1;
                plan.jobs.push((profile.clone(), Job::Look(id)));
            }
        }
        Ok(())
    }

    /// Of the runs that are running, one of each kind: one that waits holds no other kind up. Of
    /// contracts the oldest that can go on. Of anything else the oldest, and no other before it: of
    /// two files that say something of the same product or plan, the newer has the last word.
    fn to_feed(&self, running: &working::Next, mono: Duration) -> Vec<i64> {
        let may_go_on = |run: &i64| self.context.runs.may_continue(*run, mono);
        let of_kind = |wanted: RunKind| {
            let runs = running.runs.iter();
            runs.filter(move |(_, kind)| *kind == wanted)
                .map(|(run, _)| *run)
        };
        let contracts = of_kind(RunKind::Contracts)
            .find(may_go_on)
            .filter(|_| running.ahead < BATCHES_AHEAD);
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

    /// How many batches that were never sent may go now: all, none, or one that tries the way.
    fn fresh_allowed(
        &self,
        profile_id: &str,
        lane: &CircuitBreaker,
        refused_at: Option<i64>,
    ) -> usize {
        let refused_at = refused_at.filter(|_| !lane.token_works);
        if lane.doubts == 0 && refused_at.is_none() {
            return usize::MAX;
        }
        let now = self.context.instant();
        // A clock set back since the refusal makes it look like one to come: then one may try.
        let just_refused = refused_at
            .is_some_and(|at| (at..at.saturating_add(TOKEN_PROBE_WAIT)).contains(&now.wall));
        let in_doubt = lane.doubts > 0 && lane.probe_at > now.mono;
        let sending = lock(&self.context.work.tasks).of_kind(TaskKind::Send, profile_id) > 0;
        usize::from(!just_refused && !in_doubt && !sending)
    }
}

fn earliest(known: &mut Option<i64>, other: Option<i64>) {
    *known = match (*known, other) {
        (Some(known), Some(other)) => Some(known.min(other)),
        (known, other) => known.or(other),
    };
}
