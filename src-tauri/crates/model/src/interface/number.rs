//! Whole numbers of the interface.
//!
//! Owns their bound: a number that a JavaScript front end could not show exactly is refused where
//! it comes in, so that no amount is ever rounded before it is shown.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Largest magnitude that is exact in every JSON reader: 2^53 - 1.
const MAX_EXACT: i64 = (1 << 53) - 1;

/// A whole number outside ±(2^53 − 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the number {0} is too large to be shown exactly")]
pub struct NumberError(pub i64);

macro_rules! whole {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
        #[serde(try_from = "i64")]
        #[specta(type = specta_typescript::Number)]
        pub struct $name(i64);

        impl $name {
            /// Takes a whole number within ±(2^53 − 1).
            pub fn new(value: i64) -> Result<Self, NumberError> {
                if value.abs_diff(0) <= MAX_EXACT.unsigned_abs() {
                    Ok(Self(value))
                } else {
                    Err(NumberError(value))
                }
            }

            /// The number itself.
            pub fn get(self) -> i64 {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = NumberError;
            fn try_from(value: i64) -> Result<Self, NumberError> {
                Self::new(value)
            }
        }

        impl From<$name> for i64 {
            fn from(number: $name) -> i64 {
                number.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

whole! {
    /// An amount of money. The interface names no currency.
    Amount
}
whole! {
    /// A count or a length: `quantity`, `termLength`, `coverageDays`. The interface names no unit
    /// for `termLength`.
    Count
}
