//! Prepares texts and numbers for display on a terminal and on paper.
//!
//! Guarantees that a text from the service or a file is displayed as plain text: control characters
//! are shown as escapes. Never used for data that is sent or compared.

/// Escapes every character that could affect a terminal or a line of print: control characters, and
/// those that reorder the text around them or are invisible. The joiners of scripts and emoji stay.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || hides(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Whether a character reorders the text around it, is invisible or breaks a line.
fn hides(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// A whole number with its digits in groups of three.
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_hides_the_text_around_it_is_written_out() {
        for (text, written) in [
            ("a\u{61c}b", "a\\u{61c}b"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\u{2066}b", "a\\u{2066}b"),
            ("a\u{200b}b", "a\\u{200b}b"),
            ("a\u{1b}[31m", "a\\u{1b}[31m"),
            ("a\nb", "a\\nb"),
        ] {
            assert_eq!(visible(text), written);
        }
        assert_eq!(visible("見本 👩‍🔧"), "見本 👩‍🔧");
    }

    #[test]
    fn amounts_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(-1_234_567), "-1,234,567");
        assert_eq!(grouped(i64::MIN), "-9,223,372,036,854,775,808");
    }
}
