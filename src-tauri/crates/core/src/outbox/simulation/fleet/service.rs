//! The service of a fleet: what it says to a call that arrives now, and when, in scripts of outages.

use std::time::Duration;

use warranty_api::{Error as ApiError, NoAnswer, NotSent, Unreadable};

use super::{BEGINS, DESKS, ENDS};
use crate::outbox::samples::{refused, unreadable};

/// Requests a second that the service can answer, and the longest queue in seconds.
const CAPACITY: f64 = 500.0;
const QUEUE: f64 = 2.0;
const LATENCY: Duration = Duration::from_millis(50);
/// A request without an answer ends after this.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a desk asks the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// A person reads the plans.
    Read,
    Probe,
    Send(usize),
    Look(usize),
}

/// How a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reply {
    Done,
    Unreachable,
    Silence,
    Full,
    Refused,
    Rate(Duration),
}

impl Reply {
    pub fn error(self) -> Option<ApiError> {
        match self {
            Self::Done => None,
            Self::Unreachable => Some(ApiError::NotSent(NotSent::Connect)),
            Self::Silence => Some(ApiError::NoAnswer(NoAnswer::Timeout)),
            Self::Full => Some(unreadable(503, Unreadable::NotJson, None)),
            Self::Rate(wait) => Some(unreadable(429, Unreadable::NotJson, Some(wait))),
            Self::Refused => Some(refused(401, "UnauthorizedException", None)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Refused,
    BlackHole,
    Unavailable,
    RateSeconds,
    RateDate,
    SlowReturn,
    Flapping,
    HalfTheShops,
    Morning,
    Token,
}

pub const SCRIPTS: [Script; 10] = [
    Script::Refused,
    Script::BlackHole,
    Script::Unavailable,
    Script::RateSeconds,
    Script::RateDate,
    Script::SlowReturn,
    Script::Flapping,
    Script::HalfTheShops,
    Script::Morning,
    Script::Token,
];

/// The service: what it says to a call that arrives now, and when.
#[derive(Debug)]
pub struct Service {
    script: Script,
    /// What the desks of this run are of the long form's.
    pub scale: f64,
    free_at: Duration,
}

impl Service {
    /// The service of so many desks.
    pub fn new(script: Script, desks: usize) -> Self {
        Self {
            script,
            scale: desks as f64 / DESKS as f64,
            free_at: Duration::ZERO,
        }
    }

    pub fn reply(
        &mut self,
        desk: usize,
        call: Call,
        now: Duration,
        token: bool,
    ) -> (Reply, Duration) {
        let second = now.as_secs();
        let down = (BEGINS..ENDS).contains(&second);
        let left = Duration::from_secs(ENDS).saturating_sub(now);
        let soon = now + LATENCY;
        match self.script {
            Script::Refused if down => return (Reply::Unreachable, soon),
            Script::HalfTheShops if down && desk.is_multiple_of(2) => {
                return (Reply::Unreachable, soon);
            }
            Script::BlackHole if down => return (Reply::Silence, now + PATIENCE),
            Script::Unavailable | Script::SlowReturn if down => return (Reply::Full, soon),
            Script::Flapping if down && (second / 60).is_multiple_of(2) => {
                return (Reply::Full, soon);
            }
            Script::RateSeconds if down => {
                return (Reply::Rate(Duration::from_secs(600)), soon);
            }
            Script::RateDate if down => {
                // A date is told in whole seconds.
                return (Reply::Rate(Duration::from_secs(left.as_secs())), soon);
            }
            Script::Token if !token && !matches!(call, Call::Read | Call::Probe) => {
                return (Reply::Refused, soon);
            }
            Script::Refused
            | Script::HalfTheShops
            | Script::BlackHole
            | Script::Unavailable
            | Script::SlowReturn
            | Script::Flapping
            | Script::RateSeconds
            | Script::RateDate
            | Script::Token
            | Script::Morning => {}
        }
        let slow = self.script == Script::SlowReturn && (ENDS..ENDS + 1_800).contains(&second);
        let capacity = CAPACITY * self.scale * if slow { 0.1 } else { 1.0 };
        let begins = self.free_at.max(now);
        if (begins - now).as_secs_f64() > QUEUE {
            return (Reply::Full, soon);
        }
        self.free_at = begins + Duration::from_secs_f64(1.0 / capacity);
        (Reply::Done, self.free_at + LATENCY)
    }
}
