//! What a person chose for the program itself: language, theme, how long customers are kept.

use serde::de::DeserializeOwned;
use serde::de::value::{Error as ValueError, StrDeserializer};
pub use warranty_model::settings::{Language, Settings, Theme};

use crate::{Desk, Error, Field, FieldProblem, Problem};
use warranty_store::settings as kept;

/// How long customers are kept while nobody has said, in days.
pub const USUAL_RETENTION_DAYS: u32 = 90;
/// The longest they may be kept, in days.
pub const LONGEST_RETENTION_DAYS: u32 = 3_650;

impl Desk {
    /// The settings as they are kept; a value this version does not know reads as none.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn settings(&self) -> Result<Settings, Error> {
        let (language, theme, retention_days) = self
            .inner
            .store
            .call(|connection| {
                Ok((
                    kept::get(connection, kept::LANGUAGE)?,
                    kept::get(connection, kept::THEME)?,
                    kept::get(connection, kept::RETENTION_DAYS)?,
                ))
            })
            .await?;
        Ok(Settings {
            language: language.as_deref().and_then(word),
            theme: theme.as_deref().and_then(word),
            retention_days: retention_days.and_then(|days| days.parse().ok()),
        })
    }

    /// Keeps new settings.
    ///
    /// # Errors
    /// [`Error::Input`] when customers would be kept for no day or for more than ten years;
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when they cannot be kept.
    pub async fn settings_change(&self, settings: Settings) -> Result<(), Error> {
        self.writable()?;
        let days = settings.retention_days;
        let problem = match days {
            Some(0) => Some(Problem::TooSmall),
            Some(days) if days > LONGEST_RETENTION_DAYS => Some(Problem::TooLarge),
            Some(_) | None => None,
        };
        if let Some(problem) = problem {
            let field = Field::RetentionDays;
            return Err(Error::Input(vec![FieldProblem { field, problem }]));
        }
        let days = days.map(|days| days.to_string());
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
            .write(move |transaction| {
                kept::set(&transaction, kept::LANGUAGE, language)?;
                kept::set(&transaction, kept::THEME, theme)?;
                kept::set(&transaction, kept::RETENTION_DAYS, days.as_deref())?;
                transaction.commit()
            })
            .await?)
    }
}

/// One of the serialised words of a choice.
fn word<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<ValueError>::new(text)).ok()
}
