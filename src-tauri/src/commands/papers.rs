//! The sheet a customer takes home.

use tauri::WebviewWindow;
use warranty_core::paper::{Paper, PaperOf, PaperSize};
use warranty_core::settings::Language;

use super::{Handle, Reply};
use crate::handing;
use crate::printing::Sheet;

/// The sheet of a contract or an entry, to be drawn by the page.
#[tauri::command]
#[specta::specta]
pub async fn paper(shared: Handle<'_>, of: PaperOf, language: Language) -> Reply<Paper> {
    Ok(shared.desk().await?.paper(&of, language).await?)
}

/// Opens the print dialog for the sheet that the page shows, so many millimetres long.
#[tauri::command]
#[specta::specta]
pub async fn paper_print(
    window: WebviewWindow,
    shared: Handle<'_>,
    of: PaperOf,
    size: PaperSize,
    length: u32,
) -> Reply<()> {
    handing::print(shared.desk().await?, &window, &of, Sheet { size, length }).await
}

/// Saves the sheet that the page shows where a person says; the file's name, or none.
#[tauri::command]
#[specta::specta]
pub async fn paper_save(
    window: WebviewWindow,
    shared: Handle<'_>,
    of: PaperOf,
    language: Language,
    size: PaperSize,
    length: u32,
) -> Reply<Option<String>> {
    let desk = shared.desk().await?;
    handing::save(desk, &window, &of, language, Sheet { size, length }).await
}
