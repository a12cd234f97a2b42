//! The default data folder, shared by the window and wdesk.

use std::path::PathBuf;

/// The data folder of this user: `warranty-desk` in `$XDG_DATA_HOME` or `~/.local/share` on Linux,
/// in `%LOCALAPPDATA%` on Windows, which is not copied to a server when the user signs out, and in
/// `~/Library/Application Support` on macOS. `None` when the system has no such folder, for
/// instance for a user without a home folder. The folder may not exist yet.
pub fn default_data_dir() -> Option<PathBuf> {
    dirs::data_local_dir().map(|folder| folder.join("warranty-desk"))
}
