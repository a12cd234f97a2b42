//! Copies of `desk.db` in the folder `backup` beside it: made whole or not at all, checked before
//! they count, the newest few kept.
//!
//! Knows nothing of when a copy is due. All of it blocks, and belongs on a blocking thread.

use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ffi};

use super::connection::{READ_ONLY, READ_WRITE};
use super::files::{
    if_there, make_file, make_folder, paths_in, remove, remove_all, sync_file, sync_folder,
};
use super::high_water::Mark;
use crate::query::Query as _;
use crate::{BUSY, Result, StoreError, check, recovery_reports};

const KEPT: usize = 3;
/// The moment in the name of a copy, and of a file that was set aside, in UTC.
pub(super) const MOMENT: &str = "%Y%m%dT%H%M%SZ";
/// What the name of a copy begins with that was taken before the file took steps of a newer version.
const BEFORE_STEPS: &str = "before-";
/// Such a copy is kept for so long.
const BEFORE_STEPS_KEPT: TimeDelta = TimeDelta::days(14);

/// Where copies of one file lie.
#[derive(Debug, Clone)]
pub struct Backups {
    source: PathBuf,
    folder: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub path: PathBuf,
    /// Counts up with every copy: a clock that was wrong changes nothing about which is newest.
    pub number: u32,
    /// When it was taken, by the clock of that moment.
    pub taken_at: DateTime<Utc>,
}

impl Backups {
    /// The copies of the `desk.db` in this data folder.
    pub fn of(data_dir: &Path) -> Self {
        Self {
            source: data_dir.join("desk.db"),
            folder: data_dir.join("backup"),
        }
    }

    /// The copies there are, newest first.
    ///
    /// # Errors
    /// Whatever keeps the folder from being read, unless there is none.
    pub fn found(&self) -> Result<Vec<Kept>> {
        let files = if_there(paths_in(&self.folder))?.unwrap_or_default();
        let mut found: Vec<Kept> = files.into_iter().filter_map(kept).collect();
        found.sort_by_key(|kept| std::cmp::Reverse(kept.number));
        Ok(found)
    }

    /// The same; none when they cannot be listed.
    pub fn all(&self) -> Vec<Kept> {
        self.found().unwrap_or_default()
    }

    /// Takes a copy while the file is in use, and deletes the oldest; those from
    /// before a rescue stay until a person has seen its report.
    ///
    /// # Errors
    /// What the disk or SQLite said; the copies there were are as before. An old one that cannot be
    /// deleted is no error.
    pub fn take(&self, at: DateTime<Utc>) -> Result<()> {
        let before = self.found()?;
        let number = before.first().map_or(0, |newest| newest.number) + 1;
        self.take_as(&format!("desk-{number:08}-{}.db", at.format(MOMENT)))?;
        let protected = self.protected()?;
        let after = before.into_iter().filter(|kept| kept.number > protected);
        remove_all(after.skip(KEPT - 1).map(|kept| kept.path));
        self.forget_before_steps(|_, taken| taken < at - BEFORE_STEPS_KEPT)?;
        Ok(())
    }

    fn take_as(&self, name: &str) -> Result<()> {
        make_folder(&self.folder)?;
        let part = self.folder.join("desk.part");
        remove(&part)?;
        drop(make_file(&part)?);
        copy(&self.source, &part)?;
        std::fs::rename(&part, self.folder.join(name))?;
        sync_folder(&self.folder)
    }

