//! The texts of the translation files in `ui/src/i18n`, by key, with their values filled in.
//!
//! The window has the texts of the screen itself; `printed.*.json` is what is printed, `wdesk.en.json` what
//! `wdesk` alone says.

use std::fmt::Display;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::display::visible;
use crate::settings::Language;

static ENGLISH: LazyLock<Value> = LazyLock::new(|| {
    merged(&[
        include_str!("../../../../ui/src/i18n/en.json"),
        include_str!("../../../../ui/src/i18n/printed.en.json"),
        include_str!("../../../../ui/src/i18n/wdesk.en.json"),
    ])
});
static JAPANESE: LazyLock<Value> = LazyLock::new(|| {
    merged(&[
        include_str!("../../../../ui/src/i18n/ja.json"),
        include_str!("../../../../ui/src/i18n/printed.ja.json"),
    ])
});

/// The values of the placeholders of a text, by name.
pub type Values<'a> = [(&'a str, &'a dyn Display)];

/// The text of a key such as `problem.missing`. `{{name}}` is replaced by the value of that name, with
/// control characters escaped. A value `count` selects the plural form.
///
/// An unknown key panics in debug builds; a release shows the key itself.
pub fn text(language: Language, key: &str, values: &Values<'_>) -> String {
    let found = optional_text(language, key, values);
    debug_assert!(found.is_some(), "there is no text {key}");
    found.unwrap_or_else(|| key.to_owned())
}

/// Like [`text`]; `None` for an unknown key.
pub fn optional_text(language: Language, key: &str, values: &Values<'_>) -> Option<String> {
    let plural = || {
        let (_, count) = values.iter().find(|(name, _)| *name == "count")?;
        let one = language == Language::En && count.to_string() == "1";
        let form = if one { "one" } else { "other" };
        find(language, &format!("{key}_{form}"))
    };
    let template = find(language, key).or_else(plural)?;
    Some(filled(template, values))
}

/// The text of an enum value in a group of texts, by its wire name.
pub fn named(language: Language, group: &str, value: &impl Serialize) -> String {
    text(language, &format!("{group}.{}", wire_name(value)), &[])
}

/// Two sentences as one text; after a Japanese full stop there is no space.
pub fn sentences(first: &str, second: &str) -> String {
    let space = if first.ends_with('。') { "" } else { " " };
    format!("{first}{space}{second}")
}

/// Names as one list.
pub fn list_of(language: Language, names: &[String]) -> String {
    names.join(&text(language, "word.comma", &[]))
}

/// The name of an enum value in JSON.
pub fn wire_name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(name)) => name,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// All texts of a language.
pub fn texts(language: Language) -> &'static Value {
    match language {
        Language::En => &ENGLISH,
        Language::Ja => &JAPANESE,
    }
}

/// A text as it is in the file, without values.
pub fn find(language: Language, key: &str) -> Option<&'static str> {
    key.split('.')
        .try_fold(texts(language), |part, name| part.get(name))?
        .as_str()
}

fn filled(template: &str, values: &Values<'_>) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        debug_assert!(value.is_some(), "no value for {name} in {template:?}");
        text.extend(value.map(|(_, value)| visible(&value.to_string())));
        text.push_str(rest);
    }
    text
}

fn merged(files: &[&str]) -> Value {
    let parsed = |json: &&str| serde_json::from_str::<Map<String, Value>>(json).unwrap_or_default();
    Value::Object(files.iter().flat_map(parsed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_in_once_and_shown_as_text() {
        assert_eq!(
            filled("a {{x}} b {{y}}", &[("x", &"{{y}}"), ("y", &'\u{1b}')]),
            "a {{y}} b \\u{1b}"
        );
    }
}
