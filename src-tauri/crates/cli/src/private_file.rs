//! A file that only this user may read, put in place whole.
//!
//! Owns how rejected rows, which hold customers, reach the disk.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use warranty_core::clock::{Ids, SystemIds};

/// Sees to it before anything is done that a file can be put at `path`, and that it is not `source`.
///
/// # Errors
/// The system's own; `InvalidInput` for the source itself and for what is no regular file.
pub fn try_place(path: &Path, source: &Path) -> io::Result<()> {
    if path.try_exists()? && path.canonicalize()? == source.canonicalize()? {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is the file to be entered",
        ));
    }
    let part = part_beside(&target(path)?)?;
    drop(create(&part)?);
    fs::remove_file(part)
}

/// Writes a file beside its place, for this user alone, and then puts it there: one that stood
/// there before takes its permissions along.
///
/// # Errors
/// As [`try_place`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target(path)?;
    let part = part_beside(&target)?;
    let written = create(&part)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&part, &target));
    if written.is_err() {
        // What cannot be removed holds nothing that its owner may not read.
        let _ = fs::remove_file(&part);
    }
    written
}

/// The place itself, where `path` is a link to it.
fn target(path: &Path) -> io::Result<PathBuf> {
    if !path.try_exists()? {
        return Ok(path.to_owned());
    }
    let target = path.canonicalize()?;
    if fs::metadata(&target)?.is_file() {
        Ok(target)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        ))
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
    fn a_file_others_could_read_is_for_this_user_alone_once_customers_are_in_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rejected.csv");
        fs::write(&path, "before, and longer than what comes").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        write(&path, b"rows").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"rows");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_followed_and_what_is_no_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, b"rows").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"rows");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(write(folder.path(), b"rows").is_err());
        assert!(try_place(Path::new("/dev/null"), &real).is_err());
    }

    #[test]
    fn trying_leaves_nothing_behind_and_finds_the_source_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("sales.csv");
        fs::write(&source, "sales").unwrap();
        try_place(&folder.path().join("new.csv"), &source).unwrap();
        assert!(try_place(&folder.path().join(".").join("sales.csv"), &source).is_err());
        assert!(try_place(&folder.path().join("nowhere").join("new.csv"), &source).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read(&source).unwrap(), b"sales");
    }
}
