//! Printed documents: the customer copy, the slip of a lead, the close of a day.

use tauri::WebviewWindow;
use warranty_core::print::{Paper, PaperOf, PaperSize};
use warranty_core::settings::Language;

use super::{Handle, Reply};
use crate::print_job;
use crate::printing::PageFormat;

/// The customer's copy of a contract or an entry, for the page to render.
#[tauri::command]
#[specta::specta]
pub async fn paper(shared: Handle<'_>, of: PaperOf, language: Language) -> Reply<Paper> {
    Ok(shared.desk().await?.printing.paper(&of, language).await?)
}

/// Opens the print dialog for the copy that the page shows. `length` is in millimetres.
#[tauri::command]
#[specta::specta]
pub async fn paper_print(
    window: WebviewWindow,
    shared: Handle<'_>,
    of: PaperOf,
    size: PaperSize,
    length: u32,
) -> Reply<()> {
    print_job::print(
        shared.desk().await?,
        &window,
        &of,
        PageFormat { size, length },
    )
    .await
}

/// Saves the copy that the page shows to a file that a person chooses. Returns the file's name;
/// `None` when they cancel.
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
    print_job::save(desk, &window, &of, language, PageFormat { size, length }).await
}
