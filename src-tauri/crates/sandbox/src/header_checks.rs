//! What every request must carry before it is looked at: the headers of spec parts 4 and 5.

use axum::http::{HeaderMap, HeaderName, header};

use crate::{
    error_response::{ErrorKind, ErrorResponse},
    operation::Operation,
    request_log::TokenSeen,
};

pub(crate) const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-service-auth-token");
pub(crate) const KEY_HEADER: HeaderName = HeaderName::from_static("x-idempotency-key");

const JSON: &str = "application/json";

/// Refuses a request whose headers are not as the specification has them.
pub(crate) fn check_headers(
    operation: Operation,
    headers: &HeaderMap,
    token: TokenSeen,
) -> Result<(), ErrorResponse> {
    if operation.needs_token() {
        match token {
            TokenSeen::Present => {}
            TokenSeen::Absent => {
                return Err(ErrorResponse::new(
                    ErrorKind::Unauthorized,
                    "X-Service-Auth-Token is missing",
                ));
            }
            TokenSeen::Wrong => {
                return Err(ErrorResponse::new(
                    ErrorKind::Unauthorized,
                    "X-Service-Auth-Token is not valid",
                ));
            }
        }
    }
    if !names_json(headers, &header::CONTENT_TYPE) {
        return Err(ErrorResponse::new(
            ErrorKind::UnsupportedMediaType,
            "Content-Type must be application/json",
        ));
    }
    if !names_json(headers, &header::ACCEPT) {
        return Err(ErrorResponse::new(
            ErrorKind::NotAcceptable,
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
