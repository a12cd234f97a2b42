//! Which servers the program may contact: those of its profiles, and those a person approved.
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

use crate::error::UiError;
use crate::window;

struct Words {
    title: &'static str,
    question: &'static str,
    yes: &'static str,
    no: &'static str,
    cancel: &'static str,
}

const ENGLISH: Words = Words {
    title: "Connect to a new server?",
    question: "Warranty Desk is about to connect to this server for the first time. It will get the access \
               token and the contracts that you register. Continue only if this is the address your \
               provider gave you.",
    yes: "Connect",
    no: "Don't connect",
    cancel: "Cancel",
};

const JAPANESE: Words = Words {
    title: "新しい接続先の確認",
    question: "Warranty Desk は次のサーバーへ初めて接続します。アクセストークンと、登録する契約の内容が送信されます。\
               提供元から案内されたアドレスと同じ場合だけ続けてください。",
    yes: "接続する",
    no: "接続しない",
    cancel: "キャンセル",
};

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
        let Some(server) = desk.new_server(draft).await? else {
            return Ok(());
        };
        let mut approved = self.0.lock().await;
        if approved.contains(&server.origin()) {
            return Ok(());
        }
        let language = desk.settings().await?.language;
        if !ask(app, language, &server.host()).await {
            return Err(UiError::not_confirmed());
        }
        approved.insert(server.origin());
        Ok(())
    }
}

/// Asks in the chosen language, or in both while none is chosen.
async fn ask(app: &AppHandle, language: Option<Language>, host: &str) -> bool {
    let words = match language {
        Some(Language::En) => &ENGLISH,
        Some(Language::Ja) | None => &JAPANESE,
    };
    let mut text = format!("{host}\n\n{}", words.question);
    if language.is_none() {
        text = format!("{text}\n\n{}", ENGLISH.question);
    }
    // The first button has the focus and must not be yes: a barcode scanner ends its input with Enter.
    // Escape and closing the dialog count as cancel.
    let [no, yes, cancel] = [words.no, words.yes, words.cancel].map(str::to_owned);
    let buttons = MessageDialogButtons::YesNoCancelCustom(no, yes, cancel);
    let dialog = app
        .dialog()
        .message(text)
        .title(words.title)
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
    matches!(receiver.await, Ok(MessageDialogResult::Custom(pressed)) if pressed == words.yes)
}
