//! Files into the desk, and rows that were left out back into a file. The page names files by the
//! numbers they were given here, and never by a path.

use tauri::AppHandle;
use warranty_core::files::private_file::Existing;
use warranty_core::files::{Mapping, ReadOptions};
use warranty_core::imports::{FileLook, FileToStage};
use warranty_core::runs::{RunKind, RunView};
use warranty_core::settings::Language;

use super::{Handle, Reply};
use crate::chosen::{self, ChosenFile, SavedRows};
use crate::error::UiError;
use crate::reasons;

/// Lets a person choose a file of rows; none when they choose none.
#[tauri::command]
#[specta::specta]
pub async fn file_choose(
    app: AppHandle,
    shared: Handle<'_>,
    title: String,
) -> Reply<Option<ChosenFile>> {
    let path = chosen::ask_what_to_read(&app, &title).await;
    Ok(path.map(|path| shared.chosen().take(path)))
}

/// The beginning of the file of this number, as it will be read.
#[tauri::command]
#[specta::specta]
pub async fn file_look(
    shared: Handle<'_>,
    file: u32,
    kind: RunKind,
    options: ReadOptions,
) -> Reply<FileLook> {
    let path = shared.chosen().path(file).ok_or_else(UiError::no_file)?;
    Ok(shared.desk().await?.file_look(&path, kind, options).await?)
}

/// Keeps all rows of the file of this number as a run; nothing of it is entered.
#[tauri::command]
#[specta::specta]
pub async fn file_stage(
    shared: Handle<'_>,
    id: String,
    profile_id: String,
    file: u32,
    kind: RunKind,
    options: ReadOptions,
    mapping: Mapping,
) -> Reply<RunView> {
    let path = shared.chosen().path(file).ok_or_else(UiError::no_file)?;
    let desk = shared.desk().await?;
    let file = FileToStage {
        profile_id,
        file: desk.file_open(&path, kind, options).await?,
        mapping,
        remember: true,
    };
    Ok(desk.file_stage(&id, file, &|_| {}).await?)
}

/// Writes the rows of a run that were left out, each with its reason, where a person chooses; none
/// when they choose no place.
#[tauri::command]
#[specta::specta]
pub async fn run_rejected_save(
    app: AppHandle,
    shared: Handle<'_>,
    id: String,
    title: String,
    language: Language,
) -> Reply<Option<SavedRows>> {
    let desk = shared.desk().await?;
    let name = chosen::beside(&desk.run(&id).await?.name);
    let Some(path) = chosen::ask_where_to_write(&app, &title, &name).await else {
        return Ok(None);
    };
    let reason = |row: &_| reasons::of(language, row);
    let rows = desk
        .run_rejected_write(&id, &path, Existing::Replace, &reason)
        .await?;
    Ok(Some(SavedRows::new(&path, rows)))
}
