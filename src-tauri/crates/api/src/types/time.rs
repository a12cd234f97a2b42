//! Date-times: ISO 8601 with an offset and fractional seconds, part 1 of the interface.
//!
//! Owns reading every legal form and writing one. Never converts an offset: a time keeps the one
//! it came with.

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A moment with the offset it was written with.
///
/// Goes out as `2026-11-21T10:00:00.000+09:00`: an offset and milliseconds, always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "bindings", specta(type = String))]
pub struct Timestamp(DateTime<FixedOffset>);

/// A text that is no ISO 8601 date-time with an offset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a date-time with a time-zone offset")]
pub struct TimestampError;

impl Timestamp {
    /// Takes a moment as it is.
    #[must_use]
    pub fn new(moment: DateTime<FixedOffset>) -> Self {
        Self(moment)
    }

    /// Reads any legal ISO 8601 date-time that carries an offset: extended or basic, seconds and
    /// fraction optional, `,` or `.` before the fraction, `Z`, `+09`, `+0900` or `+09:00`.
    ///
    /// # Errors
    /// [`TimestampError`] for anything else, a missing offset included.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        DateTime::parse_from_rfc3339(text)
            .map(Self)
            .map_err(|_| TimestampError)
    }

    /// The moment with its offset.
    #[must_use]
    pub fn get(self) -> DateTime<FixedOffset> {
        self.0
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, false))
    }
}

impl TryFrom<String> for Timestamp {
    type Error = TimestampError;
    fn try_from(text: String) -> Result<Self, TimestampError> {
        Self::parse(&text)
    }
}

impl From<Timestamp> for String {
    fn from(timestamp: Timestamp) -> String {
        timestamp.to_string()
    }
}
