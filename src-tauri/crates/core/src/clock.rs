//! Time and randomness, handed in so that a test can own them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Where the desk reads the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Wall-clock time: for what people read and for what is stored.
    fn now(&self) -> DateTime<Utc>;
    /// Time since some fixed moment of this process that no clock change moves: for windows and waits.
    fn monotonic(&self) -> Duration;
}

/// Where the desk takes new ids and idempotency keys.
pub trait Ids: Send + Sync + std::fmt::Debug {
    /// A new random (v4) UUID.
    fn uuid(&self) -> Uuid;
    /// A number in `0.0..1.0`: for jitter.
    fn fraction(&self) -> f64;
}

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock {
    started: std::time::Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            started: std::time::Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The machine's source of randomness.
#[derive(Debug, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn uuid(&self) -> Uuid {
        Uuid::new_v4()
    }
    fn fraction(&self) -> f64 {
        rand::random()
    }
}
