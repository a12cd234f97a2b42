//! Runs: many rows that are stored, checked, registered and tracked.

use warranty_core::bulk::{AnsweredRows, RowList, RunRow, RunView, SheetPart};
use warranty_core::contracts::{EnterMode, QuestionKind};

use super::{Handle, Reply};

/// Stores rows of the sheet as a run, part by part; registers nothing yet.
#[tauri::command]
#[specta::specta]
pub async fn sheet_stage(shared: Handle<'_>, id: String, part: SheetPart) -> Reply<RunView> {
    Ok(shared.desk().await?.bulk.stage_sheet(&id, part).await?)
}

/// Checks every row of a staged run; progress comes as notices.
#[tauri::command]
#[specta::specta]
pub async fn run_check(shared: Handle<'_>, id: String) -> Reply<RunView> {
    Ok(shared.desk().await?.bulk.check(&id, &|_, _| {}).await?)
}

/// Stops a check.
#[tauri::command]
#[specta::specta]
pub async fn run_check_stop(shared: Handle<'_>, id: String) -> Reply<()> {
    shared.desk().await?.bulk.stop_check(&id);
    Ok(())
}

/// Starts a staged run; it continues in the background.
#[tauri::command]
#[specta::specta]
pub async fn run_start(shared: Handle<'_>, id: String, mode: EnterMode) -> Reply<RunView> {
    let bulk = &shared.desk().await?.bulk;
    Ok(bulk.start(&id, mode, &|_, _| {}).await?)
}

/// Pauses a run.
#[tauri::command]
#[specta::specta]
pub async fn run_pause(shared: Handle<'_>, id: String) -> Reply<RunView> {
    Ok(shared.desk().await?.bulk.pause(&id).await?)
}

/// Resumes a paused run.
#[tauri::command]
#[specta::specta]
pub async fn run_resume(shared: Handle<'_>, id: String) -> Reply<RunView> {
    Ok(shared.desk().await?.bulk.resume(&id).await?)
}

/// Cancels the rest of a run; what was sent stays sent.
#[tauri::command]
#[specta::specta]
pub async fn run_cancel(shared: Handle<'_>, id: String) -> Reply<RunView> {
    Ok(shared.desk().await?.bulk.cancel(&id).await?)
}

/// Answers yes to questions of this kind in a staged run.
#[tauri::command]
#[specta::specta]
pub async fn run_answer(
    shared: Handle<'_>,
    id: String,
    rows: AnsweredRows,
    question: QuestionKind,
) -> Reply<RunView> {
    let bulk = &shared.desk().await?.bulk;
    Ok(bulk.answer(&id, rows, question).await?)
}

/// Removes a run from the list.
#[tauri::command]
#[specta::specta]
pub async fn run_forget(shared: Handle<'_>, id: String) -> Reply<()> {
    Ok(shared.desk().await?.bulk.forget(&id).await?)
}

/// The profile's runs, newest first.
#[tauri::command]
#[specta::specta]
pub async fn runs(shared: Handle<'_>, limit: u32) -> Reply<Vec<RunView>> {
    Ok(shared.desk().await?.bulk.runs(limit).await?)
}

/// One run.
#[tauri::command]
#[specta::specta]
pub async fn run(shared: Handle<'_>, id: String) -> Reply<RunView> {
    Ok(shared.desk().await?.bulk.run(&id).await?)
}

/// Rows of a run that have an outcome, after a row number.
#[tauri::command]
#[specta::specta]
pub async fn run_rows(
    shared: Handle<'_>,
    id: String,
    only: Option<RowList>,
    after: u32,
    limit: u32,
) -> Reply<Vec<RunRow>> {
    let bulk = &shared.desk().await?.bulk;
    Ok(bulk.rows(&id, only, after, limit).await?)
}
