//! Everything in the file that an old key opens, encrypted with a new one instead.
//!
//! What an old key does not open was changed from outside or is another key's; it stays as it is.

use rusqlite::{Connection, params};

use super::{batches, leads, profiles, runs};
use crate::seal::{Place, SealKey};

type Read<T> = Result<T, rusqlite::Error>;

/// Ids of the keys in use before the current one.
pub(crate) fn older_keys(connection: &Connection, current: &str) -> Read<Vec<String>> {
    connection
        .prepare("SELECT id FROM seal_key WHERE id <> ?1 AND kept = 1")?
        .query_map([current], |row| row.get(0))?
        .collect()
}

/// Encrypts with `new` what `old` opens: how many texts. Within a transaction.
pub(crate) fn encrypt_again(connection: &Connection, old: &SealKey, new: &SealKey) -> Read<usize> {
    let mut done = 0;
    let customers = one_id(
        connection,
        "SELECT submission_id, sealed FROM submission_customer WHERE key_id = ?1",
        old,
    )?;
    for (id, bytes) in customers {
        if let Some(bytes) = moved(Place::Customer(&id), old, new, &bytes)? {
            done += connection
                .prepare_cached(
                    "UPDATE submission_customer SET key_id = ?1, sealed = ?2
                     WHERE submission_id = ?3",
                )?
                .execute(params![new.id(), bytes, id])?;
        }
    }
    let bodies = one_id(
        connection,
        "SELECT id, body FROM batch WHERE body_key = ?1 AND length(body) > 0",
        old,
    )?;
    for (id, bytes) in bodies {
        let Some(batch) = batches::load(connection, &id)? else {
            continue;
        };
        if let Some(bytes) = moved(Place::Body(batch.body_place()), old, new, &bytes)? {
            done += connection
                .prepare_cached("UPDATE batch SET body_key = ?1, body = ?2 WHERE id = ?3")?
                .execute(params![new.id(), bytes, id])?;
        }
    }
    let layouts: Vec<i64> = connection
        .prepare("SELECT number FROM run WHERE layout_key = ?1 AND length(layout) > 0")?
        .query_map([old.id()], |row| row.get(0))?
        .collect::<Read<_>>()?;
    for number in layouts {
        let Some(run) = runs::by_number(connection, number)? else {
            continue;
        };
        if let Some(bytes) = moved(Place::Run(run.place()), old, new, &run.layout.bytes)? {
            done += connection
                .prepare_cached("UPDATE run SET layout_key = ?1, layout = ?2 WHERE number = ?3")?
                .execute(params![new.id(), bytes, number])?;
        }
    }
    let lead_tokens = one_id(
        connection,
        "SELECT id, token FROM lead WHERE token_key = ?1 AND token IS NOT NULL",
        old,
    )?;
    for (id, bytes) in lead_tokens {
        if let Some(bytes) = moved(Place::LeadToken(&id), old, new, &bytes)? {
            done += connection
                .prepare_cached("UPDATE lead SET token_key = ?1, token = ?2 WHERE id = ?3")?
                .execute(params![new.id(), bytes, id])?;
        }
    }
    let leads: Vec<String> = connection
        .prepare("SELECT id FROM lead WHERE store_key = ?1")?
        .query_map([old.id()], |row| row.get(0))?
        .collect::<Read<_>>()?;
    let profiles = profiles::ever(connection)?;
    for id in leads {
        let Some(lead) = leads::one(connection, &id)? else {
            continue;
        };
        let profile = profiles
            .iter()
            .find(|profile| profile.id == lead.profile_id);
        let (Some(profile), Some(sealed)) = (profile, lead.entered_for) else {
            continue;
        };
        let place = Place::Lead(profile.place(&id));
        if let Some(bytes) = moved(place, old, new, &sealed.bytes)? {
            done += connection
                .prepare_cached("UPDATE lead SET store_key = ?1, store_mark = ?2 WHERE id = ?3")?
                .execute(params![new.id(), bytes, id])?;
        }
    }
    done += chunks(connection, old, new)?;
    done += drafts(connection, old, new)?;
    Ok(done)
}

fn chunks(connection: &Connection, old: &SealKey, new: &SealKey) -> Read<usize> {
    let mut asked =
        connection.prepare("SELECT run, chunk, sealed FROM run_chunk WHERE key_id = ?1")?;
    let found: Vec<(i64, u32, Vec<u8>)> = asked
        .query_map([old.id()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Read<_>>()?;
    let mut done = 0;
    for (number, chunk, bytes) in found {
        let Some(run) = runs::by_number(connection, number)? else {
            continue;
        };
        if let Some(bytes) = moved(Place::Chunk(run.place(), chunk), old, new, &bytes)? {
            done += connection
                .prepare_cached(
                    "UPDATE run_chunk SET key_id = ?1, sealed = ?2 WHERE run = ?3 AND chunk = ?4",
                )?
                .execute(params![new.id(), bytes, number, chunk])?;
        }
    }
    Ok(done)
}

fn drafts(connection: &Connection, old: &SealKey, new: &SealKey) -> Read<usize> {
    let mut asked =
        connection.prepare("SELECT profile_id, name, sealed FROM draft WHERE key_id = ?1")?;
    let found: Vec<(String, String, Vec<u8>)> = asked
        .query_map([old.id()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Read<_>>()?;
    let mut done = 0;
    for (profile_id, name, bytes) in found {
        let place = Place::Draft {
            profile_id: &profile_id,
            name: &name,
        };
        if let Some(bytes) = moved(place, old, new, &bytes)? {
            // Where the new key has a draft of that name already, this one stays beside it.
            done += connection
                .prepare_cached(
                    "UPDATE OR IGNORE draft SET key_id = ?1, sealed = ?2
                     WHERE profile_id = ?3 AND name = ?4 AND key_id = ?5",
                )?
                .execute(params![new.id(), bytes, profile_id, name, old.id()])?;
        }
    }
    Ok(done)
}

fn one_id(connection: &Connection, query: &str, old: &SealKey) -> Read<Vec<(String, Vec<u8>)>> {
    connection
        .prepare(query)?
        .query_map([old.id()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// A text under the new key; `None` when the old one does not open it.
fn moved(place: Place<'_>, old: &SealKey, new: &SealKey, bytes: &[u8]) -> Read<Option<Vec<u8>>> {
    let Some(text) = old.open(place, bytes) else {
        return Ok(None);
    };
    match new.seal(place, &text) {
        Ok(sealed) => Ok(Some(sealed.bytes)),
        // The system gave no randomness: nothing is changed.
        Err(_) => Err(rusqlite::Error::ExecuteReturnedResults),
    }
}
