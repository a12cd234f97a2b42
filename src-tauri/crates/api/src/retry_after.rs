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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn wait(pairs: &[(HeaderName, &str)]) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(name, value.parse().unwrap());
        }
        read(&headers)
    }

    #[test]
    fn seconds_are_read() {
        assert_eq!(
            wait(&[(RETRY_AFTER, "120")]),
            Some(Duration::from_secs(120))
        );
        assert_eq!(wait(&[(RETRY_AFTER, "0")]), Some(Duration::ZERO));
    }

    #[test]
    fn a_date_is_a_wait_by_the_clock_of_the_service() {
        let pairs = [
            (RETRY_AFTER, "Sat, 21 Nov 2026 10:01:30 GMT"),
            (DATE, "Sat, 21 Nov 2026 10:00:00 GMT"),
        ];
        assert_eq!(wait(&pairs), Some(Duration::from_secs(90)));
    }

    #[test]
    fn a_date_without_the_clock_of_the_service_is_compared_with_ours() {
        let until = SystemTime::now() + Duration::from_secs(600);
        let wait = wait(&[(RETRY_AFTER, &httpdate::fmt_http_date(until))]).unwrap();
        assert!(wait > Duration::from_secs(500) && wait <= Duration::from_secs(600));
    }

    #[test]
    fn a_date_that_has_passed_is_no_wait() {
        let passed = [(RETRY_AFTER, "Fri, 31 Dec 1999 23:59:59 GMT")];
        assert_eq!(wait(&passed), Some(Duration::ZERO));
    }

    #[test]
    fn an_absurd_wait_is_cut_to_one_hour() {
        for absurd in [
            "86400",
            "99999999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(wait(&[(RETRY_AFTER, absurd)]), Some(CAP), "{absurd}");
        }
    }

    #[test]
    fn what_is_neither_is_nothing() {
        assert_eq!(wait(&[]), None);
        for odd in ["", "-1", "1.5", "soon", "+5"] {
            assert_eq!(wait(&[(RETRY_AFTER, odd)]), None, "{odd}");
        }
    }
}
