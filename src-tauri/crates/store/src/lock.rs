//! The lock of a data folder: one process writes.
//!
//! Owns that the lock cannot be taken a second time by removing a file. On Unix it is on the folder
//! itself, which stays while anything is in it; elsewhere on a file that cannot be removed while it
//! is open. `desk.lock` is locked everywhere, for versions that know nothing else.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::files::make_file;
use crate::Result;

/// Held while this process may write.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
    #[cfg(unix)]
    _folder: File,
}

impl FolderLock {
    /// Takes the lock; `None` when another process has it.
    pub fn take(folder: &Path) -> Result<Option<Self>> {
        #[cfg(unix)]
        let Some(_folder) = lock(File::open(folder)?)? else {
            return Ok(None);
        };
        let file = lock(lock_file(&folder.join("desk.lock"))?)?;
        Ok(file.map(|_file| Self {
            _file,
            #[cfg(unix)]
            _folder,
        }))
    }
}

#[cfg(not(windows))]
fn lock_file(path: &Path) -> Result<File> {
    make_file(path)
}

#[cfg(windows)]
fn lock_file(path: &Path) -> Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// To read and to write, and not to remove.
    const SHARED: u32 = 1 | 2;
    drop(make_file(path)?);
    Ok(File::options()
        .read(true)
        .write(true)
        .share_mode(SHARED)
        .open(path)?)
}

fn lock(file: File) -> Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
