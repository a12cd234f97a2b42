//! Who sells, on a computer that several people share. The code is only stored at this desk: the
//! interface has no field for it.

use serde::{Deserialize, Serialize};

use crate::search_text::plain_width;
use crate::{Problem, one_line};

/// Longest staff code, in characters.
const MAX_LENGTH: usize = 32;

/// When a staff code is required, under one profile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StaffPolicy {
    /// Never: the user of the operating system is recorded.
    #[default]
    Off,
    /// With the first sale after each start of the program.
    PerStart,
    PerSale,
}

/// The current staff policy and code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StaffState {
    /// The policy of the selected profile.
    pub policy: StaffPolicy,
    pub code: Option<String>,
}

/// Validates a staff code as typed or scanned, and converts it to plain characters.
pub fn read_code(typed: &str) -> Result<String, Problem> {
    one_line(&plain_width(typed), MAX_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_staff_code_is_plain_text_of_a_few_characters() {
        assert_eq!(read_code(" ４２ "), Ok("42".to_owned()));
        assert_eq!(read_code("佐藤"), Ok("佐藤".to_owned()));
        assert_eq!(read_code("  "), Err(Problem::Missing));
        assert_eq!(read_code("4\u{7}2"), Err(Problem::BadCharacters));
        assert_eq!(read_code(&"4".repeat(33)), Err(Problem::TooLong));
    }
}
