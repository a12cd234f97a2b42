//! What a person chose for the program itself: language and theme.

use serde::{Deserialize, Serialize};

use crate::{Desk, Error};

/// Settings of the program, not of a profile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// `None`: as the system says.
    pub language: Option<Language>,
    /// `None`: as the system says.
    pub theme: Option<Theme>,
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

#[allow(clippy::todo, unused_variables, clippy::unused_async)]
impl Desk {
    /// The settings as they are kept.
    pub async fn settings(&self) -> Result<Settings, Error> {
        todo!()
    }
    /// Keeps new settings.
    pub async fn settings_change(&self, settings: Settings) -> Result<(), Error> {
        todo!()
    }
}
