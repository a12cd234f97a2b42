//! What SQLite alone needs for the rows of a finished desk: written again by one thread into an empty file of
//! the same schema and settings, in fewer and larger commits, with nothing read, matched, encrypted or sent.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::Outcome;

/// Sales in a commit when they are kept, batches in one when they are sent, sales in one when looked up.
const KEPT_AT_ONCE: usize = 100;
const SENT_AT_ONCE: usize = 4;
const LOOKED_UP_AT_ONCE: usize = 128;

/// What is known of a batch once it is sent, of a sale once it is accepted, and once it is confirmed.
const SENT: [&str; 7] = [
    "revision",
    "reached",
    "token_fingerprint",
    "sends",
    "first_sent_at",
    "first_sent_mono",
    "process_id",
];
const ACCEPTED: [&str; 3] = ["contract_id", "inquiry_code", "accepted_at"];
const CONFIRMED: [&str; 4] = ["confirmed_at", "lookups", "status", "finished_at"];
const ANSWERED: [&str; 4] = ["finished_at", "class", "status", "request_id"];

/// Times from the first row on.
#[derive(Debug, Clone, Copy)]
pub struct Alone {
    /// Until all sales are kept, sent and accepted.
    pub accepted: Duration,
    /// From there until all are confirmed.
    pub confirmed: Duration,
}

/// Writes what is in a finished file again, in a folder.
pub fn write_again(finished: &Path, folder: &Path) -> Outcome<Alone> {
    let path = folder.join("again.db");
    std::fs::copy(finished, &path)?;
    let file = Connection::open(&path)?;
    file.set_prepared_statement_cache_capacity(64);
    let read = |name, order| Rows::read(&file, name, order);
    let batches = read("batch", "id")?;
    let sales = read("submission", "number")?;
    let customers = read("submission_customer", "submission_id")?;
    let rows = read("run_row", "number")?;
    let attempts = read("attempt", "batch_id")?;
    file.execute_batch(
        "DROP TRIGGER attempt_is_kept;
         DELETE FROM attempt; DELETE FROM run_row; DELETE FROM submission_customer;
         DELETE FROM submission; DELETE FROM batch; VACUUM;
         PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
         PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;",
    )?;

    let begun = Instant::now();
    let later = [&ACCEPTED[..], &CONFIRMED, &["next_lookup_at"]].concat();
    for kept in (0..sales.count()).step_by(KEPT_AT_ONCE) {
        commit(&file, || {
            batches.insert(&file, part(kept / 10, KEPT_AT_ONCE / 10), &SENT, "queued")?;
            sales.insert(&file, part(kept, KEPT_AT_ONCE), &later, "queued")?;
            customers.insert(&file, part(kept, KEPT_AT_ONCE), &[], "")?;
            rows.insert(&file, part(kept, KEPT_AT_ONCE), &[], "")
        })?;
    }
    for sent in (0..batches.count()).step_by(SENT_AT_ONCE) {
        let sent = || part(sent, SENT_AT_ONCE);
        let ten_each = part(sent().start * 10, SENT_AT_ONCE * 10);
        commit(&file, || {
            batches.update(&file, sent(), &SENT, "state = 'inFlight'")?;
            attempts.insert(&file, sent(), &ANSWERED, "")
        })?;
        commit(&file, || {
            batches.update(&file, sent(), &[], "state = 'accepted'")?;
            let due = "state = 'accepted', next_lookup_at = entered_at";
            sales.update(&file, ten_each, &ACCEPTED, due)?;
            attempts.update(&file, sent(), &ANSWERED, "detail = NULL")
        })?;
    }
    let accepted = begun.elapsed();
    for found in (0..sales.count()).step_by(LOOKED_UP_AT_ONCE) {
        commit(&file, || {
            let done = "state = 'confirmed', next_lookup_at = NULL";
            sales.update(&file, part(found, LOOKED_UP_AT_ONCE), &CONFIRMED, done)
        })?;
    }
    Ok(Alone {
        accepted,
        confirmed: begun.elapsed() - accepted,
    })
}

fn part(start: usize, count: usize) -> std::ops::Range<usize> {
    start..start + count
}

fn commit(file: &Connection, work: impl FnOnce() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    file.execute_batch("BEGIN IMMEDIATE")?;
    work()?;
    file.execute_batch("COMMIT")
}

/// The rows of a table, in the order in which they came.
struct Rows {
    table: &'static str,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Rows {
    fn read(file: &Connection, table: &'static str, order: &str) -> rusqlite::Result<Self> {
        let mut all = file.prepare(&format!("SELECT * FROM {table} ORDER BY {order}"))?;
        let columns: Vec<String> = all.column_names().into_iter().map(str::to_owned).collect();
        let rows = all
            .query_map([], |row| (0..columns.len()).map(|at| row.get(at)).collect())?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Self {
            table,
            columns,
            rows,
        })
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn some(&self, part: std::ops::Range<usize>) -> &[Vec<Value>] {
        &self.rows[part.start.min(self.count())..part.end.min(self.count())]
    }

    /// Inserts some without the columns that are known later, in this state if they have one.
    fn insert(
        &self,
        file: &Connection,
        part: std::ops::Range<usize>,
        later: &[&str],
        state: &str,
    ) -> rusqlite::Result<()> {
        let now: Vec<usize> = (0..self.columns.len())
            .filter(|at| !later.contains(&self.columns[*at].as_str()))
            .collect();
        let names: Vec<&str> = now.iter().map(|at| self.columns[*at].as_str()).collect();
        let marks = vec!["?"; now.len()].join(", ");
        let mut insert = file.prepare_cached(&format!(
            "INSERT INTO {} ({}) VALUES ({marks})",
            self.table,
            names.join(", ")
        ))?;
        let state = Value::Text(state.to_owned());
        for row in self.some(part) {
            let value = |at: &usize| match self.columns[*at].as_str() {
                "state" => &state,
                _ => &row[*at],
            };
            insert.execute(params_from_iter(now.iter().map(value)))?;
        }
        Ok(())
    }

    /// Sets columns of some, found by what a table has first, and what else a step says.
    fn update(
        &self,
        file: &Connection,
        part: std::ops::Range<usize>,
        columns: &[&str],
        step: &str,
    ) -> rusqlite::Result<()> {
        let key = usize::from(self.columns[0] == "number");
        let set: Vec<String> = columns.iter().map(|name| format!(", {name} = ?")).collect();
        let mut update = file.prepare_cached(&format!(
            "UPDATE {} SET {step}{} WHERE {} = ?",
            self.table,
            set.concat(),
            self.columns[key]
        ))?;
        let places = columns
            .iter()
            .filter_map(|name| self.columns.iter().position(|one| one == name))
            .chain([key])
            .collect::<Vec<_>>();
        for row in self.some(part) {
            update.execute(params_from_iter(places.iter().map(|at| &row[*at])))?;
        }
        Ok(())
    }
}
