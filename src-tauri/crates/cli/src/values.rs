//! Values of arguments, and their mapping to the types of the core.

use clap::ValueEnum;
use warranty_core::api::PlanFilter;
use warranty_core::contracts::EntrySort;
use warranty_core::files::Encoding;
use warranty_core::outbox::SubmissionState;
use warranty_core::print::PaperSize;
use warranty_core::settings::Language;

/// Which plans of a product.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Status {
    /// Plans of products whose warranty display flag is true
    #[value(name = "Live")]
    Live,
    /// Plans that have a store reference
    #[value(name = "LiveInStore")]
    LiveInStore,
    /// All plans
    #[value(name = "Any")]
    Any,
}

impl From<Status> for PlanFilter {
    fn from(status: Status) -> Self {
        match status {
            Status::Live => Self::Live,
            Status::LiveInStore => Self::LiveInStore,
            Status::Any => Self::Any,
        }
    }
}

/// Encoding of a file.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum EncodingArg {
    /// A byte order mark, else UTF-8, else CP932
    Detect,
    /// UTF-8
    Utf8,
    /// CP932, as Excel on Japanese Windows writes it
    Cp932,
}

impl From<EncodingArg> for Encoding {
    fn from(encoding: EncodingArg) -> Self {
        match encoding {
            EncodingArg::Detect => Self::Detect,
            EncodingArg::Utf8 => Self::Utf8,
            EncodingArg::Cp932 => Self::Cp932,
        }
    }
}

/// Language of a sheet.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum LanguageArg {
    /// Japanese
    Ja,
    /// English
    En,
}

impl From<LanguageArg> for Language {
    fn from(language: LanguageArg) -> Self {
        match language {
            LanguageArg::Ja => Self::Ja,
            LanguageArg::En => Self::En,
        }
    }
}

/// Paper of a sheet.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SizeArg {
    /// 210 x 297 mm
    A4,
    /// A roll 80 mm wide
    #[value(name = "80mm")]
    Roll,
}

impl From<SizeArg> for PaperSize {
    fn from(size: SizeArg) -> Self {
        match size {
            SizeArg::A4 => Self::A4,
            SizeArg::Roll => Self::Roll,
        }
    }
}

/// What entries are sorted by, named as in the JSON output.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the field of that name")]
pub enum SortArg {
    EnteredAt,
    TransactionDate,
    TransactionId,
    Customer,
    Product,
    PlanPurchasePrice,
    State,
}

impl From<SortArg> for EntrySort {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::EnteredAt => Self::EnteredAt,
            SortArg::TransactionDate => Self::TransactionDate,
            SortArg::TransactionId => Self::TransactionId,
            SortArg::Customer => Self::Customer,
            SortArg::Product => Self::Product,
            SortArg::PlanPurchasePrice => Self::PlanPurchasePrice,
            SortArg::State => Self::State,
        }
    }
}

/// The state of an entry, named as in the JSON output.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the state of that name")]
pub enum StateArg {
    Draft,
    Queued,
    InFlight,
    Held,
    Unknown,
    Accepted,
    Confirmed,
    Rejected,
    NeedsPerson,
    Cancelled,
}

impl From<StateArg> for SubmissionState {
    fn from(state: StateArg) -> Self {
        match state {
            StateArg::Draft => Self::Draft,
            StateArg::Queued => Self::Queued,
            StateArg::InFlight => Self::InFlight,
            StateArg::Held => Self::Held,
            StateArg::Unknown => Self::Unknown,
            StateArg::Accepted => Self::Accepted,
            StateArg::Confirmed => Self::Confirmed,
            StateArg::Rejected => Self::Rejected,
            StateArg::NeedsPerson => Self::NeedsPerson,
            StateArg::Cancelled => Self::Cancelled,
        }
    }
}

/// Reads `+09:00`, `-03:30`, `+0900`, `+9` or `Z` as minutes east of UTC.
///
/// # Errors
/// A message for anything else.
pub fn utc_offset(text: &str) -> Result<i32, String> {
    let wrong = || format!("{text:?} is no offset; write it like +09:00");
    if text.eq_ignore_ascii_case("z") {
        return Ok(0);
    }
    let (sign, digits) = match text.split_at_checked(1) {
        Some(("+", digits)) => (1, digits),
        Some(("-", digits)) => (-1, digits),
        Some(_) | None => return Err(wrong()),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at(2),
        None => (digits, "00"),
    };
    let number = |part: &str, longest: usize| -> Result<i32, String> {
        if part.is_empty() || part.len() > longest || !part.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        part.parse().map_err(|_| wrong())
    };
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
    if minutes > 59 || hours * 60 + minutes > 14 * 60 {
        return Err(wrong());
    }
    Ok(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn offsets_are_read_in_their_usual_forms_and_others_refused() {
        for (text, minutes) in [
            ("+09:00", 540),
            ("+0900", 540),
            ("+9", 540),
            ("-03:30", -210),
            ("Z", 0),
            ("+14:00", 840),
        ] {
            assert_eq!(utc_offset(text).unwrap(), minutes, "{text}");
        }
        for text in [
            "", "9", "+", "+15:00", "+09:60", "+ 9", "JST", "+09:0x", "時",
        ] {
            assert!(utc_offset(text).is_err(), "{text}");
        }
    }
}
