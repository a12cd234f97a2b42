//! The policy of this computer: where it lies, and the last good one when it cannot be relied on.

mod folders;
#[cfg(unix)]
mod preferences;
#[cfg(windows)]
mod registry;
#[cfg(any(windows, test))]
mod registry_values;
#[cfg(test)]
mod templates_tests;

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

pub use folders::{PolicyFolders, text_of};
pub use warranty_model::policy::*;

use warranty_api::{NetworkSettings, ProxyChoice, certificates};
use warranty_files::private_file::{self, Existing};
use warranty_model::policy::store_id::{ClosedReason, Computer};

/// The last good policy, in the data folder.
const LAST_GOOD: &str = "policy.json";

/// A source of policies: a folder, the registry, managed preferences.
pub trait PolicySource: Computer + Debug + Send + Sync {
    /// What lies there, what counts least first.
    fn read(&self) -> Vec<PolicyFile>;
    /// Whether only those who may change the policy may change this file.
    fn trusts(&self, file: &Path) -> bool;
}

/// One file of a source, or what stands for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyFile {
    /// How much it counts.
    pub level: Level,
    /// Where it lies.
    pub source: String,
    /// Its text, or why it has none.
    pub text: Result<String, PolicyProblem>,
}

/// The source of this system. Builds for tests may name folders of their own in
/// `WARRANTY_DESK_POLICIES`.
pub fn of_this_computer() -> Arc<dyn PolicySource> {
    match std::env::var_os("WARRANTY_DESK_POLICIES").filter(|_| cfg!(debug_assertions)) {
        Some(root) => Arc::new(PolicyFolders::of_this_user(root.into())),
        None => of_this_system(),
    }
}

#[cfg(windows)]
fn of_this_system() -> Arc<dyn PolicySource> {
    Arc::new(registry::Registry)
}

#[cfg(target_os = "macos")]
fn of_this_system() -> Arc<dyn PolicySource> {
    Arc::new(preferences::Preferences::of_this_computer())
}

#[cfg(not(any(windows, target_os = "macos")))]
fn of_this_system() -> Arc<dyn PolicySource> {
    Arc::new(PolicyFolders::of_this_computer())
}

/// A changed policy is read again after this time, until two readings are the same: a group policy
/// removes values before it writes them.
const BETWEEN_READS: Duration = Duration::from_millis(300);
/// A policy that still changes after so many readings counts, but is not kept as the last good one.
const MOST_READS: u32 = 10;

/// Reads the policy. What cannot be relied on gives way to the last good policy in the data folder,
/// which is kept there when `keeps`. Blocks for some readings when the policy has changed.
pub fn load(source: &dyn PolicySource, data_dir: &Path, keeps: bool) -> PolicyState {
    let place = data_dir.join(LAST_GOOD);
    let last_good = std::fs::read(&place)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Vec<Layer>>(&bytes).ok());
    let mut files = source.read();
    let mut state = parse(&files);
    let changed = |state: &PolicyState| *last_good.as_deref().unwrap_or_default() != state.layers;
    let is_sound = |state: &PolicyState| {
        let mut findings = state.findings.iter();
        !findings.any(|found| found.problem.is_fatal())
    };
    let mut settled = true;
    if keeps && is_sound(&state) && changed(&state) {
        settled = (0..MOST_READS).any(|_| {
            std::thread::sleep(BETWEEN_READS);
            let before = std::mem::replace(&mut files, source.read());
            before == files
        });
        state = parse(&files);
    }
    // Not each time that the policy is compared with what is in use.
    for finding in state.findings.iter().filter(|_| keeps) {
        tracing::warn!(kind = ?finding.problem, "the policy of this computer has a mistake");
    }
    if is_sound(&state) {
        if keeps && settled && changed(&state) {
            let bytes = serde_json::to_vec(&state.layers).unwrap_or_default();
            if let Err(error) = private_file::write(&place, &bytes, Existing::Replace) {
                tracing::warn!(%error, "the policy could not be kept as the last good one");
            }
        }
        return state;
    }
    PolicyState {
        is_last_good: last_good.is_some(),
        is_closed: last_good.is_none(),
        layers: last_good.unwrap_or(state.layers),
        ..state
    }
}

fn parse(files: &[PolicyFile]) -> PolicyState {
    let mut state = PolicyState::default();
    for file in files {
        let (level, source) = (file.level, file.source.clone());
        match &file.text {
            Ok(text) => {
                let (values, findings) = read(&source, text);
                state.findings.extend(findings);
                state.layers.push(Layer {
                    level,
                    source,
                    values,
                });
            }
            Err(problem) => state.findings.push(whole(source, *problem)),
        }
    }
    state
}

/// What is wrong with a source as a whole.
fn whole(source: String, problem: PolicyProblem) -> PolicyFinding {
    PolicyFinding {
        source,
        path: String::new(),
        problem,
        detail: String::new(),
    }
}

/// A managed profile that nothing is sold under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ClosedProfile {
    pub name: String,
    pub reason: ClosedReason,
    /// What cannot be used; shown with the findings of the policy.
    #[serde(skip)]
    pub finding: Option<PolicyFinding>,
}

