//! The headers that every request must carry (spec parts 4 and 5). Knows nothing of what a request asks for.

use axum::http::{HeaderMap, HeaderName, header};
use serde::{Deserialize, Serialize};

use crate::{ErrorKind, ErrorResponse, Operation};

pub(crate) const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-service-auth-token");
pub(crate) const KEY_HEADER: HeaderName = HeaderName::from_static("x-idempotency-key");

const JSON: &str = "application/json";

/// What the authentication header of a request was like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TokenSeen {
    /// The header carries the right token.
    Present,
    Absent,
    /// The header carries another value.
    Wrong,
}

impl TokenSeen {
    pub(crate) fn in_headers(headers: &HeaderMap, token: &str) -> Self {
        match headers.get(TOKEN_HEADER) {
            None => TokenSeen::Absent,
            Some(value) if value.as_bytes() == token.as_bytes() => TokenSeen::Present,
            Some(_) => TokenSeen::Wrong,
        }
    }
}

/// Refuses a request whose headers the specification does not allow.
pub(crate) fn check_headers(
    operation: Operation,
    headers: &HeaderMap,
    token: TokenSeen,
) -> Result<(), ErrorResponse> {
    if operation.needs_token() {
        let unauthorized = |message| Err(ErrorResponse::new(ErrorKind::UNAUTHORIZED, message));
        match token {
            TokenSeen::Present => {}
            TokenSeen::Absent => return unauthorized("X-Service-Auth-Token is missing"),
            TokenSeen::Wrong => return unauthorized("X-Service-Auth-Token is not valid"),
        }
    }
    if !names_json(headers, &header::CONTENT_TYPE) {
        return Err(ErrorResponse::new(
            ErrorKind::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type must be application/json",
        ));
    }
    if !names_json(headers, &header::ACCEPT) {
        return Err(ErrorResponse::new(
            ErrorKind::NOT_ACCEPTABLE,
            "Accept must name application/json",
        ));
    }
    Ok(())
}

/// Whether one of the header's media types is JSON; parameters such as a charset do not matter.
fn names_json(headers: &HeaderMap, name: &HeaderName) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|media_type| media_type.split(';').next())
        .any(|media_type| media_type.trim().eq_ignore_ascii_case(JSON))
}
