//! Opening `desk.db` as it is found: sound, new, damaged or gone with something left of it, or put
//! back from an older copy.
//!
//! Owns that nothing is deleted, nothing written over, and that a copy never takes the file's
//! place before everything in it that could be sent by itself has been stopped.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, Utc};
use rusqlite::Connection;
use warranty_model::interface::Timestamp;

use super::backup::{self, Backups, MOMENT};
use super::files::{
    if_there, is_gone, make_file, paths_in, remove, remove_database, sync_file, sync_folder,
    with_suffix,
};
use super::high_water::{self, Mark};
use super::journal::{self, Line, PROGRAM};
use super::recovery_reports::{self, Kept};
use super::salvage::{self, Entries};
use crate::query::Read;
use crate::{DESK, Result, Store, StoreError, check, prepare, sql_types};
use warranty_model::outbox::SubmissionState;
use warranty_model::recovery::{RescueCause, RescueReport, RescuedRow};

/// What the name of a file that was set aside begins with.
pub(super) const DAMAGED: &str = "desk.db.damaged-";
/// What may lie beside a file and belongs to it.
pub(super) const BESIDE: [&str; 4] = ["-wal", "-journal", "-shm", ".sum"];

/// Opens the file of a data folder to work with it. One that is damaged is set aside, and the
/// newest sound copy, or else an empty file, takes its place with a report of what happened.
pub async fn open(data_dir: &Path, at: DateTime<Utc>) -> Result<Store> {
    blocking(data_dir, move |folder| make_ready(folder, at)).await??;
    let store = Store::open(&data_dir.join("desk.db"), false).await?;
    match blocking(data_dir, high_water::Copy::open).await? {
        Ok((copy, outside)) => {
            let mut mark = store.call(Mark::of).await?;
            if let Some(outside) = outside
                && compare(&store, data_dir, &mark, outside, at).await?
            {
                mark = store.call(Mark::of).await?;
            }
            copy.keep(&mark);
            store.engine.keep_marks_in(copy);
        }
        // As with a copy of the file that cannot be taken: it stops nothing.
        Err(error) => tracing::error!(%error, "the high-water mark cannot be kept"),
    }
    Ok(store)
}

/// Compares the mark of an open file with the copy of it that is stored outside. A file with an older mark
/// was restored from an older copy: in one transaction, everything that would be sent without a person
/// is stopped, a report is stored, and the mark becomes newer than the copy. Returns whether it was older.
pub async fn compare(
    store: &Store,
    data_dir: &Path,
    known: &Mark,
    outside: Mark,
    at: DateTime<Utc>,
) -> Result<bool> {
    if !known.is_behind(&outside) {
        return Ok(false);
    }
    let own = store.call(Mark::of).await?;
    tracing::error!("an older copy of the desk's file was put in its place");
    let seen = outside.clone();
    let newer = blocking(data_dir, move |folder| newest_copy(folder, &own, &seen)).await??;
    store
        .write(move |transaction| {
            let worked_at = journal::last_at(transaction)?.and_then(sql_types::moment);
            let found = Found {
                at: Timestamp::new(at.fixed_offset()),
                cause: RescueCause::PutBack,
                set_aside: None,
                backup_taken_at: worked_at,
                newest_copy: newer.0,
                read: newer.1,
            };
            stop_and_report(transaction, found)?;
            outside.overtake(transaction)
        })
        .await?;
    Ok(true)
}

impl Store {
    /// Whether the mark of a data folder's file is older than the copy of it; read without the lock.
    pub async fn is_put_back(&self, data_dir: &Path) -> Result<bool> {
        let data_dir = data_dir.to_owned();
        self.call(move |connection| {
            Ok(match high_water::beside(&data_dir) {
                Some(outside) => Mark::of(connection)?.is_behind(&outside),
                None => false,
            })
        })
        .await
    }
}

/// What the newest copy in `backup/` knows that a file put back lacks, and the number of the newest
/// copy there is. The entries are complete when that copy is level with the mark.
fn newest_copy(data_dir: &Path, own: &Mark, outside: &Mark) -> Result<(u32, Entries)> {
    let copies = Backups::of(data_dir).found()?;
    let newest = copies.first().map_or(0, |newest| newest.number);
    let ahead = copies
        .iter()
        .filter_map(|kept| Some((backup::mark(&kept.path)?, kept)))
        .filter(|(mark, _)| mark.folder == outside.folder && own.is_behind(mark))
        .max_by_key(|(mark, _)| mark.value);
    let Some((mark, kept)) = ahead else {
        return Ok((newest, Entries::default()));
    };
    let mut read = salvage::entries(&kept.path, &data_dir.join("salvage.part"))?;
    read.complete &= mark.value >= outside.value;
    Ok((newest, read))
}

