//! A policy in the preferences of macOS: those that a profile of the organization forces, and those
//! that an administrator set for all users.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::folders::PolicyFolders;
use super::{Computer, Level, PolicyFile, PolicyFinding, PolicyProblem, PolicySource};

/// The domain of the preferences: the identifier of the program.
const FILE: &str = "app.warrantydesk.plist";

#[derive(Debug)]
pub(super) struct Preferences {
    managed: PolicyFolders,
    recommended: PolicyFolders,
    beside: PolicyFolders,
}

impl Preferences {
    /// Those of this computer, in `/Library`.
    #[cfg_attr(
        not(target_os = "macos"),
        allow(dead_code, reason = "tests read folders of their own")
    )]
    pub(super) fn of_this_computer() -> Self {
        Self::within(Path::new("/Library"), PolicyFolders::of_root)
    }

    fn within(library: &Path, folders: impl Fn(PathBuf) -> PolicyFolders) -> Self {
        Self {
            managed: folders(library.join("Managed Preferences")),
            recommended: folders(library.join("Preferences")),
            beside: folders(library.join("Application Support/Warranty Desk/policies")),
        }
    }

    fn file(level: Level, folders: &PolicyFolders) -> Option<PolicyFile> {
        let path = folders.root.join(FILE);
        if !path.exists() {
            return None;
        }
        Some(PolicyFile {
            level,
            source: path.display().to_string(),
            text: folders.trusted(&path).and_then(|bytes| {
                let values = plist::from_bytes::<Map<String, Value>>(&bytes);
                let mut values = values.map_err(|_| PolicyProblem::Unreadable)?;
                // What names the profile that brought them is no setting.
                values.retain(|key, _| !key.starts_with("Payload"));
                Ok(Value::Object(values).to_string())
            }),
        })
    }
}

impl PolicySource for Preferences {
    fn read(&self) -> Vec<PolicyFile> {
        let files = [
            Self::file(Level::Recommended, &self.recommended),
            Self::file(Level::Mandatory, &self.managed),
        ];
        files.into_iter().flatten().collect()
    }

    fn trusts(&self, file: &Path) -> bool {
        self.beside.trusts(file)
    }
}

impl Computer for Preferences {
    fn table(&self, name: &str) -> Result<Option<String>, PolicyFinding> {
        self.beside.table(name)
    }

    fn variable(&self, _: &str) -> Result<Option<String>, PolicyFinding> {
        // The environment of a Mac has no place of its own for all users.
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::read;

    #[test]
    fn the_sample_for_macos_is_read_as_the_same_policy_in_json() {
        let library = tempfile::tempdir().unwrap();
        let profile = include_bytes!("../../../../packaging/policies/warranty-desk.mobileconfig");
        let profile: plist::Dictionary = plist::from_bytes(profile).unwrap();
        let payload = &profile["PayloadContent"].as_array().unwrap()[0];
        let mut plist = Vec::new();
        payload.to_writer_binary(&mut plist).unwrap();
        for folder in ["Managed Preferences", "Preferences"] {
            std::fs::create_dir(library.path().join(folder)).unwrap();
            std::fs::write(library.path().join(folder).join(FILE), &plist).unwrap();
        }
        let files = Preferences::within(library.path(), PolicyFolders::of_this_user).read();
        assert_eq!(files.len(), 2);
        for file in files {
            let (values, findings) = read(&file.source, &file.text.unwrap());
            assert_eq!(findings, []);
            let linux = include_str!("../../../../packaging/policies/10-shops.json");
            let (mut wanted, findings) = read("json", linux);
            assert_eq!(findings, []);
            wanted["profiles"][0]["storeId"][0] = "table:stores.csv".into();
            assert_eq!(values, wanted);
        }
    }
}
