//! Where a person wants a file to be.
//!
//! Owns that only a person names a place: the system's own dialog asks, and the page hears a file's
//! name afterwards and never a path.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder};
use tokio::sync::oneshot;

use crate::window;

/// A file to be put somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// What the dialog is about.
    pub title: &'static str,
    /// A name for the file, with its ending.
    pub name: String,
    /// What files of its kind are called there.
    pub kind: &'static str,
    /// Its ending, without the dot.
    pub ending: &'static str,
}

/// Asks the person at the window; `None` when they want it nowhere. The dialog asks by itself before
/// something that is there already is replaced.
pub async fn ask(app: &AppHandle, wanted: &Wanted) -> Option<PathBuf> {
    if let Some(folder) = rehearsed() {
        return Some(folder.join(&wanted.name));
    }
    let dialog = dialog(app, wanted.title)
        .set_file_name(&wanted.name)
        .add_filter(wanted.kind, &[wanted.ending]);
    saved_by(dialog).await
}

/// A dialog of the system's own, over the window.
pub fn dialog(app: &AppHandle, title: &str) -> FileDialogBuilder<tauri::Wry> {
    let dialog = app.dialog().file().set_title(title);
    match app.get_webview_window(window::MAIN) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

/// The place a person chooses in a dialog; `None` when they chose none.
pub async fn saved_by(dialog: FileDialogBuilder<tauri::Wry>) -> Option<PathBuf> {
    let (tell, told) = oneshot::channel();
    dialog.save_file(|chosen| {
        // Nobody waits any more when the page was left in between.
        let _ = tell.send(chosen);
    });
    told.await.ok().flatten()?.into_path().ok()
}

/// The folder that answers instead of the dialog, which no test can press: in builds for tests
/// alone, and only where the environment names one.
fn rehearsed() -> Option<PathBuf> {
    if cfg!(debug_assertions) {
        std::env::var_os("WARRANTY_DESK_SAVES_INTO").map(PathBuf::from)
    } else {
        None
    }
}

/// The name of a file without its folder: all that the page may know of it.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
