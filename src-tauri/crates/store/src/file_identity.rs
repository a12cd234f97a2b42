//! Whether the file being worked with still is the one that the next start will find.
//!
//! Owns the rule that a change in a file that was removed or replaced meanwhile is not durable,
//! however well SQLite wrote it.

use std::io::{self, ErrorKind::NotADirectory, ErrorKind::NotFound};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Result;

/// Where the file was when it was opened. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Place {
    path: Arc<PathBuf>,
    identity: Identity,
}

/// What distinguishes a file from another of its name.
#[cfg(unix)]
type Identity = (u64, u64);
/// Here a file that is open cannot be removed.
#[cfg(not(unix))]
type Identity = ();

impl Place {
    /// The place of a file, which must be there.
    pub(super) fn of(path: &Path) -> Result<Self> {
        Ok(Self {
            identity: identity(path)?,
            path: Arc::new(path.to_owned()),
        })
    }

    /// Fails when the file is missing or was replaced. Where that cannot be seen now,
    /// what SQLite says of a change holds.
    pub(super) fn check(&self) -> Result<()> {
        self.judge(identity(&self.path))
    }

    fn judge(&self, found: io::Result<Identity>) -> Result<()> {
        match found {
            Ok(identity) if identity == self.identity => Ok(()),
            Ok(_) => Err(io::Error::other("its database was replaced while it was open").into()),
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Err(error.into()),
            Err(error) => {
                tracing::warn!(%error, "the desk's file could not be looked at");
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let data = std::fs::metadata(path)?;
    Ok((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    std::fs::metadata(path).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_that_is_gone_or_replaced_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        std::fs::write(&path, "one").unwrap();
        let place = Place::of(&path).unwrap();
        assert!(place.check().is_ok());
        // The old file stays in being, so that the new one is another.
        std::fs::rename(&path, folder.path().join("old.db")).unwrap();
        assert!(place.check().is_err());
        std::fs::write(&path, "two").unwrap();
        assert!(place.check().is_err());
    }

    #[test]
    fn a_look_that_fails_says_nothing_against_what_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        std::fs::write(&path, "one").unwrap();
        let place = Place::of(&path).unwrap();
        for passing in [io::ErrorKind::PermissionDenied, io::ErrorKind::Interrupted] {
            assert!(place.judge(Err(passing.into())).is_ok(), "{passing}");
        }
        assert!(place.judge(Err(NotFound.into())).is_err());
    }
}
