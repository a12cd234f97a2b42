//! Rewrites whole numbers in JSON to plain digits.
//!
//! Owns one rule: a whole number is accepted in every notation of JSON. It is rewritten digit by
//! digit before the JSON is parsed, so that floating point cannot round it.

use std::borrow::Cow;

/// Most digits of a number that is rewritten, so that it fits into 64 bits.
const MOST_DIGITS: usize = 18;

/// The JSON with each whole number in plain digits: `5000.0` and `5e3` become `5000`. Everything
/// else is unchanged, including text that is not JSON.
pub(crate) fn plain(json: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Vec<u8> = Vec::new();
    // Start of the bytes that are not copied yet.
    let mut rest = 0;
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => at = after_string(json, at + 1),
            b'-' | b'0'..=b'9' => {
                let end = json[at..]
                    .iter()
                    .position(|byte| {
                        !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
                    })
                    .map_or(json.len(), |length| at + length);
                if let Some(whole) = whole(&json[at..end]) {
                    out.extend_from_slice(&json[rest..at]);
                    out.extend_from_slice(whole.as_bytes());
                    rest = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if rest == 0 {
        return Cow::Borrowed(json);
    }
    out.extend_from_slice(&json[rest..]);
    Cow::Owned(out)
}

/// The index after a string's closing quotation mark; `at` is the index after the opening one.
fn after_string(json: &[u8], mut at: usize) -> usize {
    loop {
        match json.get(at) {
            None => return json.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// The number in plain digits, if it is whole and written otherwise.
fn whole(number: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(number).ok()?;
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => ("-", text),
        None => ("", text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (before, after) = match mantissa.split_once('.') {
        Some((before, after)) if !after.is_empty() => (before, after),
        Some(_) => return None,
        None => (mantissa, ""),
    };
    let leading_zero = before.len() > 1 && before.starts_with('0');
    let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if before.is_empty() || leading_zero || !digits_only(before) || !digits_only(after) {
        return None;
    }
    // Negative zero is rewritten too, because JSON parsers read it as a float.
    let is_plain = mantissa.len() == text.len() && after.is_empty() && mantissa != "0";
    if is_plain || (sign.is_empty() && text == "0") {
        return None;
    }
    let digits = format!("{before}{after}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    // The number of zeros after the significant digits; if negative, the number is not whole.
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    let places = i64::from(exponent) - i64::try_from(after.len()).ok()?;
    let zeros = usize::try_from(places + i64::try_from(trailing).ok()?).ok()?;
    if significant.len() + zeros > MOST_DIGITS {
        return None;
    }
    Some(format!("{sign}{significant}{}", "0".repeat(zeros)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn plainly(json: &str) -> String {
        String::from_utf8(plain(json.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn a_whole_number_in_any_notation_is_that_number() {
        for (written, meant) in [
            ("5000.0", "5000"),
            ("5e3", "5000"),
            ("5.0E+3", "5000"),
            ("50000e-1", "5000"),
            ("-5000.000", "-5000"),
            ("0.5e4", "5000"),
            ("-0", "0"),
            ("0.0", "0"),
            ("0e9", "0"),
            ("-0.00e-5", "0"),
            ("9007199254740991.0", "9007199254740991"),
            ("9.007199254740991e15", "9007199254740991"),
        ] {
            assert_eq!(plainly(written), meant);
            let inside = format!("{{\"a\": [{written},{written} ] }}");
            let expected = format!("{{\"a\": [{meant},{meant} ] }}");
            assert_eq!(plainly(&inside), expected);
        }
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for same in [
            "0",
            "7",
            "-7",
            "1.5",
            "15e-1",
            "9007199254740990.6",
            "5000.00000000000000000001",
            "1e400",
            "1e2147483648",
            "1e-2147483648",
            "05.0",
            "5.",
            ".0",
            "5e",
            "5e+",
            "--5.0",
            "1.0.0",
            "5.0-1",
            r#""5000.0""#,
            r#""a\"5.0""#,
            r#"{"5.0":"\\"}"#,
            "\"5.0",
            "",
        ] {
            assert_eq!(plainly(same), same);
        }
    }

    proptest! {
        #[test]
        fn no_value_is_changed(value: i32, zeros in 0..6_usize, shift in 0..9_i32) {
            let forms = [
                format!("{value}.{}", "0".repeat(zeros + 1)),
                format!("{value}e{zeros}"),
                format!("{value}{}e-{zeros}", "0".repeat(zeros)),
                format!("{}e-{shift}", i64::from(value) * 10_i64.pow(shift.unsigned_abs())),
            ];
            for (index, form) in forms.iter().enumerate() {
                let factor = if index == 1 { 10_i64.pow(u32::try_from(zeros).unwrap()) } else { 1 };
                let read: Value = serde_json::from_str(&plainly(form)).unwrap();
                prop_assert_eq!(read.as_i64(), Some(i64::from(value) * factor), "{}", form);
            }
        }
    }
}
