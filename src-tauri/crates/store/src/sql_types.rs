//! Columns to the types of the desk and back; a value that no longer fits names its column.

use crate::query::Read;
use chrono::DateTime;
use rusqlite::Row;
use rusqlite::types::{Type, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::de::value::{Error as ValueError, StrDeserializer};
use warranty_model::interface::Timestamp;

/// Said of a kept value that this version cannot read.
const UNKNOWN_FORM: &str = "a kept value has an unknown form";

fn unknown(column: usize, kind: Type) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, UNKNOWN_FORM.into())
}

/// Milliseconds since 1970 as a moment in UTC.
pub fn moment(milliseconds: i64) -> Option<Timestamp> {
    DateTime::from_timestamp_millis(milliseconds).map(|at| Timestamp::new(at.fixed_offset()))
}

/// A column of milliseconds since 1970.
pub fn instant(row: &Row<'_>, column: usize) -> Read<Timestamp> {
    moment(row.get(column)?).ok_or_else(|| unknown(column, Type::Integer))
}

/// The same, where nothing is kept while there is none.
pub fn instant_or_none(row: &Row<'_>, column: usize) -> Read<Option<Timestamp>> {
    or_none(row, column, instant)
}

/// A column in which nothing is kept while there is none.
pub fn or_none<T>(
    row: &Row<'_>,
    column: usize,
    read: fn(&Row<'_>, usize) -> Read<T>,
) -> Read<Option<T>> {
    (row.get_ref(column)? != ValueRef::Null)
        .then(|| read(row, column))
        .transpose()
}

/// One of the desk's words or ids from its serialised form; `None` for any other text.
pub fn word_of<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<ValueError>::new(text)).ok()
}

/// A text column read as one of the desk's words or ids.
pub fn word<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Read<T> {
    let text = row.get_ref(column)?.as_str().ok();
    text.and_then(word_of)
        .ok_or_else(|| unknown(column, Type::Text))
}

/// The same, where nothing is kept while there is none.
pub fn word_or_none<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Read<Option<T>> {
    or_none(row, column, word)
}

/// An integer column read as an amount or a count.
pub fn whole<T: TryFrom<i64>>(row: &Row<'_>, column: usize) -> Read<T> {
    T::try_from(row.get::<_, i64>(column)?).map_err(|_| unknown(column, Type::Integer))
}

/// One of the desk's words in the form it is kept in.
pub fn text_of<T: Serialize>(word: &T) -> Read<String> {
    match serde_json::to_value(word) {
        Ok(serde_json::Value::String(text)) => Ok(text),
        _ => Err(rusqlite::Error::ToSqlConversionFailure(UNKNOWN_FORM.into())),
    }
}

pub fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Read<T> {
    let unread = |error: serde_json::Error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    };
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(unread)
}

pub fn json_of<T: Serialize>(value: &T) -> Read<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
