//! What a connection test finds out from the answers of the service.

use serde::{Deserialize, Serialize};

use crate::call_outcome::{Hold, Outcome};
use crate::interface::{Error as ApiError, ProductReference, Unreadable};

/// What a connection test found. It creates nothing at the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionReport {
    /// The address answers as this interface does.
    pub address: Finding,
    /// The service lists plans of `product` for the store; refused, it does not know one of them.
    pub store: Finding,
    /// The product whose plans were listed; `None` when none is known here, so that the store was
    /// not tested.
    pub product: Option<ProductReference>,
    /// The token is accepted: the service answered a lookup with something else than 401 or 403.
    pub token: Finding,
    /// What the service or the network said, for support.
    pub detail: Option<String>,
}

/// One thing a connection test looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Finding {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Unknown: it could not be checked.
    Unclear,
}

/// What listing plans said of the address.
pub fn address_finding(error: &ApiError) -> Finding {
    match error {
        ApiError::Refused { .. } => Finding::Good,
        // Whoever limits the rate may answer in the service's place: no token is sent there.
        _ if Outcome::of(error) == Outcome::Declined(Hold::Rate) => Finding::Unclear,
        ApiError::NoAnswer(_) => Finding::Unclear,
        ApiError::NotSent(_) => Finding::Bad,
        ApiError::Unreadable { reason, .. } => match reason {
            Unreadable::Redirect
            | Unreadable::Oversized
            | Unreadable::NotJson
            | Unreadable::OtherShape
            | Unreadable::Contradiction => Finding::Bad,
        },
    }
}

/// What the refused plans of a product say of the store.
pub fn store_finding(error: &ApiError) -> Finding {
    if Outcome::of(error) == Outcome::Rejected {
        Finding::Bad
    } else {
        Finding::Unclear
    }
}

/// What looking a contract up that does not exist said of the token.
pub fn token_finding(error: &ApiError) -> Finding {
    match error {
        ApiError::Refused { status, .. } => match status {
            401 | 403 => Finding::Bad,
            429 | 500..=599 => Finding::Unclear,
            _ => Finding::Good,
        },
        ApiError::NoAnswer(_) | ApiError::NotSent(_) | ApiError::Unreadable { .. } => {
            Finding::Unclear
        }
    }
}
