//! A question that a dialog of the system asks, because the page alone must not answer it.

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{
    DialogExt, MessageDialogBuilder, MessageDialogButtons, MessageDialogKind, MessageDialogResult,
};
use tokio::sync::oneshot;
use warranty_core::settings::Language;
use warranty_messages::{Values, text};

use crate::window;

/// A text in the selected language, or in both if none is selected.
pub fn spoken(language: Option<Language>, between: &str, key: &str, values: &Values<'_>) -> String {
    match language {
        Some(language) => text(language, key, values),
        None => [Language::Ja, Language::En]
            .map(|language| text(language, key, values))
            .join(between),
    }
}

/// Asks about a subject in the selected language, or in both if none is selected. `true` for yes. The texts
/// are `title`, `question`, `yes`, `no` and `cancel` of this group of the translation.
pub async fn ask(app: &AppHandle, language: Option<Language>, group: &str, subject: &str) -> bool {
    let line = |name| spoken(language, " / ", &format!("{group}.{name}"), &[]);
    let asked = spoken(language, "\n\n", &format!("{group}.question"), &[]);
    let yes = line("yes");
    // The first button has the focus and must not be yes: a barcode scanner ends its input with Enter.
    // Escape and closing the dialog count as cancel.
    let buttons = MessageDialogButtons::YesNoCancelCustom(line("no"), yes.clone(), line("cancel"));
    let dialog = dialog(app, line("title"), format!("{subject}\n\n{asked}")).buttons(buttons);
    let (sender, receiver) = oneshot::channel();
    dialog.show_with_result(|pressed| {
        // The receiver is gone when the page was closed in the meantime.
        let _ = sender.send(pressed);
    });
    matches!(receiver.await, Ok(MessageDialogResult::Custom(pressed)) if pressed == yes)
}

/// A dialog of the system above the window.
pub fn dialog(app: &AppHandle, title: String, message: String) -> MessageDialogBuilder<tauri::Wry> {
    let dialog = app.dialog().message(message).title(title);
    let dialog = dialog.kind(MessageDialogKind::Warning);
    match app.get_webview_window(window::MAIN) {
        Some(window) => dialog.parent(&window),
        None => dialog,
    }
}
