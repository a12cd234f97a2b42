//! Values of arguments, and what they mean to the core.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use warranty_core::api::{PlanFilter, Timestamp};
use warranty_core::contracts::{EntrySort, QuestionKind};
use warranty_core::files::{Encoding, Separator};
use warranty_core::outbox::SubmissionState;

/// A name on the command line, its value, and its help; no help where the name is enough.
type Choice<T> = (&'static str, T, &'static str);

pub const PLANS: &[Choice<PlanFilter>] = &[
    (
        "Live",
        PlanFilter::Live,
        "Plans of products whose warranty display flag is true",
    ),
    (
        "LiveInStore",
        PlanFilter::LiveInStore,
        "Plans that have a store reference",
    ),
    ("Any", PlanFilter::Any, "All plans"),
];

pub const ENCODINGS: &[Choice<Encoding>] = &[
    (
        "detect",
        Encoding::Detect,
        "A byte order mark, else UTF-8, else CP932",
    ),
    ("utf8", Encoding::Utf8, "UTF-8"),
    (
        "cp932",
        Encoding::Cp932,
        "CP932, as Excel on Japanese Windows writes it",
    ),
];

pub const SEPARATORS: &[Choice<Separator>] = &[
    ("comma", Separator::Comma, "`,`"),
    ("semicolon", Separator::Semicolon, "`;`"),
    ("tab", Separator::Tab, "Tab"),
];

/// Whether rows that a workbook hides are read.
pub const HIDDEN_ROWS: &[Choice<bool>] = &[
    ("include", true, "Read them like the others"),
    ("leave-out", false, "Leave them out"),
];

/// Questions that may be answered for all rows of a file.
pub const QUESTIONS: &[Choice<QuestionKind>] = &[
    (
        "cell-text",
        QuestionKind::CellText,
        "A code is a number in the workbook, and its format does not show what a person sees: use the number with all of its digits",
    ),
    (
        "changed-price",
        QuestionKind::ChangedPrice,
        "The service has another price for the plan now: sell at the fee in the file",
    ),
    (
        "price-not-understood",
        QuestionKind::PriceNotUnderstood,
        "The service has a price that is no whole number: sell at the fee in the file",
    ),
    (
        "second-contract",
        QuestionKind::SecondContract,
        "The sale may already have a contract: sell it, perhaps a second time. Ask the provider first",
    ),
];

/// What entries are sorted by, named as in the JSON output.
pub const SORTS: &[Choice<EntrySort>] = &[
    ("enteredAt", EntrySort::EnteredAt, ""),
    ("transactionDate", EntrySort::TransactionDate, ""),
    ("transactionId", EntrySort::TransactionId, ""),
    ("customer", EntrySort::Customer, ""),
    ("product", EntrySort::Product, ""),
    ("planPurchasePrice", EntrySort::PlanPurchasePrice, ""),
    ("state", EntrySort::State, ""),
    ("enteredBy", EntrySort::EnteredBy, ""),
];

/// The state of an entry, named as in the JSON output.
pub const STATES: &[Choice<SubmissionState>] = &[
    ("draft", SubmissionState::Draft, ""),
    ("queued", SubmissionState::Queued, ""),
    ("inFlight", SubmissionState::InFlight, ""),
    ("held", SubmissionState::Held, ""),
    ("unknown", SubmissionState::Unknown, ""),
    ("accepted", SubmissionState::Accepted, ""),
    ("confirmed", SubmissionState::Confirmed, ""),
    ("rejected", SubmissionState::Rejected, ""),
    ("needsPerson", SubmissionState::NeedsPerson, ""),
    ("cancelled", SubmissionState::Cancelled, ""),
];

/// Reads one of these names as its value.
pub fn one_of<T>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = choices.iter().map(|(name, _, help)| {
        let help = (!help.is_empty()).then_some(*help);
        PossibleValue::new(*name).help(help)
    });
    PossibleValuesParser::new(names).try_map(|typed| {
        let typed = choices
            .iter()
            .find(|(name, ..)| name.eq_ignore_ascii_case(&typed));
        typed
            .map(|(_, value, _)| *value)
            .ok_or("not one of the names")
    })
}

pub fn whole<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "not a whole number, or too large")
}

/// Reads `+09:00`, `-03:30`, `+0900`, `+09` or `Z` as minutes east of UTC.
pub fn utc_offset(text: &str) -> Result<i32, String> {
    let moment = Timestamp::parse(&format!("2000-01-01T00:00{text}")).ok();
    let minutes = moment.map(|moment| moment.get().offset().local_minus_utc() / 60);
    let minutes = minutes.filter(|minutes| minutes.abs() <= 14 * 60);
    minutes.ok_or_else(|| format!("{text:?} is no offset; write it like +09:00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_in_their_usual_forms_and_others_refused() {
        for (text, minutes) in [
            ("+09:00", 540),
            ("+0900", 540),
            ("+09", 540),
            ("-03:30", -210),
            ("Z", 0),
            ("+14:00", 840),
        ] {
            assert_eq!(utc_offset(text).unwrap(), minutes, "{text}");
        }
        for text in [
            "", "9", "+", "+9", "+15:00", "+09:60", "+ 9", "JST", "+09:0x", "時", "+時x",
        ] {
            assert!(utc_offset(text).is_err(), "{text}");
        }
    }
}
