//! The service's clock. It follows tokio's time, so that tests can pause and advance it.

use chrono::{DateTime, FixedOffset, TimeDelta, Utc};
use tokio::time::Instant;

/// Wall time at the start plus the time that tokio has counted since.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    wall_at_start: DateTime<Utc>,
    start: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            wall_at_start: Utc::now(),
            start: Instant::now(),
        }
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        let passed = TimeDelta::from_std(self.start.elapsed()).unwrap_or(TimeDelta::MAX);
        self.wall_at_start
            .checked_add_signed(passed)
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

/// A moment as the interface writes it: offset and fractional seconds, in the store's time zone.
pub(crate) fn written(moment: DateTime<Utc>) -> String {
    const JAPAN_SECONDS_EAST: i32 = 9 * 60 * 60;
    match FixedOffset::east_opt(JAPAN_SECONDS_EAST) {
        Some(offset) => written_with_offset(moment.with_timezone(&offset)),
        None => written_with_offset(moment.fixed_offset()),
    }
}

/// The same for a moment that keeps its own offset.
pub(crate) fn written_with_offset(moment: DateTime<FixedOffset>) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
}
