//! Tolerant reading of what we show but never match on.
//!
//! Owns one rule: a field that is absent, null or of an unexpected type reads as `None` and never
//! spoils the answer it is in, because a discarded answer would leave a sale's outcome unknown.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// Reads a field as `Some` when it has the expected type, else `None`.
pub(super) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    Ok(T::deserialize(value).ok())
}

/// Reads an array's readable items and passes over the others; anything but an array is empty.
pub(super) fn lenient_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    Ok(match value {
        Value::Array(items) => items
            .into_iter()
            .filter_map(|item| T::deserialize(item).ok())
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            Vec::new()
        }
    })
}
