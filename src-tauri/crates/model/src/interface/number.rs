//! Whole numbers of the interface.
//!
//! Owns their bound: a number that a JavaScript front end could not show exactly is refused where
//! it comes in, so that no amount is ever rounded before it is shown. A whole number is accepted in
//! every notation of JSON: `5000`, `5000.0`, `5e3`.

use serde::{Deserialize, Serialize};
use serde_json::Number;
use thiserror::Error;

/// Largest magnitude that is exact in every JSON reader: 2^53 - 1.
const MAX_EXACT: i64 = (1 << 53) - 1;

/// Largest magnitude of a number with a fraction or an exponent: the JSON parser may be wrong in its
/// last bits, and up to here that makes no whole number of another.
const MAX_FLOAT: f64 = (1_i64 << 50) as f64;

/// A number that is not whole, or outside ±(2^53 − 1).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0} is no whole number, or too large to be shown exactly")]
pub struct NumberError(pub Number);

macro_rules! whole {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
        #[serde(try_from = "Number")]
        #[specta(type = specta_typescript::Number)]
        pub struct $name(i64);

        impl $name {
            /// Takes a whole number within ±(2^53 − 1).
            pub fn new(value: i64) -> Result<Self, NumberError> {
                if value.abs_diff(0) <= MAX_EXACT.unsigned_abs() {
                    Ok(Self(value))
                } else {
                    Err(NumberError(value.into()))
                }
            }

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

        impl TryFrom<Number> for $name {
            type Error = NumberError;
            fn try_from(number: Number) -> Result<Self, NumberError> {
                let whole = |float: &f64| float.fract() == 0.0 && float.abs() <= MAX_FLOAT;
                let float = || number.as_f64().filter(whole).map(|float| float as i64);
                let Some(value) = number.as_i64().or_else(float) else {
                    return Err(NumberError(number));
                };
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
    )+};
}

whole! {
    /// An amount of money. The interface names no currency.
    Amount
    /// A count or a length: `quantity`, `termLength`, `coverageDays`. The interface names no unit
    /// for `termLength`.
    Count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(json: &str) -> Option<i64> {
        serde_json::from_str(json).ok().map(Amount::get)
    }

    #[test]
    fn a_whole_number_in_any_notation_is_that_number() {
        for (written, meant) in [
            ("5000.0", 5000),
            ("5e3", 5000),
            ("5.0E+3", 5000),
            ("50000e-1", 5000),
            ("-5000.000", -5000),
            ("0.5e4", 5000),
            ("-0", 0),
            ("-0.00e-5", 0),
            ("1125899906842624.0", 1 << 50),
            ("9007199254740991", MAX_EXACT),
        ] {
            assert_eq!(read(written), Some(meant), "{written}");
        }
    }

    #[test]
    fn what_is_not_whole_or_could_be_rounded_is_refused() {
        for odd in [
            "1.5",
            "15e-1",
            "-0.1",
            "5000.0001",
            "9007199254740992",
            "9007199254740990.6",
            "1e300",
            "\"5000.0\"",
            "05.0",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }

    #[test]
    fn what_a_screen_could_not_show_exactly_is_refused() {
        for legal in [0, 1, -1, MAX_EXACT, -MAX_EXACT] {
            assert_eq!(Amount::new(legal).unwrap().get(), legal);
            assert_eq!(Count::new(legal).unwrap().get(), legal);
        }
        for excess in [MAX_EXACT + 1, -MAX_EXACT - 1, i64::MAX, i64::MIN] {
            assert_eq!(Amount::new(excess), Err(NumberError(excess.into())));
            assert_eq!(Count::new(excess), Err(NumberError(excess.into())));
        }
    }

    proptest! {
        #[test]
        fn no_number_is_read_as_another(value in -(1_i64 << 50)..1_i64 << 50, zeros in 0..30_usize) {
            let zeros = "0".repeat(zeros);
            for form in [format!("{value}.0{zeros}"), format!("{value}{zeros}e-{}", zeros.len())] {
                let found = read(&form);
                prop_assert!(found.is_none_or(|found| found == value), "{form}: {found:?}");
                // Of a larger one with many zeros the parser may miss the last bit: then it is refused.
                let small = value.abs() < 1 << 29;
                prop_assert!(!small || found.is_some(), "{form}");
            }
        }
    }
}
