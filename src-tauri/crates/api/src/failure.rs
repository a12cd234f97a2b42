//! From a broken call to what may have happened.
//!
//! Owns one rule: a call counts as not sent only when that is certain; everything else means that it
//! may have been processed. Looks at the kinds of errors, never at their words.

use std::error::Error as StdError;
use std::io;

use crate::{Error, NoAnswer, NotSent};

/// Classifies a call that brought no head of a reply.
pub(crate) fn classify(error: &reqwest::Error) -> Error {
    if error.is_builder() {
        return Error::NotSent(NotSent::Unsendable);
    }
    // The request is handed over only once the connection is established, TLS and proxy included.
    if error.is_connect() {
        return Error::NotSent(unconnected(error));
    }
    Error::NoAnswer(silence(error))
}

/// Why an answer did not come, or not to its end.
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
    } else if has_cause(error, &is_handshake) {
        NotSent::Tls
    } else {
        NotSent::Connect
    }
}

/// TLS said so itself, or the other side closed before the handshake was done; making a plain
/// connection reads nothing and cannot meet an end.
fn is_handshake(error: &(dyn StdError + 'static)) -> bool {
    error.is::<rustls::Error>()
        || error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}

/// Walks all causes. An I/O error passes over what it wraps when asked for its source, so the
/// wrapped error is visited too.
fn has_cause(
    error: &(dyn StdError + 'static),
    matches: &dyn Fn(&(dyn StdError + 'static)) -> bool,
) -> bool {
    if matches(error) {
        return true;
    }
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match wrapped {
        Some(inner) => has_cause(inner, matches),
        None => error
            .source()
            .is_some_and(|source| has_cause(source, matches)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tls_error_is_found_inside_nested_io_errors() {
        let tls = rustls::Error::HandshakeNotComplete;
        let nested = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, tls));
        assert!(has_cause(&nested, &is_handshake));
    }

    #[test]
    fn a_refused_connection_is_no_tls_error() {
        let refused = io::Error::other(io::Error::from(io::ErrorKind::ConnectionRefused));
        assert!(!has_cause(&refused, &is_handshake));
    }
}
