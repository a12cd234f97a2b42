//! Converts a cell of a workbook to the text a person sees in it.
//!
//! A workbook stores codes and dates as binary fractions; this module converts them.

use std::ops::Range;

use calamine::{DataRef, ExcelDateTime};
use chrono::{NaiveDate, NaiveTime, TimeDelta};

/// Day numbers a spreadsheet supports, to the end of the year 9999.
const DAYS: Range<f64> = 0.0..2_958_466.0;

/// The text a cell shows; empty for an empty cell.
pub(super) fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => self::number(*number),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::DateTime(moment) => self::moment(moment),
        DataRef::Error(error) => error.to_string(),
    }
}

/// Formats a number with the 15 digits a spreadsheet shows, so that a code never ends in `.0` and a
/// sum never reads `107800.00000000001`. A number with more integer digits is written as
/// `1.23E+15`: its last digits are lost, and the reader must report it.
pub(super) fn number(value: f64) -> String {
    // A whole number of so few digits is shown as it is; zero without its sign.
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return (value + 0.0).to_string();
    }
    let shown = format!("{value:.14e}");
    let rounded: f64 = shown.parse().unwrap_or(value);
    if rounded == 0.0 {
        return "0".to_owned();
    }
    match shown.split_once('e') {
        Some((digits, power)) if rounded.abs() >= 1e15 => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits}E+{power}")
        }
        Some(_) | None => rounded.to_string(),
    }
}

/// A date, with its time if it has one; a time alone; otherwise the plain number.
fn moment(moment: &ExcelDateTime) -> String {
    let value = moment.as_f64();
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let date = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into());
    let clock = date.and_then(|date| {
        let (hour, minute, second) = (hour.into(), minute.into(), second.into());
        date.and_hms_milli_opt(hour, minute, second, milli.into())
    });
    let Some(clock) = clock.filter(|_| DAYS.contains(&value) && moment.is_datetime()) else {
        return number(value);
    };
    // A time stored as a fraction of a day is rarely exact to the second that was typed.
    let clock = match milli {
        1 => clock - TimeDelta::milliseconds(1),
        999 => clock + TimeDelta::milliseconds(1),
        _ => clock,
    };
    let form = match (value < 1.0, clock.time() == NaiveTime::MIN) {
        (true, _) => "%H:%M:%S%.f",
        (false, true) => "%Y-%m-%d",
        (false, false) => "%Y-%m-%d %H:%M:%S%.f",
    };
    clock.format(form).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType;

    #[test]
    fn a_number_is_shown_as_a_spreadsheet_shows_it() {
        for (value, shown) in [
            (2_000_000_000_015.0, "2000000000015"),
            (0.0, "0"),
            (-0.0, "0"),
            (98_000.0 * 1.1, "107800"),
            (1980.5, "1980.5"),
            (0.000_012, "0.000012"),
            (-12.0, "-12"),
            (999_999_999_999_999.0, "999999999999999"),
            (1_234_567_890_123_456.0, "1.23456789012346E+15"),
            (1e15, "1E+15"),
            (4.9e12, "4900000000000"),
        ] {
            assert_eq!(number(value), shown);
        }
    }

    #[test]
    fn dates_are_shown_in_both_systems_and_times_to_the_second_that_was_typed() {
        for (value, is_1904, shown) in [
            (46_347.0, false, "2026-11-21"),
            (44_885.0, true, "2026-11-21"),
            (
                46_347.0 + 10.0 / 24.0 + 5.0 / 1440.0,
                false,
                "2026-11-21 10:05:00",
            ),
            (46_347.999_999_99, false, "2026-11-22"),
            (46_347.5 + 0.25 / 86_400.0, false, "2026-11-21 12:00:00.250"),
            (0.75, false, "18:00:00"),
            (60.0, false, "60"),
            (-1.0, false, "-1"),
            (3_000_000.0, false, "3000000"),
        ] {
            let date = ExcelDateTime::new(value, ExcelDateTimeType::DateTime, is_1904);
            assert_eq!(moment(&date), shown, "{value}");
        }
        let hours = ExcelDateTime::new(1.5, ExcelDateTimeType::TimeDelta, false);
        assert_eq!(moment(&hours), "1.5");
    }
}
