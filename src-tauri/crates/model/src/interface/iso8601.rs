//! Reading ISO 8601 date-times.
//!
//! Owns the forms: calendar, ordinal and week dates, basic and extended, a fraction on whichever
//! part is written last, every form of an offset. Years are the four-digit ones.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, Weekday};

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// Digits of a fraction that are counted; the rest is below a nanosecond of an hour.
const FRACTION_DIGITS: usize = 15;

/// Reads a date-time that carries an offset.
pub(super) fn parse(text: &str) -> Option<DateTime<FixedOffset>> {
    let (date_text, rest) = text.split_once(['T', 't', ' '])?;
    let (time_text, offset_text) = rest.split_at(rest.find(['Z', 'z', '+', '-', '\u{2212}'])?);
    let mut date = date(date_text)?;
    let (time, ends_day) = time(time_text)?;
    if ends_day {
        date = date.succ_opt().filter(|next| next.year() <= 9999)?;
    }
    date.and_time(time)
        .and_local_timezone(offset(offset_text)?)
        .single()
}

fn date(text: &str) -> Option<NaiveDate> {
    let year = i32::try_from(number(text.get(..4)?, 4)?).ok()?;
    let rest = text.get(4..)?;
    let (rest, extended) = match rest.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    if let Some(week) = rest.strip_prefix('W') {
        let (week, day) = parts(week, 2, extended)?;
        let day = Weekday::try_from(u8::try_from(number(day, 1)?.checked_sub(1)?).ok()?).ok()?;
        return NaiveDate::from_isoywd_opt(year, number(week, 2)?, day);
    }
    if rest.len() == 3 {
        return NaiveDate::from_yo_opt(year, number(rest, 3)?);
    }
    let (month, day) = parts(rest, 2, extended)?;
    NaiveDate::from_ymd_opt(year, number(month, 2)?, number(day, 2)?)
}

/// Cuts after `at` bytes, and takes the hyphen away in the extended form.
fn parts(text: &str, at: usize, extended: bool) -> Option<(&str, &str)> {
    let (head, tail) = text.split_at_checked(at)?;
    Some((
        head,
        if extended {
            tail.strip_prefix('-')?
        } else {
            tail
        },
    ))
}

/// The time of day, and whether it was written as the end of the day (`24:00`).
fn time(text: &str) -> Option<(NaiveTime, bool)> {
    let (clock, fraction) = match text.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let (hour, minute, second) = clock_parts(clock)?;
    let unit = match (minute, second) {
        (None, _) => HOUR,
        (Some(_), None) => MINUTE,
        (Some(_), Some(_)) => SECOND,
    };
    let extra = fraction.map_or(Some(0), |digits| part_of(unit, digits))?;
    let (minute, second) = (minute.unwrap_or(0), second.unwrap_or(0));
    if hour == 24 {
        let exact = minute == 0 && second == 0 && extra == 0;
        return exact.then_some((NaiveTime::MIN, true));
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    if second == 60 {
        let nanos = u32::try_from(SECOND + extra).ok()?;
        return Some((
            NaiveTime::from_hms_nano_opt(hour, minute, 59, nanos)?,
            false,
        ));
    }
    let nanos =
        u64::from(hour) * HOUR + u64::from(minute) * MINUTE + u64::from(second) * SECOND + extra;
    let time = NaiveTime::from_num_seconds_from_midnight_opt(
        u32::try_from(nanos / SECOND).ok()?,
        u32::try_from(nanos % SECOND).ok()?,
    )?;
    Some((time, false))
}

fn clock_parts(text: &str) -> Option<(u32, Option<u32>, Option<u32>)> {
    let separator = if text.contains(':') { ":" } else { "" };
    let hour = number(text.get(..2)?, 2)?;
    let mut rest = text.get(2..)?;
    let mut following = [None, None];
    for part in &mut following {
        if rest.is_empty() {
            break;
        }
        let tail = rest.strip_prefix(separator)?;
        *part = Some(number(tail.get(..2)?, 2)?);
        rest = tail.get(2..)?;
    }
    let [minute, second] = following;
    rest.is_empty().then_some((hour, minute, second))
}

/// The decimal fraction `digits` of a unit, in nanoseconds, cut off below one.
fn part_of(unit: u64, digits: &str) -> Option<u64> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let counted = digits.get(..FRACTION_DIGITS.min(digits.len()))?;
    let scale = 10_u128.pow(u32::try_from(counted.len()).ok()?);
    let value: u128 = counted.parse().ok()?;
    u64::try_from(u128::from(unit) * value / scale).ok()
}

fn offset(text: &str) -> Option<FixedOffset> {
    if text == "Z" || text == "z" {
        return FixedOffset::east_opt(0);
    }
    let (sign, rest) = match text.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, text.strip_prefix(['-', '\u{2212}'])?),
    };
    let (hour, minute, second) = clock_parts(rest)?;
    let minute = minute.unwrap_or(0);
    if hour > 23 || minute > 59 || second.is_some() {
        return None;
    }
    FixedOffset::east_opt(sign * i32::try_from(hour * 3600 + minute * 60).ok()?)
}

/// A number of exactly so many ASCII digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    if text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}
