//! Recognises the texts that almost every cell holds: nothing about them is to be changed or refused.
//!
//! Decides nothing else. A text that is not recognised is judged by [`super::validation`], which
//! gives every text recognised here the same answer.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::lenient_parse;
use super::validation::{MOST_IN_CODE, MOST_IN_EMAIL, MOST_IN_NAME};

/// Digits of an amount that is never too large.
const FEW_DIGITS: usize = 15;

/// A code of visible ASCII characters, also as an id of the interface.
pub(super) fn is_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Without an early end, so that the bytes are compared many at a time.
    let visible = bytes
        .iter()
        .fold(true, |all, byte| all & byte.is_ascii_graphic());
    visible
        && bytes.len() <= MOST_IN_CODE
        && bytes
            .first()
            .is_some_and(|first| !matches!(first, b'#' | b'.'))
        && !lenient_parse::is_rounded(text)
}

/// A name of letters, kana, kanji and spaces on one line.
pub(super) fn is_name(text: &str) -> bool {
    let letter = |c: char| matches!(c, '!'..='~' | 'ぁ'..='ー' | '\u{4e00}'..='\u{9fff}');
    text.len() <= MOST_IN_NAME
        && text.starts_with(|c| letter(c) && c != '#')
        && text.ends_with(letter)
        && text
            .chars()
            .all(|c| letter(c) || matches!(c, ' ' | '\u{3000}'))
}

/// An e-mail address of visible ASCII characters.
pub(super) fn is_email(text: &str) -> bool {
    let (mut at, mut dot, mut digit, mut before) = (false, false, false, b'@');
    for byte in text.bytes() {
        match byte {
            b'@' if at || before == b'@' => return false,
            b'@' => at = true,
            b'.' if at && matches!(before, b'@' | b'.') => return false,
            b'.' => (dot, digit) = (dot | at, false),
            b'0'..=b'9' => digit = true,
            b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' => {}
            b',' | b';' | b'<' | b'>' | b'(' | b')' | b':' | b'\\' | b'[' | b']' => return false,
            b'!'..=b'~' if !at => {}
            _ => return false,
        }
        before = byte;
    }
    dot && !digit && before != b'.' && text.len() <= MOST_IN_EMAIL
}

/// An amount of digits alone, or grouped by commas.
pub(super) fn amount(text: &str) -> Option<i64> {
    if text.len() > FEW_DIGITS {
        return None;
    }
    let (mut number, mut group, mut grouped) = (0, 0, false);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => {
                number = number * 10 + i64::from(byte - b'0');
                group += 1;
            }
            b',' if group == 3 || !grouped && (1..3).contains(&group) => {
                grouped = true;
                group = 0;
            }
            _ => return None,
        }
    }
    let whole = if grouped { group == 3 } else { group > 0 };
    whole.then_some(number)
}

/// `2026/11/20`, `2026-11-20 18:05`, `2026/1/5 9:05:30`: a date, and a time of day behind a space or
/// a `T`, without an offset.
pub(super) fn local(text: &str) -> Option<NaiveDateTime> {
    let rest = &mut text.as_bytes();
    let year = number(rest, 4).filter(|_| text.len() - rest.len() == 4)?;
    let mark = next(rest).filter(|mark| matches!(mark, b'/' | b'-'))?;
    let month = number(rest, 2)?;
    let day = next(rest)
        .filter(|again| *again == mark)
        .and(number(rest, 2))?;
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    if rest.is_empty() {
        return Some(date.and_time(NaiveTime::MIN));
    }
    next(rest).filter(|gap| matches!(gap, b' ' | b'T'))?;
    let hour = number(rest, 2)?;
    let minute = next(rest)
        .filter(|colon| *colon == b':')
        .and(number(rest, 2))?;
    let second = match next(rest) {
        None => 0,
        Some(b':') => number(rest, 2).filter(|_| rest.is_empty())?,
        Some(_) => return None,
    };
    date.and_hms_opt(hour, minute, second)
}

fn next(rest: &mut &[u8]) -> Option<u8> {
    let (first, behind) = rest.split_first()?;
    *rest = behind;
    Some(*first)
}

/// The number at the beginning, of at most so many digits.
fn number(rest: &mut &[u8], most: usize) -> Option<u32> {
    let digits = rest
        .iter()
        .take(most)
        .take_while(|byte| byte.is_ascii_digit());
    let (count, number) = digits.fold((0, 0), |(count, number), byte| {
        (count + 1, number * 10 + u32::from(byte - b'0'))
    });
    *rest = rest.get(count..)?;
    (count > 0).then_some(number)
}
