//! A sheet on its way to a customer: printed, or saved where a person says.
//!
//! Owns the steps between the page's wish and the paper; what stands on a sheet is the desk's.

use tauri::WebviewWindow;
use warranty_core::Desk;
use warranty_core::paper::{Handed, PaperOf};
use warranty_core::settings::Language;

use crate::error::UiError;
use crate::places::{self, Wanted};
use crate::printing::{self, Sheet};

/// Prints the page's sheet and notes it.
///
/// # Errors
/// When the system does not print, or the journal cannot be written.
pub async fn print(
    desk: &Desk,
    window: &WebviewWindow,
    of: &PaperOf,
    sheet: Sheet,
) -> Result<(), UiError> {
    // What the desk knows nothing of is not printed as if it did.
    desk.paper(of, Language::En).await?;
    if printing::print(window, sheet).await? {
        desk.paper_handed(of, Handed::Printed).await?;
    }
    Ok(())
}

/// Saves the sheet where a person says and notes it; the file's name, or none when they want it
/// nowhere.
///
/// # Errors
/// When the file cannot be written, or the journal.
pub async fn save(
    desk: &Desk,
    window: &WebviewWindow,
    of: &PaperOf,
    language: Language,
    sheet: Sheet,
) -> Result<Option<String>, UiError> {
    let paper = desk.paper(of, language).await?;
    let wanted = Wanted {
        title: match language {
            Language::Ja => "ファイルに保存",
            Language::En => "Save as a file",
        },
        name: format!("{}.{ENDING}", paper.name),
        kind: KIND,
        ending: ENDING,
    };
    let Some(path) = places::ask(tauri::Manager::app_handle(window), &wanted).await else {
        return Ok(None);
    };
    #[cfg(target_os = "linux")]
    printing::to_pdf(window, sheet, &path).await?;
    #[cfg(not(target_os = "linux"))]
    document(&paper, sheet, &path)?;
    desk.paper_handed(of, Handed::Saved).await?;
    Ok(Some(places::name_of(&path)))
}

/// Writes the sheet as wdesk does, for this user alone, replacing what a person agreed to replace.
#[cfg(not(target_os = "linux"))]
fn document(
    paper: &warranty_core::paper::Paper,
    sheet: Sheet,
    path: &std::path::Path,
) -> Result<(), printing::PrintError> {
    use std::io::Write as _;

    let beside = path.parent().unwrap_or(std::path::Path::new("."));
    let mut part = tempfile::NamedTempFile::new_in(beside)?;
    part.write_all(warranty_core::paper::html::document(paper, sheet.size).as_bytes())?;
    part.as_file().sync_all()?;
    part.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The web view here writes PDF.
#[cfg(target_os = "linux")]
const ENDING: &str = "pdf";
#[cfg(target_os = "linux")]
const KIND: &str = "PDF";

/// The print dialogs of macOS and Windows save as PDF by themselves: here it is the document that
/// wdesk writes, too.
#[cfg(not(target_os = "linux"))]
const ENDING: &str = "html";
#[cfg(not(target_os = "linux"))]
const KIND: &str = "HTML";
