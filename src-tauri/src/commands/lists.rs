//! Exporting lists.

use tauri::AppHandle;
use warranty_core::export::List;
use warranty_core::files::Format;

use crate::export_file;
use crate::picked_file::SavedRows;

commands! {
    /// Exports all rows of a list to a file that a person chooses; `None` when they cancel.
    fn list_export(
        desk,
        app: AppHandle,
        list: List,
        format: Format,
        title: String,
    ) -> Option<SavedRows> =
        export_file::save(&app, desk, &list, format, &title).await?;
}
