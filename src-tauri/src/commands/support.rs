//! What helps when something does not work: a check of this computer, and the support bundle.

use serde::Serialize;
use tauri::AppHandle;
use warranty_core::doctor::Diagnosis;
use warranty_core::files::private_file::Existing;
use warranty_core::organization::PolicyReport;
use warranty_core::support::Entry;
use warranty_messages::ErrorCode;

use crate::picked_file::{name_of, pick_to_save};

/// Most of a file that the page shows, in bytes.
const SHOWN: usize = 256 * 1024;

/// A file of the bundle, as the page shows it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BundleFile {
    pub name: String,
    /// Its size in bytes, at most `u32::MAX`.
    pub bytes: u32,
    /// Its beginning, at most 256 KiB.
    pub text: String,
    /// Whether there is more of it.
    pub cut: bool,
}

impl BundleFile {
    fn of(file: &Entry) -> Self {
        let shown = file.bytes.len().min(SHOWN);
        Self {
            name: file.name.clone(),
            bytes: u32::try_from(file.bytes.len()).unwrap_or(u32::MAX),
            text: String::from_utf8_lossy(&file.bytes[..shown]).into_owned(),
            cut: shown < file.bytes.len(),
        }
    }
}

commands! {
    /// What the organization set for this computer, and what counts of it.
    fn policy(desk) -> PolicyReport = desk.policy().await?;

    /// Finds out what works on this computer and at the service of the selected profile.
    fn diagnose(desk of state) -> Diagnosis = desk.diagnose(&state.data_dir, None).await?;

    /// Collects the files of a support bundle for the page to show; nothing is written.
    fn support_files(desk of state, mask_ids: bool) -> Vec<BundleFile> = {
        let files = desk.support_files(&state.data_dir, None, mask_ids).await?;
        let shown = files.iter().map(BundleFile::of).collect();
        *state.bundle.lock().await = files;
        shown
    };

    /// Writes the files that the page showed last to a file that a person chooses. Returns its name;
    /// `None` when they cancel.
    fn support_save(desk of state, app: AppHandle, title: String) -> Option<String> = {
        let files = state.bundle.lock().await;
        if files.is_empty() {
            return Err(ErrorCode::FileGone.into());
        }
        let today = chrono::Local::now().format("%Y-%m-%d");
        let name = format!("warranty-desk-{today}.zip");
        let Some(path) = pick_to_save(&app, &title, &name).await else {
            return Ok(None);
        };
        desk.write_support_bundle(&files, &path, Existing::Replace)
            .await?;
        Some(name_of(&path))
    };
}
