//! Normalises text for comparison and search, never for display.
//!
//! Both sides of a search are normalised: half-width kana match full-width ones, full-width digits
//! match ASCII ones, and case and the kind of a dash are ignored. When contracts are searched, spaces,
//! the form of kana and the variants of a kanji are ignored too.

use std::borrow::Cow;

use crate::name_variants::usual_form;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Most words used in one search; more would only slow it down.
const MAX_WORDS: usize = 16;

/// Most characters used in one search.
const MAX_SEARCH_CHARS: usize = 256;

/// NFKC: compatibility forms are normalised. A text that is already in this form is not copied.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Converts full-width forms of ASCII, which an input method types, to ASCII, and removes white
/// space at both ends. Every other character stays: `①` does not become `1`, and half-width kana
/// stay half-width.
pub fn plain_width(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if !text.chars().any(|c| narrow(c) != c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(narrow).collect())
}

/// Replaces dashes and long vowel marks, which the hyphen key types while Japanese input is on, by
/// hyphens, if the text is otherwise ASCII. Any other text may be a name that contains them.
pub fn hyphened(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().all(|c| c.is_ascii() || is_dash(c)) {
        return text;
    }
    Cow::Owned(text.replace(is_dash, "-"))
}

/// Whether a hyphen, a dash or a long vowel mark: in a search each is found by any other, because a
/// word of it may be a part of a code or of a name.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | 'ー' | 'ｰ' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// NFKC in lower case.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower = composed(text).to_lowercase();
    // Lower-casing can produce a sequence that composes again.
    match composed(&lower) {
        Cow::Owned(anew) => anew,
        Cow::Borrowed(_) => lower,
    }
}

/// The folded words of a search, at most 16; white space and control characters separate them.
pub fn words(text: &str) -> Vec<String> {
    let bounded: String = text.chars().take(MAX_SEARCH_CHARS).collect();
    fold(&bounded)
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .map(str::to_owned)
        .collect()
}

/// Normalises a text for the comparison of names: folded, without white space and variation
/// selectors, hiragana and small kana as large katakana, each kanji in its usual form, and each dash as
/// a hyphen (see [`is_dash`]).
pub fn name_key(text: &str) -> String {
    if text.is_ascii() {
        let kept = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
        return kept
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
    }
    fold(text).chars().filter_map(name_form).collect()
}

/// The words of a search, normalised like names, at most 16.
pub fn name_keys(text: &str) -> Vec<String> {
    let keys = words(text).into_iter().map(|word| name_key(&word));
    keys.filter(|key| !key.is_empty()).collect()
}

/// Normalises a folded character for the comparison of names; `None` for one that is ignored.
fn name_form(c: char) -> Option<char> {
    let c = match c {
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => return None,
        // Both blocks of kana are in the same order.
        'ぁ'..='ゖ' | 'ゝ' | 'ゞ' => char::from_u32(u32::from(c) + 0x60).unwrap_or(c),
        _ => c,
    };
    match c {
        'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ッ' | 'ャ' | 'ュ' | 'ョ' | 'ヮ' => {
            char::from_u32(u32::from(c) + 1)
        }
        'ヵ' => Some('カ'),
        'ヶ' => Some('ケ'),
        c if is_dash(c) => Some('-'),
        c if c.is_whitespace() => None,
        c => Some(usual_form(c)),
    }
}

/// The folded text of several fields, one a line, so that no search matches across two of them.
pub fn fold_all<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let folded: Vec<String> = fields.into_iter().flatten().map(fold).collect();
    folded.join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_short_ways_lead_to_the_same_text(
            text in "\\PC{0,12}|[ -~ＡａｱﾊﾞﾟがかゞァΑΣİß\u{300}\u{345}\u{0}\n]{0,12}",
        ) {
            let plainly = |text: &str| text.nfkc().collect::<String>();
            prop_assert_eq!(composed(&text), plainly(&text));
            prop_assert_eq!(fold(&text), plainly(&plainly(&text).to_lowercase()));
        }
    }

    #[test]
    fn words_are_parted_by_any_white_space_and_by_control_characters() {
        assert_eq!(
            words(" 延長　保証\t5年\u{0}x\n"),
            ["延長", "保証", "5年", "x"]
        );
        assert!(words(" \u{3000}\u{0}").is_empty());
    }

    #[test]
    fn a_search_has_a_bound() {
        assert!(words(&"a ".repeat(10_000)).len() <= MAX_WORDS);
        assert!(words(&"a".repeat(10_000)).concat().len() <= MAX_SEARCH_CHARS);
    }

    #[test]
    fn a_name_is_one_text_whatever_its_spaces_width_kana_and_variants() {
        for (name, others) in [
            ("髙橋 一郎", ["高橋一郎", "髙橋　一郎", " 高 橋一郎\t"]),
            ("山﨑 花子", ["山崎花子", "山嵜　花子", "山﨑\u{e0100}花子"]),
            ("渡邉 弘", ["渡辺弘", "渡邊 弘", "渡辺　弘"]),
            ("齋藤 濵子", ["斎藤浜子", "斉藤濱子", "齊藤 浜子"]),
            ("きゃの ん", ["キャノン", "ｷｬﾉﾝ", "キヤノン"]),
            ("ガス 太郎", ["がす太郎", "ｶﾞｽ 太郎", "カ\u{3099}ス太郎"]),
            (
                "Smith John",
                ["ｓｍｉｔｈ　ｊｏｈｎ", "SMITHJOHN", "smith john"],
            ),
        ] {
            for other in others {
                assert_eq!(name_key(name), name_key(other), "{name} {other}");
            }
        }
        assert_ne!(name_key("中島"), name_key("中鳥"));
        assert_ne!(name_key("はな"), name_key("ばな"));
    }

    #[test]
    fn a_code_is_found_whatever_the_hyphen_key_typed_and_a_name_by_its_long_mark() {
        let id = name_key("TX-001");
        for dash in "ーｰ\u{2010}\u{2011}\u{2013}\u{2014}\u{2015}\u{2212}－-".chars() {
            let typed = [
                format!("ＴＸ{dash}００１"),
                format!("tx{dash}"),
                format!("{dash}００１"),
            ];
            for typed in typed {
                let keys = name_keys(&typed);
                assert!(
                    matches!(&keys[..], [key] if id.contains(key)),
                    "{typed} {keys:?}"
                );
            }
            let title = name_key(&format!("炊飯器 NP{dash}1000"));
            assert!(title.contains(&name_key("NPー1000")), "{title}");
        }
        for part in ["セーター", "ｾｰﾀｰ", "ー", "ータ"] {
            assert!(name_key("せーたー").contains(&name_key(part)), "{part}");
        }
        assert_ne!(name_key("セーター"), name_key("セタ"));
    }

    #[test]
    fn the_words_of_a_search_for_a_name_stay_apart() {
        assert_eq!(name_keys("渡邉　ﾊﾅｺ \u{fe00}"), ["渡辺", "ハナコ"]);
    }

    #[test]
    fn fields_stay_apart() {
        assert_eq!(fold_all([Some("A"), None, Some("Ｂ")]), "a\nb");
    }
}
