//! Files and folders of the desk: made for this user alone, and really on the disk.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::Result;

/// Makes a folder that only this user may enter.
pub fn make_folder(folder: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    Ok(builder.create(folder)?)
}

/// Makes a file that only this user may read, before SQLite would make it for everyone; its
/// write-ahead log takes over the same permissions.
pub fn make_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    open_private(options.read(true).write(true).truncate(false), path)
}

/// Appends to a file that only this user may read, in one write; makes it when it is missing.
pub fn append(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = open_private(OpenOptions::new().append(true), path)?;
    Ok(file.write_all(bytes)?)
}

/// Opens a file that only this user may read; makes it when it is missing.
fn open_private(options: &mut OpenOptions, path: &Path) -> Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    Ok(options.create(true).open(path)?)
}

/// Makes what was renamed in a folder survive a loss of power.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    // Only Unix lets a folder be opened, and only there is it needed.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    let _ = folder;
    Ok(())
}

/// Makes what was written to a file survive a loss of power.
pub(crate) fn sync_file(path: &Path) -> Result<()> {
    // Some systems flush only what was opened for writing.
    Ok(File::options().write(true).open(path)?.sync_all()?)
}

pub(crate) fn paths_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

/// What came of a file or folder; `None` where there is none.
pub(crate) fn if_there<T>(done: std::io::Result<T>) -> Result<Option<T>> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        done => Ok(Some(done?)),
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<()> {
    if_there(std::fs::remove_file(path)).map(drop)
}

/// Removes what can be removed of these files; how many. One that stays, for instance because a scanner
/// has it open, is for the log.
pub(crate) fn remove_all(paths: impl IntoIterator<Item = PathBuf>) -> usize {
    paths
        .into_iter()
        .filter(|path| is_gone(remove(path)))
        .count()
}

/// Whether a file was removed. One that stays goes at a later time.
pub(crate) fn is_gone(removed: Result<()>) -> bool {
    removed
        .inspect_err(|error| tracing::warn!(%error, "an old file could not be deleted"))
        .is_ok()
}

/// Removes a database with the logs that belong to it.
pub(crate) fn remove_database(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        remove(&with_suffix(path, suffix))?;
    }
    Ok(())
}

/// A file's name with more at its end.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
