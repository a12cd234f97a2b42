//! Date-times: ISO 8601 with an offset and fractional seconds, part 1 of the interface.
//!
//! Owns reading the usual forms and writing one. Never converts an offset: a time keeps the one
//! it came with.

use std::str::FromStr;

use chrono::{DateTime, FixedOffset, SecondsFormat, SubsecRound};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

/// A moment in milliseconds with the offset it was written with.
///
/// Goes out as `2026-11-21T10:00:00.000+09:00`: an offset and milliseconds, always; `+00:00`
/// rather than `Z`. Two are equal when they are the same moment, whatever their offsets.
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
    /// Cuts off what is below a millisecond: it is neither stored nor sent, and a moment is compared
    /// with what was.
    pub fn new(moment: DateTime<FixedOffset>) -> Self {
        Self(moment.trunc_subsecs(3))
    }

    /// Reads an ISO 8601 date-time that carries an offset.
    ///
    /// A calendar date; basic or extended; seconds optional, with a fraction of any length after
    /// `,` or `.`; a leap second; `Z`, `+09`, `+0900` or `+09:00`. A space or a small letter may
    /// replace `T` and `Z`.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        let moment = DateTime::parse_from_rfc3339(text).ok();
        let moment = moment.or_else(|| other_form(text)).ok_or(TimestampError)?;
        Ok(Self::new(moment))
    }

    pub fn get(self) -> DateTime<FixedOffset> {
        self.0
    }
}

/// The forms of ISO 8601 that RFC 3339 has not. Their lengths are checked because chrono reads
/// numbers of fewer digits too: a basic date of seven would be one of another month.
fn other_form(text: &str) -> Option<DateTime<FixedOffset>> {
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let (clock, offset) = rest.split_at(rest.find(['Z', 'z', '+', '-', '\u{2212}'])?);
    let clock = clock.replace(',', ".");
    let seconds = clock.split('.').next()?;
    let form = match (date.len(), seconds.len()) {
        (10, 8) => "%Y-%m-%dT%H:%M:%S%.f%#z",
        (10, 5) => "%Y-%m-%dT%H:%M%#z",
        (8, 6) => "%Y%m%dT%H%M%S%.f%#z",
        (8, 4) => "%Y%m%dT%H%M%#z",
        _ => return None,
    };
    DateTime::parse_from_str(&format!("{date}T{clock}{offset}"), form).ok()
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
    fn what_is_below_a_millisecond_is_cut_off() {
        for (text, out) in [
            (
                "2026-11-21T10:00:00.1234567899Z",
                "2026-11-21T10:00:00.123+00:00",
            ),
            ("20261121T100000,5Z", "2026-11-21T10:00:00.500+00:00"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60.000+00:00"),
            (
                "2017-01-01T08:59:60.5004+09:00",
                "2017-01-01T08:59:60.500+09:00",
            ),
        ] {
            assert_eq!(written(text), out, "{text}");
            assert_eq!(Timestamp::parse(text), Timestamp::parse(out), "{text}");
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
            "2026-W47-6T10:00:00Z",
            "2026W476T100000Z",
            "2026-111T10:00:00Z",
            "2026111T100000Z",
            "20261121T10000Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T10.5Z",
            "2026-11-21T10:00.5Z",
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
