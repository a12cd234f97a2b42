//! Which servers the program may contact: those of its profiles, and those a person has confirmed.
//!
//! Owns that the page alone never makes the program contact another one. The system's own dialog
//! asks, in words of the program's own, and names the host.

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

/// Title, question about a host, and the answers: yes, no, and what closing the dialog counts as.
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

/// Origins a person confirmed since the program started. Held while a person is asked, so that one
/// dialog is open at a time.
#[derive(Debug, Default)]
pub struct Hosts(Mutex<HashSet<String>>);

impl Hosts {
    /// Has a person confirm the server of a draft, unless a profile here has it already or a person
    /// confirmed it before. A draft that cannot be used is left to whoever reads it next.
    ///
    /// # Errors
    /// When the person says no; when the desk's own file cannot be read.
    pub async fn confirm(
        &self,
        app: &AppHandle,
        desk: &Desk,
        draft: &ProfileDraft,
    ) -> Result<(), UiError> {
        let Some(server) = desk.new_server(draft).await? else {
            return Ok(());
        };
        let mut confirmed = self.0.lock().await;
        if confirmed.contains(&server.origin()) {
            return Ok(());
        }
        let language = desk.settings().await?.language;
        if !ask(app, language, &server.host()).await {
            return Err(UiError::not_confirmed());
        }
        confirmed.insert(server.origin());
        Ok(())
    }
}

/// Asks the person at the window in their language, or in both while none is chosen.
async fn ask(app: &AppHandle, language: Option<Language>, host: &str) -> bool {
    let words = match language {
        Some(Language::En) => &ENGLISH,
        Some(Language::Ja) | None => &JAPANESE,
    };
    let mut text = format!("{host}\n\n{}", words.question);
    if language.is_none() {
        text = format!("{text}\n\n{}", ENGLISH.question);
    }
    // The first button has the keyboard: the Enter that ends a scan must not connect anything.
    // Escape and the closing of the dialog count as the button for cancelling, which must not be yes.
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
    let (tell, told) = oneshot::channel();
    dialog.show_with_result(|pressed| {
        // Nobody waits any more when the page was left in between.
        let _ = tell.send(pressed);
    });
    matches!(told.await, Ok(MessageDialogResult::Custom(pressed)) if pressed == words.yes)
}
