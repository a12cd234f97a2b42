//! Checks whether a database file is intact, without changing it.
//!
//! SQLite's own check covers pages, rows, constraints and indexes, but not a value that turned into
//! another value. Therefore a digest is written beside a file that is closed in order. A file that was
//! not written since and has another digest is damaged, whatever SQLite's check says.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read as _, Write as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use sha2::{Digest as _, Sha256};

use super::connection::READ_WRITE;
use super::files::{if_there, make_file, with_suffix};
use crate::query::Query as _;
use crate::{BUSY, DESK, Result, StoreError, version, wal};

/// How a file begins that SQLite made.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Length of SQLite's header.
const HEADER: usize = 100;
/// A file with a higher version is damaged.
const MAX_SCHEMA_VERSION: u32 = 100_000;
/// Read at once.
const CHUNK: usize = 64 * 1024;

/// What every version of the program asks of a file: a schema that reads and is not ours fails it.
const PROBES: [&str; 5] = [
    "SELECT number, id, profile_id, state, case_reason, batch_id, position, transaction_id,
         transaction_total, transaction_date, product_reference_id, product_purchase_price,
         plan_id, plan_purchase_price, entered_at, contract_id FROM submission LIMIT 1",
    "SELECT id, profile_id, state, revision, body, idempotency_key, size, reached, base_url,
         token_fingerprint, hold, case_reason, unknown_before, sends, next_at FROM batch LIMIT 1",
    "SELECT batch_id, number, started_at, finished_at, class FROM attempt LIMIT 1",
    "SELECT id, profile_id, state, transaction_id FROM lead LIMIT 1",
    "SELECT number, at, user, action, subject, detail FROM journal LIMIT 1",
];

/// Every page, row and constraint, and every index against its table.
pub(super) fn whole(connection: &Connection) -> Result<()> {
    let answer: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    (answer == "ok").then_some(()).ok_or(StoreError::Damaged)
}

/// Whether an existing file with its log can be worked with.
///
/// # Errors
/// [`StoreError::Damaged`] when not; anything else when that could not be found out.
pub(super) fn file(path: &Path) -> Result<()> {
    header(path)?;
    match digest_matches(path)? {
        Some(true) => Ok(()),
        Some(false) => Err(StoreError::Damaged),
        None => {
            wal::whole(path)?;
            let connection = open_without_checkpoint(path)?;
            whole(&connection)?;
            probe(&connection)
        }
    }
}

/// Whether an existing file looks whole to somebody who only reads, beside its writer perhaps.
pub(super) fn quick_check(path: &Path) -> Result<()> {
    header(path)?;
    let altered = digest_matches(path)? == Some(false);
    (!altered).then_some(()).ok_or(StoreError::Damaged)
}

/// Opens a file so that closing it again leaves it and its log as they are.
pub(super) fn open_without_checkpoint(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, READ_WRITE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Leaves the digest of a file that was closed in order.
pub(super) fn write_digest(path: &Path) -> Result<()> {
    if length(&with_suffix(path, "-wal"))? > 0 {
        // Somebody still reads: not everything is in the file.
        return Ok(());
    }
    let sum = sum_of(path)?;
    let mut file = make_file(&with_suffix(path, ".sum"))?;
    file.set_len(0)?;
    Ok(file.write_all(sum.as_bytes())?)
}

/// The length of a file in bytes; 0 when there is none.
pub(super) fn length(path: &Path) -> Result<u64> {
    let found = if_there(std::fs::metadata(path))?;
    Ok(found.map_or(0, |found| found.len()))
}

/// Whether the file reads as it was left; `None` when it was not left in order, or was written
/// since.
fn digest_matches(path: &Path) -> Result<Option<bool>> {
    if length(&with_suffix(path, "-wal"))? > 0 {
        return Ok(None);
    }
    let Ok(kept) = std::fs::read_to_string(with_suffix(path, ".sum")) else {
        return Ok(None);
    };
    let now = sum_of(path)?;
    let stamp = |sum: &str| sum.split_once(' ').map(|(stamp, _)| stamp.to_owned());
    Ok((stamp(&kept) == stamp(&now)).then(|| kept == now))
}

/// When a file was last written, and its digest.
fn sum_of(path: &Path) -> Result<String> {
    let file = File::open(path)?;
    let written = file.metadata()?.modified()?;
    let written = written.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut digest = Sha256::new();
    std::io::copy(&mut BufReader::with_capacity(CHUNK, file), &mut digest)?;
    Ok(format!("{} {:x}", written.as_nanos(), digest.finalize()))
}

/// What SQLite would take for another kind of file, or would silently read differently.
fn header(path: &Path) -> Result<()> {
    let mut bytes = [0_u8; HEADER];
    match File::open(path)?.read_exact(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(StoreError::Damaged),
        read => read?,
    }
    let number = |at: usize| wal::number(&bytes, at);
    // With a log beside it the file must say that it has one, or the log would be thrown away.
    let logged = length(&with_suffix(path, "-wal"))? > 0;
    let journal = bytes[18..20] == [2, 2] || bytes[18..20] == [1, 1] && !logged;
    let sound = bytes.starts_with(MAGIC)
        && journal
        && bytes[20..24] == [0, 64, 32, 32]
        && (number(44) == 4 || number(44) == 0)
        && (number(56) == 1 || number(56) == 0)
        && number(60) <= MAX_SCHEMA_VERSION
        && bytes[72..92] == [0; 20];
    sound.then_some(()).ok_or(StoreError::Damaged)
}

/// Whether the tables of this version can be asked at all.
fn probe(connection: &Connection) -> Result<()> {
    if version(connection)? != DESK.len() {
        return Ok(());
    }
    for probe in PROBES {
        let asked = connection.find(probe, [], |_| Ok(()));
        asked.map_err(|_| StoreError::Damaged)?;
    }
    Ok(())
}
