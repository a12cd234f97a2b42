//! Time and randomness of the machine; tests inject their own.

use std::time::Duration;

pub use warranty_model::clock::{Clock, Ids};

use chrono::{DateTime, Utc};
use uuid::Uuid;

#[derive(Debug)]
pub struct SystemClock {
    started: std::time::Instant,
    boot: Option<Uuid>,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            started: std::time::Instant::now(),
            boot: boot::id(),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
    fn monotonic(&self) -> Duration {
        if self.boot.is_some() {
            boot::elapsed()
        } else {
            self.started.elapsed()
        }
    }
    fn counted_from(&self) -> Option<Uuid> {
        self.boot
    }
}

/// The time since the machine started, including sleep.
#[cfg(target_os = "linux")]
mod boot {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};
    use uuid::Uuid;

    /// The kernel creates a new one at each start.
    pub(crate) fn id() -> Option<Uuid> {
        let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        text.trim().parse().ok()
    }

    pub(crate) fn elapsed() -> Duration {
        let read = clock_gettime(ClockId::Boottime);
        // Neither is negative.
        Duration::new(
            u64::try_from(read.tv_sec).unwrap_or_default(),
            u32::try_from(read.tv_nsec).unwrap_or_default(),
        )
    }
}

/// Other systems have no safe boot ID: time counts from the start of the process.
#[cfg(not(target_os = "linux"))]
mod boot {
    pub(crate) fn id() -> Option<uuid::Uuid> {
        None
    }

    pub(crate) fn elapsed() -> std::time::Duration {
        std::time::Duration::ZERO
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
