//! Texts that a spreadsheet would take for a formula.
//!
//! Owns the mark that keeps them texts, put on by our own files and taken off by our own reading. A
//! text that had such a mark already gets a second one, so that every text comes back as it was.

use std::borrow::Cow;

/// What makes a spreadsheet calculate. The wide ones too: Japanese editions read them alike.
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

/// The text as it was before it was neutralised, or before it was written as the formula that keeps
/// a spreadsheet from taking it for a number: `="0001"`.
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

/// One or more apostrophes before what acts: no other text is ever touched.
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