/// Whether the file of a data folder can be read; changes nothing.
pub async fn check_readable(data_dir: &Path) -> Result<()> {
    blocking(data_dir, |folder| find(folder, check::quick_check)).await?
}

/// Does on a thread of its own what blocks.
async fn blocking<T: Send + 'static>(
    data_dir: &Path,
    work: impl FnOnce(&Path) -> T + Send + 'static,
) -> Result<T> {
    let folder = data_dir.to_owned();
    tokio::task::spawn_blocking(move || work(&folder))
        .await
        .map_err(|_| StoreError::Closed)
}

/// Notes that the file was closed in order.
pub async fn closed(data_dir: &Path) {
    let noted = blocking(data_dir, |folder| {
        check::write_digest(&folder.join("desk.db"))
    });
    if let Ok(Err(error)) = noted.await {
        tracing::warn!(%error, "the digest of the desk's file could not be kept");
    }
}

fn make_ready(data_dir: &Path, at: DateTime<Utc>) -> Result<()> {
    let path = data_dir.join("desk.db");
    match find(data_dir, check::file) {
        Ok(()) => {}
        Err(StoreError::Damaged) => rescue(data_dir, at)?,
        Err(other) => return Err(other),
    }
    // From here on the file changes, and its digest would not fit.
    remove(&with_suffix(&path, ".sum"))?;
    make_file(&path).map(drop)
}

/// What is found: `Ok` when it is sound or there was never one.
fn find(data_dir: &Path, check: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let path = data_dir.join("desk.db");
    if check::length(&path)? > 0 {
        return check(&path);
    }
    // An empty file is no file: SQLite would throw its log away.
    let log = check::length(&with_suffix(&path, "-wal"))? > 0
        || check::length(&with_suffix(&path, "-journal"))? > 0;
    let is_new =
        !log && Backups::of(data_dir).found()?.is_empty() && newest_damaged(data_dir)?.is_none();
    is_new.then_some(()).ok_or(StoreError::Damaged)
}

fn rescue(data_dir: &Path, at: DateTime<Utc>) -> Result<()> {
    let path = data_dir.join("desk.db");
    tracing::error!("the desk's file is damaged and is set aside");
    let copies = Backups::of(data_dir).found()?;
    let damaged = match set_aside(&path, at)? {
        // Where an earlier rescue was interrupted, the file it set aside is the one to read.
        None => {
            let mut unreported = damaged(data_dir)?;
            unreported.retain(|aside| !is_reported(&copies, aside));
            unreported.into_iter().max()
        }
        damaged => damaged,
    };
    let mut read = match &damaged {
        Some(damaged) => salvage::entries(damaged, &data_dir.join("salvage.part"))?,
        None => Entries::default(),
    };
    let outside = high_water::beside(data_dir);
    if let Some(outside) = &outside {
        // Where the write-ahead log is damaged, its last commits are gone and all that is left reads well.
        read.complete &= read
            .mark
            .as_ref()
            .is_some_and(|own| !own.is_behind(outside));
    }
    let part = data_dir.join("desk.part");
    let copy = restore(&copies, &part)?;
    let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    let found = Found {
        at: Timestamp::new(at.fixed_offset()),
        cause: RescueCause::Damaged,
        set_aside: damaged.as_ref().and_then(name),
        backup_taken_at: copy.map(|at| Timestamp::new(at.fixed_offset())),
        newest_copy: copies.first().map_or(0, |newest| newest.number),
        read,
    };
    make_fit(Connection::open(&part)?, found, outside)?;
    sync_file(&part)?;
    std::fs::rename(&part, &path)?;
    sync_folder(data_dir)
}

/// Whether the rescue that set a file aside was finished: a copy taken since has its report.
fn is_reported(copies: &[backup::Kept], aside: &Path) -> bool {
    let copies = copies
        .iter()
        .filter_map(|kept| backup::read_only(&kept.path).ok());
    let mut reports = copies.flat_map(|copy| recovery_reports::all(&copy));
    reports.any(|kept| kept.report.set_aside.as_deref().map(OsStr::new) == aside.file_name())
}

/// What a rescue found before it looked into the copy.
struct Found {
    at: Timestamp,
    cause: RescueCause,
    set_aside: Option<String>,
    backup_taken_at: Option<Timestamp>,
    newest_copy: u32,
    read: Entries,
}

