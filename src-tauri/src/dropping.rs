//! Files dropped on the window.
//!
//! The web view itself never sees them: the system hands their places to the program, which takes
//! one file and tells the page its name.

use std::path::PathBuf;

use tauri::{AppHandle, DragDropEvent, Manager, WebviewWindow, WindowEvent};
use tauri_specta::Event;

use crate::events::FileDrag;
use crate::state::Shared;

/// Hears what is dragged over the window and dropped on it.
pub fn listen(window: &WebviewWindow) {
    let app = window.app_handle().clone();
    window.on_window_event(move |event| {
        if let WindowEvent::DragDrop(drag) = event
            && let Some(told) = told(&app, drag)
            && let Err(error) = told.emit(&app)
        {
            tracing::warn!(%error, "a dropped file did not reach the page");
        }
    });
}

fn told(app: &AppHandle, drag: &DragDropEvent) -> Option<FileDrag> {
    match drag {
        // What is dragged within the page has no place on the disk.
        DragDropEvent::Enter { paths, .. } => (!paths.is_empty()).then_some(FileDrag::Over),
        DragDropEvent::Drop { paths, .. } if paths.is_empty() => Some(FileDrag::Left),
        DragDropEvent::Drop { paths, .. } => Some(match one_file(paths) {
            Some(path) => FileDrag::Dropped {
                file: app.state::<Shared>().chosen().take(path),
            },
            None => FileDrag::NotOneFile,
        }),
        DragDropEvent::Leave => Some(FileDrag::Left),
        // It comes with every movement of the mouse and says nothing new.
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
    #![allow(clippy::unwrap_used)]

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
