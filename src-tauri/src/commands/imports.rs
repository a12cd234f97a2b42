//! Importing files, and saving rejected rows. The page identifies a file by its number, never by a
//! path.

use tauri::AppHandle;
use warranty_core::bulk::from_file::{FileLook, FileToStage};
use warranty_core::bulk::reconcile::Reconciliation;
use warranty_core::bulk::{RunKind, RunView};
use warranty_core::day::Date;
use warranty_core::files::{Mapping, ReadOptions};
use warranty_core::settings::Language;

use super::{Handle, Reply};
use crate::picked_file::{self, ChosenFile, SavedRows};
use crate::rejected_rows;

/// Asks for a file of rows; `None` when the person cancels.
#[tauri::command]
#[specta::specta]
pub async fn file_choose(
    app: AppHandle,
    shared: Handle<'_>,
    title: String,
) -> Reply<Option<ChosenFile>> {
    let path = picked_file::pick_to_open(&app, &title).await;
    Ok(path.map(|path| shared.picked_file.set(path)))
}

commands! {
    /// A preview of the picked file with these options.
    fn file_look(desk of state, file: u32, kind: RunKind, options: ReadOptions) -> FileLook = {
        let path = state.picked_file.path(file)?;
        desk.bulk.preview_file(&path, kind, options).await?
    };

    /// Stores all rows of the picked file as a run; registers nothing yet.
    fn file_stage(
        desk of state,
        id: String,
        profile_id: String,
        file: u32,
        kind: RunKind,
        options: ReadOptions,
        mapping: Mapping,
    ) -> RunView = {
        let path = state.picked_file.path(file)?;
        let file = FileToStage {
            profile_id,
            file: desk.bulk.open_file(&path, kind, options).await?,
            mapping,
            remember: true,
        };
        desk.bulk.stage_file(&id, file, &|_| {}).await?
    };

    /// Compares the picked file with the registered entries; stores only the chosen columns.
    fn file_reconcile(
        desk of state,
        file: u32,
        options: ReadOptions,
        mapping: Mapping,
        day: Option<Date>,
    ) -> Reconciliation = {
        let path = state.picked_file.path(file)?;
        let file = desk.bulk.open_file(&path, RunKind::Contracts, options).await?;
        desk.bulk.reconcile(file, &mapping, day).await?
    };

    /// Saves the rejected rows of a run with their reasons to a file that a person chooses; `None` when
    /// they cancel.
    fn run_rejected_save(
        desk,
        app: AppHandle,
        id: String,
        title: String,
        language: Language,
    ) -> Option<SavedRows> =
        rejected_rows::save(&app, desk, &id, &title, language).await?;
}
