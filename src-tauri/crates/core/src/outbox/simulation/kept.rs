//! What a desk's file says, read past the desk.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Params};

/// One entry as it is kept.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub id: String,
    pub profile: String,
    pub state: String,
    pub transaction: String,
    pub contract_id: Option<String>,
    pub replaces: Option<String>,
    pub key: Option<String>,
    pub doubted: bool,
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let mut statement = connection.prepare_cached(sql).unwrap();
    let found = statement.query_map(values, read).unwrap();
    found.map(Result::unwrap).collect()
}

/// The runs that a person can still turn, by number, and whether each is halted.
pub(super) fn runs(connection: &Connection) -> Vec<(i64, bool)> {
    let sql = "SELECT number, state = 'paused' FROM run WHERE state IN ('done', 'paused')
         ORDER BY number";
    all(connection, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The batches that wait although their run was cancelled.
pub(super) fn left_of_cancelled(connection: &Connection) -> Vec<String> {
    let sql = "SELECT b.id FROM batch b JOIN run r ON r.number = b.run
         WHERE r.state = 'cancelled' AND b.state IN ('queued', 'held')";
    all(connection, sql, [], |row| row.get(0))
}

/// How often the desk took a batch back that had begun.
pub(super) fn taken_back(connection: &Connection) -> u32 {
    let sql = "SELECT COUNT(*) FROM attempt WHERE class = 'notSent' AND detail IS NULL";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// All entries of a desk, oldest first.
pub(super) fn rows(connection: &Connection) -> Vec<Row> {
    let sql = "SELECT s.id, s.profile_id, s.state, s.transaction_id, s.contract_id, s.replaces,
             b.idempotency_key, COALESCE(b.unknown_before, 0)
         FROM submission s LEFT JOIN batch b ON b.id = s.batch_id ORDER BY s.number";
    all(connection, sql, [], |row| {
        Ok(Row {
            id: row.get(0)?,
            profile: row.get(1)?,
            state: row.get(2)?,
            transaction: row.get(3)?,
            contract_id: row.get(4)?,
            replaces: row.get(5)?,
            key: row.get(6)?,
            doubted: row.get(7)?,
        })
    })
}

/// The first entry in whose place each one stands.
pub(super) fn roots(rows: &[Row]) -> HashMap<&str, &str> {
    let mut roots: HashMap<&str, &str> = HashMap::new();
    for row in rows {
        let root = row
            .replaces
            .as_deref()
            .and_then(|before| roots.get(before).copied())
            .unwrap_or(&row.id);
        roots.insert(&row.id, root);
    }
    roots
}

/// The first entry in whose place this one stands.
pub(super) fn root_of(connection: &Connection, id: &str) -> String {
    let rows = rows(connection);
    let root = roots(&rows).get(id).copied().unwrap_or(id);
    root.to_owned()
}

/// A batch as its row and its newest attempt say.
pub(super) struct Intent {
    pub state: String,
    pub base_url: String,
    pub token: Option<String>,
    /// Its newest attempt has no outcome yet.
    pub open: bool,
    /// For all the desk knows, it may have arrived before.
    pub doubted: bool,
}

/// The batch of a key, if there is one.
pub(super) fn intent(connection: &Connection, key: &str) -> Option<Intent> {
    connection
        .prepare_cached(
            "SELECT b.state, b.base_url, b.token_fingerprint,
                 (SELECT a.finished_at IS NULL AND a.base_url = b.base_url FROM attempt a
                  WHERE a.batch_id = b.id ORDER BY a.number DESC LIMIT 1),
                 b.unknown_before
             FROM batch b WHERE b.idempotency_key = ?1",
        )
        .unwrap()
        .query_row([key], |row| {
            Ok(Intent {
                state: row.get(0)?,
                base_url: row.get(1)?,
                token: row.get(2)?,
                open: row.get::<_, Option<bool>>(3)?.unwrap_or(false),
                doubted: row.get(4)?,
            })
        })
        .optional()
        .unwrap()
}

/// The entries of the batch of a key, in the order of its body.
pub(super) fn entries_of(connection: &Connection, key: &str) -> Vec<String> {
    let sql = "SELECT s.id FROM submission s JOIN batch b ON b.id = s.batch_id
         WHERE b.idempotency_key = ?1 ORDER BY s.position";
    all(connection, sql, [key], |row| row.get(0))
}
