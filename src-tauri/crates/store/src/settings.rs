//! Single values of the program itself, by name.

use rusqlite::{Connection, OptionalExtension, params};

/// Names of the values kept.
pub const CURRENT_PROFILE: &str = "currentProfile";
pub const LANGUAGE: &str = "language";
pub const THEME: &str = "theme";
pub const RETENTION_DAYS: &str = "retentionDays";
pub const FORGETTING_LOOKED: &str = "forgettingLooked";
pub const FORGETTING_NOT_BEFORE: &str = "forgettingNotBefore";
pub const COLUMN_MAPPINGS: &str = "columnMappings";
pub const SEAL_KEY: &str = "sealKey";
pub const FINGERPRINT_SALT: &str = "fingerprintSalt";

/// What is kept under a name.
pub fn get(connection: &Connection, name: &str) -> Result<Option<String>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT value FROM setting WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

/// Keeps a value, or nothing.
pub fn set(
    connection: &Connection,
    name: &str,
    value: Option<&str>,
) -> Result<(), rusqlite::Error> {
    match value {
        Some(value) => connection.execute(
            "INSERT INTO setting (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            params![name, value],
        )?,
        None => connection.execute("DELETE FROM setting WHERE name = ?1", [name])?,
    };
    Ok(())
}

/// What is kept under a name, or this from now on.
pub fn get_or_set(
    connection: &Connection,
    name: &str,
    value: &str,
) -> Result<String, rusqlite::Error> {
    connection.execute(
        "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING",
        params![name, value],
    )?;
    Ok(get(connection, name)?.unwrap_or_else(|| value.to_owned()))
}
