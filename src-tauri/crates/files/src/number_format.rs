//! Applies the number format of a workbook to a number, where the result is certain.
//!
//! Supports formats of digits: `0`, `000000`, `00-00` and the general one. Does not support dates,
//! fractions, conditions, locales and groups of digits: what they display is reported as unknown. The commas of
//! `#,##0` are not part of a code.

use std::borrow::Cow;

/// From this value on the general format uses an exponent.
const GENERAL_BELOW: f64 = 1e11;

/// Number of digits that a workbook stores exactly.
const EXACT_BELOW: f64 = 1e15;

/// Longest fraction that the general format shows in full, in characters.
const LONGEST_FRACTION: usize = 10;

/// The lowest number of a format that a workbook defines itself.
const FIRST_CUSTOM: u32 = 164;

/// A number format, parsed once for all cells that use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NumberFormat {
    /// The general format: as many digits as the number has.
    General,
    /// Digit places and literal text.
    Digits(Pattern),
    /// An unsupported format: what it displays is not known.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<Part>,
    /// Whether the format has a section for zero.
    zero_apart: bool,
    /// Whether the format has a section for negative numbers.
    negative_apart: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A digit, or nothing (`#`).
    Optional,
    /// A digit, or `0` (`0`).
    Required,
    Text(char),
}

impl NumberFormat {
    /// Parses a format from its code and its number, if it has one.
    pub(super) fn of(code: &str, id: Option<u32>) -> Self {
        let general = code.is_empty() || code.eq_ignore_ascii_case("general");
        match id {
            // The workbook reader reports an unknown format as the general one.
            Some(id @ 1..FIRST_CUSTOM) if general && id != 49 => Self::Unknown,
            _ if general || code == "@" => Self::General,
            _ => pattern(code).map_or(Self::Unknown, Self::Digits),
        }
    }

    /// The text that a cell with this number shows; `None` when that is not known.
    pub(super) fn shown(&self, number: f64) -> Option<String> {
        let whole = number.fract() == 0.0 && number.abs() < EXACT_BELOW;
        match self {
            Self::General if whole => {
                (number.abs() < GENERAL_BELOW).then(|| super::cell::number(number))
            }
            Self::General => {
                let text = super::cell::number(number);
                (text.len() <= LONGEST_FRACTION && !text.contains('E')).then_some(text)
            }
            Self::Digits(pattern) if whole => pattern.shown(number),
            Self::Digits(_) | Self::Unknown => None,
        }
    }
}

impl Pattern {
    fn shown(&self, number: f64) -> Option<String> {
        let below = number < 0.0;
        if (below && self.negative_apart) || (number == 0.0 && self.zero_apart) {
            return None;
        }
        let digits = if number == 0.0 {
            String::new()
        } else {
            format!("{:.0}", number.abs())
        };
        let sign = if below { "-" } else { "" };
        Some(format!("{sign}{}", self.in_places(&digits).trim()))
    }

    fn in_places(&self, digits: &str) -> String {
        let mut left = digits.chars().rev();
        let mut shown = Vec::new();
        let first = self.parts.iter().position(is_place);
        for (at, part) in self.parts.iter().enumerate().rev() {
            match part {
                Part::Text(text) => shown.push(*text),
                Part::Optional => shown.extend(left.next()),
                Part::Required => shown.push(left.next().unwrap_or('0')),
            }
            if Some(at) == first {
                shown.extend(left.by_ref());
            }
        }
        shown.into_iter().rev().collect()
    }
}

/// The first section of a format; `None` if it has more than digits and text.
fn pattern(code: &str) -> Option<Pattern> {
    let mut parts = Vec::new();
    let mut sections = 1;
    let mut code = code.chars();
    while let Some(c) = code.next() {
        let part = match c {
            ';' => {
                sections += 1;
                continue;
            }
            '"' => {
                let text: Cow<'_, [char]> = code.by_ref().take_while(|c| *c != '"').collect();
                if sections == 1 {
                    parts.extend(text.iter().map(|c| Part::Text(*c)));
                }
                continue;
            }
            '\\' => Part::Text(code.next()?),
            // A blank as wide as the next character.
            '_' => {
                code.next()?;
                Part::Text(' ')
            }
            _ if sections > 1 => continue,
            '0' => Part::Required,
            '#' => Part::Optional,
            '-' | ' ' | '(' | ')' | '+' => Part::Text(c),
            _ => return None,
        };
        if sections == 1 {
            parts.push(part);
        }
    }
    let has_place = parts.iter().any(is_place);
    has_place.then_some(Pattern {
        parts,
        negative_apart: sections > 1,
        zero_apart: sections > 2,
    })
}

fn is_place(part: &Part) -> bool {
    matches!(part, Part::Required | Part::Optional)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_digits_show_what_a_spreadsheet_shows() {
        for (code, number, shown) in [
            ("000000", 42.0, "000042"),
            ("000000", 1_234_567.0, "1234567"),
            ("000000", 0.0, "000000"),
            ("0", 2_000_000_000_015.0, "2000000000015"),
            ("0", 0.0, "0"),
            ("00-00", 42.0, "00-42"),
            ("00-00", 12_345.0, "123-45"),
            ("##-00", 5.0, "-05"),
            (r#""T-"0000"#, 7.0, "T-0007"),
            (r"\T\-0000", 7.0, "T-0007"),
            (r#"0"号""#, 7.0, "7号"),
            ("0000;(0000)", 42.0, "0042"),
            ("0", -42.0, "-42"),
            // As Excel in Japanese writes its format of numbers.
            ("0_ ", 42.0, "42"),
            (r"0_ ;[Red]\-0\ ", 42.0, "42"),
            (r"0_);\(0\)", 42.0, "42"),
            ("00_-00_ ", 1234.0, "12 34"),
            ("General", 42.0, "42"),
            ("General", 12_345_678_901.0, "12345678901"),
            ("General", 19.5, "19.5"),
            ("@", 42.0, "42"),
        ] {
            let format = NumberFormat::of(code, Some(FIRST_CUSTOM));
            let text = format.shown(number);
            assert_eq!(text.as_deref(), Some(shown), "{code} {number}");
        }
    }

    #[test]
    fn what_a_format_shows_is_never_guessed() {
        for (code, number) in [
            ("General", 123_456_789_012.0),
            ("General", 1.0 / 3.0),
            ("0", 0.5),
            ("0", 1e15),
            ("0.00", 42.0),
            ("0.00E+00", 42.0),
            ("0%", 42.0),
            ("yyyy-mm-dd", 42.0),
            ("000000;(000000)", -42.0),
            (r"0_);\(0\)", -42.0),
            ("0_", 42.0),
            ("0;-0;\"none\"", 0.0),
            ("[>100]000;0000", 42.0),
            ("[Red]000", 42.0),
            ("#,##0", 1_234_567.0),
            ("#,##0", 12.0),
            (r##""¥"#,##0"##, 1_038.0),
            ("0,", 42_000.0),
            ("0,0-0", 42_000.0),
            ("?000", 42.0),
            ("\"text\"", 42.0),
            ("\"open", 42.0),
        ] {
            let format = NumberFormat::of(code, Some(FIRST_CUSTOM));
            assert_eq!(format.shown(number), None, "{code} {number}");
        }
        // East Asian formats that have a number and no code.
        for (id, shown) in [(30, None), (0, Some("42".to_owned()))] {
            assert_eq!(NumberFormat::of("General", Some(id)).shown(42.0), shown);
        }
    }
}
