//! The file of rejected rows: each row with its reason, to be corrected and imported again.

use std::path::Path;

use tauri::AppHandle;
use warranty_core::Desk;
use warranty_core::files::private_file::Existing;
use warranty_core::settings::Language;

use warranty_messages::rejection;

use crate::error::UiError;
use crate::picked_file::{SavedRows, pick_to_save};

/// Saves the rejected rows of a run to a file that a person chooses; `None` when they cancel.
pub async fn save(
    app: &AppHandle,
    desk: &Desk,
    id: &str,
    title: &str,
    language: Language,
) -> Result<Option<SavedRows>, UiError> {
    let name = rejected_name(&desk.bulk.run(id).await?.name);
    let Some(path) = pick_to_save(app, title, &name).await else {
        return Ok(None);
    };
    let reason = |finding: &_| rejection(language, finding);
    let existing = Existing::Replace;
    let written = desk.bulk.write_rejected_rows(id, &path, existing, &reason);
    Ok(Some(SavedRows::new(&path, written.await?, 0)))
}

/// The name suggested for the file of rejected rows: derived from the imported file, in the same
/// format.
fn rejected_name(name: &str) -> String {
    let path = Path::new(name);
    // Rows of the sheet come from no file.
    let stem = path.file_stem().unwrap_or("sheet".as_ref()).display();
    let workbook = path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("xlsx") || extension.eq_ignore_ascii_case("xlsm")
    });
    let extension = if workbook { "xlsx" } else { "csv" };
    format!("{stem}-rejected.{extension}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_rows_are_named_after_the_file_they_came_from() {
        assert_eq!(rejected_name("売上.csv"), "売上-rejected.csv");
        assert_eq!(rejected_name("Sales.XLSX"), "Sales-rejected.xlsx");
        assert_eq!(rejected_name("till.txt"), "till-rejected.csv");
        assert_eq!(rejected_name("sheet"), "sheet-rejected.csv");
        assert_eq!(rejected_name(""), "sheet-rejected.csv");
    }
}
