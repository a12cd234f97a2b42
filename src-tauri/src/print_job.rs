//! Prints the customer copy, or saves it to a file that a person chooses.
//!
//! Owns the steps from the page's request to the printed document. The core decides its content.

use tauri::WebviewWindow;
use warranty_core::Desk;
use warranty_core::files::private_file::Existing;
use warranty_core::print::PaperOf;
use warranty_core::settings::Language;
use warranty_messages::text;

use crate::error::UiError;
use crate::printing::{self, PageFormat};
use crate::save_dialog;

/// Prints the customer copy that the page shows and records it in the journal.
pub async fn print(
    desk: &Desk,
    window: &WebviewWindow,
    of: &PaperOf,
    format: PageFormat,
) -> Result<(), UiError> {
    // Fails for a contract that the desk does not know.
    desk.printing.paper(of, Language::En).await?;
    if printing::print(window, format).await? {
        desk.printing.record_print(of).await?;
    }
    Ok(())
}

/// Saves the customer copy to a file that a person chooses. Returns the file's name, or `None` when the
/// person cancels.
pub async fn save(
    desk: &Desk,
    window: &WebviewWindow,
    of: &PaperOf,
    language: Language,
    format: PageFormat,
) -> Result<Option<String>, UiError> {
    let paper = desk.printing.paper(of, language).await?;
    let title = text(language, "paper.save", &[]);
    let name = format!("{}.{}", paper.name, FILE_TYPE.1);
    let app = tauri::Manager::app_handle(window);
    let Some(path) = save_dialog::ask(app, &title, &name, FILE_TYPE).await else {
        return Ok(None);
    };
    #[cfg(target_os = "linux")]
    let document = printing::to_pdf(window, format, &path).await?;
    // The same HTML document as wdesk.
    #[cfg(not(target_os = "linux"))]
    let document = warranty_core::print::html::document(&paper, format.size).into_bytes();
    // The dialog has asked before it replaces a file.
    let saved = desk.printing.save(of, &document, &path, Existing::Replace);
    saved.await?;
    Ok(Some(save_dialog::name_of(&path)))
}

/// WebKitGTK writes PDF.
#[cfg(target_os = "linux")]
const FILE_TYPE: (&str, &str) = ("PDF", "pdf");

/// The print dialogs of macOS and Windows can save PDF, so this saves the HTML document of wdesk.
#[cfg(not(target_os = "linux"))]
const FILE_TYPE: (&str, &str) = ("HTML", "html");
