//! What every request must carry before it is looked at: the headers of spec parts 4 and 5.

use axum::http::{HeaderMap, HeaderName, header};

use crate::{
    operation::Operation,
    record::TokenSeen,
    refusal::{Kind, Refusal},
};

pub(crate) const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-service-auth-token");
pub(crate) const KEY_HEADER: HeaderName = HeaderName::from_static("x-idempotency-key");

const JSON: &str = "application/json";

/// Refuses a request whose headers are not as the specification has them.
pub(crate) fn admit(
    operation: Operation,
    headers: &HeaderMap,
    token: TokenSeen,
) -> Result<(), Refusal> {
    if operation.needs_token() {
        match token {
            TokenSeen::Present => {}
            TokenSeen::Absent => {
                return Err(Refusal::new(
                    Kind::Unauthorized,
                    "X-Service-Auth-Token is missing",
                ));
            }
            TokenSeen::Wrong => {
                return Err(Refusal::new(
                    Kind::Unauthorized,
                    "X-Service-Auth-Token is not valid",
                ));
            }
        }
    }
    if !names_json(headers, &header::CONTENT_TYPE) {
        return Err(Refusal::new(
            Kind::UnsupportedMediaType,
            "Content-Type must be application/json",
        ));
    }
    if !names_json(headers, &header::ACCEPT) {
        return Err(Refusal::new(
            Kind::NotAcceptable,
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
