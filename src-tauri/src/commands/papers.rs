//! Printed documents: the customer copy, the slip of a lead, the close of a day.

use tauri::WebviewWindow;
use warranty_core::Desk;
use warranty_core::print::{Paper, PaperOf, PaperSize};
use warranty_core::settings::Language;

use crate::error::UiError;
use crate::printing::{self, PageFormat};

commands! {
    /// The customer's copy of a contract or an entry, for the page to render.
    fn paper(desk, of: PaperOf, language: Language) -> Paper =
        desk.printing.paper(&of, language).await?;

    /// Opens the print dialog for the copy that the page shows. `length` is in millimetres.
    fn paper_print(desk, window: WebviewWindow, of: PaperOf, size: PaperSize, length: u32) -> () =
        print(desk, &window, &of, PageFormat { size, length }).await?;
}

/// Prints the customer copy that the page shows and records it in the journal.
async fn print(
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
