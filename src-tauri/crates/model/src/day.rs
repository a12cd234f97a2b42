//! The day of a store: the entries registered on it, and the work to finish before it can be
//! closed.
//!
//! Owns which moments a day has, the attach rate, and when a day is closed. The counts are
//! arguments.

use std::str::FromStr;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

use crate::interface::{Amount, Timestamp};
use crate::overview::Overview;
pub use crate::overview::{CloseItem, CloseLine};
use crate::submission_state::SubmissionState;
use crate::time_zone::Zone;

/// Number of days in the bar chart; the last one is the day itself.
pub const DAYS_SHOWN: u64 = 14;

/// A text that is not a date of the form `2026-11-21`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a date is written like 2026-11-21, from 1970-01-01 to 9999-12-31")]
pub struct BadDate;

/// A calendar day from 1970 to 9999; written `2026-11-21`.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    SerializeDisplay,
    DeserializeFromStr,
    specta::Type,
)]
#[specta(type = String)]
pub struct Date(NaiveDate);

impl Date {
    /// The day of a moment on the clock of a store.
    pub fn of(moment: DateTime<Utc>, zone: Zone) -> Self {
        Self(zone.at(moment).date_naive())
    }

    pub fn get(self) -> NaiveDate {
        self.0
    }

    /// The day this number of days before; the same day if that is out of range.
    #[must_use]
    pub fn before(self, days: u64) -> Self {
        Self(self.0.checked_sub_days(Days::new(days)).unwrap_or(self.0))
    }

    /// The start of the day and of the next one on the clock of a store, in milliseconds since 1970
    /// UTC. Empty for a day that the clock skips.
    pub fn span(self, zone: Zone) -> Span {
        let begin = |date: NaiveDate| {
            let midnight = zone.of_local(date.and_time(NaiveTime::MIN));
            midnight.map_or(0, |moment| moment.timestamp_millis())
        };
        Span {
            from: begin(self.0),
            until: begin(self.0.succ_opt().unwrap_or(self.0)),
        }
    }
}

impl FromStr for Date {
    type Err = BadDate;
    fn from_str(text: &str) -> Result<Self, BadDate> {
        // A year of more digits is written with a sign, which sorts before all digits.
        let shaped = |date: &NaiveDate| date.to_string() == text && text >= "1970";
        let date = NaiveDate::from_str(text).ok().filter(shaped);
        date.map(Self).ok_or(BadDate)
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A time span in milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first millisecond.
    pub from: i64,
    /// The first millisecond after it.
    pub until: i64,
}

/// The contracts of a day by state. Each entry of the day is counted once; a cancelled entry, also
/// one replaced by its correction, is not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DayStates {
    /// Confirmed by a lookup at the service.
    pub confirmed: u32,
    /// Entries that need no person: they wait, are being sent, are accepted and not yet confirmed,
    /// or have an unknown outcome and are retried.
    pub waiting: u32,
    /// A person must decide, or ask the provider whether they exist twice.
    pub attention: u32,
    /// The service refused them; nothing was sold.
    pub refused: u32,
}

/// The sales of a day or of a part of it: contracts, their fees and leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Sold {
    /// Entries that are or may become contracts: neither refused nor cancelled.
    pub contracts: u32,
    /// The sum of their fees; limited to the largest amount.
    pub fees: Amount,
    /// Leads that the service created.
    pub leads: u32,
    /// The attach rate in tenths of a percent: the entered contracts that were neither refused nor
    /// cancelled, divided by these contracts and the leads that the service created. Both count on
    /// the day they were entered here. Sales without a contract and without a lead are not known
    /// here and not counted. `None` without either.
    pub attach_permille: Option<u32>,
}

impl Sold {
    pub fn new(contracts: u32, fees: Amount, leads: u32) -> Self {
        let all = u64::from(contracts) + u64::from(leads);
        let rounded = (u64::from(contracts) * 1_000 + all / 2).checked_div(all);
        Self {
            contracts,
            fees,
            leads,
            attach_permille: rounded.and_then(|rate| u32::try_from(rate).ok()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DayFigures {
    pub date: Date,
    #[serde(flatten)]
    pub counts: Sold,
    /// Of the contracts, those that the service has accepted.
    pub sold: u32,
}

/// The part of a day that belongs to a staff member or to a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DayPart {
    /// The staff code or the category; `None` if not known.
    pub name: Option<String>,
    #[serde(flatten)]
    pub counts: Sold,
}

/// An entry of a day, as its list shows it: without its customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaySale {
    /// Its number; the list is in this order.
    pub number: i64,
    pub entered_at: Timestamp,
    pub entered_by: String,
    pub state: SubmissionState,
    pub transaction_id: String,
    pub product_reference_id: String,
    pub product_title: Option<String>,
    /// The product's category, as products known here have it now.
    pub category: Option<String>,
    pub plan_id: String,
    pub plan_title: Option<String>,
    pub fee: Amount,
    pub contract_id: Option<String>,
    /// Whether the provider may have it more than once.
    pub duplicate_possible: bool,
}

/// A day of the store, and the work that is unfinished now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// The current day on the store's clock.
    pub today: Date,
    pub figures: DayFigures,
    pub states: DayStates,
    /// The day and those before it, oldest first.
    pub days: Vec<DayFigures>,
    /// The day by staff member, most contracts first.
    pub by_staff: Vec<DayPart>,
    /// The day by product category, as the desk's list of products has it; most contracts first.
    pub by_category: Vec<DayPart>,
    /// Leads whose customers are to be contacted today, or were to be before.
    pub follow_ups: u32,
    /// The work that is unfinished now, of any day.
    pub closing: CloseOfDay,
}

/// The work to finish before the day can be closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CloseOfDay {
    /// Whether no line has unfinished work.
    pub closed: bool,
    /// All lines, those that need a person first.
    pub lines: Vec<CloseLine>,
}

impl CloseOfDay {
    /// Builds the list from the unfinished work of a profile and the number of other live profiles
    /// with unfinished work. The lines are the counts that decide the header's "all done", and the
    /// drafts of forms: these were never submitted, so the header may say that all is sent.
    pub fn new(overview: &Overview, other_profiles: u32) -> Self {
        let hindered = u32::from(!overview.connection.is_well());
        let others = [
            (CloseItem::OtherProfiles, other_profiles),
            (CloseItem::Report, u32::from(overview.unseen_report)),
            (CloseItem::Connection, hindered),
        ];
        let others = others.map(|(item, count)| CloseLine { item, count });
        let lines: Vec<CloseLine> = overview.open.lines().chain(others).collect();
        Self {
            closed: overview.all_done && lines.iter().all(|line| line.count == 0),
            lines,
        }
    }
}

#[cfg(test)]
#[path = "day_tests.rs"]
pub(crate) mod tests;
