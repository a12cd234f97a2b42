//! The system's dialogs for saving a file.
//!
//! Only a person chooses a path. The page receives the name of the saved file, never its folder.

use std::path::{Path, PathBuf};

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

use crate::window;

/// Asks where to save a file; `None` when the person cancels. The dialog suggests `name` and a file type with
/// this extension, and asks before it replaces an existing file.
pub async fn ask(
    app: &AppHandle,
    title: &str,
    name: &str,
    (file_type, extension): (&str, &str),
) -> Option<PathBuf> {
    if let Some(folder) = folder_for_tests() {
        return Some(folder.join(name));
    }
    let dialog = dialog(app, title).set_file_name(name);
    let dialog = dialog.add_filter(file_type, &[extension]);
    chosen_path(|answer| dialog.save_file(answer)).await
}

/// A file dialog of the system, modal to the window.
pub fn dialog(app: &AppHandle, title: &str) -> FileDialogBuilder<tauri::Wry> {
    let dialog = app.dialog().file().set_title(title);
    match app.get_webview_window(window::MAIN) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

/// Opens a dialog, which passes on the answer, and returns the chosen path; `None` when the person cancels.
pub async fn chosen_path(
    open: impl FnOnce(Box<dyn FnOnce(Option<FilePath>) + Send>),
) -> Option<PathBuf> {
    let (sender, receiver) = oneshot::channel();
    open(Box::new(|chosen| {
        // The receiver is gone when the page was closed in the meantime.
        let _ = sender.send(chosen);
    }));
    receiver.await.ok().flatten()?.into_path().ok()
}

/// The folder that replaces the dialog in tests, which cannot operate it. Debug builds only, and only
/// when the environment names one.
fn folder_for_tests() -> Option<PathBuf> {
    if cfg!(debug_assertions) {
        std::env::var_os("WARRANTY_DESK_SAVES_INTO").map(PathBuf::from)
    } else {
        None
    }
}

/// The file name without its folder, because the page must not know the folder.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