/// Prepares the copy to replace the file, with a mark newer than the one stored outside, and closes it,
/// so that it is one file without a write-ahead log.
fn make_fit(mut connection: Connection, mut found: Found, outside: Option<Mark>) -> Result<()> {
    prepare(&mut connection, false, DESK)?;
    let transaction = connection.transaction()?;
    if let Some(outside) = &outside {
        // A copy that is level lacks nothing, whatever could be read of the damaged file.
        let own = Mark::of(&transaction)?;
        found.read.complete |= own.folder == outside.folder && own.value >= outside.value;
    }
    stop_and_report(&transaction, found)?;
    if let Some(outside) = &outside {
        outside.overtake(&transaction)?;
    }
    transaction.commit()?;
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    connection.close().map_err(|(_, error)| error.into())
}

/// Stops everything and keeps the reports, the one of this rescue last. Within a transaction.
fn stop_and_report(transaction: &Connection, mut found: Found) -> Read<()> {
    let mut restored = salvage::all(transaction);
    let known = std::mem::take(&mut restored.reports);
    let mut reports = std::mem::take(&mut found.read.reports);
    // A report that the file has is shown again at worst.
    reports.retain(|lost| !known.iter().any(|known| is_same(known, lost)));
    let sold_since: Vec<(String, String)> = found
        .read
        .by_id
        .iter()
        .filter(|(id, _)| restored.by_id.contains_key(*id))
        .filter_map(|(id, newer)| Some((id.clone(), newer.contract_id.clone()?)))
        .collect();
    let report = RescueReport {
        number: 0,
        cause: found.cause,
        at: found.at,
        set_aside: found.set_aside,
        backup_taken_at: found.backup_taken_at,
        restored_rows: u32::try_from(restored.by_id.len()).unwrap_or(u32::MAX),
        complete: found.read.complete,
        pending: pending(restored, found.read),
    };
    reports.push(Kept {
        newest_copy: found.newest_copy,
        report,
        seen_at: None,
    });
    recovery_reports::stop_all(transaction, found.cause)?;
    recovery_reports::keep_contracts(transaction, &sold_since)?;
    for kept in &reports {
        recovery_reports::keep(transaction, kept)?;
        let report = &kept.report;
        let line = Line {
            at: report.at.get().timestamp_millis(),
            user: PROGRAM.to_owned(),
            action: match report.cause {
                RescueCause::Damaged => "desk.rescued",
                RescueCause::PutBack => "desk.putBack",
            },
            subject: report
                .set_aside
                .clone()
                .unwrap_or_else(|| "desk.db".to_owned()),
            detail: report.backup_taken_at.as_ref().map(ToString::to_string),
        };
        journal::append(transaction, &line)?;
    }
    Ok(())
}

/// Whether two reports are of the same rescue; its number may differ between them.
fn is_same(one: &Kept, other: &Kept) -> bool {
    let unnumbered = |report: &RescueReport| RescueReport {
        number: 0,
        ..report.clone()
    };
    unnumbered(&one.report) == unnumbered(&other.report)
}

/// Renames the damaged file and its write-ahead log to a free name. `None` when there was only the log:
/// an earlier attempt was interrupted, and the log is moved to the file it belongs to.
fn set_aside(path: &Path, at: DateTime<Utc>) -> Result<Option<PathBuf>> {
    let folder = path.parent().unwrap_or(path);
    let stem = path.with_file_name(format!("{DAMAGED}{}", at.format(MOMENT)));
    let is_free = |name: &PathBuf| {
        std::iter::once("")
            .chain(BESIDE)
            .all(|suffix| !with_suffix(name, suffix).exists())
    };
    let parted = if path.exists() {
        None
    } else {
        newest_damaged(folder)?.filter(|damaged| {
            BESIDE.iter().all(|suffix| {
                !with_suffix(path, suffix).exists() || !with_suffix(damaged, suffix).exists()
            })
        })
    };
    let name = match parted {
        Some(damaged) => damaged,
        None => std::iter::once(stem.clone())
            .chain((2..).map(|number: u32| with_suffix(&stem, &format!("-{number}"))))
            .find(is_free)
            .unwrap_or(stem),
    };
    let mut moved = None;
    // The file first: a file without its log would look sound.
    for suffix in std::iter::once("").chain(BESIDE) {
        let from = with_suffix(path, suffix);
        let renamed = if_there(std::fs::rename(&from, with_suffix(&name, suffix)))?;
        if renamed.is_some() && suffix.is_empty() {
            moved = Some(name.clone());
        }
    }
    sync_folder(folder)?;
    Ok(moved)
}

