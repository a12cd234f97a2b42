//! Profiles at rest. Their tokens are not here.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{journal, rows, settings};
use crate::profile::{Display, Profile, ProfileKind, ProviderFacts};
use crate::text::fold;

const COLUMNS: &str = "id, name, kind, base_url, store_id, utc_offset_minutes, currency, \
                       term_unit, bulk_fact, key_replay_seconds";

/// Whether a profile could be kept under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It is kept.
    Yes,
    /// Another one has the name.
    NameTaken,
}

/// All profiles that were not removed, by name.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Profile>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM profile WHERE removed_at IS NULL ORDER BY name_key"
        ))?
        .query_map([], profile)?
        .collect()
}

/// The profile of this id, or else of this name.
pub(crate) fn by_id_or_name(
    connection: &Connection,
    id_or_name: &str,
) -> Result<Option<Profile>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM profile WHERE removed_at IS NULL AND (id = ?1 OR name_key = ?2)
             ORDER BY id = ?1 DESC LIMIT 1"
        ))?
        .query_row([id_or_name, &key(id_or_name)], profile)
        .optional()
}

/// The practice profile.
pub(crate) fn practice(connection: &Connection) -> Result<Option<Profile>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM profile WHERE removed_at IS NULL AND kind = 'practice'"
        ))?
        .query_row([], profile)
        .optional()
}

/// The chosen profile.
pub(crate) fn current(connection: &Connection) -> Result<Option<Profile>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM profile
             WHERE removed_at IS NULL AND id = (SELECT value FROM setting WHERE name = ?1)"
        ))?
        .query_row([settings::CURRENT_PROFILE], profile)
        .optional()
}

/// Keeps a new or changed profile, chooses it when asked to, and writes the journal: all or none.
pub(crate) fn keep(
    connection: &mut Connection,
    profile: &Profile,
    choose: bool,
    line: &journal::Line,
) -> Result<Kept, rusqlite::Error> {
    let transaction = connection.transaction()?;
    let name_key = key(&profile.name);
    let taken: bool = transaction.query_row(
        "SELECT EXISTS (SELECT 1 FROM profile
             WHERE removed_at IS NULL AND name_key = ?1 AND id <> ?2)",
        [&name_key, &profile.id],
        |row| row.get(0),
    )?;
    if taken {
        return Ok(Kept::NameTaken);
    }
    transaction.execute(
        "INSERT INTO profile (id, name, name_key, kind, base_url, store_id, utc_offset_minutes,
             currency, term_unit, bulk_fact, key_replay_seconds)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (id) DO UPDATE SET
             name = excluded.name, name_key = excluded.name_key, base_url = excluded.base_url,
             store_id = excluded.store_id, utc_offset_minutes = excluded.utc_offset_minutes,
             currency = excluded.currency, term_unit = excluded.term_unit,
             bulk_fact = excluded.bulk_fact, key_replay_seconds = excluded.key_replay_seconds",
        params![
            profile.id,
            profile.name,
            name_key,
            rows::text_of(&profile.kind)?,
            profile.base_url,
            profile.store_id,
            profile.utc_offset_minutes,
            profile.display.currency,
            profile.display.term_unit,
            rows::text_of(&profile.facts.bulk)?,
            profile.facts.key_replay_seconds,
        ],
    )?;
    if choose {
        settings::set(&transaction, settings::CURRENT_PROFILE, Some(&profile.id))?;
    }
    journal::append(&transaction, line)?;
    transaction.commit()?;
    Ok(Kept::Yes)
}

/// Chooses a profile.
pub(crate) fn choose(
    connection: &mut Connection,
    id: &str,
    line: &journal::Line,
) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction()?;
    settings::set(&transaction, settings::CURRENT_PROFILE, Some(id))?;
    journal::append(&transaction, line)?;
    transaction.commit()
}

/// Removes a profile from sight; what was done under it stays.
pub(crate) fn remove(
    connection: &mut Connection,
    id: &str,
    line: &journal::Line,
) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction()?;
    transaction.execute(
        "UPDATE profile SET removed_at = ?2 WHERE id = ?1",
        params![id, line.at],
    )?;
    transaction.execute(
        "DELETE FROM setting WHERE name = ?1 AND value = ?2",
        [settings::CURRENT_PROFILE, id],
    )?;
    journal::append(&transaction, line)?;
    transaction.commit()
}

/// A name as it is compared.
fn key(name: &str) -> String {
    fold(name).trim().to_owned()
}

fn profile(row: &Row<'_>) -> Result<Profile, rusqlite::Error> {
    Ok(Profile {
        id: row.get(0)?,
        name: row.get(1)?,
        kind: rows::word::<ProfileKind>(row, 2)?,
        base_url: row.get(3)?,
        store_id: row.get(4)?,
        utc_offset_minutes: row.get(5)?,
        display: Display {
            currency: row.get(6)?,
            term_unit: row.get(7)?,
        },
        facts: ProviderFacts {
            bulk: rows::word(row, 8)?,
            key_replay_seconds: row.get(9)?,
        },
    })
}
