//! The clock of a store: an offset, or a time zone with its summer time.

use chrono::{DateTime, FixedOffset, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

/// Determines the offset of a local date-time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// The same all year.
    Fixed(FixedOffset),
    Named(Tz),
}

/// Longer than any clock change.
const LONGEST_CHANGE: TimeDelta = TimeDelta::hours(25);

impl Zone {
    /// The zone with this offset in minutes east of UTC; UTC if the offset is out of range.
    pub fn fixed(minutes: i32) -> Self {
        let offset = minutes.checked_mul(60).and_then(FixedOffset::east_opt);
        Self::Fixed(offset.unwrap_or_else(|| Utc.fix()))
    }

    /// A moment on the clock of the store.
    pub fn at(self, moment: DateTime<Utc>) -> DateTime<FixedOffset> {
        match self {
            Self::Fixed(offset) => moment.with_timezone(&offset),
            Self::Named(zone) => moment.with_timezone(&zone).fixed_offset(),
        }
    }

    /// The moment of a local date-time. A time that occurs twice means the first; a time that the
    /// clock skips is converted with the offset before the change.
    pub fn of_local(self, local: NaiveDateTime) -> Option<DateTime<FixedOffset>> {
        let zone = match self {
            Self::Fixed(offset) => return offset.from_local_datetime(&local).single(),
            Self::Named(zone) => zone,
        };
        if let Some(moment) = zone.from_local_datetime(&local).earliest() {
            return Some(moment.fixed_offset());
        }
        let before = local.checked_sub_signed(LONGEST_CHANGE)?;
        let offset = zone.offset_from_local_datetime(&before).earliest()?.fix();
        offset.from_local_datetime(&local).single()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(zone: Zone, local: &str) -> String {
        let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M").unwrap();
        zone.of_local(local).unwrap().to_rfc3339()
    }

    #[test]
    fn a_zone_with_summer_time_gives_each_date_its_own_offset() {
        let berlin = Zone::Named("Europe/Berlin".parse().unwrap());
        for (local, moment) in [
            ("2026-07-01 00:00", "2026-07-01T00:00:00+02:00"),
            ("2026-12-01 00:00", "2026-12-01T00:00:00+01:00"),
            // Left out in spring, and shown twice in autumn.
            ("2026-03-29 02:30", "2026-03-29T02:30:00+01:00"),
            ("2026-10-25 02:30", "2026-10-25T02:30:00+02:00"),
        ] {
            assert_eq!(self::moment(berlin, local), moment);
        }
        // A whole day that Samoa left out.
        let apia = Zone::Named("Pacific/Apia".parse().unwrap());
        assert_eq!(
            moment(apia, "2011-12-30 12:00"),
            "2011-12-30T12:00:00-10:00"
        );
        assert_eq!(
            moment(Zone::fixed(540), "2026-07-01 00:00"),
            "2026-07-01T00:00:00+09:00"
        );
    }
}
