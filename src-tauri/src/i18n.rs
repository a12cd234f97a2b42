//! The page's own texts, for words that leave the desk in a file.
//!
//! They are the files the page is made with: a word is the same on the screen and on the disk.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;
use warranty_core::settings::Language;

static ENGLISH: LazyLock<Value> =
    LazyLock::new(|| parsed(include_str!("../../ui/src/i18n/en.json")));
static JAPANESE: LazyLock<Value> =
    LazyLock::new(|| parsed(include_str!("../../ui/src/i18n/ja.json")));

/// The text of a key such as `problem.missing`, with values put in for their names. The key itself
/// where there is none: tests hold every key that is used here.
pub fn text(language: Language, key: &str, values: &[(&str, &str)]) -> String {
    let texts: &Value = match language {
        Language::En => &ENGLISH,
        Language::Ja => &JAPANESE,
    };
    let found = key.split('.').try_fold(texts, |part, name| part.get(name));
    let text = found.and_then(Value::as_str).unwrap_or(key);
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{{{name}}}}}"), value)
    })
}

/// The text of one of several, such as a field or a problem, by its name on the wire.
pub fn named(language: Language, group: &str, one: &impl Serialize) -> String {
    let name = serde_json::to_value(one).ok();
    let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
    text(language, &format!("{group}.{name}"), &[])
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}
