//! Lists into files.

use tauri::AppHandle;
use warranty_core::Error;
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
    let desk = shared.desk().await?;
    let shown = desk.current_profile().await?.map(|profile| profile.id);
    let name = exporting::name(&list, format);
    let Some(path) = chosen::ask_where_to_write(&app, &title, &name).await else {
        return Ok(None);
    };
    let (path, format, existing) = exporting::place(path, format);
    // The list on the screen is of the profile that was chosen when it was asked for.
    if desk.current_profile().await?.map(|profile| profile.id) != shown {
        return Err(Error::ProfileMoved.into());
    }
    let rows = desk.list_export(&list, &path, format, existing).await?;
    Ok(Some(SavedRows::new(&path, rows)))
}
