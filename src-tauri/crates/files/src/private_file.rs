//! A file that only this user may read, put in place whole.
//!
//! Owns how rows with customers reach the disk: written beside their place, and moved there only
//! when all of them are on the disk.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is written: it may be the only copy.
    Refuse,
    /// It is replaced at the end; a person was asked.
    Replace,
}

/// A file being written. Dropped before [`PrivateFile::finish`], it leaves nothing behind.
#[derive(Debug)]
pub struct PrivateFile {
    target: PathBuf,
    existing: Existing,
    part: PathBuf,
    file: BufWriter<File>,
}

/// Sees to it before anything is done that a file can be put at `path`.
///
/// # Errors
/// The system's own; `AlreadyExists` when anything is there, even a broken link.
pub fn try_place(path: &Path) -> io::Result<()> {
    drop(PrivateFile::create(path, Existing::Refuse)?);
    Ok(())
}

/// Writes a file beside its place, for this user alone, and then puts it there.
///
/// # Errors
/// As [`try_place`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = PrivateFile::create(path, Existing::Refuse)?;
    file.write_all(bytes)?;
    file.finish()
}

impl PrivateFile {
    /// Begins a file beside its place.
    ///
    /// # Errors
    /// The system's own; `AlreadyExists` when anything is there that is not to be replaced, and
    /// `IsADirectory` when a folder does.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        free(path, existing)?;
        let part = part_beside(path)?;
        let file = make(&part)?;
        Ok(Self {
            target: path.to_owned(),
            existing,
            part,
            file: BufWriter::with_capacity(64 * 1024, file),
        })
    }

    /// Puts the file at its place, all of it on the disk.
    ///
    /// # Errors
    /// The system's own; `AlreadyExists` when something was put there meanwhile.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        match self.existing {
            Existing::Replace => {
                free(&self.target, self.existing)?;
                fs::rename(&self.part, &self.target)
            }
            Existing::Refuse => match fs::hard_link(&self.part, &self.target) {
                Ok(()) => fs::remove_file(&self.part),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
                // A file system without links: looked at once more, and moved.
                Err(_) => free(&self.target, self.existing)
                    .and_then(|()| fs::rename(&self.part, &self.target)),
            },
        }
    }
}

impl Write for PrivateFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        // Moved already, or it cannot be removed: then it holds nothing its owner may not read.
        let _ = fs::remove_file(&self.part);
    }
}

fn free(path: &Path, existing: Existing) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "a folder stands there; name a file",
        )),
        Ok(_) if existing == Existing::Replace => Ok(()),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "something stands there already; name another file",
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn part_beside(target: &Path) -> io::Result<PathBuf> {
    let name = target
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
    let mut part = OsString::from(".");
    part.push(name);
    part.push(format!(".{}.part", Uuid::new_v4()));
    Ok(target.with_file_name(part))
}

fn make(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_file_with_customers_is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rejected.csv");
        write(&path, b"rows").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"rows");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_stands_there_already_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rejected.csv");
        let late = PrivateFile::create(&path, Existing::Refuse).unwrap();
        fs::write(&path, "before").unwrap();
        for taken in [path.as_path(), folder.path()] {
            assert!(try_place(taken).is_err());
            assert!(write(taken, b"rows").is_err());
        }
        assert!(late.finish().is_err());
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_to_be_replaced_is_whole_until_the_new_one_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        fs::write(&path, "before").unwrap();
        let mut half = PrivateFile::create(&path, Existing::Replace).unwrap();
        half.write_all(b"half").unwrap();
        drop(half);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        let mut new = PrivateFile::create(&path, Existing::Replace).unwrap();
        new.write_all(b"new").unwrap();
        new.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(PrivateFile::create(folder.path(), Existing::Replace).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_nowhere_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), &link).unwrap();
        assert!(write(&link, b"rows").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn trying_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        try_place(&folder.path().join("new.csv")).unwrap();
        assert!(try_place(&folder.path().join("nowhere").join("new.csv")).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
