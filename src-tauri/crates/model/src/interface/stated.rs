//! A field of an answer on which something depends: absent, known, or there and not understood.
//!
//! Owns that the third is never taken for the first: where money is compared, a value that is not
//! understood contradicts whatever is expected.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::Amount;

/// Longest text kept of a value that is not understood, in characters.
const MOST_KEPT: usize = 40;

/// What an answer says of an amount, or of another value. Serialized, what is not understood is
/// absent, or where [`with_odd`] serializes it a [`NotUnderstood`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Stated<T = Amount> {
    /// The field is absent or null.
    #[default]
    Absent,
    /// A value of the expected type.
    Known(T),
    /// Anything else, as it is in the JSON: for an amount a string, a fraction, a number out of
    /// range.
    NotUnderstood(String),
}

impl<T: Clone> Stated<T> {
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value.clone()),
            Self::Absent | Self::NotUnderstood(_) => None,
        }
    }
}

impl<T: Display> Stated<T> {
    /// The value as a person reads it, also one that is not understood; a long text shortened.
    pub fn shown(&self) -> Option<String> {
        match self {
            Self::Absent => None,
            Self::Known(value) => Some(bounded(&value.to_string())),
            Self::NotUnderstood(text) => Some(format!("{text} (not understood)")),
        }
    }
}

impl<T: PartialEq> Stated<T> {
    /// Whether an answer that says this may be about a sale of that value: it says the same, or
    /// nothing.
    pub fn agrees_with(&self, value: T) -> bool {
        match self {
            Self::Absent => true,
            Self::Known(found) => *found == value,
            Self::NotUnderstood(_) => false,
        }
    }
}

impl<T> From<Option<T>> for Stated<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Known)
    }
}

impl<T: Clone + Serialize> Serialize for Stated<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.known().serialize(serializer)
    }
}

/// A value that is not understood, as a page gets it and gives it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotUnderstood {
    /// The value as it is in the JSON, shortened.
    pub not_understood: String,
}

/// A value that is understood, or one that is not.
#[derive(Serialize, specta::Type)]
#[serde(untagged)]
pub enum Odd<T> {
    Known(T),
    NotUnderstood(NotUnderstood),
}

/// Serializes a value so that one which is not understood is shown, and stays so when it comes back.
pub(super) fn with_odd<T, S>(stated: &Stated<T>, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Serialize,
    S: Serializer,
{
    let shown = match stated {
        Stated::Absent => None,
        Stated::Known(value) => Some(Odd::Known(value)),
        Stated::NotUnderstood(text) => Some(Odd::NotUnderstood(NotUnderstood {
            not_understood: text.clone(),
        })),
    };
    shown.serialize(serializer)
}

/// Serializes a text so that one which is not understood is shown as it came.
pub(super) fn as_it_came<S: Serializer>(
    stated: &Stated<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = match stated {
        Stated::Absent => None,
        Stated::Known(text) | Stated::NotUnderstood(text) => Some(text),
    };
    text.serialize(serializer)
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Stated<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(match Option::<T>::deserialize(&value) {
            Ok(value) => value.into(),
            Err(_) => Self::NotUnderstood(match NotUnderstood::deserialize(&value) {
                Ok(back) => shortened(&back.not_understood),
                Err(_) => shortened(&value.to_string()),
            }),
        })
    }
}

/// A text of an answer as it is kept: its first 1,000 characters.
pub fn bounded(text: &str) -> String {
    text.chars().take(1_000).collect()
}

fn shortened(text: &str) -> String {
    text.chars().take(MOST_KEPT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_absent_or_null_amount_says_nothing() {
        let read = |json: &str| serde_json::from_str::<Stated>(json).unwrap();
        let amount = |value| Amount::new(value).unwrap();
        assert_eq!(read("null"), Stated::Absent);
        assert_eq!(read("5000"), Stated::Known(amount(5000)));
        for odd in [
            "\"5000\"",
            "1.5",
            "true",
            "[]",
            "{}",
            "9007199254740992",
            "1e300",
        ] {
            assert!(matches!(read(odd), Stated::NotUnderstood(_)), "{odd}");
            assert!(!read(odd).agrees_with(amount(5000)), "{odd}");
        }
        assert!(Stated::Absent.agrees_with(amount(5000)));
    }
}
