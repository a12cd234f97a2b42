//! Exporting lists.

use tauri::AppHandle;
use warranty_core::export::List;
use warranty_core::files::Format;

use super::{Handle, Reply};
use crate::export_file;
use crate::picked_file::SavedRows;

/// Exports all rows of a list to a file that a person chooses; `None` when they cancel.
#[tauri::command]
#[specta::specta]
pub async fn list_export(
    app: AppHandle,
    shared: Handle<'_>,
    list: List,
    format: Format,
    title: String,
) -> Reply<Option<SavedRows>> {
    export_file::save(&app, shared.desk().await?, &list, format, &title).await
}
