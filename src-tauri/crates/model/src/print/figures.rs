//! Formats amounts, terms and dates for customers.

use crate::interface::{Amount, Count, Timestamp};
use chrono::{DateTime, FixedOffset};

use crate::display::{grouped, visible};
use crate::settings::Language;
use crate::time_zone::Zone;

/// Longest external text that is printed, in characters.
const LONGEST: usize = 500;

/// An external text, made safe to print.
pub fn text(given: &str) -> String {
    let mut characters = given.chars();
    let mut short: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    visible(&short)
}

/// An amount with the profile's label: a sign comes before it, a word after it; an empty label adds
/// nothing.
pub fn amount(amount: Amount, label: &str) -> String {
    let (digits, label) = (grouped(amount.get()), text(label));
    let mut characters = label.chars();
    match (characters.next(), characters.next()) {
        (None, _) => digits,
        (Some(sign), None) if is_currency_sign(sign) => format!("{label}{digits}"),
        (Some(_), _) => format!("{digits} {label}"),
    }
}

/// A term with the profile's unit; without one, the bare number, because the interface defines no
/// unit.
pub fn term(length: Count, unit: &str) -> String {
    match text(unit).as_str() {
        "" => grouped(length.get()),
        unit => format!("{} {unit}", grouped(length.get())),
    }
}

/// A moment on the shop's clock, because the date may differ in another offset. The shop's offset
/// is printed if the moment came with another.
pub fn moment(came: DateTime<FixedOffset>, shop: Zone, language: Language) -> String {
    let at = shop.at(came.to_utc());
    let comma = language.of(("", ","));
    let said = format!("{}{comma} {}", day(at, language), at.format("%H:%M"));
    if came.offset() == at.offset() {
        said
    } else {
        format!("{said} (UTC{})", at.offset())
    }
}

/// The date of a moment, in its offset.
pub fn day(at: DateTime<FixedOffset>, language: Language) -> String {
    at.format(language.of(("%Y年%-m月%-d日", "%-d %B %Y")))
        .to_string()
}

/// The same for a date-time of the service; text in an unknown format stays unchanged.
pub fn moment_written(came: &str, shop: Zone, language: Language) -> String {
    match Timestamp::parse(came) {
        Ok(at) => moment(at.get(), shop, language),
        Err(_) => text(came),
    }
}

fn is_currency_sign(sign: char) -> bool {
    matches!(
        sign,
        '$' | '\u{a2}'..='\u{a5}' | '\u{58f}' | '\u{60b}' | '\u{7fe}'..='\u{7ff}'
            | '\u{9f2}'..='\u{9f3}' | '\u{9fb}' | '\u{af1}' | '\u{bf9}' | '\u{e3f}' | '\u{17db}'
            | '\u{20a0}'..='\u{20cf}' | '\u{a838}' | '\u{fdfc}' | '\u{fe69}' | '\u{ff04}'
            | '\u{ffe0}'..='\u{ffe1}' | '\u{ffe5}'..='\u{ffe6}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn east(hours: i32) -> Zone {
        Zone::fixed(hours * 60)
    }

    #[test]
    fn a_label_stands_where_it_is_written_and_none_is_invented() {
        let price = Amount::new(12_800).unwrap();
        assert_eq!(amount(price, ""), "12,800");
        assert_eq!(amount(price, "¥"), "¥12,800");
        assert_eq!(amount(price, "円"), "12,800 円");
        assert_eq!(amount(price, "US$"), "12,800 US$");
        assert_eq!(term(Count::new(36).unwrap(), ""), "36");
        assert_eq!(term(Count::new(36).unwrap(), "か月"), "36 か月");
    }

    #[test]
    fn a_date_is_written_as_the_language_does_and_in_the_offset_of_the_shop() {
        let said = |came: &str, language| moment_written(came, east(9), language);
        let here = "2026-11-21T10:05:00.000+09:00";
        assert_eq!(said(here, Language::Ja), "2026年11月21日 10:05");
        assert_eq!(said(here, Language::En), "21 November 2026, 10:05");
        let elsewhere = "2026-11-21T01:05:00Z";
        assert_eq!(
            said(elsewhere, Language::En),
            "21 November 2026, 10:05 (UTC+09:00)"
        );
        let last = "2031-12-31T15:00:00Z";
        assert_eq!(said(last, Language::Ja), "2032年1月1日 00:00 (UTC+09:00)");
        assert_eq!(said("soon\u{202e}", Language::Ja), "soon\\u{202e}");
    }

    #[test]
    fn a_text_nobody_would_read_to_its_end_is_cut() {
        assert_eq!(text(&"字".repeat(500)), "字".repeat(500));
        assert_eq!(text(&"字".repeat(501)), format!("{}…", "字".repeat(500)));
        assert_eq!(text("a\u{202e}b\n\u{1b}"), "a\\u{202e}b\\n\\u{1b}");
    }
}
