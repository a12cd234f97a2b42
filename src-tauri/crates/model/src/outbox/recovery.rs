//! Whether a profile's service answers, and how its backlog returns to it after it was away.
//!
//! Owns when a service is asked for something harmless before anything new is sold, and the pace of
//! what waited. Only failures of sales and of lookups of contracts make a service silent; after any
//! other failure one contract is looked up before the next sale. Times are of the monotonic clock; a
//! `fraction` in `0.0..1.0` is jitter.

use std::time::Duration;

use super::backoff;
use crate::interface::{Error as ApiError, Unreadable};

/// After more failures in a row than this, the backlog goes out slowly.
const AFTER_FAILURES: u32 = 5;
/// Also after the service asked for a wait as long as this: it asks every desk.
const AFTER_WAIT: Duration = Duration::from_secs(60);
/// What was entered at the counter so long before the service came back counts as entered now.
const JUST_BEFORE: Duration = Duration::from_secs(30);
/// After an answer to a sale or a probe no other failure casts a doubt on the service for so long.
const SURE_FOR: Duration = Duration::from_secs(60);
/// A service that answers no probe for so long is given one sale: it may fail at reading alone.
const TRIAL_AFTER: Duration = Duration::from_secs(4 * 3600);

/// How fast desks ask a service that was away. IT may set it for all of its desks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Over this time a backlog is spread, on average.
    pub spread: Duration,
    /// The longest wait between tries with nobody at the window.
    pub unattended_cap: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            spread: Duration::from_secs(15 * 60),
            unattended_cap: Duration::from_secs(300),
        }
    }
}

/// What may go now of that which was never sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    All,
    /// One at a time.
    One,
    /// Nothing before a harmless read is answered, which may be made now.
    AfterProbe,
    /// Nothing, and no such read, before this.
    NotBefore(Duration),
}

/// The harmless reads that show whether a service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeKind {
    /// The plans of a product, without a token.
    Plans,
    Contract,
}

/// What the end of a probe says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probed {
    Answered,
    /// It fails, or says nothing.
    Failed,
    Unreachable,
    NotAsked,
}

/// Whether the end of a sale or of a lookup says that the service fails: the next one most likely
/// ends the same way.
pub fn fails(error: &ApiError) -> bool {
    match error {
        ApiError::NotSent(_) | ApiError::Unreadable { status: 429, .. } => false,
        ApiError::NoAnswer(_) => true,
        ApiError::Refused { status, .. } => *status >= 500,
        ApiError::Unreadable { status, reason, .. } => {
            *status >= 500 || *reason != Unreadable::OtherShape
        }
    }
}

/// Reads the end of a probe. It is a read of something that need not exist, so a refusal counts: in the
/// service's own words, or any 4xx in JSON. A web page, and a 401 or 403 that has not the shape of the service's
/// errors, may come from a proxy in front of the service.
pub fn probed(result: Result<(), &ApiError>) -> Probed {
    match result {
        Err(ApiError::NotSent(reason)) if reason.is_unreachable() => Probed::Unreachable,
        Err(ApiError::NotSent(_)) => Probed::NotAsked,
        Err(ApiError::Unreadable {
            status: 401 | 403, ..
        }) => Probed::Failed,
        Ok(())
        | Err(ApiError::Unreadable {
            status: 400..=499,
            reason: Unreadable::OtherShape | Unreadable::Contradiction,
            ..
        }) => Probed::Answered,
        Err(error) if fails(error) => Probed::Failed,
        Err(_) => Probed::Answered,
    }
}

/// What is known of one profile's service.
#[derive(Debug, Clone, Default)]
pub struct Recovery {
    /// Failures in a row, of those that came when a try was due. Only an answered sale ends them.
    failed: u32,
    phase: Phase,
    /// A contract is looked up before the next sale.
    doubted: bool,
    /// No doubt before this.
    sure_until: Duration,
    /// When the service came back.
    back_at: Duration,
}

#[derive(Debug, Clone, Copy, Default)]
enum Phase {
    #[default]
    Open,
    /// The last sale, lookup or probe failed.
    Silent {
        /// No probe before this.
        probe_at: Duration,
        /// From here on one sale goes after a probe that failed.
        trial_at: Duration,
        /// The backlog goes out slowly when it answers.
        slowly: bool,
    },
    /// The backlog is to go out slowly, and has not been counted.
    Counting,
    /// The backlog goes one at a time.
    Paced {
        /// The longest wait before each.
        each: Duration,
        /// Not before this the next one.
        next_at: Duration,
        /// All of it may go from here on.
        ends_at: Duration,
    },
}

impl Recovery {
    /// At the start of a process, when the last recorded attempt failed so long ago.
    pub fn after_restart(age: Duration, now: Duration) -> Self {
        Self {
            failed: 1,
            phase: Phase::Silent {
                probe_at: now,
                trial_at: now.saturating_add(TRIAL_AFTER.saturating_sub(age)),
                slowly: false,
            },
            back_at: now,
            ..Self::default()
        }
    }

    /// What may go now of that which was never sent.
    pub fn fresh(&self, now: Duration) -> Fresh {
        match self.phase {
            Phase::Silent { probe_at, .. } if probe_at <= now => Fresh::AfterProbe,
            Phase::Silent { trial_at, .. } if trial_at <= now => Fresh::One,
            Phase::Silent {
                probe_at, trial_at, ..
            } => Fresh::NotBefore(probe_at.min(trial_at)),
            _ if self.doubted => Fresh::AfterProbe,
            _ if self.failed > 0 => Fresh::One,
            Phase::Open | Phase::Counting | Phase::Paced { .. } => Fresh::All,
        }
    }

