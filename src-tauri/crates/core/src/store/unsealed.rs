//! What an earlier version kept open: found, replaced by sealed bytes, and wiped from the file.

use rusqlite::{Connection, params};
use uuid::Uuid;
use warranty_api::Personal;
use zeroize::Zeroizing;

use super::{rows, sealed};
use crate::seal::{BodyPlace, Masked, Sealed};

type Read<T> = Result<T, rusqlite::Error>;

/// Rows sealed in one transaction.
const AT_ONCE: u32 = 500;

/// An entry's customer, kept open.
#[derive(Debug, Clone)]
pub(crate) struct OpenCustomer {
    /// The entry.
    pub submission_id: String,
    /// As entered.
    pub name: Personal,
    /// As entered.
    pub email: Personal,
}

/// A batch's body, kept open.
#[derive(Clone)]
pub(crate) struct OpenBody {
    /// The batch.
    pub batch_id: String,
    /// Whose it is.
    profile_id: String,
    /// Where it is sent.
    base_url: String,
    /// Its idempotency key.
    key: Uuid,
    /// The exact body.
    pub body: Zeroizing<Vec<u8>>,
}

impl OpenBody {
    /// What it is bound to once it is sealed.
    pub(crate) fn place(&self) -> BodyPlace<'_> {
        BodyPlace {
            id: &self.batch_id,
            profile_id: &self.profile_id,
            base_url: &self.base_url,
            key: self.key,
        }
    }
}

/// Whether anything is kept open.
pub(crate) fn any(connection: &Connection) -> Read<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM customer_unsealed)
                 OR EXISTS (SELECT 1 FROM batch WHERE body_key IS NULL AND length(body) > 0)",
        )?
        .query_row([], |row| row.get(0))
}

/// The next few customers and bodies that are kept open.
pub(crate) fn some(connection: &Connection) -> Read<(Vec<OpenCustomer>, Vec<OpenBody>)> {
    let customers = connection
        .prepare_cached("SELECT submission_id, name, email FROM customer_unsealed LIMIT ?1")?
        .query_map([AT_ONCE], |row| {
            Ok(OpenCustomer {
                submission_id: row.get(0)?,
                name: Personal::new(row.get::<_, String>(1)?),
                email: Personal::new(row.get::<_, String>(2)?),
            })
        })?
        .collect::<Read<_>>()?;
    let bodies = connection
        .prepare_cached(
            "SELECT id, profile_id, base_url, idempotency_key, body FROM batch
             WHERE body_key IS NULL AND length(body) > 0 LIMIT ?1",
        )?
        .query_map([AT_ONCE], |row| {
            Ok(OpenBody {
                batch_id: row.get(0)?,
                profile_id: row.get(1)?,
                base_url: row.get(2)?,
                key: rows::word(row, 3)?,
                body: Zeroizing::new(row.get(4)?),
            })
        })?
        .collect::<Read<_>>()?;
    Ok((customers, bodies))
}

/// Puts sealed customers and bodies, by entry and by batch, in place of the open ones, and masks
/// what the service repeated of them.
pub(crate) fn replace(
    connection: &Connection,
    customers: &[(String, Sealed)],
    bodies: &[(String, Sealed, Masked)],
) -> Read<()> {
    for (id, customer) in customers {
        sealed::keep_customer(connection, id, customer)?;
        connection
            .prepare_cached("DELETE FROM customer_unsealed WHERE submission_id = ?1")?
            .execute([id])?;
    }
    for (id, body, customers) in bodies {
        mask(connection, id, customers)?;
        connection
            .prepare_cached("UPDATE batch SET body = ?2, body_key = ?3 WHERE id = ?1")?
            .execute(params![id, body.bytes, body.key_id])?;
    }
    Ok(())
}

/// Masks customers in the evidence of a batch whose body is not sealed yet.
fn mask(connection: &Connection, batch_id: &str, customers: &Masked) -> Read<()> {
    let words: Vec<(u32, [Option<String>; 3])> = connection
        .prepare_cached(
            "SELECT number, request_id, code, detail FROM attempt
             WHERE batch_id = ?1 AND class IS NOT NULL",
        )?
        .query_map([batch_id], |row| {
            Ok((row.get(0)?, [row.get(1)?, row.get(2)?, row.get(3)?]))
        })?
        .collect::<Read<_>>()?;
    let masked = |text: Option<String>| text.map(|text| customers.masked(&text));
    for (number, [request_id, code, detail]) in words {
        connection
            .prepare_cached(
                "UPDATE attempt SET request_id = ?3, code = ?4, detail = ?5
                 WHERE batch_id = ?1 AND number = ?2",
            )?
            .execute(params![
                batch_id,
                number,
                masked(request_id),
                masked(code),
                masked(detail)
            ])?;
    }
    Ok(())
}

/// Leaves nothing of what was deleted in the file or its log. Not within a transaction.
pub(crate) fn wipe(connection: &Connection) -> Read<()> {
    connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
}

#[cfg(test)]
#[path = "unsealed_tests.rs"]
mod tests;
