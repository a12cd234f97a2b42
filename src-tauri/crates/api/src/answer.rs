//! Decides what a reply means.
//!
//! Owns the order of the checks: an error object counts whatever the status; a resource counts only
//! with a 2xx status; everything else is unreadable. Knows nothing of connections.

use reqwest::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::transport::{Body, Reply};
use crate::{Answer, Error, ServiceError, Unreadable};

/// What an operation returns when it succeeds, if the JSON has its shape.
pub(crate) type Shape<T> = fn(Value) -> Option<T>;

/// An object only: the derived deserialisers would also accept an array of the fields.
pub(crate) fn object<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(Some(value).filter(Value::is_object)?).ok()
}

pub(crate) fn list<T: DeserializeOwned>(value: Value) -> Option<Vec<T>> {
    items(value)?.into_iter().collect()
}

/// A list read item by item, with `None` for each that is something else; a list of such items alone is
/// none.
pub(crate) fn items<T: DeserializeOwned>(value: Value) -> Option<Vec<Option<T>>> {
    let Value::Array(items) = value else {
        return None;
    };
    let items: Vec<Option<T>> = items.into_iter().map(object).collect();
    (items.is_empty() || items.iter().any(Option::is_some)).then_some(items)
}

/// What a reply means; depends on nothing but the reply.
pub(crate) fn read<T>(reply: Reply, shape: Shape<T>) -> Result<Answer<T>, Error> {
    let Reply {
        status,
        retry_after,
        body,
        date: _,
    } = reply;
    let unreadable = |reason| Error::Unreadable {
        status: status.as_u16(),
        reason,
        retry_after,
    };
    let parsed = match body {
        Body::Whole(bytes) => parse(&bytes).ok_or(unreadable(Unreadable::NotJson)),
        Body::Oversized => Err(unreadable(Unreadable::Oversized)),
        // With this status nothing was done; the head is enough to know that and how long to wait.
        Body::Lost(_) if status == StatusCode::TOO_MANY_REQUESTS => {
            Err(unreadable(Unreadable::NotJson))
        }
        Body::Lost(how) => Err(Error::NoAnswer(how)),
    };
    if let Some(error) = parsed.as_ref().ok().and_then(error_object) {
        return Err(Error::Refused {
            status: status.as_u16(),
            error,
            retry_after,
        });
    }
    if status.is_redirection() {
        return Err(unreadable(Unreadable::Redirect));
    }
    let value = shape(parsed?).ok_or(unreadable(Unreadable::OtherShape))?;
    if StatusCode::is_success(&status) {
        Ok(Answer {
            status: status.as_u16(),
            value,
        })
    } else {
        Err(unreadable(Unreadable::Contradiction))
    }
}

/// Parses JSON with a depth of at most 128, with or without a byte order mark. Half a character, which
/// a service may have cut a text after, is read as U+FFFD: the JSON is legal, and a sale may depend on it.
fn parse(bytes: &[u8]) -> Option<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let parsed = serde_json::from_slice(bytes);
    parsed
        .or_else(|_| serde_json::from_slice(&without_lone_surrogates(bytes)))
        .ok()
}

/// The same JSON with an escaped U+FFFD for each escaped surrogate that is not one of a pair.
fn without_lone_surrogates(json: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(first) = rest.first() {
        let next = rest.get(6..).and_then(escaped_unit);
        let (length, lone) = match (escaped_unit(rest), next) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, false),
            (Some(0xD800..=0xDFFF), _) => (6, true),
            // Past the escaped character, which may be a backslash.
            (Some(_) | None, _) if *first == b'\\' => (2, false),
            (Some(_) | None, _) => (1, false),
        };
        let (read, after) = rest.split_at(length.min(rest.len()));
        whole.extend_from_slice(if lone { br"\ufffd" } else { read });
        rest = after;
    }
    whole
}

/// The UTF-16 unit that a JSON text begins with as an escape.
fn escaped_unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(br"\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The error object of part 7: all three fields, each a string.
fn error_object(value: &Value) -> Option<ServiceError> {
    let field = |name| value.get(name)?.as_str().map(str::to_owned);
    Some(ServiceError {
        request_id: field("requestId")?,
        code: field("code")?,
        error: field("error")?,
    })
}
