//! Files dropped on the window.
//!
//! The system passes their paths to the program, which accepts one file and sends its name to the page.
//! Tauri's own events hold the paths too, and a page that listened to them would learn them; ours does
//! not listen, and no command takes a path.

use std::path::PathBuf;

use tauri::{AppHandle, DragDropEvent, Manager, WebviewWindow, WindowEvent};
use tauri_specta::Event;

use crate::events::FileDrag;
use crate::state::AppState;

/// Handles the drag and drop events of the window.
pub fn listen(window: &WebviewWindow) {
    let app = window.app_handle().clone();
    window.on_window_event(move |event| {
        if let WindowEvent::DragDrop(drag) = event
            && let Some(event) = page_event(&app, drag)
            && let Err(error) = event.emit(&app)
        {
            tracing::warn!(%error, "a dropped file did not reach the page");
        }
    });
}

fn page_event(app: &AppHandle, drag: &DragDropEvent) -> Option<FileDrag> {
    match drag {
        // A drag within the page has no path.
        DragDropEvent::Enter { paths, .. } => (!paths.is_empty()).then_some(FileDrag::Over),
        DragDropEvent::Drop { paths, .. } if paths.is_empty() => Some(FileDrag::Left),
        DragDropEvent::Drop { paths, .. } => Some(match one_file(paths) {
            Some(path) => FileDrag::Dropped {
                file: app.state::<AppState>().picked_file.set(path),
            },
            None => FileDrag::NotOneFile,
        }),
        DragDropEvent::Leave => Some(FileDrag::Left),
        // Sent at every movement of the mouse; it carries nothing new.
        DragDropEvent::Over { .. } => None,
        _ => None,
    }
}

fn one_file(paths: &[PathBuf]) -> Option<PathBuf> {
    match paths {
        [path] if path.is_file() => Some(path.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::one_file;

    #[test]
    fn one_file_is_taken_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        std::fs::write(&file, "x").unwrap();
        assert_eq!(one_file(std::slice::from_ref(&file)), Some(file.clone()));
        assert_eq!(one_file(&[file.clone(), file]), None, "which one?");
        assert_eq!(one_file(&[folder.path().to_owned()]), None, "a folder");
        assert_eq!(one_file(&[folder.path().join("gone.csv")]), None);
    }
}
