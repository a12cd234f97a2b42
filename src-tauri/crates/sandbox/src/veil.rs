//! A veil over what a file keeps of customers: the SQL functions `hidden` and `shown`.
//!
//! Owns where the veil lies. What it is made of is the business of whoever starts the service.

use std::{fmt, sync::Arc};

use rusqlite::{
    Connection, Result,
    functions::{Context, FunctionFlags},
    types::{Value, ValueRef},
};

/// Hides texts in the sandbox's file, for those who run it where real customers could be typed in.
pub trait Veil: fmt::Debug + Send + Sync {
    /// A text in a form that may lie on the disk; `None` when it cannot be hidden.
    fn hide(&self, text: &[u8]) -> Option<Vec<u8>>;
    /// The text again; `None` when it cannot be had any more.
    fn show(&self, hidden: &[u8]) -> Option<Vec<u8>>;
    /// Whether it is the one that is used from now on: what it cannot show, nothing shows any more.
    /// One that lasts only as long as its process says nothing of what others hid.
    fn lasts(&self) -> bool;
}

/// Gives a connection `hidden(x)`, to be written, and `shown(x)`, NULL when it cannot be had any
/// more. Without a veil both give what they are given.
pub(crate) fn cover(connection: &Connection, veil: Option<Arc<dyn Veil>>) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    let hiding = veil.clone();
    connection.create_scalar_function("hidden", 1, flags, move |context| {
        let Some(veil) = &hiding else {
            return given(context);
        };
        let failed = || rusqlite::Error::UserFunctionError("the text cannot be hidden".into());
        match context.get_raw(0) {
            ValueRef::Text(text) => {
                let hidden = veil.hide(text).ok_or_else(failed)?;
                Ok(Value::Text(to_digits(&hidden)))
            }
            ValueRef::Blob(bytes) => Ok(Value::Blob(veil.hide(bytes).ok_or_else(failed)?)),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => given(context),
        }
    })?;
    connection.create_scalar_function("shown", 1, flags, move |context| {
        let Some(veil) = &veil else {
            return given(context);
        };
        Ok(match context.get_raw(0) {
            ValueRef::Text(digits) => from_digits(digits)
                .and_then(|hidden| veil.show(&hidden))
                .and_then(|text| String::from_utf8(text).ok())
                .map_or(Value::Null, Value::Text),
            ValueRef::Blob(hidden) => veil.show(hidden).map_or(Value::Null, Value::Blob),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Value::Null,
        })
    })
}

/// Hides what a file has kept open so far, and leaves nothing of it.
pub(crate) fn draw_over(connection: &Connection) -> Result<()> {
    connection.execute_batch(
        "BEGIN IMMEDIATE;
         UPDATE contract SET customer_email = hidden(customer_email), document = hidden(document);
         UPDATE kept_answer SET body = hidden(body), answer = hidden(answer);
         INSERT INTO setting (name, value) VALUES ('veiled', 'yes');
         COMMIT;
         VACUUM;
         PRAGMA wal_checkpoint(TRUNCATE);",
    )
}

/// Deletes what cannot be shown any more.
pub(crate) fn drop_lost(connection: &Connection) -> Result<()> {
    connection.execute_batch(
        "BEGIN IMMEDIATE;
         DELETE FROM contract WHERE shown(document) IS NULL;
         DELETE FROM kept_answer WHERE shown(answer) IS NULL;
         COMMIT;",
    )
}

fn given(context: &Context<'_>) -> Result<Value> {
    context.get(0)
}

/// Bytes as hexadecimal digits, since a text column holds no bytes.
fn to_digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_digits(digits: &[u8]) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes: Option<Vec<u8>> = pairs
        .iter()
        .map(|[high, low]| u8::try_from(value(*high)? * 16 + value(*low)?).ok())
        .collect();
    bytes.filter(|_| rest.is_empty())
}
