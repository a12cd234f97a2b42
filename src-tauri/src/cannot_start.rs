//! The WebView2 runtime, which draws the page on Windows. The installers do not fetch it.

use rfd::{MessageDialog, MessageLevel};

use crate::question::spoken;

/// Says in a dialog of the system that it is missing, since nothing else can be shown.
pub fn say_it_is_missing() {
    // The settings, and with them the language, are read later.
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title(spoken(None, " / ", "webviewMissing.title", &[]))
        .set_description(spoken(None, "\n\n", "webviewMissing.text", &[]))
        .show();
}
