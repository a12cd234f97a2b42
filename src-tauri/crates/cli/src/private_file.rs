//! A file that only this user may read, put in place whole.
//!
//! Owns how rejected rows, which hold customers, reach the disk.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use warranty_core::clock::{Ids, SystemIds};

/// Sees to it before anything is done that a file can be put at `path`.
///
/// # Errors
/// The system's own; `AlreadyExists` when anything stands there, be it a link to nowhere: what a
/// person has there may be the only copy.
pub fn try_place(path: &Path) -> io::Result<()> {
    free(path)?;
    let part = part_beside(path)?;
    drop(create(&part)?);
    fs::remove_file(part)
}

/// Writes a file beside its place, for this user alone, and then puts it there.
///
/// # Errors
/// As [`try_place`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    free(path)?;
    let part = part_beside(path)?;
    let written = create(&part)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| put(&part, path));
    if written.is_err() {
        // What cannot be removed holds nothing that its owner may not read.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Puts the part at its place, unless something has come to stand there meanwhile.
fn put(part: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(part, path) {
        Ok(()) => fs::remove_file(part),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without links: looked at once more, and moved.
        Err(_) => free(path).and_then(|()| fs::rename(part, path)),
    }
}

fn free(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
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
    part.push(format!(".{}.part", SystemIds.uuid()));
    Ok(target.with_file_name(part))
}

fn create(path: &Path) -> io::Result<fs::File> {
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
        fs::write(&path, "before").unwrap();
        for taken in [path.as_path(), folder.path()] {
            assert!(try_place(taken).is_err());
            assert!(write(taken, b"rows").is_err());
        }
        let part = part_beside(&path).unwrap();
        fs::write(&part, "rows").unwrap();
        assert!(put(&part, &path).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"before");
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
