//! Parses dates and amounts in the notations of people, tills and spreadsheets. The text must be
//! normalised before.
//!
//! Owns Japanese eras, separators, units and currency signs; knows neither offsets nor limits.

use std::borrow::Cow;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike};

/// Year, month and day.
type Day = (i32, u32, u32);

/// The names of each era, and its first day.
const ERAS: [([&str; 3], Day); 5] = [
    (["令和", "R", "r"], (2019, 5, 1)),
    (["平成", "H", "h"], (1989, 1, 8)),
    (["昭和", "S", "s"], (1926, 12, 25)),
    (["大正", "T", "t"], (1912, 7, 30)),
    (["明治", "M", "m"], (1868, 1, 25)),
];

/// Texts that a spreadsheet shows for a failed calculation.
const ERRORS: [&str; 10] = [
    "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!",
    "#DATA!",
];

/// Whether the text is an error of a spreadsheet, or the characters that it shows in a column that
/// is too narrow.
pub fn is_error(text: &str) -> bool {
    text.starts_with('#')
        && (ERRORS.contains(&text) || (text.len() > 2 && text.bytes().all(|byte| byte == b'#')))
}

/// Whether a spreadsheet has abbreviated a long number: `1.23E+11`, with a decimal comma in some
/// countries; or taken a code for one: `1.20E-06` is what it makes of `12E-7`.
pub fn is_rounded(text: &str) -> bool {
    // A quick exit for most codes, because this runs for every field of every row.
    let [b'0'..=b'9', b'.' | b',' | b'e' | b'E', ..] = text.as_bytes() else {
        return false;
    };
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return false;
    };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    // `1E-06` alone may be a code.
    let power = match exponent.strip_prefix('-') {
        Some(power) if !fraction.is_empty() => Some(power),
        Some(_) | None => exponent.strip_prefix('+'),
    };
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    whole.len() == 1 && digits(whole) && is_fraction && power.is_some_and(digits)
}

/// Whether an amount is negative, and its digits without sign, currency and grouping; `None` when
/// it is not a whole number.
pub fn whole(text: &str) -> Option<(bool, Cow<'_, str>)> {
    let (mut below, text) = unsigned(text);
    let mut text = text.trim_start();
    // In CP932 the yen sign and the backslash are the same byte.
    if let Some(bare) = text.strip_prefix(['¥', '￥', '\\']) {
        let (inside, bare) = unsigned(bare.trim_start());
        (below, text) = (below || inside, bare);
    }
    let text = text.strip_suffix('円').map_or(text, str::trim_end);
    Some((below, ungrouped(text)?))
}

/// Whether a text begins with a minus sign, and the text without it.
fn unsigned(text: &str) -> (bool, &str) {
    let bare = text.strip_prefix(['-', '\u{2212}']);
    (bare.is_some(), bare.unwrap_or(text))
}

fn digits(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits without their grouping commas; `None` when the commas are not at positions of grouping.
fn ungrouped(text: &str) -> Option<Cow<'_, str>> {
    let Some((first, others)) = text.split_once(',') else {
        return digits(text).then_some(Cow::Borrowed(text));
    };
    let grouped = digits(first)
        && first.len() <= 3
        && others
            .split(',')
            .all(|group| group.len() == 3 && digits(group));
    grouped.then(|| Cow::Owned(text.replace(',', "")))
}

/// A date or a date-time without an offset; a date without a time means its start.
pub fn local(text: &str) -> Option<NaiveDateTime> {
    if text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return compact(text);
    }
    let (date, rest) = date(text)?;
    let rest = after_weekday(rest);
    let rest = rest.strip_prefix('T').unwrap_or(rest).trim_start();
    if rest.is_empty() {
        return Some(date.and_time(NaiveTime::MIN));
    }
    Some(date.and_time(time(rest)?))
}

/// `20261121`, `202611211005`, `20261121100509`, as tills write them.
fn compact(text: &str) -> Option<NaiveDateTime> {
    if !matches!(text.len(), 8 | 12 | 14) {
        return None;
    }
    let whole = format!("{text:0<14}");
    let found = NaiveDateTime::parse_from_str(&whole, "%Y%m%d%H%M%S").ok();
    found.filter(|found| is_time(&found.time()))
}

/// The date at the beginning of a text, and the rest of the text.
fn date(text: &str) -> Option<(NaiveDate, &str)> {
    let (began, rest) = era(text);
    let (year, rest) = match (began, rest.strip_prefix('元')) {
        (Some((first, ..)), Some(rest)) => (first, rest),
        (Some((first, ..)), None) => {
            let (year, rest) = number(rest, 1..=2)?;
            (first - 1 + i32::try_from(year).ok()?, rest)
        }
        // The year must have four digits and come first.
        (None, _) => {
            let (year, rest) = number(rest, 4..=4)?;
            (i32::try_from(year).ok()?, rest)
        }
    };
    let (mark, rest) = mark(rest)?;
    let (month, rest) = number(rest, 1..=2)?;
    let rest = rest.strip_prefix(if mark == '年' { '月' } else { mark })?;
    let (day, rest) = number(rest, 1..=2)?;
    let rest = if mark == '年' {
        rest.strip_prefix('日')?
    } else if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    } else {
        rest
    };
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    // An era may be used for years after its end, but not before its beginning.
    began
        .is_none_or(|began| (year, month, day) >= began)
        .then_some((date, rest))
}

