//! A second start of the program: it brings the window to the front, and nothing else is opened.
//!
//! A person who started it for another data folder is told which one is open: the other one may be for
//! practice. After the window was closed, the folder asked for is opened once this program has ended.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tauri::{AppHandle, Manager};
use warranty_core::settings::Language;

use crate::question::{dialog, spoken};
use crate::state::AppState;
use crate::{shutdown, window};

/// The program was started again, for this data folder.
pub fn happened(app: &AppHandle, asked: &Path) {
    if !window::raise(app) && shutdown::start_afterwards(app, asked) {
        return;
    }
    // The window is there, or it is still being made.
    let open = app.try_state::<AppState>();
    let open = open.map(|state| state.data_dir.clone());
    if let Some(open) = open.filter(|open| is_another(open, asked)) {
        say_which_is_open(app.clone(), open);
    }
}

fn is_another(open: &Path, asked: &Path) -> bool {
    // The folder itself, whatever names or links lead to it.
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    real(asked) != real(open)
}

fn say_which_is_open(app: AppHandle, open: PathBuf) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if SAID.swap(true, Ordering::SeqCst) {
        return;
    }
    tauri::async_runtime::spawn(async move {
        let language = app.state::<AppState>().language().await;
        let title = spoken(language, " / ", "secondStart.title", &[]);
        let dialog = dialog(&app, title, what_is_open(language, &open));
        dialog.show(|_| SAID.store(false, Ordering::SeqCst));
    });
}

fn what_is_open(language: Option<Language>, open: &Path) -> String {
    let folder = open.display();
    spoken(language, "\n\n", "secondStart.what", &[("folder", &folder)])
}

#[cfg(test)]
mod tests {
    use warranty_core::settings::Language;

    use super::{Path, is_another, what_is_open};

    #[test]
    fn another_data_folder_is_told_from_the_open_one_however_that_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let open = parent.path().join("open");
        std::fs::create_dir(&open).unwrap();
        for (asked, expected) in [
            ("open", false),
            ("open/../open/", false),
            ("other", true),
            ("open/practice", true),
        ] {
            let found = is_another(&open, &parent.path().join(asked));
            assert_eq!(found, expected, "{asked}");
        }
    }

    #[test]
    fn the_open_folder_is_named_in_each_language() {
        for language in [None, Some(Language::En), Some(Language::Ja)] {
            let said = what_is_open(language, Path::new("/shop/live"));
            let named = said.matches("\n/shop/live").count();
            assert_eq!(named, language.map_or(2, |_| 1), "{said}");
        }
    }
}
