//! Settings of a desk, for all profiles.

use serde::{Deserialize, Serialize};

/// Default retention of customers, in days.
pub const USUAL_RETENTION_DAYS: u32 = 90;
/// Longest retention of customers, in days.
pub const LONGEST_RETENTION_DAYS: u32 = 3_650;

/// Settings of the program, not of a profile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// `None`: the system's language.
    pub language: Option<Language>,
    /// `None`: the system's theme.
    pub theme: Option<Theme>,
    /// For how many days, 1 to 3,650, customers and sent requests are stored after an entry is
    /// finished. `None`: 90.
    pub retention_days: Option<u32>,
}

/// Language of the texts on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Language {
    Ja,
    En,
}

impl Language {
    /// The one of a text in Japanese and in English.
    pub fn of<T>(self, (japanese, english): (T, T)) -> T {
        match self {
            Self::Ja => japanese,
            Self::En => english,
        }
    }
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    Light,
    Dark,
}
