//! The default data folder, shared by the window and wdesk.

use std::path::PathBuf;

/// The data folder of this user: `warranty-desk` in `$XDG_DATA_HOME` or `~/.local/share` on Linux, in
/// `%LOCALAPPDATA%` on Windows, which is not copied to a server when a person logs off, and in
/// `~/Library/Application Support` on macOS. `None` when the system has no such folder, for instance
/// without a home. It need not exist yet.
#[must_use]
pub fn default_data_dir() -> Option<PathBuf> {
    dirs::data_local_dir().map(|folder| folder.join("warranty-desk"))
}
