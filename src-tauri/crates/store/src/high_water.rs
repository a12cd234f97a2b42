//! The high-water mark of `desk.db`: how many steps of sales and leads the file has taken, and the
//! copy of that number in a file of its own in `backup/`.
//!
//! Owns the order that distinguishes a file put back from one whose process was killed: the mark grows in
//! the transaction of a step, the copy is written once that is durable and before success is reported,
//! so before a byte is sent. A copy is therefore never ahead of its own file. While there are many
//! steps, the copy is synced to the disk at most once a second, and the last of them when the system
//! writes it: after a power failure it may lag by that much, as the one in the keychain may.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use super::files::{make_file, make_folder, sync_folder};
use crate::query::{Query as _, Read};
use crate::{Result, Store};

/// How the text of a copy begins.
const KIND: &str = "warranty-desk-high-water";
/// The file in `backup/`.
pub(super) const NAME: &str = "high-water";
/// Shortest time between two syncs to the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// A copy is shorter than this; it fits into one sector of any disk.
const LONGEST: u64 = 256;

/// How far a data folder has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub folder: String,
    /// How many steps.
    pub value: i64,
}

impl Mark {
    /// Of the file itself.
    pub(super) fn of(connection: &Connection) -> Read<Self> {
        Self::read_by(connection, "SELECT folder, mark FROM high_water")
    }

    fn read_by(connection: &Connection, sql: &str) -> Read<Self> {
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_row([], |row| {
            Ok(Self {
                folder: row.get(0)?,
                value: row.get(1)?,
            })
        })
    }

    /// Whether a file with this mark lacks steps that a copy outside has seen. A copy that has
    /// seen none is evidence of nothing, whatever folder it names.
    pub fn is_behind(&self, outside: &Self) -> bool {
        outside.value > 0 && (self.folder != outside.folder || self.value < outside.value)
    }

    /// Brings the file ahead of a copy outside, as the same folder.
    pub(super) fn overtake(&self, connection: &Connection) -> Read<()> {
        let sql = "UPDATE high_water SET folder = ?1, mark = MAX(mark, ?2) + 1,
             kept = CASE folder WHEN ?1 THEN MAX(kept, ?2) ELSE ?2 END";
        let values = params![self.folder, self.value];
        connection.change(sql, values).map(drop)
    }

    fn text(&self) -> String {
        // Of one length, so that a copy is written over in place.
        format!("{KIND} {} {:020}\n", self.folder, self.value)
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let mut word = || words.next();
        if word()? != KIND {
            return None;
        }
        Some(Self {
            folder: word()?.to_owned(),
            value: word()?.parse().ok()?,
        })
    }
}

impl Store {
    pub async fn mark(&self) -> Result<Mark> {
        self.call(Mark::of).await
    }

    /// Up to where the file knows the copy in the keychain. Steps that were taken before that copy
    /// was compared do not hide that the file is behind it.
    pub async fn keychain_mark(&self) -> Result<Mark> {
        self.call(|connection| Mark::read_by(connection, "SELECT folder, kept FROM high_water"))
            .await
    }

    /// Notes that the keychain is about to be given the mark of this value: first, so that a
    /// process that is killed in between leaves no copy that the file does not know.
    pub async fn note_keychain_mark(&self, value: i64) -> Result<()> {
        let sql = "UPDATE high_water SET kept = MAX(kept, ?1)";
        self.change(sql, [value]).await.map(drop)
    }
}

/// The copy in `backup/`, open.
#[derive(Debug)]
pub struct Copy {
    path: PathBuf,
    file: Mutex<Written>,
    failed: AtomicBool,
}

#[derive(Debug)]
struct Written {
    file: File,
    /// What was written last.
    mark: Option<Mark>,
    synced: Option<Instant>,
}

impl Copy {
    /// Opens the copy of a data folder, made when missing, and what it says. One that cannot be
    /// read says nothing.
    pub(super) fn open(data_dir: &Path) -> Result<(Self, Option<Mark>)> {
        let path = data_dir.join("backup").join(NAME);
        let file = make(&path)?;
        let mut text = String::new();
        let read = (&file).take(LONGEST).read_to_string(&mut text);
        let found = read.ok().and_then(|_| Mark::read(&text));
        if found.is_none() && !text.is_empty() {
            tracing::warn!("the high-water mark beside the desk's file cannot be read");
        }
        let copy = Self {
            path,
            file: Mutex::new(Written {
                file,
                mark: found.clone(),
                synced: None,
            }),
            failed: AtomicBool::new(false),
        };
        Ok((copy, found))
    }

    /// Writes a mark. That it could not be written stops nothing: the step itself is
    /// durable, and people are warned as they are of a copy that failed.
    pub(super) fn keep(&self, mark: &Mark) {
        let written = self.write(mark);
        if let Err(error) = &written {
            tracing::error!(%error, "the high-water mark could not be written");
        }
        self.failed.store(written.is_err(), Ordering::SeqCst);
    }

    /// Whether it could not be written last.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    fn write(&self, mark: &Mark) -> Result<()> {
        let mut kept = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.mark.as_ref() == Some(mark) {
            return Ok(());
        }
        kept.mark = None;
        if !self.path.exists() {
            // The folder was removed while this process works.
            kept.file = make(&self.path)?;
            kept.synced = None;
        }
        let file = &mut kept.file;
        file.rewind()
            .and_then(|()| file.write_all(mark.text().as_bytes()))?;
        if kept.synced.is_none_or(|at| at.elapsed() >= SYNC_EVERY) {
            kept.file.sync_data()?;
            kept.synced = Some(Instant::now());
        }
        kept.mark = Some(mark.clone());
        Ok(())
    }
}

/// The file, durably in its folder.
fn make(path: &Path) -> Result<File> {
    let folder = path.parent().unwrap_or(path);
    make_folder(folder)?;
    let file = make_file(path)?;
    sync_folder(folder)?;
    Ok(file)
}

/// What the copy of a data folder says, without opening it to write.
pub(super) fn beside(data_dir: &Path) -> Option<Mark> {
    let text = std::fs::read_to_string(data_dir.join("backup").join(NAME)).ok()?;
    Mark::read(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(folder: &str, value: i64) -> Mark {
        Mark {
            folder: folder.to_owned(),
            value,
        }
    }

    #[test]
    fn a_mark_comes_back_from_its_copy_and_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (copy, found) = Copy::open(folder.path()).unwrap();
        assert_eq!(found, None);
        for value in [7, 1_000_000, 12] {
            copy.keep(&mark("a", value));
            assert_eq!(beside(folder.path()), Some(mark("a", value)));
        }
        // It is made again when its folder was removed meanwhile.
        std::fs::remove_dir_all(folder.path().join("backup")).unwrap();
        copy.keep(&mark("a", 13));
        assert_eq!(Copy::open(folder.path()).unwrap().1, Some(mark("a", 13)));
    }

    #[test]
    fn a_file_is_behind_a_copy_that_has_seen_more_or_another_folder_at_work() {
        let own = mark("a", 5);
        assert!(own.is_behind(&mark("a", 6)));
        assert!(own.is_behind(&mark("b", 1)));
        assert!(!own.is_behind(&mark("a", 5)));
        assert!(!own.is_behind(&mark("a", 4)));
        assert!(!own.is_behind(&mark("b", 0)));
    }

    #[test]
    fn a_copy_that_cannot_be_read_says_nothing() {
        for text in ["", "\0\0\0", "warranty-desk-high-water a", "else a 5"] {
            assert_eq!(Mark::read(text), None, "{text}");
        }
    }
}
