//! Exporting lists.

use tauri::AppHandle;
use warranty_core::Error;
use warranty_core::files::Format;
use warranty_core::lists::List;

use super::{Handle, Reply};
use crate::export_file;
use crate::picked_file::{self, SavedRows};

/// Exports all rows of a list where a person chooses; none when they cancel.
#[tauri::command]
#[specta::specta]
pub async fn list_export(
    app: AppHandle,
    shared: Handle<'_>,
    list: List,
    format: Format,
    title: String,
) -> Reply<Option<SavedRows>> {
    let desk = shared.desk().await?;
    let shown = desk.current_profile().await?.map(|profile| profile.id);
    let name = export_file::default_name(&list, format);
    let Some(path) = picked_file::pick_to_save(&app, &title, &name).await else {
        return Ok(None);
    };
    let (path, format, existing) = export_file::target(path, format);
    // The list on the screen is of the profile that was chosen when it was asked for.
    if desk.current_profile().await?.map(|profile| profile.id) != shown {
        return Err(Error::ProfileMoved.into());
    }
    let rows = desk.list_export(&list, &path, format, existing).await?;
    Ok(Some(SavedRows::new(&path, rows)))
}
