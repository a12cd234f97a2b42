//! Writes a file that only this user can read, and that is either complete or absent.
//!
//! Rows with customers are written to a temporary file in the same folder, which gets the target
//! name only after all data is on the disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, PathPersistError, TempPath};

/// What to do with a file that exists at the target path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Fail: the existing file may be the only copy.
    Refuse,
    /// Replace it when the new file is complete; the user has confirmed this.
    Replace,
}

/// A file being written. If it is dropped before [`PrivateFile::finish`], no file remains, unless another
/// program of Windows has it open.
#[derive(Debug)]
pub struct PrivateFile {
    target: PathBuf,
    existing: Existing,
    /// Removed when it is dropped, unless it has got the target name.
    part: TempPath,
    file: BufWriter<File>,
}

/// Checks in advance that a file can be created at `path`.
///
/// # Errors
/// The error of the operating system; `AlreadyExists` when anything is there, even a broken link.
pub fn try_place(path: &Path) -> io::Result<()> {
    drop(PrivateFile::create(path, Existing::Refuse)?);
    Ok(())
}

/// Writes a file that only this user can read, through a temporary file.
///
/// # Errors
/// As [`PrivateFile::create`].
pub fn write(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    let mut file = PrivateFile::create(path, existing)?;
    file.write_all(bytes)?;
    file.finish()
}

impl PrivateFile {
    /// Creates the temporary file in the folder of the target.
    ///
    /// # Errors
    /// The error of the operating system; `AlreadyExists` when the target exists and is not to be
    /// replaced, and `IsADirectory` when it is a folder.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        free(path, existing)?;
        let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "it names no file");
        let path = std::path::absolute(path)?;
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(nameless());
        };
        // On Windows this gives the form that may be longer than 260 characters.
        let folder = folder.canonicalize().unwrap_or(folder.to_owned());
        let part = Builder::new()
            .prefix(".")
            .suffix(".part")
            .make_in(&folder, make)?;
        let (file, part) = part.into_parts();
        Ok(Self {
            target: folder.join(name),
            existing,
            part,
            file: BufWriter::with_capacity(64 * 1024, file),
        })
    }

    /// Flushes all data to the disk and gives the file its target name.
    ///
    /// # Errors
    /// The error of the operating system; `AlreadyExists` when the target was created in the
    /// meantime.
    pub fn finish(mut self) -> io::Result<()> {
        let place = self.part.to_path_buf();
        let mut part = Some(self.part);
        let flushed = self.file.flush();
        let durable = flushed.and_then(|()| self.file.get_ref().sync_all());
        let named = durable.and_then(|()| {
            patiently(|| {
                let named = part
                    .take()
                    .map(|part| name(part, &self.target, self.existing));
                named.unwrap_or(Ok(())).map_err(|failed| {
                    part = Some(failed.path);
                    failed.error
                })
            })
        });
        let Err(error) = named else {
            return Ok(());
        };
        match patiently(|| fs::remove_file(&place)) {
            Err(left) if left.kind() != io::ErrorKind::NotFound => {
                let place = place.display();
                let said = format!("{error}; {place} has the data and cannot be removed: {left}");
                Err(io::Error::new(error.kind(), said))
            }
            Ok(()) | Err(_) => Err(error),
        }
    }
}

/// Gives the complete file its target name.
fn name(part: TempPath, target: &Path, existing: Existing) -> Result<(), PathPersistError> {
    let path = match existing {
        Existing::Replace => part,
        Existing::Refuse => match part.persist_noclobber(target) {
            // Some file systems can only rename in a way that replaces the target.
            Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists => failed.path,
            done => return done,
        },
    };
    match free(target, existing) {
        Ok(()) => path.persist(target),
        Err(error) => Err(PathPersistError { error, path }),
    }
}

/// Tries again for a second while another program, such as a scanner, has the file open, which keeps it
/// from being renamed or removed on Windows.
fn patiently(mut act: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let is_held = |error: &io::Error| cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32));
    for _ in 0..20 {
        match act() {
            Err(error) if is_held(&error) => std::thread::sleep(Duration::from_millis(50)),
            done => return done,
        }
    }
    act()
}

impl Write for PrivateFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
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

fn make(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_there_already_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rejected.csv");
        let late = PrivateFile::create(&path, Existing::Refuse).unwrap();
        fs::write(&path, "before").unwrap();
        for taken in [path.as_path(), folder.path()] {
            assert!(try_place(taken).is_err());
            assert!(write(taken, b"rows", Existing::Refuse).is_err());
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
        assert!(write(&link, b"rows", Existing::Refuse).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_may_be_as_long_as_the_system_takes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        write(&path, b"rows", Existing::Refuse).unwrap();
        assert!(write(&path, b"rows", Existing::Refuse).is_err());
        write(&path, b"new", Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
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
