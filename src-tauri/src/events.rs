//! Events sent to the front end.

use serde::{Deserialize, Serialize};
use tauri::AppHandle;
use tauri_specta::Event;
use tokio::sync::broadcast::error::RecvError;
use warranty_core::Desk;
use warranty_core::notice::Notice;

use crate::picked_file::ChosenFile;

/// A notice of the desk, passed on as it is.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type, Event)]
pub struct DeskNotice(pub Notice);

/// A file is held over the window, or was dropped on it.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type, Event)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum FileDrag {
    /// It may be dropped.
    Over,
    /// It left the window.
    Left,
    /// It was dropped and is the picked file now.
    Dropped {
        /// The file.
        file: ChosenFile,
    },
    /// Anything but one file was dropped; it is ignored.
    NotOneFile,
}

/// Forwards the desk's notices to the page until the desk closes.
pub fn forward(app: &AppHandle, desk: &Desk) {
    let app = app.clone();
    let mut notices = desk.notices();
    tauri::async_runtime::spawn(async move {
        loop {
            match notices.recv().await {
                Ok(notice) => {
                    if let Err(error) = DeskNotice(notice).emit(&app) {
                        tracing::warn!(%error, "a notice did not reach the screen");
                    }
                }
                // Only the newest counts matter, and the next notice carries them.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break,
            }
        }
    });
}
