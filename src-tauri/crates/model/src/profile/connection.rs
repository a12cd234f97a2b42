//! Interprets the answers of the service in a connection test.

use serde::{Deserialize, Serialize};

use crate::call_outcome::{CallFailure, Hold, Outcome};
use crate::interface::{Error as ApiError, ProductReference};

/// The result of a connection test. The test creates nothing at the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionReport {
    /// The address answers as this interface does.
    pub address: Finding,
    /// The service lists plans of `product` for the store; if it refuses, it does not know one of
    /// them.
    pub store: Finding,
    /// The product that was used; `None` when none is known here, and the store was not tested.
    pub product: Option<ProductReference>,
    /// The token is accepted: the service said that it does not have the contract that was looked up. An
    /// error with another code or status may be about the token.
    pub token: Finding,
    /// What went wrong with the call that `detail` is about.
    pub failure: Option<CallFailure>,
    /// The message of the service or of the network error, for support.
    pub detail: Option<String>,
}

/// A result of the connection test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Finding {
    Good,
    Bad,
    /// Unknown: it could not be checked.
    Unclear,
}

/// The result for the address, from listing the plans of a product; `is_known`: the service has named it.
pub fn address_finding(error: &ApiError, is_known: bool) -> Finding {
    match error {
        // It may be the path that is not found.
        ApiError::Refused { status: 404, .. }
            if is_known && store_finding(error) != Finding::Bad =>
        {
            Finding::Unclear
        }
        ApiError::Refused { .. } => Finding::Good,
        // A rate limiter may have answered instead of the service, so no token is sent there.
        _ if Outcome::of(error) == Outcome::Declined(Hold::Rate) => Finding::Unclear,
        ApiError::NoAnswer(_) => Finding::Unclear,
        ApiError::NotSent(_) | ApiError::Unreadable { .. } => Finding::Bad,
    }
}

/// The result for the store, from a refused listing of plans.
pub fn store_finding(error: &ApiError) -> Finding {
    if Outcome::of(error) == Outcome::Rejected {
        Finding::Bad
    } else {
        Finding::Unclear
    }
}

/// The result for the token, from looking up a contract that does not exist.
pub fn token_finding(error: &ApiError) -> Finding {
    let failure = CallFailure::of(false, error);
    if failure == CallFailure::TokenRefused {
        Finding::Bad
    } else if failure == CallFailure::Refused {
        Finding::Good
    } else {
        Finding::Unclear
    }
}
