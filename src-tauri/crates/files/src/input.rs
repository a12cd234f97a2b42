//! Where a file's bytes come from, and whether they are still the same.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{FileError, MAX_BYTES};

/// A file, or bytes that are in memory already.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    File { path: PathBuf, stamp: Stamp },
    Memory(Arc<[u8]>),
}

/// Distinguishes the file that was opened first from a changed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// The bytes of an origin, from their beginning.
pub(super) type Bytes = Box<dyn ReadSeek>;

pub(super) trait ReadSeek: Read + Seek + Send + fmt::Debug {}

impl<T: Read + Seek + Send + fmt::Debug> ReadSeek for T {}

impl Origin {
    pub(super) fn file(path: PathBuf) -> Result<Self, FileError> {
        let data = fs::metadata(&path)?;
        if !data.is_file() && !data.is_dir() {
            return Self::pipe(&path);
        }
        let stamp = stamp(&path)?;
        if stamp.length > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        Ok(Self::File { path, stamp })
    }

    /// A pipe can be read only once, so its bytes are kept in memory.
    fn pipe(path: &Path) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        // One byte more than the maximum, to distinguish a file of exactly the maximum from a larger one.
        let mut pipe = File::open(path)?.take(MAX_BYTES + 1);
        pipe.read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        Ok(Self::Memory(Arc::from(bytes)))
    }

    pub(super) fn open(&self) -> Result<Bytes, FileError> {
        self.unchanged()?;
        match self {
            Self::File { path, .. } => Ok(Box::new(File::open(path)?)),
            Self::Memory(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
        }
    }

    /// [`FileError::Changed`] if the file is no longer the one that was first opened.
    pub(super) fn unchanged(&self) -> Result<(), FileError> {
        match self {
            Self::File { path, stamp: first } => (stamp(path)? == *first)
                .then_some(())
                .ok_or(FileError::Changed),
            Self::Memory(_) => Ok(()),
        }
    }

    /// Replaces a read error by [`FileError::Changed`] if the file has changed.
    pub(super) fn or_changed(&self, error: FileError) -> FileError {
        self.unchanged().err().unwrap_or(error)
    }
}

fn stamp(path: &Path) -> io::Result<Stamp> {
    let data = fs::metadata(path)?;
    if data.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(Stamp {
        length: data.len(),
        modified: data.modified().ok(),
    })
}
