//! Events sent to the front end.

use serde::{Deserialize, Serialize};
use tauri::AppHandle;
use tauri_specta::Event;
use tokio::sync::broadcast::error::RecvError;
use warranty_core::Desk;
use warranty_core::notice::Notice;

use crate::picked_file::ChosenFile;

/// A notice of the desk, forwarded unchanged.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type, Event)]
pub struct DeskNotice(pub Notice);

/// A file is held over the window, or was dropped on it.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type, Event)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum FileDrag {
    /// It can be dropped here.
    Over,
    Left,
    /// It was dropped and is now the picked file.
    Dropped {
        file: ChosenFile,
    },
    /// Something other than one file was dropped; it is ignored.
    NotOneFile,
}

/// Forwards the desk's notices to the page until the desk closes.
pub fn forward(app: &AppHandle, desk: &Desk) {
    let app = app.clone();
    let mut notices = desk.notices();
    tauri::async_runtime::spawn(async move {
        let mut missed = false;
        loop {
            match notices.recv().await {
                Ok(mut notice) => {
                    name_nothing_after_a_gap(&mut notice, &mut missed);
                    if let Err(error) = DeskNotice(notice).emit(&app) {
                        tracing::warn!(%error, "a notice did not reach the screen");
                        missed = true;
                    }
                }
                // The next notices carry the newest counts.
                Err(RecvError::Lagged(_)) => missed = true,
                Err(RecvError::Closed) => break,
            }
        }
    });
}

/// After missed notices, the next one must not say what changed, so that the page reads everything.
fn name_nothing_after_a_gap(notice: &mut Notice, missed: &mut bool) {
    if let Notice::OutboxChanged { changed } = notice
        && std::mem::take(missed)
    {
        *changed = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_missed_notices_reads_everything_once() {
        let named = || Notice::OutboxChanged {
            changed: Some(vec!["entry".to_owned()]),
        };
        let mut missed = true;
        let mut rescue = Notice::RescueFound;
        name_nothing_after_a_gap(&mut rescue, &mut missed);
        let (mut first, mut second) = (named(), named());
        name_nothing_after_a_gap(&mut first, &mut missed);
        name_nothing_after_a_gap(&mut second, &mut missed);
        assert!(matches!(first, Notice::OutboxChanged { changed: None }));
        assert_eq!(second, named());
    }
}
