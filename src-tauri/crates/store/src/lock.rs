//! The lock of a data folder: one process writes.
//!
//! Owns that the lock cannot be taken a second time by removing a file. On Windows it is on a file that
//! cannot be removed while it is open; elsewhere on the folder itself, which stays while anything is in it.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::Result;

/// Held while this process may write.
#[derive(Debug)]
pub struct FolderLock {
    _locked: File,
}

impl FolderLock {
    /// Takes the lock; `None` when another process has it.
    pub fn take(folder: &Path) -> Result<Option<Self>> {
        let locked = to_lock(folder)?;
        match locked.try_lock() {
            Ok(()) => Ok(Some(Self { _locked: locked })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

#[cfg(not(windows))]
fn to_lock(folder: &Path) -> Result<File> {
    Ok(File::open(folder)?)
}

#[cfg(windows)]
fn to_lock(folder: &Path) -> Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// To read and to write, and not to remove.
    const SHARED: u32 = 1 | 2;
    let path = folder.join("desk.lock");
    drop(crate::files::make_file(&path)?);
    Ok(File::options()
        .read(true)
        .write(true)
        .share_mode(SHARED)
        .open(path)?)
}
