//! Printed documents: the customer copy, the slip of a lead, the close of a day.

use tauri::WebviewWindow;
use warranty_core::print::{Paper, PaperOf, PaperSize};
use warranty_core::settings::Language;

use crate::print_job;
use crate::printing::PageFormat;

commands! {
    /// The customer's copy of a contract or an entry, for the page to render.
    fn paper(desk, of: PaperOf, language: Language) -> Paper =
        desk.printing.paper(&of, language).await?;

    /// Saves the copy that the page shows to a file that a person chooses. Returns the file's name;
    /// `None` when they cancel.
    fn paper_save(
        desk,
        window: WebviewWindow,
        of: PaperOf,
        language: Language,
        size: PaperSize,
        length: u32,
    ) -> Option<String> =
        print_job::save(desk, &window, &of, language, PageFormat { size, length }).await?;

    /// Opens the print dialog for the copy that the page shows. `length` is in millimetres.
    fn paper_print(desk, window: WebviewWindow, of: PaperOf, size: PaperSize, length: u32) -> () =
        print_job::print(desk, &window, &of, PageFormat { size, length }).await?;
}