/// The first day of the era that a text begins with, and the rest of the text.
fn era(text: &str) -> (Option<Day>, &str) {
    for (names, began) in ERAS {
        if let Some(rest) = names.iter().find_map(|name| text.strip_prefix(name)) {
            return (Some(began), rest.trim_start_matches('.'));
        }
    }
    (None, text)
}

fn mark(text: &str) -> Option<(char, &str)> {
    let mark = text.chars().next()?;
    matches!(mark, '-' | '/' | '.' | '年').then(|| (mark, &text[mark.len_utf8()..]))
}

/// A number with this many digits at the beginning of a text.
fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    if !digits.contains(&length) {
        return None;
    }
    let (number, rest) = text.split_at(length);
    Some((number.parse().ok()?, rest))
}

/// The text after `(土)`, `土曜日` or `(Sat)`.
fn after_weekday(text: &str) -> &str {
    let text = text.trim_start();
    if let Some((inside, rest)) = text.strip_prefix('(').and_then(|text| text.split_once(')')) {
        let few = inside.chars().count() <= 3 && inside.chars().all(char::is_alphabetic);
        return if few { rest.trim_start() } else { text };
    }
    let named = text.strip_prefix(['月', '火', '水', '木', '金', '土', '日']);
    let rest = named.and_then(|rest| rest.strip_prefix("曜日"));
    rest.map_or(text, str::trim_start)
}

/// `10:05`, `10:05:09.5`, `10時5分`, `午後3時`, `3:05 PM`.
fn time(text: &str) -> Option<NaiveTime> {
    let upper = text.to_ascii_uppercase();
    let halves = [("午前", 0), ("午後", 12), ("AM", 0), ("PM", 12)];
    for (name, hours) in halves {
        let bare = upper
            .strip_prefix(name)
            .or_else(|| upper.strip_suffix(name));
        if let Some(bare) = bare {
            let time = clock(bare.trim()).filter(|time| time.hour() <= 12)?;
            return time.with_hour(time.hour() % 12 + hours);
        }
    }
    clock(&upper)
}

fn clock(text: &str) -> Option<NaiveTime> {
    if !text.contains('時') {
        let time = NaiveTime::parse_from_str(text, "%H:%M:%S%.f")
            .or_else(|_| NaiveTime::parse_from_str(text, "%H:%M"));
        return time.ok().filter(is_time);
    }
    let (hour, rest) = number(text, 1..=2)?;
    let rest = rest.strip_prefix('時')?;
    let (minute, rest) = unit(rest, '分')?;
    let (second, rest) = unit(rest, '秒')?;
    NaiveTime::from_hms_opt(hour, minute, second).filter(|_| rest.is_empty())
}

/// A number with its unit; zero if there is none.
fn unit(text: &str, unit: char) -> Option<(u32, &str)> {
    if text.is_empty() {
        return Some((0, text));
    }
    let (number, rest) = number(text, 1..=2)?;
    Some((number, rest.strip_prefix(unit)?))
}

/// Excludes leap seconds, which a sale's date must not have.
fn is_time(time: &NaiveTime) -> bool {
    time.nanosecond() < 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        local(text).map(|moment| moment.format("%Y-%m-%dT%H:%M:%S").to_string())
    }

    #[test]
    fn dates_are_read_in_the_forms_of_japanese_offices() {
        for text in [
            "令和8年11月21日",
            "R8/11/21",
            "R8.11.21",
            "r08-11-21",
            "R.8.11.21",
            "2026/11/21",
            "2026.11.21",
            "2026-11-21",
            "20261121",
            "2026年11月21日",
            "2026年11月21日(土)",
            "2026年11月21日土曜日",
            "2026/11/21(Sat)",
            "平成38年11月21日",
        ] {
            assert_eq!(read(text).as_deref(), Some("2026-11-21T00:00:00"), "{text}");
        }
        for text in [
            "2026年11月21日 10:05",
            "2026年11月21日10時5分",
            "令和8年11月21日 午前10時05分",
            "2026/11/21 10:05 AM",
            "2026/11/21 (土) 10:05:00",
            "2026-11-21T10:05",
            "202611211005",
            "20261121100500",
        ] {
            assert_eq!(read(text).as_deref(), Some("2026-11-21T10:05:00"), "{text}");
        }
        for (text, moment) in [
            ("R1.5.1", "2019-05-01T00:00:00"),
            ("令和元年5月1日", "2019-05-01T00:00:00"),
            ("S64/1/7", "1989-01-07T00:00:00"),
            ("2026/11/21 午後12:30", "2026-11-21T12:30:00"),
            ("2026/11/21 3:05 pm", "2026-11-21T15:05:00"),
        ] {
            assert_eq!(read(text).as_deref(), Some(moment), "{text}");
        }
    }

    #[test]
    fn days_that_no_calendar_has_are_no_dates() {
        for text in [
            "令和元年4月30日",
            "R0/1/1",
            "R8/2/29",
            "令和8年",
            "R8",
            "Ryu8/1/1",
            "26/11/21",
            "2026/11-21",
            "2026年11/21",
            "2026/11/211",
            "20261321",
            "2026112",
            "2026112110",
            "2026/11/21 午後13:00",
            "2026/11/21 24:00",
            "2026/11/21 10時5",
            "2026/11/21 (10:05",
            "2026/11/21 ()()",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
