//! A question that a dialog of the system asks, because the page alone must not answer it.

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{
    DialogExt, MessageDialogButtons, MessageDialogKind, MessageDialogResult,
};
use tokio::sync::oneshot;
use warranty_core::settings::Language;
use warranty_messages::{Values, text};

use crate::window;

/// The keys of its texts.
#[derive(Debug)]
pub struct Question {
    pub title: &'static str,
    /// What is asked, below the subject.
    pub text: &'static str,
    /// The button that says yes.
    pub yes: &'static str,
    /// The button that says no, which has the focus.
    pub no: &'static str,
    /// The button that leaves it open.
    pub cancel: &'static str,
}

/// A text in the selected language, or in both if none is selected.
pub fn spoken(language: Option<Language>, between: &str, key: &str, values: &Values<'_>) -> String {
    match language {
        Some(language) => text(language, key, values),
        None => [Language::Ja, Language::En]
            .map(|language| text(language, key, values))
            .join(between),
    }
}

/// Asks about a subject in the selected language, or in both if none is selected. `true` for yes.
pub async fn ask(
    app: &AppHandle,
    language: Option<Language>,
    question: &Question,
    subject: &str,
) -> bool {
    let line = |key| spoken(language, " / ", key, &[]);
    let asked = spoken(language, "\n\n", question.text, &[]);
    let yes = line(question.yes);
    // The first button has the focus and must not be yes: a barcode scanner ends its input with Enter.
    // Escape and closing the dialog count as cancel.
    let buttons = MessageDialogButtons::YesNoCancelCustom(
        line(question.no),
        yes.clone(),
        line(question.cancel),
    );
    let dialog = app
        .dialog()
        .message(format!("{subject}\n\n{asked}"))
        .title(line(question.title))
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
