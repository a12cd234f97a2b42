//! In which order changes to products and plans were asked for, at rest.
//!
//! Counts in runs and not in time, because the clock may be set.

use rusqlite::{Connection, params};
use warranty_model::Field;
use warranty_model::profile::ServiceStore;

use super::{Result, Store, sql_types};
use crate::query::{Query as _, Read};

/// A change as it was noted, before it is sent.
#[derive(Debug)]
pub struct NotedChange {
    store: ServiceStore,
    field: Field,
    code: String,
    /// What was noted of an earlier one.
    before: i64,
}

impl Store {
    /// Notes a change to a product or plan: for a row of `run`, or now. `None`: a newer one is noted, and
    /// nothing was changed here.
    pub async fn note_change(
        &self,
        store: ServiceStore,
        field: Field,
        code: String,
        run: Option<i64>,
    ) -> Result<Option<NotedChange>> {
        self.write(move |transaction| {
            let newest = "SELECT ifnull(max(number), 0) FROM run";
            let asked = match run {
                Some(run) => run - 1,
                None => transaction.value(newest, [])?,
            };
            let noted = "SELECT ifnull(max(run), 0) FROM newest_change
                 WHERE origin = ?1 AND store_id = ?2 AND field = ?3 AND code = ?4";
            let of = params![
                store.origin,
                store.store_id,
                sql_types::text_of(&field)?,
                code
            ];
            let before = transaction.value(noted, of)?;
            let change = NotedChange {
                store,
                field,
                code,
                before,
            };
            if run.is_some() && before > asked {
                return Ok(None);
            }
            note(transaction, &change, asked.max(before))?;
            Ok(Some(change))
        })
        .await
    }

    /// Takes back the note of a change that was certainly not made.
    pub async fn take_change_back(&self, change: NotedChange) -> Result<()> {
        self.write(move |transaction| note(transaction, &change, change.before))
            .await
    }
}

fn note(connection: &Connection, of: &NotedChange, run: i64) -> Read<()> {
    connection.change(
        "INSERT OR REPLACE INTO newest_change (origin, store_id, field, code, run)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            of.store.origin,
            of.store.store_id,
            sql_types::text_of(&of.field)?,
            of.code,
            run
        ],
    )?;
    Ok(())
}