    /// Deletes copies from before steps, by name and moment; how many.
    fn forget_before_steps(&self, goes: impl Fn(&str, DateTime<Utc>) -> bool) -> Result<usize> {
        let mut paths = if_there(paths_in(&self.folder))?.unwrap_or_default();
        paths.retain(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            let found = name.zip(before_steps_at(path));
            found.is_some_and(|(name, taken)| goes(name, taken))
        });
        Ok(remove_all(paths))
    }

    /// Deletes copies taken before a moment, with the customers in them; the newest stays, and so do
    /// those from before a rescue whose report no person has seen.
    pub fn forget(&self, before: DateTime<Utc>) -> Result<usize> {
        let protected = self.protected()?;
        let old = self.found()?.into_iter().skip(1);
        let old = old.filter(|kept| kept.taken_at < before && kept.number > protected);
        let forgotten = remove_all(old.map(|kept| kept.path));
        Ok(self.forget_before_steps(|_, taken| taken < before)? + forgotten)
    }

    /// The newest copy that must stay for a person, by its number.
    fn protected(&self) -> Result<u32> {
        let connection = read_only(&self.source)?;
        Ok(recovery_reports::protected(&connection)?)
    }

    /// Whether no copy has everything that is in the file, or the newest is older than `age`.
    pub fn is_behind(&self, now: DateTime<Utc>, age: TimeDelta) -> bool {
        let own = lines(&self.source);
        let all = self.all();
        let Some(newest) = all.first() else {
            return own > Some(0);
        };
        let old = now.signed_duration_since(newest.taken_at);
        old > age || old < TimeDelta::zero() || lines(&newest.path) < own
    }
}

/// Copies a file that has taken so many steps and is about to take more, in place of the copy that an
/// earlier try left. Where that fails, the file must not take them.
pub(super) fn keep_before_steps(file: &Path, steps: usize, at: DateTime<Utc>) -> Result<()> {
    let backups = Backups::of(file.parent().unwrap_or(file));
    let tried = format!("{BEFORE_STEPS}{steps}-");
    let name = format!("{tried}{}.db", at.format(MOMENT));
    backups.take_as(&name)?;
    backups.forget_before_steps(|other, _| other.starts_with(&tried) && other != name)?;
    Ok(())
}

/// How many lines its journal has had: it grows with everything that matters. `None` when it
/// cannot be read.
fn lines(path: &Path) -> Option<i64> {
    let sql = "SELECT COALESCE(MAX(number), 0) FROM journal";
    read_only(path).ok()?.value(sql, []).ok()
}

/// The high-water mark of a copy; `None` when it cannot be read.
pub(super) fn mark(path: &Path) -> Option<Mark> {
    Mark::of(&read_only(path).ok()?).ok()
}

/// Copies a database into an empty file, as of one moment, and checks the copy.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    let source = read_only(from)?;
    match copied(&source, to) {
        // A copy can fail alone: the file is damaged where its own check says so.
        Err(StoreError::Damaged) => {
            check::whole(&source)?;
            Err(StoreError::Sqlite("the new copy is damaged".to_owned()))
        }
        done => done,
    }
}

fn copied(source: &Connection, to: &Path) -> Result<()> {
    let mut target = Connection::open_with_flags(to, READ_WRITE)?;
    let stepped = Backup::new(source, &mut target).and_then(|backup| backup.step(-1));
    if stepped? != StepResult::Done {
        let busy = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None);
        return Err(busy.into());
    }
    // The copy is complete: no log belongs to it.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    check::whole(&target)?;
    drop(target);
    sync_file(to)
}

pub(super) fn read_only(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, READ_ONLY)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

#[cfg(unix)]
pub(super) fn is_name_of_copy(name: &str) -> bool {
    kept(PathBuf::from(name)).is_some() || before_steps_at(Path::new(name)).is_some()
}

/// What a file's name says of it; `None` for one that is no copy.
fn kept(path: PathBuf) -> Option<Kept> {
    let name = path.file_name()?.to_str()?;
    let (number, moment) = name
        .strip_prefix("desk-")?
        .strip_suffix(".db")?
        .split_once('-')?;
    let number = number.parse().ok()?;
    let taken_at = moment_of(moment)?;
    Some(Kept {
        path,
        number,
        taken_at,
    })
}

/// When a copy from before steps was taken; `None` for another file.
fn before_steps_at(path: &Path) -> Option<DateTime<Utc>> {
    let name = path.file_name()?.to_str()?;
    let rest = name.strip_prefix(BEFORE_STEPS)?.strip_suffix(".db")?;
    moment_of(rest.split_once('-')?.1)
}

fn moment_of(text: &str) -> Option<DateTime<Utc>> {
    let moment = NaiveDateTime::parse_from_str(text, MOMENT).ok()?;
    Some(moment.and_utc())
}
