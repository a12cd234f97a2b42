//! Everything in the file that an old key opens, encrypted with a new one instead.
//!
//! What an old key does not open was changed from outside or is another key's; it stays as it is.

use rusqlite::types::{FromSql, ToSql};
use rusqlite::{Connection, params};

use super::{Result, Store, batches, leads, profiles, runs};
use crate::query::{Query as _, Read};
use warranty_model::encrypted::AssociatedData;

pub struct NoRandomness;

/// The bytes under the new key; `None` when the old one does not decrypt them.
type Change = dyn Fn(AssociatedData<'_>, &[u8]) -> Result<Option<Vec<u8>>, NoRandomness>;

struct Keys<'a> {
    old: &'a str,
    new: &'a str,
    change: &'a Change,
}

impl Store {
    /// Ids of the keys in use before the current one.
    pub async fn older_keys(&self, current: &str) -> Result<Vec<String>> {
        let sql = "SELECT id FROM encryption_key WHERE id <> ?1 AND kept = 1";
        self.list(sql, [current.to_owned()], |row| row.get(0)).await
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
    ) -> Result<()> {
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
    let customers = [
        "submission_customer",
        "submission_id",
        "key_id",
        "encrypted",
    ];
    column(connection, keys, customers, |id: &String, bytes| {
        moved(AssociatedData::Customer(id), keys, bytes)
    })?;
    let bodies = ["batch", "id", "body_key", "body"];
    column(connection, keys, bodies, |id: &String, bytes| {
        let Some(batch) = batches::load(connection, id)? else {
            return Ok(None);
        };
        moved(AssociatedData::Body(batch.body_place()), keys, bytes)
    })?;
    let layouts = ["run", "number", "layout_key", "layout"];
    column(connection, keys, layouts, |number: &i64, bytes| {
        let Some(run) = runs::by_number(connection, *number)? else {
            return Ok(None);
        };
        moved(AssociatedData::Run(run.place()), keys, bytes)
    })?;
    let tokens = ["lead", "id", "token_key", "token"];
    column(connection, keys, tokens, |id: &String, bytes| {
        moved(AssociatedData::LeadToken(id), keys, bytes)
    })?;
    let notes = ["lead", "id", "note_key", "note"];
    column(connection, keys, notes, |id: &String, bytes| {
        moved(AssociatedData::LeadNote(id), keys, bytes)
    })?;
    let profiles = profiles::ever(connection)?;
    let stores = ["lead", "id", "store_key", "store_mark"];
    column(connection, keys, stores, |id: &String, bytes| {
        let Some(lead) = leads::one(connection, id)? else {
            return Ok(None);
        };
        match profiles.iter().find(|one| one.id == lead.profile_id) {
            Some(profile) => moved(AssociatedData::Lead(profile.place(id)), keys, bytes),
            None => Ok(None),
        }
    })?;
    let chunks = ["run_chunk", "rowid", "key_id", "encrypted"];
    column(connection, keys, chunks, |rowid: &i64, bytes| {
        let sql = "SELECT run, chunk FROM run_chunk WHERE rowid = ?1";
        let mut statement = connection.planned(sql)?;
        let (run, chunk) = statement.query_row([rowid], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let Some(run) = runs::by_number(connection, run)? else {
            return Ok(None);
        };
        moved(AssociatedData::Chunk(run.place(), chunk), keys, bytes)
    })?;
    let drafts = ["draft", "rowid", "key_id", "encrypted"];
    column(connection, keys, drafts, |rowid: &i64, bytes| {
        // Where the new key has a draft of that name already, this one stays beside it.
        let found: Option<(String, String)> = connection.find(
            "SELECT profile_id, name FROM draft d WHERE rowid = ?1 AND NOT EXISTS (SELECT 1
                 FROM draft WHERE profile_id = d.profile_id AND name = d.name AND key_id = ?2)",
            params![rowid, keys.new],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let Some((profile_id, name)) = &found else {
            return Ok(None);
        };
        moved(AssociatedData::Draft { profile_id, name }, keys, bytes)
    })
}

/// Encrypts a column again, given by its table, what names a row there, the column of the key and
/// its own name. `encrypt` gives a row's bytes under the new key.
fn column<Id: FromSql + ToSql>(
    connection: &Connection,
    keys: &Keys<'_>,
    [table, id, key, text]: [&str; 4],
    encrypt: impl Fn(&Id, &[u8]) -> Read<Option<Vec<u8>>>,
) -> Read<()> {
    let found: Vec<(Id, Vec<u8>)> = connection.list(
        &format!("SELECT {id}, {text} FROM {table} WHERE {key} = ?1 AND length({text}) > 0"),
        [keys.old],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let change = format!("UPDATE {table} SET {key} = ?1, {text} = ?2 WHERE {id} = ?3");
    for (id, bytes) in found {
        if let Some(bytes) = encrypt(&id, &bytes)? {
            connection.change(&change, params![keys.new, bytes, id])?;
        }
    }
    Ok(())
}

/// A text under the new key; `None` when the old one does not decrypt it.
fn moved(place: AssociatedData<'_>, keys: &Keys<'_>, bytes: &[u8]) -> Read<Option<Vec<u8>>> {
    // The system gave no randomness: nothing is changed.
    (keys.change)(place, bytes).map_err(|NoRandomness| rusqlite::Error::ExecuteReturnedResults)
}
