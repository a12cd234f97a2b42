//! A policy in folders of JSON files, as on Linux.

use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::{Computer, Level, PolicyFile, PolicyFinding, PolicyProblem, PolicySource, whole};

/// Largest file, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The text of a policy, whoever may change the file.
///
/// # Errors
/// When it cannot be read, or is longer than a policy may be.
pub fn text_of(file: &Path) -> io::Result<String> {
    String::from_utf8(bytes(file)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

pub(super) fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file)?;
    if opened.take(MOST_BYTES + 1).read_to_end(&mut bytes)? as u64 > MOST_BYTES {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Folders of JSON files: `managed` and `recommended`, and tables beside them.
#[derive(Debug, Clone)]
pub struct PolicyFolders {
    pub(super) root: PathBuf,
    /// Who alone may change a file that counts.
    #[cfg_attr(
        not(unix),
        allow(dead_code, reason = "only Unix names an owner by a number")
    )]
    owner: u32,
    /// Whether the folders above `root` are checked too.
    whole_path: bool,
}

impl PolicyFolders {
    /// The folders of this computer: `/etc/warranty-desk/policies`. They and all above belong to
    /// root, and nobody else may write them.
    pub fn of_this_computer() -> Self {
        Self {
            root: PathBuf::from("/etc/warranty-desk/policies"),
            owner: 0,
            whole_path: true,
        }
    }

    /// The same rules for another folder of this computer.
    #[cfg(unix)]
    pub(super) fn of_root(root: PathBuf) -> Self {
        Self {
            root,
            ..Self::of_this_computer()
        }
    }

    /// Folders that this user owns, for tests.
    pub fn of_this_user(root: PathBuf) -> Self {
        #[cfg(unix)]
        let owner = rustix::process::geteuid().as_raw();
        #[cfg(not(unix))]
        let owner = 0;
        Self {
            root,
            owner,
            whole_path: false,
        }
    }

    fn is_trusted(&self, file: &Path) -> bool {
        let above = file.ancestors();
        let mut checked = above.take_while(|path| self.whole_path || path.starts_with(&self.root));
        checked.all(|path| self.is_only_owners(path))
    }

    #[cfg(unix)]
    fn is_only_owners(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;

        // A link could lead to what somebody else may change.
        std::fs::symlink_metadata(path).is_ok_and(|found| {
            !found.is_symlink() && found.uid() == self.owner && found.mode() & 0o022 == 0
        })
    }

    #[cfg(not(unix))]
    fn is_only_owners(&self, _: &Path) -> bool {
        false
    }

    fn text(&self, file: &Path) -> Result<String, PolicyProblem> {
        let bytes = self.trusted(file)?;
        String::from_utf8(bytes).map_err(|_| PolicyProblem::Unreadable)
    }

    /// The text of a file beside the policy; `None` where there is none, and only those who may change
    /// the policy could have taken it away.
    fn beside(&self, file: &Path) -> Result<Option<String>, PolicyFinding> {
        let is_there = |path: &&Path| {
            let found = path.symlink_metadata();
            !found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
        };
        let text = match file.ancestors().find(is_there) {
            Some(above) if above != file && self.is_trusted(above) => return Ok(None),
            _ => self.text(file),
        };
        text.map(Some)
            .map_err(|problem| whole(file.display().to_string(), problem))
    }

    /// The bytes of a file that only those may change who may change the policy.
    pub(super) fn trusted(&self, file: &Path) -> Result<Vec<u8>, PolicyProblem> {
        if !self.is_trusted(file) {
            return Err(PolicyProblem::NotTrusted);
        }
        bytes(file).map_err(|_| PolicyProblem::Unreadable)
    }

    fn files(&self, level: Level, folder: &str) -> Vec<PolicyFile> {
        let folder = self.root.join(folder);
        let failed = |source: &Path| PolicyFile {
            level,
            source: source.display().to_string(),
            text: Err(PolicyProblem::Unreadable),
        };
        let found = match std::fs::read_dir(&folder) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
            Err(_) => return vec![failed(&folder)],
        };
        let mut paths: Vec<PathBuf> = found.flatten().map(|file| file.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        paths.sort();
        let file = |path: PathBuf| PolicyFile {
            text: self.text(&path),
            ..failed(&path)
        };
        paths.into_iter().map(file).collect()
    }
}

impl PolicySource for PolicyFolders {
    fn read(&self) -> Vec<PolicyFile> {
        let mut files = self.files(Level::Recommended, "recommended");
        files.extend(self.files(Level::Mandatory, "managed"));
        files
    }

    fn trusts(&self, file: &Path) -> bool {
        let inside = self.whole_path || file.starts_with(&self.root);
        inside && self.is_trusted(file)
    }
}

impl Computer for PolicyFolders {
    #[cfg(unix)]
    fn variable(&self, name: &str) -> Result<Option<String>, PolicyFinding> {
        // A user's own environment could name another store.
        let file = if self.whole_path {
            PathBuf::from("/etc/environment")
        } else {
            self.root.join("environment")
        };
        let text = self.beside(&file)?.unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.trim().split_once('='));
        // `export` is allowed there, as in a shell.
        let key = |found: &str| found.strip_prefix("export ").unwrap_or(found).trim() == name;
        let values = lines.filter(|(found, _)| key(found));
        let values = values.map(|(_, value)| value.trim_matches(['"', '\'']));
        // A name with two values is a list: which of them counts is not for this program to say.
        let values: Vec<&str> = values.collect();
        Ok((!values.is_empty()).then(|| values.join(",")))
    }

    #[cfg(not(unix))]
    fn variable(&self, _: &str) -> Result<Option<String>, PolicyFinding> {
        // The environment of the process is the user's.
        Ok(None)
    }

    fn table(&self, name: &str) -> Result<Option<String>, PolicyFinding> {
        self.beside(&self.root.join(name))
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_that_somebody_else_may_change_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("policies");
        let file = root.join("managed/10.json");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "{}").unwrap();
        let folders = PolicyFolders::of_this_user(root.clone());
        assert_eq!(folders.read()[0].text.as_deref(), Ok("{}"));
        for (path, mode) in [(&file, 0o666), (&root, 0o777)] {
            let before = fs::metadata(path).unwrap().permissions();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(folders.read()[0].text, Err(PolicyProblem::NotTrusted));
            fs::set_permissions(path, before).unwrap();
        }
        // Root owns these files in some runs; then another owner is asked for.
        let other = PolicyFolders {
            owner: 12_345,
            ..folders
        };
        assert_eq!(other.read()[0].text, Err(PolicyProblem::NotTrusted));
    }

    #[test]
    fn a_variable_has_all_of_its_values_also_where_it_is_exported_as_in_a_shell() {
        let folder = tempfile::tempdir().unwrap();
        let folders = PolicyFolders::of_this_user(folder.path().to_owned());
        let text = "STORE='0042'\nOTHER=1\nSTORE=\"0043\"\nexport TILL=S-9\n";
        fs::write(folder.path().join("environment"), text).unwrap();
        for (name, value) in [
            ("STORE", Some("0042,0043")),
            ("TILL", Some("S-9")),
            ("NONE", None),
        ] {
            assert_eq!(folders.variable(name), Ok(value.map(str::to_owned)));
        }
    }
}
