//! The support bundle: what somebody elsewhere needs to see what is wrong, from a list of what may be
//! told.
//!
//! Owns that list. Databases, keys, customers, request bodies and transactions are not on it. Texts
//! that a person typed into the journal or that the service wrote are left out, and users of the
//! computer are numbers.

use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use warranty_api::ProductReference;
use warranty_files::archive;
pub use warranty_files::archive::Entry;
use warranty_files::private_file::Existing;
use warranty_runtime::log;
use warranty_store::backup::Backups;
use warranty_store::data_folder::{LOGS, take_logs};

use crate::profile::Profile;
use crate::{Desk, Result};

/// Newest attempts in the bundle.
const ATTEMPTS: u32 = 500;
/// Newest imports and submitted sheets in the bundle.
const RUNS: u32 = 100;
/// Newest lines of the journal in the bundle.
const JOURNAL: u32 = 1_000;
/// The files whose sizes are told.
const FILES: [&str; 4] = ["desk.db", "desk.db-wal", "cache.db", "practice.db"];

/// Writes what can be told while the desk cannot be opened or read: the code of the error, and the
/// log. Returns the files.
///
/// # Errors
/// [`Error::Write`].
pub fn write_bundle_without_desk(data_dir: &Path, code: &str, path: &Path) -> Result<Vec<Entry>> {
    let error = json!({ "code": code, "bytes": sizes(data_dir), "backups": backups(data_dir) });
    let error = document("error.json", &error);
    let files = bundle(data_dir, Utc::now(), [error]);
    archive::write(path, &files, Existing::Refuse)?;
    Ok(files)
}

impl Desk {
    /// Writes a support bundle of these files and records it in the journal.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub async fn write_support_bundle(
        &self,
        files: &[Entry],
        path: &Path,
        existing: Existing,
    ) -> Result<()> {
        archive::write(path, files, existing)?;
        let context = &self.context;
        let journal = context.journal_write("support.bundled", "bundle", None);
        if let Err(error) = journal.await {
            tracing::warn!(%error, "the journal does not name the support bundle");
        }
        Ok(())
    }

    /// The files of a support bundle, the manifest first. `product` is one to test the store with;
    /// `mask_ids` puts digests in the place of the ids in the journal, other ones in each bundle.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn support_files(
        &self,
        data_dir: &Path,
        product: Option<ProductReference>,
        mask_ids: bool,
    ) -> Result<Vec<Entry>> {
        let store = &self.context.store;
        let made_at = self.context.clock.now();
        let mut doctor = self.diagnose(data_dir, product).await?;
        if let Some(service) = &mut doctor.service {
            // The service's own words.
            service.detail = None;
        }
        let profiles = self.profiles.all().await?;
        let profiles: Vec<Value> = profiles.iter().map(told).collect();
        let documents = [
            document("profiles.json", &profiles),
            document("doctor.json", &doctor),
            document("policy.json", &self.policy().await?),
            document(
                "outbox.json",
                &json!({
                    "states": store.state_counts().await?,
                    "attempts": store.newest_attempts(ATTEMPTS).await?,
                    "runs": store.newest_runs(RUNS).await?,
                    "rescues": store.rescue_counts().await?,
                }),
            ),
            document("journal.json", &self.journal_told(mask_ids).await?),
            document(
                "database.json",
                &json!({
                    "check": store.check_file().await?,
                    "bytes": sizes(data_dir),
                    "backups": backups(data_dir),
                }),
            ),
        ];
        Ok(bundle(data_dir, made_at, documents))
    }

    /// The newest lines of the journal, with numbers for users and without details.
    async fn journal_told(&self, mask_ids: bool) -> Result<Vec<Value>> {
        // Ids are short enough to be guessed from a digest of nothing else.
        let salt = mask_ids.then(|| self.context.ids.uuid());
        let mut users: Vec<String> = Vec::new();
        let lines = self.journal(JOURNAL).await?.into_iter().map(|line| {
            let known = users.iter().position(|user| *user == line.user);
            let user = known.unwrap_or_else(|| {
                users.push(line.user);
                users.len() - 1
            });
            json!({
                "at": line.at,
                "user": user + 1,
                "action": line.action,
                "subject": match salt {
                    None => line.subject,
                    Some(salt) => masked(salt, &line.subject),
                },
            })
        });
        Ok(lines.collect())
    }
}

/// The same for equal ids of one bundle.
fn masked(salt: Uuid, id: &str) -> String {
    let digest = Sha256::new().chain_update(salt).chain_update(id).finalize();
    format!("{digest:x}").chars().take(16).collect()
}

/// These documents between what made them and the log, with the manifest before all.
fn bundle(
    data_dir: &Path,
    made_at: DateTime<Utc>,
    documents: impl IntoIterator<Item = Entry>,
) -> Vec<Entry> {
    let made_at = stamp(made_at);
    let about = json!({
        "madeAt": made_at,
        "version": env!("CARGO_PKG_VERSION"),
        "system": std::env::consts::OS,
        "machine": std::env::consts::ARCH,
    });
    let mut files = vec![document("about.json", &about)];
    files.extend(documents);
    files.extend(logs(data_dir));
    let told = |file: &Entry| {
        json!({
            "name": file.name,
            "bytes": file.bytes.len(),
            "sha256": format!("{:x}", Sha256::digest(&file.bytes)),
        })
    };
    let told: Vec<Value> = files.iter().map(told).collect();
    let manifest = json!({ "madeAt": made_at, "files": told });
    files.insert(0, document("manifest.json", &manifest));
    files
}

fn told(profile: &Profile) -> Value {
    let host = warranty_api::BaseUrl::parse(&profile.base_url).ok();
    json!({
        "id": profile.id,
        "name": profile.name,
        "kind": profile.kind,
        "host": host.map(|address| address.host()),
        "storeId": profile.store_id,
        "facts": profile.facts,
    })
}

fn sizes(data_dir: &Path) -> Value {
    let size = |name: &str| Some(std::fs::metadata(data_dir.join(name)).ok()?.len());
    Value::from_iter(FILES.map(|name| (name, json!(size(name)))))
}

fn backups(data_dir: &Path) -> Vec<Value> {
    let told = |kept: warranty_store::backup::Kept| {
        json!({
            "number": kept.number,
            "takenAt": stamp(kept.taken_at),
            "bytes": std::fs::metadata(&kept.path).ok().map(|found| found.len()),
        })
    };
    Backups::of(data_dir).all().into_iter().map(told).collect()
}

/// The files of the log; one that cannot be read is left out.
fn logs(data_dir: &Path) -> Vec<Entry> {
    if !take_logs(data_dir) {
        return Vec::new();
    }
    let days = log::days(&data_dir.join(LOGS)).unwrap_or_default();
    let file = |(day, _)| {
        let name = format!("{LOGS}/{day}.jsonl");
        let bytes = std::fs::read(data_dir.join(&name)).ok()?;
        Some(Entry { name, bytes })
    };
    days.into_iter().filter_map(file).collect()
}

fn document(name: &str, value: &impl Serialize) -> Entry {
    Entry {
        name: name.to_owned(),
        bytes: serde_json::to_vec_pretty(value).unwrap_or_default(),
    }
}

fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
