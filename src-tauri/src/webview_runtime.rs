//! The WebView2 runtime, which draws the page on Windows. The installers do not fetch it.

use rfd::{MessageDialog, MessageLevel};

use crate::question::spoken;

/// Whether it is installed. If not, a dialog of the system says so, since nothing else can be shown.
pub fn is_installed() -> bool {
    let Err(error) = tauri::webview_version() else {
        return true;
    };
    tracing::error!(%error, "the WebView2 runtime is missing");
    // The settings, and with them the language, are read later.
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title(spoken(None, " / ", "webviewMissing.title", &[]))
        .set_description(spoken(None, "\n\n", "webviewMissing.text", &[]))
        .show();
    false
}
