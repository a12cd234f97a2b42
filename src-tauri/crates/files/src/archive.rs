//! Writes a ZIP archive that only this user can read.

use std::io::{self, Cursor, Write as _};
use std::path::Path;

use zip::write::{SimpleFileOptions, ZipWriter};

use crate::WriteError;
use crate::private_file::{self, Existing};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name, with `/` between folders.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Writes an archive.
///
/// # Errors
/// [`WriteError`]; then there is no file.
pub fn write(path: &Path, entries: &[Entry], existing: Existing) -> Result<(), WriteError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        archive
            .start_file(entry.name.as_str(), SimpleFileOptions::default())
            .map_err(io::Error::other)?;
        archive.write_all(&entry.bytes)?;
    }
    let archive = archive.finish().map_err(io::Error::other)?;
    Ok(private_file::write(path, archive.get_ref(), existing)?)
}
