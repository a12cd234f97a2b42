//! A light desk: no file and no network, but the same rules as a real one.
//!
//! Owns what a desk asks next. It does as the outbox's scheduler does with one batch a sale.

use std::time::Duration;

use warranty_api::{Error as ApiError, NotSent};
use warranty_model::outbox::circuit_breaker::{CircuitBreaker, TaskKind, TaskOutcome};
use warranty_model::outbox::recovery::{self, Fresh, Pace};
use warranty_model::outbox::replay_window::{Repeat, repeat};
use warranty_model::outbox::state::{Instant, Record, Route};
use warranty_model::outbox::{backoff, confirmation};
use warranty_model::profile::ProviderFacts;

use super::Seed;
use super::service::{Call, Reply};

/// Batches in flight at most.
const MOST_SENDS: usize = 4;
/// A refused token is tried again after this.
const TOKEN_WAIT: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Queued,
    Unknown,
    Accepted,
    Confirmed,
    Person,
}

#[derive(Debug, Clone)]
pub struct Sale {
    pub entered: Duration,
    pub stage: Stage,
    /// When it was accepted.
    pub accepted: Duration,
    next: Duration,
    tries: u32,
    record: Record,
    asked: bool,
    /// It was of the backlog when it was sent.
    backlog: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Desk {
    pub sales: Vec<Sale>,
    pub breaker: CircuitBreaker,
    attended: Duration,
    probing: bool,
    refused_until: Duration,
    /// Since when the desk runs.
    pub on_at: Duration,
}

impl Desk {
    /// Somebody presses a key.
    pub fn key(&mut self, now: Duration) {
        if now.saturating_sub(self.attended) >= backoff::ALONE_AFTER {
            self.breaker.try_now();
        }
        self.attended = now;
    }

    /// A sale is entered.
    pub fn enter(&mut self, now: Duration) {
        self.attended = now;
        self.breaker.try_now();
        self.sales.push(Sale {
            entered: now,
            stage: Stage::Queued,
            accepted: Duration::ZERO,
            next: Duration::ZERO,
            tries: 0,
            record: Record {
                size: 1,
                ..Record::default()
            },
            asked: false,
            backlog: false,
        });
    }

    /// A token was set.
    pub fn token(&mut self) {
        self.breaker = self.breaker.let_go();
        self.refused_until = Duration::ZERO;
        for sale in &mut self.sales {
            if sale.next == Duration::MAX {
                sale.next = Duration::ZERO;
            }
        }
    }

