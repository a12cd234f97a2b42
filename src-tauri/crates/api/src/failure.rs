//! Classifies a failed call by what may have happened at the service.
//!
//! Owns one rule: a call counts as not sent only when that is certain; otherwise it may have been
//! processed. Uses the kinds of errors; their messages only to name what was certainly not sent.

use std::error::Error as StdError;
use std::io;

use crate::{Error, NoAnswer, NotSent, RootKind};

/// Classifies a call without the head of a reply.
pub(crate) fn classify(error: &reqwest::Error) -> Error {
    if error.is_builder() {
        return Error::NotSent(NotSent::Unsendable);
    }
    // The HTTP client sends the request only after the connection is established, including TLS and
    // the proxy.
    if error.is_connect() {
        return Error::NotSent(unconnected(error));
    }
    Error::NoAnswer(silence(error))
}

/// Why the answer is missing or incomplete.
pub(crate) fn silence(error: &reqwest::Error) -> NoAnswer {
    if error.is_timeout() {
        NoAnswer::Timeout
    } else {
        NoAnswer::Broken
    }
}

fn unconnected(error: &reqwest::Error) -> NotSent {
    if error.is_dns() {
        NotSent::Name
    } else if has_cause(error, &is_proxy_authentication) {
        NotSent::ProxyAuthentication
    } else if has_cause(error, &is_proxy_refusal) {
        NotSent::ProxyRefused
    } else if has_cause(error, &is_certificate_time) {
        NotSent::CertificateTime
    } else if has_cause(error, &is_handshake) {
        NotSent::Tls
    } else {
        NotSent::Connect
    }
}

/// A 407 of the proxy. The type of this error is private, so that its text is all there is.
fn is_proxy_authentication(error: &(dyn StdError + 'static)) -> bool {
    error.to_string() == "tunnel error: proxy authorization required"
}

/// An answer of the proxy other than 200 and 407, or the end of the connection instead.
fn is_proxy_refusal(error: &(dyn StdError + 'static)) -> bool {
    [
        "unsuccessful",
        "unexpected end of file",
        "proxy response headers too long",
    ]
    .iter()
    .any(|reason| error.to_string() == format!("tunnel error: {reason}"))
}

/// A certificate that has expired or is not valid yet; Windows does not tell one from the other.
fn is_certificate_time(error: &(dyn StdError + 'static)) -> bool {
    error
        .downcast_ref()
        .is_some_and(|error| RootKind::of(error) == RootKind::WrongTime)
}

/// A TLS error, or the peer closed the connection during the handshake: a plain connect reads
/// nothing, so it cannot meet an end of file.
fn is_handshake(error: &(dyn StdError + 'static)) -> bool {
    error.is::<rustls::Error>()
        || error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}

/// Whether an error or one of its causes matches. `io::Error::source` skips the error that it
/// wraps, so the wrapped error is checked too.
fn has_cause(
    error: &(dyn StdError + 'static),
    matches: &dyn Fn(&(dyn StdError + 'static)) -> bool,
) -> bool {
    let io = error.downcast_ref::<io::Error>();
    matches(error)
        || match io.and_then(io::Error::get_ref) {
            Some(inner) => has_cause(inner, matches),
            None => error
                .source()
                .is_some_and(|source| has_cause(source, matches)),
        }
}
