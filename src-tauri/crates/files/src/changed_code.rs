//! Recognises a code that a spreadsheet or another program may have changed. Pure.
//!
//! Owns what they write in place of a code. Does not know the code that was meant: only a person does.

use warranty_model::search_text::plain_width;

/// The months as a spreadsheet abbreviates them.
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
/// `Jan-45`, the longest code of ASCII without a mark that [`may_be_changed`] recognises, in bytes.
const LONGEST_UNMARKED: usize = 6;
/// The first year that a spreadsheet knows.
const FIRST_YEAR: u32 = 1900;

/// Whether a code has, in plain width, the form of a number (`1001.0`, `1,001`) or of a date (`Jan-45` is
/// what a spreadsheet makes of `1-2345`), or an apostrophe in front, by which people keep a spreadsheet
/// from changing it.
pub(crate) fn may_be_changed(code: &str) -> bool {
    let code = code.trim();
    let marks = |byte: u8| matches!(byte, b',' | b'.' | b'/' | b'\'') || !byte.is_ascii();
    // Of nearly all codes this is all that is looked at.
    if code.len() > LONGEST_UNMARKED && !code.bytes().any(marks) {
        return false;
    }
    let code = plain_width(code);
    code.starts_with(['\'', '’']) || is_number(&code) || is_date(&code)
}

fn is_number(code: &str) -> bool {
    let is_group = |group: &str| group.len() == 3 && are_digits(group);
    let (whole, zeros) = code.split_once('.').unwrap_or((code, ""));
    let is_whole = match whole.split_once(',') {
        Some((first, groups)) => {
            (1..=3).contains(&first.len()) && are_digits(first) && groups.split(',').all(is_group)
        }
        None => !zeros.is_empty() && are_digits(whole),
    };
    is_whole && zeros.bytes().all(|byte| byte == b'0')
}

fn is_date(code: &str) -> bool {
    if let Some((first, last)) = code.split_once('-') {
        let is_year = last.len() == 2 && are_digits(last);
        return (MONTHS.contains(&first) && is_year) || (is_day(first) && MONTHS.contains(&last));
    }
    let of_kanji = code.strip_suffix('日').and_then(|day| day.split_once('月'));
    if let Some((month, day)) = of_kanji {
        return is_month(month) && is_day(day);
    }
    let mark = if code.contains('/') { '/' } else { '.' };
    let parts: Vec<&str> = code.split(mark).collect();
    let [first, second, third] = parts[..] else {
        return false;
    };
    let is_in_year = (is_month(first) && is_day(second)) || (is_day(first) && is_month(second));
    let year_first = mark == '/' && is_year(first) && is_month(second) && is_day(third);
    year_first || (is_in_year && is_year(third))
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && number(text).is_some_and(|year| year >= FIRST_YEAR)
}

fn is_month(text: &str) -> bool {
    text.len() <= 2 && number(text).is_some_and(|month| (1..=12).contains(&month))
}

fn is_day(text: &str) -> bool {
    text.len() <= 2 && number(text).is_some_and(|day| (1..=31).contains(&day))
}

fn number(text: &str) -> Option<u32> {
    are_digits(text).then(|| text.parse().ok())?
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