    /// What goes now, and when something is next.
    pub fn plan(&mut self, now: Duration, seed: &mut Seed) -> (Vec<Call>, Option<Duration>) {
        let since = self.breaker.entered_now_since(now);
        let backlog = |sale: &Sale| {
            sale.stage == Stage::Queued && since.is_some_and(|since| sale.entered < since)
        };
        let count = self.sales.iter().filter(|sale| backlog(sale)).count();
        if self.breaker.recovery.counts() && self.breaker.asked_until <= now {
            let count = u32::try_from(count).unwrap_or(0);
            let recovery = &mut self.breaker.recovery;
            recovery.counted(count, now, Pace::default(), seed.fraction());
        }
        self.breaker.recovery.end(count == 0, now);
        let breaker = self.breaker.clone();
        let (mut calls, mut next) = (Vec::new(), None);
        let mut later =
            |at: Duration| next = Some(next.map_or(at, |known: Duration| known.min(at)));
        if self.on_at > now {
            return (calls, Some(self.on_at));
        }
        let asking =
            self.sales.iter().filter(|sale| sale.asked).count() + usize::from(self.probing);
        let of = |sales: &[Sale], looks: bool| {
            let kind = |sale: &&Sale| sale.asked && (sale.stage == Stage::Accepted) == looks;
            sales.iter().filter(kind).count()
        };
        let sending = of(&self.sales, false);
        let mut sends = MOST_SENDS.saturating_sub(sending);
        let mut looks = 4_usize.saturating_sub(of(&self.sales, true));
        if breaker.until > now {
            later(breaker.until);
            return (calls, next);
        }
        if breaker.failures > 0 {
            sends = sends.min(usize::from(asking == 0));
            looks = if sends > 0 { 1 } else { 0 };
        }
        let refused = self.refused_until > Duration::ZERO;
        let asked = breaker.asked_until > now;
        let mut fresh = match breaker.recovery.fresh(now) {
            _ if asked || self.refused_until > now => 0,
            Fresh::All if !refused => usize::MAX,
            Fresh::All | Fresh::One => usize::from(sending == 0),
            Fresh::AfterProbe | Fresh::NotBefore(_) => 0,
        };
        for at in [breaker.asked_until, self.refused_until] {
            if at > now {
                later(at);
            }
        }
        let queued = |sale: &Sale| sale.stage == Stage::Queued && !sale.asked && sale.next <= now;
        let looks_due = |sale: &Sale| sale.stage == Stage::Accepted && sale.next <= now;
        if !asked
            && self
                .sales
                .iter()
                .any(|sale| queued(sale) || looks_due(sale))
        {
            match breaker.recovery.fresh(now) {
                Fresh::AfterProbe => {
                    looks = 0;
                    if asking == 0 {
                        sends = sends.saturating_sub(1);
                        self.probing = true;
                        calls.push(Call::Probe);
                    }
                }
                Fresh::NotBefore(at) => {
                    looks = 0;
                    later(at);
                }
                Fresh::All | Fresh::One => {}
            }
        }
        let waits_until = breaker.backlog_not_before();
        let slowly = breaker.recovery.backlog_at().is_some();
        let mut one_of_backlog = sending == 0;
        // Those in doubt, then in the order of the queue; behind what was entered now while slow.
        let mut order: Vec<usize> = (0..self.sales.len()).collect();
        order.retain(|index| {
            let sale = &self.sales[*index];
            !sale.asked && !matches!(sale.stage, Stage::Confirmed | Stage::Person)
        });
        order.sort_by_key(|index| {
            let sale = &self.sales[*index];
            (sale.stage == Stage::Queued, backlog(sale))
        });
        for index in order {
            let sale = &self.sales[index];
            if sale.next > now {
                later(sale.next);
                continue;
            }
            match sale.stage {
                Stage::Unknown => {
                    let moment = instant(now);
                    let facts = ProviderFacts::default();
                    if sends == 0 {
                        continue;
                    }
                    if let Repeat::Never = repeat(&sale.record, Route::Same, &facts, moment) {
                        self.sales[index].stage = Stage::Person;
                        continue;
                    }
                }
                Stage::Queued => {
                    if fresh == 0 || sends == 0 {
                        continue;
                    }
                    let late = backlog(sale);
                    if late {
                        if waits_until > now {
                            later(waits_until);
                            continue;
                        }
                        if slowly && !one_of_backlog {
                            continue;
                        }
                        one_of_backlog &= !slowly;
                    }
                    self.sales[index].backlog = late;
                    let recovery = &mut self.breaker.recovery;
                    recovery.began(late, now, seed.fraction());
                    later(recovery.backlog_at().unwrap_or(now));
                    fresh -= 1;
                }
                Stage::Accepted => {
                    if looks == 0 || asked {
                        continue;
                    }
                    looks -= 1;
                    self.sales[index].asked = true;
                    calls.push(Call::Look(index));
                    continue;
                }
                Stage::Confirmed | Stage::Person => continue,
            }
            sends -= 1;
            self.sales[index].asked = true;
            calls.push(Call::Send(index));
        }
        (calls, next)
    }