/// How services are reached by this policy. A file of authorities that cannot be read is a finding, and
/// so is one that others may change.
pub fn network(state: &mut PolicyState, source: &dyn PolicySource) -> NetworkSettings {
    let proxy = state.value::<Proxy>("proxy");
    let tls: Tls = state.value("tls").unwrap_or_default();
    let mut settings = NetworkSettings {
        only_extra_roots: tls.only,
        ..NetworkSettings::default()
    };
    if let Some(Proxy { mode, url, bypass }) = proxy {
        let url = url.and_then(|url| url.parse().ok());
        settings.proxy = match (mode, url) {
            (ProxyMode::Direct, _) => ProxyChoice::Direct,
            (ProxyMode::Fixed, Some(url)) => ProxyChoice::Fixed {
                url,
                bypass: bypass.unwrap_or_default(),
            },
            (ProxyMode::System, _) | (ProxyMode::Fixed, None) => ProxyChoice::System,
        };
    }
    for file in tls.extra_roots {
        // A path of another system would be looked for where the program was started.
        let path = Some(Path::new(&file)).filter(|path| path.is_absolute());
        let read = path.map_or(Err(PolicyProblem::Unreadable), |path| linked(path, source));
        let finding = match read.map(|pem| certificates(&pem)) {
            Ok(Some(found)) => {
                settings.extra_roots.extend(found);
                continue;
            }
            Ok(None) => PolicyFinding {
                detail: "no certificate authority can be read".to_owned(),
                ..whole(file, PolicyProblem::Unreadable)
            },
            Err(problem) => whole(file, problem),
        };
        state.findings.push(PolicyFinding {
            path: "tls.extraRoots".to_owned(),
            ..finding
        });
    }
    settings
}

/// The bytes of a file that only those may change who may change the policy. A link counts as what it
/// leads to: the certificates in `/etc/ssl/certs` are links.
fn linked(file: &Path, source: &dyn PolicySource) -> Result<Vec<u8>, PolicyProblem> {
    let unreadable = |_| PolicyProblem::Unreadable;
    // On Windows only the folders for programs are known to be safe, and certificates lie elsewhere.
    if cfg!(windows) {
        return folders::bytes(file).map_err(unreadable);
    }
    let file = file.canonicalize().map_err(unreadable)?;
    if !source.trusts(&file) {
        return Err(PolicyProblem::NotTrusted);
    }
    folders::bytes(&file).map_err(unreadable)
}

/// The name of this computer; empty where the system tells none.
pub fn host_name() -> String {
    whoami::hostname().unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::path::PathBuf;

    use super::*;

    struct Place {
        _folder: tempfile::TempDir,
        root: PathBuf,
        data: PathBuf,
    }

    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let (root, data) = (folder.path().join("policies"), folder.path().join("data"));
        fs::create_dir_all(root.join("managed")).unwrap();
        fs::create_dir(&data).unwrap();
        Place {
            _folder: folder,
            root,
            data,
        }
    }

    impl Place {
        fn write(&self, name: &str, text: &str) {
            fs::write(self.root.join("managed").join(name), text).unwrap();
        }
        fn load(&self) -> PolicyState {
            let folders = PolicyFolders::of_this_user(self.root.clone());
            load(&folders, &self.data, true)
        }
    }

    #[test]
    fn a_mistake_leaves_the_last_good_policy_in_force() {
        let place = place();
        place.write("10.json", r#"{ "profilesLocked": true }"#);
        assert_eq!(place.load().mandatory("profilesLocked"), Some(true));
        for wrong in ["{", r#"{ "profilesLocked": 1 }"#] {
            place.write("10.json", wrong);
            let state = place.load();
            assert!(state.is_last_good && !state.is_closed, "{wrong}");
            assert_eq!(state.mandatory("profilesLocked"), Some(true));
            assert_eq!(state.findings.len(), 1);
        }
        // A policy that was taken away is no mistake.
        fs::remove_file(place.root.join("managed/10.json")).unwrap();
        assert_eq!(place.load(), PolicyState::default());
        place.write("10.json", "{");
        assert!(place.load().is_last_good);
    }

    #[test]
    fn a_file_of_authorities_that_somebody_else_may_change_does_not_count() {
        use std::os::unix::fs::PermissionsExt as _;

        let place = place();
        let (file, link) = (place.root.join("a.pem"), place.data.join("link.pem"));
        fs::write(&file, include_str!("../../../../setup/authority.pem")).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let policy = serde_json::json!({ "tls": { "extraRoots": [&link] } });
        place.write("10.json", &policy.to_string());
        for (mode, roots, problem) in [
            (0o644, 1, None),
            (0o666, 0, Some(PolicyProblem::NotTrusted)),
        ] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let mut state = place.load();
            let folders = PolicyFolders::of_this_user(place.root.clone());
            let settings = network(&mut state, &folders);
            assert_eq!(settings.extra_roots.len(), roots);
            assert_eq!(state.findings.first().map(|found| found.problem), problem);
        }
    }

    #[test]
    fn live_selling_is_closed_where_there_never_was_a_good_policy() {
        let place = place();
        place.write("10.json", "{");
        assert!(place.load().is_closed);
    }
}