    /// When the service is asked again; `None` when it is not silent.
    pub fn asked_again_at(&self) -> Option<Duration> {
        match self.phase {
            Phase::Silent { probe_at, .. } => Some(probe_at),
            Phase::Open | Phase::Counting | Phase::Paced { .. } => None,
        }
    }

    /// Failures in a row.
    pub fn failures(&self) -> u32 {
        self.failed
    }

    /// What the next probe reads: by turns, so that a service that fails at one of them is not taken
    /// for one that fails at all.
    pub fn probe_kind(&self) -> ProbeKind {
        if self.doubted || self.failed.is_multiple_of(2) {
            ProbeKind::Contract
        } else {
            ProbeKind::Plans
        }
    }

    /// A request of another kind failed, or sales waited when the process started: something kept them.
    pub fn doubt(&mut self, now: Duration) {
        self.doubted |= now >= self.sure_until && self.asked_again_at().is_none();
    }

    /// A sale, a lookup or a probe failed. It sets the time of the next probe, if that has passed;
    /// `longest` is the longest wait for it. `true` when it did.
    pub fn failed(&mut self, now: Duration, longest: Duration, fraction: f64) -> bool {
        let (trial_at, slowly) = match self.phase {
            Phase::Silent { probe_at, .. } if probe_at > now => return false,
            Phase::Silent {
                trial_at, slowly, ..
            } => (trial_at, slowly),
            Phase::Open => (now.saturating_add(TRIAL_AFTER), false),
            Phase::Counting | Phase::Paced { .. } => (now.saturating_add(TRIAL_AFTER), true),
        };
        self.doubted = false;
        self.failed = self.failed.saturating_add(1);
        let wait = backoff::backoff_within(longest, self.failed, fraction);
        self.phase = Phase::Silent {
            probe_at: now.saturating_add(wait),
            trial_at,
            slowly: slowly || self.failed > AFTER_FAILURES,
        };
        true
    }

    pub fn probe_answered(&mut self, now: Duration) {
        self.doubted = false;
        self.sure_until = now.saturating_add(SURE_FOR);
        if let Phase::Silent { slowly, .. } = self.phase {
            self.back(slowly, now);
        }
    }

    pub fn sale_answered(&mut self, now: Duration) {
        self.probe_answered(now);
        self.failed = 0;
    }

    /// The service could be reached, after so many failures to reach it in a row.
    pub fn reached(&mut self, failures: u32, now: Duration) {
        if failures > AFTER_FAILURES {
            match &mut self.phase {
                Phase::Open => self.back(true, now),
                Phase::Silent { slowly, .. } => *slowly = true,
                Phase::Counting | Phase::Paced { .. } => {}
            }
        }
    }

    /// The service asked for a wait that is over then.
    pub fn asked(&mut self, wait: Duration, until: Duration) {
        let slowly = match self.phase {
            Phase::Open => false,
            Phase::Silent { slowly, .. } => slowly,
            Phase::Counting | Phase::Paced { .. } => true,
        };
        self.back(slowly || wait >= AFTER_WAIT, until);
    }

    fn back(&mut self, slowly: bool, now: Duration) {
        self.back_at = now;
        self.phase = if slowly { Phase::Counting } else { Phase::Open };
    }

    /// A person wants a try now.
    pub fn try_now(&mut self) {
        if let Phase::Silent { probe_at, .. } = &mut self.phase {
            *probe_at = Duration::ZERO;
        }
    }

    /// Whether the backlog is to be counted.
    pub fn counts(&self) -> bool {
        matches!(self.phase, Phase::Counting)
    }

    /// The backlog is so long.
    pub fn counted(&mut self, backlog: u32, now: Duration, pace: Pace, fraction: f64) {
        if self.counts() {
            let whole = pace.spread.saturating_mul(2);
            self.phase = whole
                .checked_div(backlog)
                .map_or(Phase::Open, |each| Phase::Paced {
                    each,
                    next_at: now.saturating_add(each.mul_f64(fraction.clamp(0.0, 1.0))),
                    ends_at: now.saturating_add(whole),
                });
        }
    }

    /// Something that was never sent is on its way now.
    pub fn began(&mut self, backlog: bool, now: Duration, fraction: f64) {
        match &mut self.phase {
            Phase::Silent { trial_at, .. } => *trial_at = now.saturating_add(TRIAL_AFTER),
            Phase::Paced { each, next_at, .. } if backlog => {
                *next_at = now.saturating_add(each.mul_f64(fraction.clamp(0.0, 1.0)));
            }
            Phase::Open | Phase::Counting | Phase::Paced { .. } => {}
        }
    }

    /// The backlog is gone, or its time is over.
    pub fn end(&mut self, gone: bool, now: Duration) {
        if let Phase::Paced { ends_at, .. } = self.phase
            && (gone || ends_at <= now)
        {
            self.phase = Phase::Open;
        }
    }

    /// Before when the next of the backlog must not go, while it goes out slowly.
    pub fn backlog_at(&self) -> Option<Duration> {
        match self.phase {
            Phase::Counting => Some(Duration::MAX),
            Phase::Paced { next_at, .. } => Some(next_at),
            Phase::Open | Phase::Silent { .. } => None,
        }
    }

    /// Sales entered at the counter and runs submitted from here on go ahead of the backlog.
    pub fn entered_now_since(&self) -> Duration {
        self.back_at.saturating_sub(JUST_BEFORE)
    }
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