    /// A call ended.
    pub fn ended(&mut self, call: Call, reply: Reply, now: Duration, seed: &mut Seed) {
        let error = reply.error();
        let alone = now.saturating_sub(self.attended) >= backoff::ALONE_AFTER;
        let longest = if alone {
            Pace::default().unattended_cap
        } else {
            backoff::LONGEST
        };
        if call != Call::Read && error.as_ref().is_some_and(recovery::fails) {
            let fraction = seed.fraction();
            self.breaker.recovery.failed(now, longest, fraction);
        }
        if call == Call::Read && error.as_ref().is_some_and(recovery::fails) {
            self.breaker.recovery.doubt(now);
        }
        let failures = self.breaker.failures.saturating_add(1);
        let again = backoff::backoff_within(longest, failures, seed.fraction());
        let mut outcome = match (&error, call) {
            (None, _) => TaskOutcome::Answered,
            (Some(ApiError::NotSent(NotSent::Connect)), _) => TaskOutcome::Offline(again),
            (Some(ApiError::Refused { status: 401, .. }), _) => TaskOutcome::Refused,
            (Some(_), _) => TaskOutcome::Failed,
        };
        if let Reply::Rate(wait) = reply {
            let wait = backoff::wish(wait);
            self.breaker.note_asked(wait, now, seed.fraction());
            outcome = TaskOutcome::AskedToWait(wait);
        }
        let kind = match call {
            Call::Read => return,
            Call::Probe => TaskKind::Probe,
            Call::Send(_) => TaskKind::Send,
            Call::Look(_) => TaskKind::Look,
        };
        match call {
            Call::Probe | Call::Read => self.probing = false,
            Call::Send(index) => self.sent(index, outcome, now, seed),
            Call::Look(index) => {
                let sale = &mut self.sales[index];
                sale.asked = false;
                sale.tries += 1;
                sale.next = now + confirmation::wait(sale.tries, seed.fraction());
                if outcome == TaskOutcome::Answered {
                    sale.stage = Stage::Confirmed;
                }
            }
        }
        if self.breaker.note(kind, outcome, now) {
            for sale in &mut self.sales {
                if sale.stage == Stage::Queued {
                    sale.next = Duration::ZERO;
                }
            }
        }
    }

    fn sent(&mut self, index: usize, outcome: TaskOutcome, now: Duration, seed: &mut Seed) {
        let sale = &mut self.sales[index];
        sale.asked = false;
        let first = sale.record.first_sent.unwrap_or(instant(now));
        let doubted = sale.stage == Stage::Unknown;
        sale.tries += 1;
        match outcome {
            TaskOutcome::Answered => {
                sale.stage = Stage::Accepted;
                sale.accepted = now;
                sale.tries = 0;
                sale.next = now + confirmation::first_wait(sale.backlog, seed.fraction());
            }
            TaskOutcome::Failed => {
                sale.stage = Stage::Unknown;
                sale.record.sends += 1;
                sale.record.first_sent = Some(first);
                sale.record.unknown_before = true;
                sale.next = now + backoff::after_unknown(sale.record.sends, seed.fraction());
            }
            TaskOutcome::AskedToWait(wait) => {
                sale.next = now + wait + backoff::jitter_now(seed.fraction());
            }
            TaskOutcome::Refused => {
                // It is held; another one tries the token later.
                sale.next = Duration::MAX;
                self.refused_until = now + TOKEN_WAIT;
            }
            TaskOutcome::Offline(wait) => sale.next = now + wait,
            TaskOutcome::Unavailable | TaskOutcome::Nothing => {}
        }
        if doubted && !matches!(outcome, TaskOutcome::Answered | TaskOutcome::Failed) {
            let wait = backoff::after_unknown(self.sales[index].record.sends, seed.fraction());
            self.sales[index].next = self.sales[index].next.max(now + wait);
        }
    }
}

fn instant(now: Duration) -> Instant {
    Instant {
        wall: i64::try_from(now.as_millis()).unwrap_or(i64::MAX),
        mono: now,
        counted_from: uuid::Uuid::nil(),
    }
}