/// Deletes files that were set aside, with the customers in them: those whose report a person had seen
/// before a moment, and those without a report whose name is of an earlier one; but none that was last
/// written to since, with its logs, because the clock may have fallen back with the loss of power that
/// damaged it. A time of writing later than `now` is of a clock that was ahead, and says nothing. How many.
pub fn forget_set_aside(
    data_dir: &Path,
    before: DateTime<Utc>,
    now: DateTime<Utc>,
    reported: &BTreeMap<String, Option<i64>>,
) -> Result<usize> {
    let mut forgotten = 0;
    for path in damaged(data_dir)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let named = || {
            let moment = name.strip_prefix(DAMAGED)?;
            let (moment, _) = NaiveDateTime::parse_and_remainder(moment, MOMENT).ok()?;
            Some(moment.and_utc().timestamp_millis())
        };
        let since = reported.get(&*name).copied().unwrap_or_else(named);
        let mut written = Vec::new();
        for suffix in std::iter::once("").chain(BESIDE) {
            let metadata = if_there(with_suffix(&path, suffix).metadata())?;
            written.extend(metadata.map(|file| file.modified()).transpose()?);
        }
        let is_old = |at: SystemTime| at < before.into() || at > now.into();
        if since.is_some_and(|since| since < before.timestamp_millis())
            && written.into_iter().all(is_old)
        {
            // What belongs to it first, so that an interrupted deletion is found again.
            let mut suffixes = BESIDE.into_iter().chain(std::iter::once(""));
            let removed = suffixes.try_for_each(|suffix| remove(&with_suffix(&path, suffix)));
            forgotten += usize::from(is_gone(removed));
        }
    }
    Ok(forgotten)
}

fn newest_damaged(data_dir: &Path) -> Result<Option<PathBuf>> {
    Ok(damaged(data_dir)?.into_iter().max())
}

/// Every damaged file that was renamed, without its logs.
fn damaged(data_dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = paths_in(data_dir)?;
    found.retain(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| {
            name.starts_with(DAMAGED) && !BESIDE.iter().any(|end| name.ends_with(end))
        })
    });
    Ok(found)
}

/// Puts the newest sound copy at `part`, or an empty file; when the copy was taken. Only a copy that
/// is damaged itself is passed over; any other failure may be gone at the next start.
fn restore(copies: &[backup::Kept], part: &Path) -> Result<Option<DateTime<Utc>>> {
    for kept in copies {
        empty(part)?;
        let copied = if check::length(&kept.path)? == 0 {
            Err(StoreError::Damaged)
        } else {
            backup::copy(&kept.path, part)
        };
        match copied {
            Ok(()) => return Ok(Some(kept.taken_at)),
            Err(StoreError::Damaged) => {
                tracing::warn!(number = kept.number, "a copy of the desk's file is damaged");
            }
            Err(other) => return Err(other),
        }
    }
    empty(part)?;
    Ok(None)
}

/// A new and empty file, whatever an interrupted attempt left there.
fn empty(part: &Path) -> Result<()> {
    remove_database(part)?;
    make_file(part).map(drop)
}

/// What a person must look at: what was not finished in the copy or went on after it, as the damaged
/// file knew it last, and everything that only the damaged file had.
fn pending(restored: Entries, mut read: Entries) -> Vec<RescuedRow> {
    let mut pending = Vec::new();
    for (id, mut entry) in restored.by_id {
        let mut needs_a_look = is_open(entry.state);
        if let Some(newer) = read.by_id.remove(&id) {
            needs_a_look |= newer.state != entry.state || newer.contract_id != entry.contract_id;
            entry.state = newer.state;
            entry.contract_id = newer.contract_id;
        }
        if needs_a_look {
            entry.in_backup = true;
            pending.push(entry);
        }
    }
    pending.extend(read.by_id.into_values());
    let known = restored.ids;
    read.sales.retain(|number, _| !known.contains_key(number));
    pending.extend(read.sales.into_values());
    pending
}

/// Whether a restored entry would have gone on by itself.
fn is_open(state: SubmissionState) -> bool {
    match state {
        SubmissionState::Draft
        | SubmissionState::Queued
        | SubmissionState::InFlight
        | SubmissionState::Held
        | SubmissionState::Unknown => true,
        SubmissionState::Accepted
        | SubmissionState::Confirmed
        | SubmissionState::Rejected
        | SubmissionState::NeedsPerson
        | SubmissionState::Cancelled => false,
    }
}

#[cfg(test)]
#[path = "opening_tests.rs"]
mod tests;
