//! The words on screen, from the same files the front end reads.

use std::sync::LazyLock;

use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Japanese,
    English,
}

static JAPANESE: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../ui/src/i18n/ja.json")));
static ENGLISH: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../ui/src/i18n/en.json")));

impl Language {
    /// Its code, as in test ids and names of pictures.
    pub fn short(self) -> &'static str {
        match self {
            Self::Japanese => "ja",
            Self::English => "en",
        }
    }

    /// The text of a key such as `state.confirmed`.
    pub fn word(self, key: &str) -> &'static str {
        let texts: &'static Value = match self {
            Self::Japanese => &JAPANESE,
            Self::English => &ENGLISH,
        };
        key.split('.')
            .fold(texts, |part, name| &part[name])
            .as_str()
            .unwrap_or_else(|| panic!("there is no text {key}"))
    }
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("the texts are JSON")
}
