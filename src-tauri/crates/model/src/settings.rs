//! Settings of a desk, whatever its profile.

use serde::{Deserialize, Serialize};

use crate::contracts::EntrySort;

/// Settings of the program, not of a profile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// `None`: as the system says.
    pub language: Option<Language>,
    /// `None`: as the system says.
    pub theme: Option<Theme>,
    /// For how many days, 1 to 3,650, customers and what was sent are kept after nothing more is to
    /// come of an entry. `None`: 90.
    pub retention_days: Option<u32>,
    /// The columns of the list of contracts that a person changed.
    pub contract_columns: Vec<ListColumn>,
}

/// A column of a list as a person wants it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ListColumn {
    /// Which column, by what it sorts.
    pub column: EntrySort,
    /// Whether it is shown; `None`: as usual.
    pub shown: Option<bool>,
    /// Its width in pixels; `None`: the usual one.
    pub width: Option<u16>,
}

/// Language of the words on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Language {
    /// Japanese.
    Ja,
    /// English.
    En,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}
