//! Where the desk's files are when nobody says otherwise.
//!
//! Owns one path, so that the window and wdesk can never mean two different folders.

use std::path::PathBuf;

/// The data folder of this user: `warranty-desk` in `$XDG_DATA_HOME` or `~/.local/share` on Linux,
/// in `%APPDATA%` on Windows, in `~/Library/Application Support` on macOS. `None` when the system
/// names no such place, for instance without a home. The folder need not exist yet.
#[must_use]
pub fn default_data_dir() -> Option<PathBuf> {
    dirs::data_dir().map(|folder| folder.join("warranty-desk"))
}
