//! Escapes texts that a spreadsheet would take for a formula.
//!
//! Export puts an apostrophe before such a text and import removes it. A text that already begins
//! with such an apostrophe gets a second one, so that every text reads back unchanged.

use std::borrow::Cow;

/// Characters that start a formula. Japanese editions treat the full-width ones alike.
fn acts(c: char) -> bool {
    matches!(
        c,
        '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
    )
}

/// The text as it may be written to a CSV file.
pub(super) fn neutralised(text: &str) -> Cow<'_, str> {
    match text.chars().next() {
        Some(first) if acts(first) || is_marked(text) => Cow::Owned(format!("'{text}")),
        Some(_) | None => Cow::Borrowed(text),
    }
}

/// The text before it was escaped, or before another program wrapped it as `="0001"` so that a
/// spreadsheet does not take it for a number.
pub(super) fn restored(text: &str) -> Cow<'_, str> {
    if is_marked(text) {
        return Cow::Borrowed(&text[1..]);
    }
    let quoted = text
        .strip_prefix("=\"")
        .and_then(|rest| rest.strip_suffix('"'));
    match quoted {
        Some(kept) if !kept.replace("\"\"", "").contains('"') => {
            Cow::Owned(kept.replace("\"\"", "\""))
        }
        Some(_) | None => Cow::Borrowed(text),
    }
}

/// Whether the text is one or more apostrophes followed by a formula character: no other text is
/// changed.
fn is_marked(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    bare.len() < text.len() && bare.chars().next().is_some_and(acts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_would_be_calculated_gets_a_mark_and_loses_it_again() {
        for (text, written) in [
            ("=1+1", "'=1+1"),
            ("＝1", "'＝1"),
            ("-500", "'-500"),
            ("\tx", "'\tx"),
            ("\rx", "'\rx"),
            ("\nx", "'\nx"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠A", "'＠A"),
            ("'=1", "''=1"),
            ("''=1", "'''=1"),
            ("'t Hooft", "'t Hooft"),
            ("'", "'"),
            ("", ""),
            ("a=1", "a=1"),
        ] {
            assert_eq!(neutralised(text), written);
            assert_eq!(restored(written), text);
        }
    }

    #[test]
    fn a_formula_that_is_a_text_alone_is_that_text() {
        for (written, text) in [
            ("=\"0001\"", "0001"),
            ("=\"\"", ""),
            ("=\"a\"\"b\"", "a\"b"),
            ("'=\"1\"", "=\"1\""),
            ("=\"", "=\""),
            ("=\"1\"&\"2\"", "=\"1\"&\"2\""),
            ("=1+1", "=1+1"),
        ] {
            assert_eq!(restored(written), text);
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in "['=+@\t＝-]{0,4}\\PC{0,4}") {
            let written = neutralised(&text);
            prop_assert_eq!(&restored(&written), &text);
            prop_assert!(!written.chars().next().is_some_and(acts));
        }
    }
}
