//! What can still be read of a damaged file: its entries, without their customers.
//!
//! Reads a copy, so that the damaged file stays as it was found.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use rusqlite::{Connection, Row};

use super::files::{make_file, remove_database, with_suffix};
use super::high_water::Mark;
use crate::query::Query as _;
use crate::{Result, StoreError, check, recovery_reports, sql_types};
use warranty_model::outbox::SubmissionState;
use warranty_model::recovery::RescuedRow;

/// Copied at once, in bytes.
const CHUNK: usize = 4096;
/// Entries read at most.
const MOST: usize = 1_000_000;
/// How far a step over rows that cannot be read may grow.
const LONGEST_STEP: i64 = 1 << 20;
/// How many steps in a row may find nothing.
const MOST_STEPS: u32 = 64;

/// The entries of a file, as far as they could be read.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub by_id: BTreeMap<String, RescuedRow>,
    /// By their number, those of which only the sale could be read.
    pub sales: BTreeMap<i64, RescuedRow>,
    pub ids: BTreeMap<i64, String>,
    pub reports: Vec<recovery_reports::Kept>,
    /// How far the file had come; `None` when that cannot be read.
    pub mark: Option<Mark>,
    pub complete: bool,
}

const COLUMNS: &str = "number, id, transaction_id, product_reference_id, plan_id, state, \
     contract_id, entered_at";

/// What can be read of a damaged file, through a copy at `scratch`.
///
/// # Errors
/// When the copy could not be made, which says nothing about the damaged file.
pub(super) fn entries(damaged: &Path, scratch: &Path) -> Result<Entries> {
    remove_database(scratch)?;
    let read = copied(damaged, scratch).and_then(|()| {
        let connection = check::open_without_checkpoint(scratch)?;
        // Reading needs room too, for what belongs to the log.
        let asked = connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()));
        match asked.map_err(StoreError::from) {
            Err(StoreError::Full) => return Err(StoreError::Full),
            Err(error) => tracing::warn!(%error, "the damaged file cannot be read whole"),
            Ok(()) => {}
        }
        Ok(all(&connection))
    });
    // A scratch file that stays does no harm and is cleared next time.
    let _ = remove_database(scratch);
    read
}

/// The entries of a file, read from the first row forward and from the last row backward, skipping what
/// cannot be read; and the sales of which an index says otherwise than their rows.
pub(super) fn all(connection: &Connection) -> Entries {
    let mut found = Entries {
        reports: recovery_reports::all(connection),
        mark: Mark::of(connection).ok(),
        ..Entries::default()
    };
    let last = walk_up(connection, &mut found);
    if !found.complete {
        let down = format!(
            "SELECT {COLUMNS} FROM submission NOT INDEXED WHERE number > ?1 ORDER BY number DESC"
        );
        connection.each(&down, [last], |row| take(row, &mut found));
    }
    ask_the_index(connection, &mut found);
    found
}

/// The index of sales holds the sale of every entry, apart from the entries themselves. A row that
/// is missing, or names another sale, may have been damaged without an error when it is read.
fn ask_the_index(connection: &Connection, found: &mut Entries) {
    let sales =
        "SELECT number, NULL, transaction_id, product_reference_id, plan_id, NULL, NULL, NULL
                 FROM submission INDEXED BY submission_sale";
    connection.each(sales, [], |row| {
        let Some((number, sale)) = entry(row) else {
            return;
        };
        let own = found.ids.get(&number).and_then(|id| found.by_id.get(id));
        let agrees = own.is_some_and(|own| {
            own.transaction_id == sale.transaction_id
                && own.product_reference_id == sale.product_reference_id
                && own.plan_id == sale.plan_id
        });
        if !agrees {
            found.complete = false;
            found.sales.insert(number, sale);
        }
    });
}

fn copied(damaged: &Path, scratch: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-journal"] {
        let from = with_suffix(damaged, suffix);
        if from.exists() {
            let to = make_file(&with_suffix(scratch, suffix))?;
            copy_readable(&from, to).map_err(of_disk)?;
        }
    }
    Ok(())
}

/// Copies a file; a place that the medium does not give is left empty.
fn copy_readable(from: &Path, mut to: File) -> std::io::Result<()> {
    let mut from = File::open(from)?;
    let length = from.metadata()?.len();
    let mut chunk = [0; CHUNK];
    let mut place = 0;
    while place < length {
        from.seek(SeekFrom::Start(place))?;
        let read = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::warn!(%error, place, "a place of the damaged file cannot be read");
                chunk.fill(0);
                usize::try_from(length - place).map_or(CHUNK, |left| left.min(CHUNK))
            }
        };
        to.write_all(&chunk[..read])?;
        place += u64::try_from(read).unwrap_or(u64::MAX);
    }
    Ok(())
}

fn of_disk(error: std::io::Error) -> StoreError {
    if error.kind() == ErrorKind::StorageFull {
        StoreError::Full
    } else {
        StoreError::Folder(error)
    }
}

/// The last row reached.
fn walk_up(connection: &Connection, found: &mut Entries) -> i64 {
    let up =
        format!("SELECT {COLUMNS} FROM submission NOT INDEXED WHERE number > ?1 ORDER BY number");
    let (mut last, mut step, mut steps) = (0, 1, 0);
    let Ok(mut statement) = connection.prepare(&up) else {
        return last;
    };
    let mut stumbled = false;
    while steps < MOST_STEPS {
        let Ok(mut rows) = statement.query([last]) else {
            break;
        };
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    if let Ok(number) = row.get::<_, i64>(0)
                        && number > last
                    {
                        (last, step, steps) = (number, 1, 0);
                    }
                    take(row, found);
                    if found.by_id.len() >= MOST {
                        return last;
                    }
                }
                Ok(None) => {
                    found.complete = !stumbled;
                    return last;
                }
                Err(_) => break,
            }
        }
        stumbled = true;
        last = last.saturating_add(step);
        step = (step * 2).min(LONGEST_STEP);
        steps += 1;
    }
    last
}

fn take(row: &Row<'_>, found: &mut Entries) {
    if let Some(id) = text(row, 1)
        && let Some((number, entry)) = entry(row)
    {
        found.ids.insert(number, id.clone());
        found.by_id.entry(id).or_insert(entry);
    }
}

/// The number and the sale of a row of these columns, whatever is in the other ones.
fn entry(row: &Row<'_>) -> Option<(i64, RescuedRow)> {
    let entry = RescuedRow {
        transaction_id: text(row, 2)?,
        product_reference_id: text(row, 3).unwrap_or_default(),
        plan_id: text(row, 4).unwrap_or_default(),
        // A state that cannot be read is unknown.
        state: sql_types::word(row, 5).unwrap_or(SubmissionState::Unknown),
        contract_id: text(row, 6),
        entered_at: row.get(7).ok().and_then(sql_types::moment),
        in_backup: false,
    };
    Some((row.get(0).ok()?, entry))
}

/// A text, whatever became of some of its characters.
fn text(row: &Row<'_>, column: usize) -> Option<String> {
    let value = row.get_ref(column).ok()?;
    Some(String::from_utf8_lossy(value.as_bytes().ok()?).into_owned())
}
