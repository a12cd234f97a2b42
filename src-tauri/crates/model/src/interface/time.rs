//! Date-times: ISO 8601 with an offset and fractional seconds, part 1 of the interface.
//!
//! Owns reading every legal form and writing one. Never converts an offset: a time keeps the one
//! it came with.

use std::str::FromStr;

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

use super::iso8601;

/// A moment with the offset it was written with.
///
/// Goes out as `2026-11-21T10:00:00.000+09:00`: an offset and milliseconds, always; `+00:00`
/// rather than `Z`, and what is below a millisecond is cut off. Two are equal when they are the
/// same moment, whatever their offsets.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    SerializeDisplay,
    DeserializeFromStr,
    specta::Type,
)]
#[specta(type = String)]
pub struct Timestamp(DateTime<FixedOffset>);

/// A text that is no ISO 8601 date-time with an offset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a date-time with a time-zone offset")]
pub struct TimestampError;

impl Timestamp {
    /// Takes a moment as it is.
    pub fn new(moment: DateTime<FixedOffset>) -> Self {
        Self(moment)
    }

    /// Reads any legal ISO 8601 date-time of a four-digit year that carries an offset.
    ///
    /// Calendar, ordinal and week dates; basic or extended; minutes and seconds optional; a
    /// fraction of any length after `,` or `.` on the last part, cut off below a nanosecond;
    /// `24:00` as the end of a day; a leap second; `Z`, `+09`, `+0900` or `+09:00`. A space or a
    /// small letter may replace `T` and `Z`. Mixing basic and extended parts is tolerated.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        iso8601::parse(text).map(Self).ok_or(TimestampError)
    }

    /// The moment with its offset.
    pub fn get(self) -> DateTime<FixedOffset> {
        self.0
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, false))
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        Timestamp::parse(text)
            .map(|timestamp| timestamp.to_string())
            .unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn every_way_to_write_the_same_moment_is_read() {
        for text in [
            "2026-11-21T10:05:00.000+09:00",
            "2026-11-21T10:05:00+09:00",
            "2026-11-21T10:05+09:00",
            "2026-11-21T10:05:00,0+09",
            "20261121T100500+0900",
            "20261121T1005+09",
            "20261121T100500.000000000000000000000+0900",
            "2026-325T10:05:00+09:00",
            "2026325T100500+0900",
            "2026-W47-6T10:05:00+09:00",
            "2026W476T100500+0900",
            "2026-11-21t10:05:00+09:00",
            "2026-11-21 10:05:00+09:00",
        ] {
            assert_eq!(written(text), "2026-11-21T10:05:00.000+09:00", "{text}");
        }
    }

    #[test]
    fn an_offset_is_kept_and_always_written_out() {
        for (text, out) in [
            ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000+00:00"),
            ("2026-11-21T10:00:00z", "2026-11-21T10:00:00.000+00:00"),
            ("2026-11-21T10:00:00-00:00", "2026-11-21T10:00:00.000+00:00"),
            ("2026-11-21T10:00:00-0330", "2026-11-21T10:00:00.000-03:30"),
            (
                "2026-11-21T10:00:00\u{2212}05",
                "2026-11-21T10:00:00.000-05:00",
            ),
            ("2026-11-21T10:00:00+05:45", "2026-11-21T10:00:00.000+05:45"),
        ] {
            assert_eq!(written(text), out, "{text}");
        }
    }

    #[test]
    fn a_fraction_belongs_to_the_last_part_written() {
        for (text, out) in [
            (
                "2026-11-21T10:00:00.1234567899Z",
                "2026-11-21T10:00:00.123+00:00",
            ),
            ("2026-11-21T10:00:00,5Z", "2026-11-21T10:00:00.500+00:00"),
            ("2026-11-21T10:00.5Z", "2026-11-21T10:00:30.000+00:00"),
            ("2026-11-21T10,25Z", "2026-11-21T10:15:00.000+00:00"),
            (
                "20261121T10,999999999999999999999Z",
                "2026-11-21T10:59:59.999+00:00",
            ),
        ] {
            assert_eq!(written(text), out, "{text}");
        }
    }

    #[test]
    fn the_ends_of_a_day_and_leap_seconds_are_read() {
        for (text, out) in [
            ("2026-12-31T24:00:00+09:00", "2027-01-01T00:00:00.000+09:00"),
            ("20261231T24Z", "2027-01-01T00:00:00.000+00:00"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60.000+00:00"),
            (
                "2017-01-01T08:59:60.5+09:00",
                "2017-01-01T08:59:60.500+09:00",
            ),
        ] {
            assert_eq!(written(text), out, "{text}");
        }
    }

    #[test]
    fn what_is_no_date_time_with_an_offset_is_refused() {
        for text in [
            "",
            "T",
            "2026-11-21",
            "2026-11-21T10:00:00",
            "2026-11-21T10:00:00.Z",
            "2026-11-21T10:00:00.5.5Z",
            "2026-11-21T24:00:01Z",
            "2026-11-21T25:00:00Z",
            "2026-11-21T10:60:00Z",
            "2026-11-21T10:00:61Z",
            "2026-11-21T1:00:00Z",
            "2026-11-21T10:0000Z",
            "2026-11-21T10:00:00:00Z",
            "2026-02-30T10:00:00Z",
            "2026-1121T10:00:00Z",
            "2026-000T10:00:00Z",
            "2026-366T10:00:00Z",
            "2026-W54-1T10:00:00Z",
            "2026-W47-0T10:00:00Z",
            "2026-W47-8T10:00:00Z",
            "2026-W47T10:00:00Z",
            "2026-11-21T10:00:00+24:00",
            "2026-11-21T10:00:00+09:60",
            "2026-11-21T10:00:00+9",
            "2026-11-21T10:00:00+09:00:00",
            "2026-11-21T10:00:00ZZ",
            "2026-11-21T10:00:00Z ",
            " 2026-11-21T10:00:00Z",
            "9999-12-31T24:00:00Z",
            "+02026-11-21T10:00:00Z",
            "２０２６-11-21T10:00:00Z",
            "2026年11月21日T10:00:00Z",
        ] {
            assert_eq!(Timestamp::parse(text), Err(TimestampError), "{text}");
        }
    }

    #[test]
    fn json_carries_it_as_a_string() {
        let timestamp: Timestamp = serde_json::from_str(r#""20261121T1000Z""#).unwrap();
        assert_eq!(
            serde_json::to_string(&timestamp).unwrap(),
            r#""2026-11-21T10:00:00.000+00:00""#
        );
        assert!(serde_json::from_str::<Timestamp>("1700000000").is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_fail(text in "[-0-9TWZ:.,+ é年]{0,32}") {
            let _ = Timestamp::parse(&text);
        }

        #[test]
        fn what_was_written_is_read_back(seconds in 0_i64..253_000_000_000, milli in 0_u32..1000, quarter in -56_i32..=56) {
            let offset = FixedOffset::east_opt(quarter * 900).unwrap();
            let moment = DateTime::from_timestamp(seconds, milli * 1_000_000).unwrap();
            let timestamp = Timestamp::new(moment.with_timezone(&offset));
            let read = Timestamp::parse(&timestamp.to_string()).unwrap().get();
            prop_assert_eq!(read, timestamp.get());
            prop_assert_eq!(read.offset(), &offset);
        }
    }
}
