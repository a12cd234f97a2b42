//! Decides what a reply means.
//!
//! Owns the order of the checks: an error object counts whatever the status; a resource counts only
//! with a 2xx status; everything else is unreadable. Knows nothing of connections.

use reqwest::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::transport::{Body, Reply};
use crate::{
    Answer, Contract, Error, Lead, Plan, PlanWithProduct, Product, ServiceError, Unreadable,
};

/// What an operation returns when it succeeds: a contract, a product, a plan, a plan with its
/// product, a lead, or a list of one of them.
pub(crate) trait Resource: Sized {
    /// The resource, if the JSON has its shape; else `None`.
    fn from_json(value: Value) -> Option<Self>;
}

/// Accepts an object only: the derived deserialisers would also accept an array of the fields.
fn from_object<T: DeserializeOwned>(value: Value) -> Option<T> {
    if value.is_object() {
        serde_json::from_value(value).ok()
    } else {
        None
    }
}

macro_rules! object {
    ($($name:ty),+) => {$(
        impl Resource for $name {
            fn from_json(value: Value) -> Option<Self> {
                from_object(value)
            }
        }
    )+};
}

object!(Contract, Product, Plan, PlanWithProduct, Lead);

impl<T: Resource> Resource for Vec<T> {
    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::Array(items) => items.into_iter().map(T::from_json).collect(),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => None,
        }
    }
}

/// What a reply means; depends on nothing but the reply.
pub(crate) fn read<T: Resource>(reply: Reply) -> Result<Answer<T>, Error> {
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
    let value = T::from_json(parsed?).ok_or(unreadable(Unreadable::OtherShape))?;
    if StatusCode::is_success(&status) {
        Ok(Answer {
            status: status.as_u16(),
            value,
        })
    } else {
        Err(unreadable(Unreadable::Contradiction))
    }
}

/// Parses JSON with a depth of at most 128, with or without a byte order mark.
fn parse(bytes: &[u8]) -> Option<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).ok()
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
