//! Why the program cannot start, in a dialog of the system (Windows): there is no window, and no console.

use rfd::{MessageDialog, MessageLevel};

use crate::question::spoken;

/// Shows a text of this group, with the system's own words below it.
pub fn say(key: &str, detail: &str) {
    // The settings, and with them the language, are read later.
    let text = spoken(None, "\n\n", &format!("cannotStart.{key}"), &[]);
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title(spoken(None, " / ", "cannotStart.title", &[]))
        .set_description(format!("{text}\n\n{detail}"))
        .show();
}
