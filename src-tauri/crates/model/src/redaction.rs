//! Masks customers and the token in texts that the service returned.
//!
//! Masks by value: the data that was sent is known, so nothing is guessed from the form of a text.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::interface::{ALL_BUT_UNRESERVED, ContractItem};

/// What replaces what is masked.
const MASK: &str = "•••";

/// Shorter parts of a name are not masked: they identify nobody and occur in many words.
const SHORTEST_PART: usize = 2;

/// What is escaped in a URL that leaves as much as it may as it is.
const ALL_BUT_GRAPHIC: &AsciiSet = &CONTROLS.add(b' ');

/// What was sent and is not kept of an answer, in the forms in which a service may repeat it.
#[derive(Clone, Default)]
pub struct Masked {
    /// Lower-cased, longest first.
    forms: Vec<Vec<char>>,
}

impl std::fmt::Debug for Masked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Masked({} forms)", self.forms.len())
    }
}

impl Masked {
    /// The names and e-mails of these items.
    pub fn customers(items: &[ContractItem]) -> Self {
        Self::of(items.iter().flat_map(|item| {
            let (name, email) = (item.customer.name.expose(), item.customer.email.expose());
            std::iter::once(email)
                .chain(std::iter::once(name))
                .chain(name.split_whitespace())
        }))
    }

    pub fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut forms: Vec<Vec<char>> = values
            .into_iter()
            .flat_map(forms)
            .map(|form| form.chars().map(lower_char).collect())
            .filter(|form: &Vec<char>| form.len() >= SHORTEST_PART)
            .collect();
        forms.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self { forms }
    }

    pub fn masked(&self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        // One lower-case character for each, so that positions stay the same.
        let folded: Vec<char> = text.chars().map(lower_char).collect();
        let mut shown = String::with_capacity(text.len());
        let mut at = 0;
        while at < chars.len() {
            match self
                .forms
                .iter()
                .find(|form| folded[at..].starts_with(form))
            {
                Some(form) => {
                    shown.push_str(MASK);
                    at += form.len();
                }
                None => {
                    shown.push(chars[at]);
                    at += 1;
                }
            }
        }
        shown
    }
}

/// The value as it is, and as escaped in a URL, in JSON and in HTML.
fn forms(value: &str) -> [String; 5] {
    let json = value.encode_utf16().map(|unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
        _ => format!("\\u{unit:04x}"),
    });
    [
        value.to_owned(),
        utf8_percent_encode(value, ALL_BUT_UNRESERVED).to_string(),
        utf8_percent_encode(value, ALL_BUT_GRAPHIC).to_string(),
        json.collect(),
        value.replace('@', "&#64;"),
    ]
}

/// The lower case of a character, if it is a single character.
fn lower_char(one: char) -> char {
    let mut lower = one.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::samples::item;

    /// The sample customer: 見本　花子, customer@sample.invalid.
    fn masked(text: &str) -> String {
        Masked::customers(&[item("T1", "p", "a")]).masked(text)
    }

    #[test]
    fn an_email_is_masked_however_it_is_repeated() {
        for repeated in [
            "customer@sample.invalid",
            "Customer@SAMPLE.invalid",
            "customer%40sample.invalid",
            "CUSTOMER&#64;sample.invalid",
        ] {
            assert_eq!(masked(&format!("<{repeated}> is bad")), "<•••> is bad");
        }
    }

    #[test]
    fn a_name_is_masked_whole_and_in_its_parts() {
        assert_eq!(masked("見本　花子 様"), "••• 様");
        assert_eq!(masked("花子 見本"), "••• •••");
        assert_eq!(masked("%E8%8A%B1%e5%ad%90"), "•••");
        assert_eq!(masked("\\u82B1\\u5b50"), "•••");
    }

    #[test]
    fn other_words_stay_as_they_came() {
        for text in [
            "",
            "product not found: someone@else.invalid İ",
            "customer at sample",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn names_of_one_letter_mask_nothing() {
        let mut one = item("T1", "p", "a");
        one.customer.name = crate::interface::Personal::new("a");
        assert_eq!(Masked::customers(&[one]).masked("a name"), "a name");
    }
}
