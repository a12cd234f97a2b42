//! Single values of the program itself, by name.

use rusqlite::Connection;
use warranty_model::settings::Settings;

use super::sql_types::{self, word_of};
use crate::query::{Query as _, Read};
use crate::{Result, Store};

/// Names of the values kept.
pub(crate) const CURRENT_PROFILE: &str = "currentProfile";
const LANGUAGE: &str = "language";
const THEME: &str = "theme";
const RETENTION_DAYS: &str = "retentionDays";
/// When expired data was last looked for, in milliseconds since 1970 UTC.
pub const RETENTION_CHECKED: &str = "retentionChecked";
/// The same of the check before; absent when the clock has gone back since.
pub const RETENTION_PREVIOUS: &str = "retentionPrevious";
/// The machine's start that the last check belongs to, and milliseconds since then; no clock changes these.
pub const RETENTION_SINCE_START: &str = "retentionSinceStart";
pub const STAFF_POLICIES: &str = "staffPolicies";
pub const COLUMN_MAPPINGS: &str = "columnMappings";
pub(crate) const ENCRYPTION_KEY: &str = "encryptionKey";
pub const FINGERPRINT_SALT: &str = "fingerprintSalt";

impl Store {
    /// What a person chose for the program; a value this version does not know reads as none.
    pub async fn settings(&self) -> Result<Settings> {
        self.call(|connection| {
            Ok(Settings {
                language: get(connection, LANGUAGE)?.as_deref().and_then(word_of),
                theme: get(connection, THEME)?.as_deref().and_then(word_of),
                retention_days: get(connection, RETENTION_DAYS)?.and_then(|days| days.parse().ok()),
            })
        })
        .await
    }

    /// Keeps what a person chose for the program.
    pub async fn keep_settings(&self, settings: Settings) -> Result<()> {
        self.write(move |transaction| {
            let language = settings.language.map(|word| sql_types::text_of(&word));
            let theme = settings.theme.map(|word| sql_types::text_of(&word));
            let days = settings.retention_days.map(|days| days.to_string());
            set(transaction, LANGUAGE, language.transpose()?.as_deref())?;
            set(transaction, THEME, theme.transpose()?.as_deref())?;
            set(transaction, RETENTION_DAYS, days.as_deref())
        })
        .await
    }

    pub async fn setting(&self, name: &'static str) -> Result<Option<String>> {
        self.call(move |connection| get(connection, name)).await
    }

    /// Keeps a value made of the one there is, in one transaction. Returns what is kept.
    pub async fn change_setting(
        &self,
        name: &'static str,
        change: impl FnOnce(Option<String>) -> String + Send + 'static,
    ) -> Result<String> {
        self.write(move |transaction| {
            let value = change(get(transaction, name)?);
            set(transaction, name, Some(&value))?;
            Ok(value)
        })
        .await
    }
}

pub(super) fn get(connection: &Connection, name: &str) -> Read<Option<String>> {
    connection.find("SELECT value FROM setting WHERE name = ?1", [name], |row| {
        row.get(0)
    })
}

/// Keeps a value, or nothing.
pub(super) fn set(connection: &Connection, name: &str, value: Option<&str>) -> Read<()> {
    match value {
        Some(value) => connection.execute(
            "INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)",
            [name, value],
        )?,
        None => connection.execute("DELETE FROM setting WHERE name = ?1", [name])?,
    };
    Ok(())
}
