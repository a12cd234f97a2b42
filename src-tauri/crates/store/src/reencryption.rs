//! Everything in the file that an old key opens, encrypted with a new one instead.
//!
//! What an old key does not open was changed from outside or is another key's; it stays as it is.

use rusqlite::{Connection, params};

use super::{Store, StoreError, batches, leads, profiles, runs};
use warranty_model::encrypted::AssociatedData;

type Read<T> = Result<T, rusqlite::Error>;

/// The system gave no randomness.
pub struct NoRandomness;

/// The bytes under the new key; `None` when the old one does not decrypt them.
type Change = dyn Fn(AssociatedData<'_>, &[u8]) -> Result<Option<Vec<u8>>, NoRandomness>;

/// From which key to which.
struct Keys<'a> {
    old: &'a str,
    new: &'a str,
    change: &'a Change,
}

impl Store {
    /// Ids of the keys in use before the current one.
    pub async fn older_keys(&self, current: &str) -> Result<Vec<String>, StoreError> {
        self.call_for(current, |connection, current| {
            connection
                .prepare("SELECT id FROM encryption_key WHERE id <> ?1 AND kept = 1")?
                .query_map([current], |row| row.get(0))?
                .collect()
        })
        .await
    }

    /// Encrypts with the new key, both given by their ids, what the old one decrypts: all of it or
    /// nothing. `change` gives the bytes under the new key; `None` when the old one does not
    /// decrypt them.
    pub async fn reencrypt(
        &self,
        old: &str,
        new: &str,
        change: impl Fn(AssociatedData<'_>, &[u8]) -> Result<Option<Vec<u8>>, NoRandomness>
        + Send
        + 'static,
    ) -> Result<(), StoreError> {
        let (old, new) = (old.to_owned(), new.to_owned());
        self.write(move |transaction| {
            let keys = Keys {
                old: &old,
                new: &new,
                change: &change,
            };
            encrypt_again(transaction, &keys)
        })
        .await
    }
}

fn encrypt_again(connection: &Connection, keys: &Keys<'_>) -> Read<()> {
    let customers = one_id(
        connection,
        "SELECT submission_id, encrypted FROM submission_customer WHERE key_id = ?1",
        keys,
    )?;
    for (id, bytes) in customers {
        if let Some(bytes) = moved(AssociatedData::Customer(&id), keys, &bytes)? {
            connection
                .prepare_cached(
                    "UPDATE submission_customer SET key_id = ?1, encrypted = ?2
                     WHERE submission_id = ?3",
                )?
                .execute(params![keys.new, bytes, id])?;
        }
    }
    let bodies = one_id(
        connection,
        "SELECT id, body FROM batch WHERE body_key = ?1 AND length(body) > 0",
        keys,
    )?;
    for (id, bytes) in bodies {
        let Some(batch) = batches::load(connection, &id)? else {
            continue;
        };
        if let Some(bytes) = moved(AssociatedData::Body(batch.body_place()), keys, &bytes)? {
            connection
                .prepare_cached("UPDATE batch SET body_key = ?1, body = ?2 WHERE id = ?3")?
                .execute(params![keys.new, bytes, id])?;
        }
    }
    let layouts: Vec<i64> = connection
        .prepare("SELECT number FROM run WHERE layout_key = ?1 AND length(layout) > 0")?
        .query_map([keys.old], |row| row.get(0))?
        .collect::<Read<_>>()?;
    for number in layouts {
        let Some(run) = runs::by_number(connection, number)? else {
            continue;
        };
        if let Some(bytes) = moved(AssociatedData::Run(run.place()), keys, &run.layout.bytes)? {
            connection
                .prepare_cached("UPDATE run SET layout_key = ?1, layout = ?2 WHERE number = ?3")?
                .execute(params![keys.new, bytes, number])?;
        }
    }
    let lead_tokens = one_id(
        connection,
        "SELECT id, token FROM lead WHERE token_key = ?1 AND token IS NOT NULL",
        keys,
    )?;
    for (id, bytes) in lead_tokens {
        if let Some(bytes) = moved(AssociatedData::LeadToken(&id), keys, &bytes)? {
            connection
                .prepare_cached("UPDATE lead SET token_key = ?1, token = ?2 WHERE id = ?3")?
                .execute(params![keys.new, bytes, id])?;
        }
    }
    let lead_notes = one_id(
        connection,
        "SELECT id, note FROM lead WHERE note_key = ?1",
        keys,
    )?;
    for (id, bytes) in lead_notes {
        if let Some(bytes) = moved(AssociatedData::LeadNote(&id), keys, &bytes)? {
            connection
                .prepare_cached("UPDATE lead SET note_key = ?1, note = ?2 WHERE id = ?3")?
                .execute(params![keys.new, bytes, id])?;
        }
    }
    let leads: Vec<String> = connection
        .prepare("SELECT id FROM lead WHERE store_key = ?1")?
        .query_map([keys.old], |row| row.get(0))?
        .collect::<Read<_>>()?;
    let profiles = profiles::ever(connection)?;
    for id in leads {
        let Some(lead) = leads::one(connection, &id)? else {
            continue;
        };
        let profile = profiles
            .iter()
            .find(|profile| profile.id == lead.profile_id);
        let (Some(profile), Some(encrypted)) = (profile, lead.entered_for) else {
            continue;
        };
        let place = AssociatedData::Lead(profile.place(&id));
        if let Some(bytes) = moved(place, keys, &encrypted.bytes)? {
            connection
                .prepare_cached("UPDATE lead SET store_key = ?1, store_mark = ?2 WHERE id = ?3")?
                .execute(params![keys.new, bytes, id])?;
        }
    }
    chunks(connection, keys)?;
    drafts(connection, keys)
}

fn chunks(connection: &Connection, keys: &Keys<'_>) -> Read<()> {
    let mut asked =
        connection.prepare("SELECT run, chunk, encrypted FROM run_chunk WHERE key_id = ?1")?;
    let found: Vec<(i64, u32, Vec<u8>)> = asked
        .query_map([keys.old], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Read<_>>()?;
    for (number, chunk, bytes) in found {
        let Some(run) = runs::by_number(connection, number)? else {
            continue;
        };
        if let Some(bytes) = moved(AssociatedData::Chunk(run.place(), chunk), keys, &bytes)? {
            connection
                .prepare_cached(
                    "UPDATE run_chunk SET key_id = ?1, encrypted = ?2 WHERE run = ?3 AND chunk = ?4",
                )?
                .execute(params![keys.new, bytes, number, chunk])?;
        }
    }
    Ok(())
}

fn drafts(connection: &Connection, keys: &Keys<'_>) -> Read<()> {
    let mut asked =
        connection.prepare("SELECT profile_id, name, encrypted FROM draft WHERE key_id = ?1")?;
    let found: Vec<(String, String, Vec<u8>)> = asked
        .query_map([keys.old], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Read<_>>()?;
    for (profile_id, name, bytes) in found {
        let place = AssociatedData::Draft {
            profile_id: &profile_id,
            name: &name,
        };
        if let Some(bytes) = moved(place, keys, &bytes)? {
            // Where the new key has a draft of that name already, this one stays beside it.
            connection
                .prepare_cached(
                    "UPDATE OR IGNORE draft SET key_id = ?1, encrypted = ?2
                     WHERE profile_id = ?3 AND name = ?4 AND key_id = ?5",
                )?
                .execute(params![keys.new, bytes, profile_id, name, keys.old])?;
        }
    }
    Ok(())
}

fn one_id(connection: &Connection, query: &str, keys: &Keys<'_>) -> Read<Vec<(String, Vec<u8>)>> {
    connection
        .prepare(query)?
        .query_map([keys.old], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// A text under the new key; `None` when the old one does not decrypt it.
fn moved(place: AssociatedData<'_>, keys: &Keys<'_>, bytes: &[u8]) -> Read<Option<Vec<u8>>> {
    // The system gave no randomness: nothing is changed.
    (keys.change)(place, bytes).map_err(|NoRandomness| rusqlite::Error::ExecuteReturnedResults)
}
