//! What a person chose for the program itself: language and theme.

use serde::de::DeserializeOwned;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, Serialize};

use crate::store::settings as kept;
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

impl Desk {
    /// The settings as they are kept; a value this version does not know reads as none.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn settings(&self) -> Result<Settings, Error> {
        let (language, theme) = self
            .inner
            .store
            .call(|connection| {
                Ok((
                    kept::get(connection, kept::LANGUAGE)?,
                    kept::get(connection, kept::THEME)?,
                ))
            })
            .await?;
        Ok(Settings {
            language: language.as_deref().and_then(word),
            theme: theme.as_deref().and_then(word),
        })
    }

    /// Keeps new settings.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when they cannot be kept.
    pub async fn settings_change(&self, settings: Settings) -> Result<(), Error> {
        self.writable()?;
        let language = settings.language.map(|language| match language {
            Language::Ja => "ja",
            Language::En => "en",
        });
        let theme = settings.theme.map(|theme| match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        });
        Ok(self
            .inner
            .store
            .call(move |connection| {
                let transaction = connection.transaction()?;
                kept::set(&transaction, kept::LANGUAGE, language)?;
                kept::set(&transaction, kept::THEME, theme)?;
                transaction.commit()
            })
            .await?)
    }
}

/// One of the serialised words of a choice.
fn word<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<ValueError>::new(text)).ok()
}
