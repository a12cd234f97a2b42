//! Identifiers of the interface, each its own type because the interface invites mix-ups:
//! the listing's query parameter `productId` carries the product's *reference* key.
//!
//! Owns what makes an id usable in a path or a query. Knows nothing of what an id points at.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Longest id accepted, in bytes. The interface gives no bound; this one is ours.
const MAX_ID_BYTES: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum IdError {
    /// Nothing, or white space alone.
    #[error("an id must not be empty")]
    Empty,
    /// `.` or `..`: as a path segment they would address another resource.
    #[error("an id must not be a dot segment")]
    Dots,
    #[error("an id must not be longer than {MAX_ID_BYTES} bytes")]
    TooLong,
    #[error("an id must not contain control characters")]
    Control,
}

/// Whether a text can be an id.
///
/// # Errors
/// [`IdError`] when it cannot safely address anything.
pub fn check_id(text: &str) -> Result<(), IdError> {
    if text.trim().is_empty() {
        return Err(IdError::Empty);
    }
    if text == "." || text == ".." {
        return Err(IdError::Dots);
    }
    if text.len() > MAX_ID_BYTES {
        return Err(IdError::TooLong);
    }
    if text.chars().any(char::is_control) {
        return Err(IdError::Control);
    }
    Ok(())
}

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
        #[serde(try_from = "String")]
        #[specta(type = String)]
        pub struct $name(String);

        impl $name {
            /// Takes the text as it is, without trimming.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                check_id(&text)?;
                Ok(Self(text))
            }

            /// The id as text, not percent-encoded.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

id! {
    /// Id of a contract, given by the service.
    ContractId
    /// Id of a plan, given by the service.
    PlanId
    /// The business-side key of a product (`referenceId`), not the service's product id.
    ProductReference
    /// Id of a store, given by the service.
    StoreId
}
