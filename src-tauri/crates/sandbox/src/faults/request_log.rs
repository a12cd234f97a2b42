//! The log of requests and, on demand, a file of full exchanges, for tests and external checkers. The value of
//! the token is never logged.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex},
};

use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::header_checks::{TOKEN_HEADER, TokenSeen};
use crate::request::Incoming;
use crate::{Operation, Reply, lock};

/// The log drops its oldest requests when all of them take more than this many bytes: a service may run for days.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// One request as it arrived. As JSON its fields are camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedRequest {
    /// Position among all requests, from 1.
    pub number: u64,
    /// The operation it was for, if its path and method belong to one.
    pub operation: Option<Operation>,
    pub method: String,
    /// Path as sent, still percent-encoded.
    pub path: String,
    /// Query as sent, without the question mark.
    pub query: Option<String>,
    /// Header names (lower case) and values, in order. The token's value is replaced by the word of `token`.
    pub headers: Vec<(String, String)>,
    /// What the authentication header was like.
    pub token: TokenSeen,
    /// Value of `X-Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// Length of the body in bytes, as far as it was read.
    pub body_length: usize,
}

impl RecordedRequest {
    pub(crate) fn of(incoming: &Incoming) -> Self {
        let uri = &incoming.parts.uri;
        Self {
            number: 0,
            operation: incoming.operation(),
            method: incoming.parts.method.to_string(),
            path: uri.path().to_owned(),
            query: uri.query().map(str::to_owned),
            headers: masked(&incoming.parts.headers, incoming.token),
            token: incoming.token,
            idempotency_key: incoming.key.clone(),
            body_length: match &incoming.body {
                Ok(body) => body.len(),
                Err(length) => *length,
            },
        }
    }

    /// The first value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Approximate size in memory, in bytes.
    fn size(&self) -> usize {
        let header = 2 * size_of::<(String, String)>();
        size_of::<Self>() + json!(self).to_string().len() + self.headers.len() * header
    }
}

/// Header names and values with the token's value masked.
fn masked(headers: &HeaderMap, token: TokenSeen) -> Vec<(String, String)> {
    let word = json!(token);
    let masked = headers.iter().map(|(name, value)| {
        let value = if name == TOKEN_HEADER {
            word.as_str().unwrap_or_default().into()
        } else {
            String::from_utf8_lossy(value.as_bytes())
        };
        (name.to_string(), value.into_owned())
    });
    masked.collect()
}

/// The requests that arrived, and the file for full exchanges.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestLog {
    requests: Arc<Mutex<Requests>>,
    exchanges: Arc<Mutex<Option<File>>>,
}

#[derive(Debug, Default)]
struct Requests {
    total: u64,
    latest: VecDeque<RecordedRequest>,
    /// Size of all of `latest`, in bytes.
    size: usize,
}

impl RequestLog {
    /// Numbers a request and keeps it.
    pub(crate) fn add(&self, mut request: RecordedRequest) {
        let mut requests = lock(&self.requests);
        requests.total += 1;
        request.number = requests.total;
        requests.size += request.size();
        requests.latest.push_back(request);
        while requests.size > MAX_BYTES
            && let Some(oldest) = requests.latest.pop_front()
        {
            requests.size -= oldest.size();
        }
    }

    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        let requests = lock(&self.requests);
        requests.latest.iter().cloned().collect()
    }

    /// The number of all requests, and those still kept.
    pub(crate) fn summary(&self) -> Value {
        let requests = lock(&self.requests);
        json!({ "count": requests.total, "requests": requests.latest })
    }

    pub(crate) fn write_exchanges_to(&self, path: &Path) -> io::Result<()> {
        let file = File::options().create(true).append(true).open(path)?;
        *lock(&self.exchanges) = Some(file);
        Ok(())
    }

    pub(crate) fn wants_exchanges(&self) -> bool {
        lock(&self.exchanges).is_some()
    }

    /// Appends one exchange as a line of JSON. Blocks during the write.
    pub(crate) fn add_exchange(&self, exchange: &Value) {
        let mut file = lock(&self.exchanges);
        let Some(file) = file.as_mut() else { return };
        if let Err(error) = file.write_all(format!("{exchange}\n").as_bytes()) {
            tracing::warn!(%error, "an exchange could not be recorded");
        }
    }
}

/// A request with its response, for external checkers. `reply` is `None` when the connection was closed without one;
/// with `faulty` a fault applied, so that the response proves nothing about the interface.
pub(crate) fn exchange(
    incoming: &Incoming,
    base_url: &str,
    reply: Option<&Reply>,
    faulty: bool,
) -> Value {
    json!({
        "method": incoming.parts.method.as_str(),
        "url": format!("{base_url}{}", incoming.parts.uri),
        "headers": masked(&incoming.parts.headers, incoming.token),
        "body": String::from_utf8_lossy(incoming.body.as_deref().unwrap_or_default()),
        "response": reply.map(|reply| json!({
            "status": reply.status,
            "headers": reply.headers,
            "body": reply.body,
        })),
        "faulty": faulty,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_has_a_bound_in_bytes() {
        for headers in [0, 600] {
            let log = RequestLog::default();
            let request = RecordedRequest {
                number: 0,
                operation: None,
                method: "GET".to_owned(),
                path: "x".repeat(6_000),
                query: None,
                headers: vec![("a".to_owned(), String::new()); headers],
                token: TokenSeen::Present,
                idempotency_key: None,
                body_length: 0,
            };
            for _ in 0..5_000 {
                log.add(request.clone());
            }
            let kept = log.requests();
            let each = request.path.len() + size_of_val(request.headers.as_slice());
            let bytes = kept.len() * each;
            assert!((MAX_BYTES / 4..=MAX_BYTES).contains(&bytes), "{bytes}");
            assert_eq!(kept.last().map(|last| last.number), Some(5_000));
        }
    }
}
