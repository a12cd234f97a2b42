//! The service's clock. It follows tokio's time, so that tests can pause and advance it.

use chrono::{DateTime, FixedOffset, Offset, SecondsFormat, TimeDelta, Utc};
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

/// A moment as the interface writes it, with an offset and fractional seconds, in the store's time zone.
pub(crate) fn written(moment: DateTime<Utc>) -> String {
    const JAPAN_SECONDS_EAST: i32 = 9 * 60 * 60;
    let japan = FixedOffset::east_opt(JAPAN_SECONDS_EAST).unwrap_or_else(|| Utc.fix());
    written_with_offset(moment.with_timezone(&japan))
}

/// The same for a moment that keeps its own offset.
pub(crate) fn written_with_offset(moment: DateTime<FixedOffset>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, false)
}
