//! Which servers the program may contact: those of its profiles, and those that a person approved.
//!
//! The page alone cannot make the program contact a new server: a dialog of the system names the host
//! and asks the person.

use std::collections::HashSet;

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{
    DialogExt, MessageDialogButtons, MessageDialogKind, MessageDialogResult,
};
use tokio::sync::{Mutex, oneshot};
use warranty_core::Desk;
use warranty_core::profile::ProfileDraft;
use warranty_core::settings::Language;
use warranty_messages::{ErrorCode, text};

use crate::error::UiError;
use crate::window;

/// Origins that a person approved since the program started. The lock is held while the dialog is open,
/// so there is one dialog at a time.
#[derive(Debug, Default)]
pub struct ApprovedServers(Mutex<HashSet<String>>);

impl ApprovedServers {
    /// Asks a person to approve the server of a draft, unless a profile already uses it or it was
    /// approved before. An invalid draft passes: the call that follows rejects it.
    ///
    /// # Errors
    /// When the person declines, or the database cannot be read.
    pub async fn require(
        &self,
        app: &AppHandle,
        desk: &Desk,
        draft: &ProfileDraft,
    ) -> Result<(), UiError> {
        let Some(server) = desk.profiles.new_server(draft).await? else {
            return Ok(());
        };
        let mut approved = self.0.lock().await;
        if approved.contains(&server.origin()) {
            return Ok(());
        }
        let language = desk.settings().await?.language;
        if !ask(app, language, &server.host()).await {
            return Err(ErrorCode::NotConfirmed.into());
        }
        approved.insert(server.origin());
        Ok(())
    }
}

/// Asks in the selected language, or in both if none is selected.
async fn ask(app: &AppHandle, language: Option<Language>, host: &str) -> bool {
    let first = language.unwrap_or(Language::Ja);
    let mut message = format!("{host}\n\n{}", text(first, "serverApproval.question", &[]));
    if language.is_none() {
        message.push_str("\n\n");
        message.push_str(&text(Language::En, "serverApproval.question", &[]));
    }
    let yes = text(first, "serverApproval.yes", &[]);
    let no = text(first, "serverApproval.no", &[]);
    let cancel = text(first, "serverApproval.cancel", &[]);
    // The first button has the focus and must not be yes: a barcode scanner ends its input with Enter.
    // Escape and closing the dialog count as cancel.
    let buttons = MessageDialogButtons::YesNoCancelCustom(no, yes.clone(), cancel);
    let dialog = app
        .dialog()
        .message(message)
        .title(text(first, "serverApproval.title", &[]))
        .kind(MessageDialogKind::Warning)
        .buttons(buttons);
    let dialog = match app.get_webview_window(window::MAIN) {
        Some(window) => dialog.parent(&window),
        None => dialog,
    };
    let (sender, receiver) = oneshot::channel();
    dialog.show_with_result(|pressed| {
        // The receiver is gone when the page was closed in the meantime.
        let _ = sender.send(pressed);
    });
    matches!(receiver.await, Ok(MessageDialogResult::Custom(pressed)) if pressed == yes)
}
