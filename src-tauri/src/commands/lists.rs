//! Lists into files.

use tauri::AppHandle;
use warranty_core::files::Format;
use warranty_core::lists::List;

use super::{Handle, Reply};
use crate::chosen::{self, SavedRows};
use crate::exporting;

/// Writes all that a list's filter finds where a person says; none when they choose no place.
#[tauri::command]
#[specta::specta]
pub async fn list_export(
    app: AppHandle,
    shared: Handle<'_>,
    list: List,
    format: Format,
    title: String,
) -> Reply<Option<SavedRows>> {
    let name = exporting::name(&list, format);
    let Some(path) = chosen::ask_where_to_write(&app, &title, &name).await else {
        return Ok(None);
    };
    let (path, format, existing) = exporting::place(path, format);
    let desk = shared.desk().await?;
    let rows = desk.list_export(&list, &path, format, existing).await?;
    Ok(Some(SavedRows::new(&path, rows)))
}
