//! Reads `Retry-After`: how long the service asks clients to wait.
//!
//! Owns the parsing and the upper limit. Does not wait.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// Longest wait; a longer one is shortened to this.
const CAP: Duration = Duration::from_secs(60 * 60);

/// The requested wait from now, at most one hour; `None` without a valid header.
pub(crate) fn read(headers: &HeaderMap) -> Option<Duration> {
    let value = text(headers, &RETRY_AFTER)?;
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that does not fit is a long wait as well.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(CAP));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    // Uses the service's clock if the reply names it, so that a wrong clock here does not matter.
    let now = date(headers).unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default().min(CAP))
}

/// The time on the service's clock, if the reply names it.
pub(crate) fn date(headers: &HeaderMap) -> Option<SystemTime> {
    httpdate::parse_http_date(text(headers, &DATE)?).ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}
