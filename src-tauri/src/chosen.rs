//! The file a person gave to the window, chosen in the system's dialog or dropped on it, and the
//! places they chose to write to.
//!
//! Owns where they are. The page gets a name to show and a number to go on with; it never names a
//! path, and can have nothing read that a person did not give.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tauri::AppHandle;
use tokio::sync::oneshot;

use crate::places::{self, name_of};

/// What files of rows are usually called. Linux tells capitals apart.
const ENDINGS: &[&str] = &[
    "csv", "CSV", "tsv", "TSV", "txt", "TXT", "xlsx", "XLSX", "xlsm", "XLSM",
];

/// A file as the page may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChosenFile {
    /// Stands for the file until another one is given.
    pub number: u32,
    /// Its name, without the folder.
    pub name: String,
    /// Its size in bytes; the largest number there is for all that are larger.
    pub bytes: u32,
}

/// A file that rows were written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedRows {
    /// Its name, without the folder.
    pub name: String,
    /// How many rows it has.
    pub rows: u32,
}

impl SavedRows {
    /// So many rows in the file of this path.
    pub fn new(path: &Path, rows: u64) -> Self {
        Self {
            name: name_of(path),
            rows: u32::try_from(rows).unwrap_or(u32::MAX),
        }
    }
}

/// The file given last. An earlier one is forgotten: the page works with one at a time.
#[derive(Debug, Default)]
pub struct Chosen(Mutex<Option<(u32, PathBuf)>>);

impl Chosen {
    /// Takes a file and gives it a number.
    pub fn take(&self, path: PathBuf) -> ChosenFile {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = last
            .as_ref()
            .map_or(1, |(number, _)| number.wrapping_add(1));
        let file = ChosenFile {
            number,
            name: name_of(&path),
            bytes: std::fs::metadata(&path)
                .map_or(0, |facts| u32::try_from(facts.len()).unwrap_or(u32::MAX)),
        };
        *last = Some((number, path));
        file
    }

    /// Where the file of this number is; `None` once another one was given.
    pub fn path(&self, number: u32) -> Option<PathBuf> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref()
            .filter(|(known, _)| *known == number)
            .map(|(_, path)| path.clone())
    }
}

/// Lets a person choose a file of rows; `None` when they chose none.
pub async fn ask_what_to_read(app: &AppHandle, title: &str) -> Option<PathBuf> {
    let (tell, told) = oneshot::channel();
    places::dialog(app, title)
        .add_filter("CSV, Excel", ENDINGS)
        .add_filter("*", &["*"])
        .pick_file(|path| {
            // Nobody waits any more when the page was left in between.
            let _ = tell.send(path);
        });
    told.await.ok().flatten()?.into_path().ok()
}

/// Lets a person choose where to write; `None` when they chose no place.
pub async fn ask_where_to_write(app: &AppHandle, title: &str, name: &str) -> Option<PathBuf> {
    places::saved_by(places::dialog(app, title).set_file_name(name)).await
}

/// What a file is called that goes back to be corrected: after the one it came from, and of its
/// form.
pub fn beside(name: &str) -> String {
    let path = Path::new(name);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let workbook = path.extension().is_some_and(|ending| {
        ending.eq_ignore_ascii_case("xlsx") || ending.eq_ignore_ascii_case("xlsm")
    });
    let ending = if workbook { "xlsx" } else { "csv" };
    format!("{stem}-rejected.{ending}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::PathBuf;

    use super::{Chosen, beside};

    #[test]
    fn rows_that_go_back_are_called_after_the_file_they_came_in() {
        assert_eq!(beside("売上.csv"), "売上-rejected.csv");
        assert_eq!(beside("Sales.XLSX"), "Sales-rejected.xlsx");
        assert_eq!(beside("till.txt"), "till-rejected.csv");
        assert_eq!(beside("sheet"), "sheet-rejected.csv");
    }

    #[test]
    fn the_page_knows_a_file_by_name_and_number_and_never_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("売上.csv");
        std::fs::write(&path, "planId\n").unwrap();
        let chosen = Chosen::default();
        let file = chosen.take(path.clone());
        assert_eq!((file.name.as_str(), file.bytes), ("売上.csv", 7));
        assert!(
            !serde_json::to_string(&file)
                .unwrap()
                .contains(folder.path().to_str().unwrap())
        );
        assert_eq!(chosen.path(file.number), Some(path));
    }

    #[test]
    fn a_number_stands_for_its_own_file_and_for_no_later_one() {
        let chosen = Chosen::default();
        let first = chosen.take(PathBuf::from("/first.csv"));
        let second = chosen.take(PathBuf::from("/second.csv"));
        assert_eq!(chosen.path(first.number), None);
        assert_eq!(
            chosen.path(second.number),
            Some(PathBuf::from("/second.csv"))
        );
    }
}
