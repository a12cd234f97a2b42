//! The file a person picked in the system's dialog or dropped on the window, and the dialogs for files.
//!
//! Owns the paths. Only a person chooses one: the page gets a name and a number; it never sends a path,
//! so it can read no file that a person did not pick.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

use warranty_messages::ErrorCode;

use crate::window;

/// Extensions of files of rows. Linux compares them case-sensitively.
const EXTENSIONS: &[&str] = &[
    "csv", "CSV", "tsv", "TSV", "txt", "TXT", "xlsx", "XLSX", "xlsm", "XLSM",
];

/// A picked file as the page sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChosenFile {
    /// Identifies the file until another one is picked.
    pub number: u32,
    /// Its name, without the folder.
    pub name: String,
    /// Its size in bytes, at most `u32::MAX`.
    pub bytes: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedRows {
    /// Its name, without the folder.
    pub name: String,
    pub rows: u32,
    /// In how many of them the customer, or the note of a lead, is empty because it could not be read.
    pub unread_customers: u32,
}

impl SavedRows {
    /// The name and the numbers for the page.
    pub fn new(path: &Path, rows: u64, unread_customers: u64) -> Self {
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            name: name_of(path),
            rows: number(rows),
            unread_customers: number(unread_customers),
        }
    }
}

/// The file picked last. The page works with one file at a time, so earlier ones are dropped.
#[derive(Debug, Default)]
pub struct PickedFile(Mutex<Option<(u32, PathBuf)>>);

impl PickedFile {
    /// Stores a file and gives it a number.
    pub fn set(&self, path: PathBuf) -> ChosenFile {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = last
            .as_ref()
            .map_or(1, |(number, _)| number.wrapping_add(1));
        let file = ChosenFile {
            number,
            name: name_of(&path),
            bytes: std::fs::metadata(&path)
                .map_or(0, |facts| u32::try_from(facts.len()).unwrap_or(u32::MAX)),
        };
        *last = Some((number, path));
        file
    }

    /// The path of the file with this number; [`ErrorCode::FileGone`] once another file was picked.
    pub fn path(&self, number: u32) -> Result<PathBuf, ErrorCode> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref()
            .filter(|(known, _)| *known == number)
            .map(|(_, path)| path.clone())
            .ok_or(ErrorCode::FileGone)
    }
}

/// Asks for a file of rows to open; `None` when the person cancels.
pub async fn pick_to_open(app: &AppHandle, title: &str) -> Option<PathBuf> {
    let dialog = dialog(app, title)
        .add_filter("CSV, Excel", EXTENSIONS)
        .add_filter("*", &["*"]);
    chosen_path(|answer| dialog.pick_file(answer)).await
}

/// Asks where to save a file, by this name unless the person types another; `None` when they cancel. The
/// dialog asks before it replaces an existing file.
pub async fn pick_to_save(app: &AppHandle, title: &str, name: &str) -> Option<PathBuf> {
    let dialog = dialog(app, title).set_file_name(name);
    chosen_path(|answer| dialog.save_file(answer)).await
}

/// A file dialog of the system, modal to the window.
fn dialog(app: &AppHandle, title: &str) -> FileDialogBuilder<tauri::Wry> {
    let dialog = app.dialog().file().set_title(title);
    match app.get_webview_window(window::MAIN) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

/// Opens a dialog, which passes on the answer, and returns the chosen path; `None` when the person cancels.
async fn chosen_path(
    open: impl FnOnce(Box<dyn FnOnce(Option<FilePath>) + Send>),
) -> Option<PathBuf> {
    let (sender, receiver) = oneshot::channel();
    open(Box::new(|chosen| {
        // The receiver is gone when the page was closed in the meantime.
        let _ = sender.send(chosen);
    }));
    receiver.await.ok().flatten()?.into_path().ok()
}

/// The file name without its folder, which the page has no use for.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::PickedFile;

    #[test]
    fn the_page_knows_a_file_by_name_and_number_and_never_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("売上.csv");
        std::fs::write(&path, "planId\n").unwrap();
        let picked = PickedFile::default();
        let file = picked.set(path.clone());
        assert_eq!((file.name.as_str(), file.bytes), ("売上.csv", 7));
        assert!(
            !serde_json::to_string(&file)
                .unwrap()
                .contains(folder.path().to_str().unwrap())
        );
        assert_eq!(picked.path(file.number), Ok(path));
    }

    #[test]
    fn a_number_identifies_its_own_file_and_no_later_one() {
        let picked = PickedFile::default();
        let first = picked.set(PathBuf::from("/first.csv"));
        let second = picked.set(PathBuf::from("/second.csv"));
        assert!(picked.path(first.number).is_err());
        assert_eq!(picked.path(second.number), Ok(PathBuf::from("/second.csv")));
    }
}
