//! The page's print layout, to a printer or into a PDF file.
//!
//! The web view draws both: it has the system's fonts, shapes every script and breaks lines as it
//! does on screen, so what is printed is what the preview showed and no font is shipped. WebKitGTK
//! is told the paper's size and can write PDF by itself; the dialogs of macOS and Windows know their
//! printers' paper, and save as PDF themselves.

use tauri::WebviewWindow;
use thiserror::Error;
use warranty_core::paper::PaperSize;

/// Why nothing was printed.
#[derive(Debug, Error)]
pub enum PrintError {
    /// The window is gone, or the system has no way to print.
    #[error(transparent)]
    Window(#[from] tauri::Error),
    /// The web view or the printer's system refused, with its words for the log.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "the dialogs there tell the person themselves")
    )]
    #[error("the page could not be printed: {0}")]
    Refused(String),
    /// The file could not be put at its place.
    #[error("the file could not be written: {0}")]
    File(#[from] std::io::Error),
}

/// The paper a page is printed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// Which paper.
    pub size: PaperSize,
    /// How long the page is, in millimetres; only a roll is cut to it.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "the dialogs there know their printers' paper")
    )]
    pub length: u32,
}

#[cfg(target_os = "linux")]
pub use linux::{print, to_pdf};

/// Opens the system's print dialog for the page. Whether something was printed cannot be told here:
/// `true`.
///
/// # Errors
/// [`PrintError`].
#[cfg(not(target_os = "linux"))]
pub async fn print(window: &WebviewWindow, _: Sheet) -> Result<bool, PrintError> {
    window.print()?;
    Ok(true)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::RefCell;
    use std::fs;
    use std::path::Path;
    use std::rc::Rc;

    use gtk::prelude::*;
    use gtk::{PageSetup, PaperSize as GtkPaper, PrintSettings, Unit};
    use tokio::sync::oneshot;
    use webkit2gtk::{PrintOperation, PrintOperationExt, PrintOperationResponse, WebView};

    use super::{PaperSize, PrintError, Sheet, WebviewWindow};

    /// Width of a roll, and the bounds of its length, in millimetres.
    const ROLL_WIDTH: f64 = 80.0;
    const ROLL_LENGTHS: (u32, u32) = (60, 2_000);

    /// The printer of GTK that writes files; it is known by this name in every language.
    const INTO_A_FILE: &str = "Print to File";

    /// Opens the system's print dialog for the page; `false` when the person printed nothing.
    ///
    /// # Errors
    /// [`PrintError`].
    pub async fn print(window: &WebviewWindow, sheet: Sheet) -> Result<bool, PrintError> {
        let (tell, told) = oneshot::channel();
        window.with_webview(move |platform| {
            let operation = operation(&platform.inner(), sheet);
            let settings = PrintSettings::new();
            settings.set_paper_size(&paper(sheet));
            operation.set_print_settings(&settings);
            let above = platform
                .inner()
                .toplevel()
                .and_then(|top| top.downcast::<gtk::Window>().ok());
            let answer = operation.run_dialog(above.as_ref());
            // Nobody waits any more when the page was left in between.
            let _ = tell.send(answer == PrintOperationResponse::Print);
        })?;
        told.await.map_err(|_| gone())
    }

    /// Writes the page into a PDF file for this user alone, replacing what a person agreed to
    /// replace.
    ///
    /// # Errors
    /// [`PrintError`]; then nothing new stands at `path`.
    pub async fn to_pdf(
        window: &WebviewWindow,
        sheet: Sheet,
        path: &Path,
    ) -> Result<(), PrintError> {
        let beside = path.parent().unwrap_or(Path::new("."));
        // The printer's system makes the file as it likes: in a folder that only this user enters.
        let folder = tempfile::Builder::new()
            .prefix(".warranty-desk-")
            .tempdir_in(beside)?;
        let part = folder.path().join("sheet.pdf");
        let address = gtk::glib::filename_to_uri(&part, None)
            .map_err(|error| PrintError::Refused(error.to_string()))?;
        let (tell, told) = oneshot::channel();
        window.with_webview(move |platform| {
            write(&operation(&platform.inner(), sheet), &address, tell);
        })?;
        told.await.map_err(|_| gone())??;
        let made = fs::File::open(&part)?;
        made.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        made.sync_all()?;
        fs::rename(&part, path)?;
        Ok(())
    }

    fn write(
        operation: &PrintOperation,
        address: &str,
        tell: oneshot::Sender<Result<(), PrintError>>,
    ) {
        let settings = PrintSettings::new();
        settings.set_printer(INTO_A_FILE);
        settings.set(gtk::PRINT_SETTINGS_OUTPUT_URI, Some(address));
        settings.set(gtk::PRINT_SETTINGS_OUTPUT_FILE_FORMAT, Some("pdf"));
        operation.set_print_settings(&settings);
        // Whichever comes first is told; the operation lives until then by standing in here.
        let waiting = Rc::new(RefCell::new(Some((tell, operation.clone()))));
        let failed = Rc::clone(&waiting);
        operation.connect_failed(move |_, error| {
            if let Some((tell, _)) = failed.take() {
                let _ = tell.send(Err(PrintError::Refused(error.to_string())));
            }
        });
        operation.connect_finished(move |_| {
            if let Some((tell, _)) = waiting.take() {
                let _ = tell.send(Ok(()));
            }
        });
        operation.print();
    }

    fn operation(view: &WebView, sheet: Sheet) -> PrintOperation {
        let setup = PageSetup::new();
        setup.set_paper_size(&paper(sheet));
        // The layout has its own margins.
        setup.set_top_margin(0.0, Unit::Mm);
        setup.set_bottom_margin(0.0, Unit::Mm);
        setup.set_left_margin(0.0, Unit::Mm);
        setup.set_right_margin(0.0, Unit::Mm);
        let operation = PrintOperation::new(view);
        operation.set_page_setup(&setup);
        operation
    }

    fn paper(sheet: Sheet) -> GtkPaper {
        match sheet.size {
            PaperSize::A4 => GtkPaper::new(Some("iso_a4")),
            PaperSize::Roll => {
                let length = sheet.length.clamp(ROLL_LENGTHS.0, ROLL_LENGTHS.1);
                let name = format!("roll_80x{length}mm");
                GtkPaper::new_custom(&name, &name, ROLL_WIDTH, f64::from(length), Unit::Mm)
            }
        }
    }

    /// The window was closed while it was asked.
    fn gone() -> PrintError {
        PrintError::Window(tauri::Error::WindowNotFound)
    }
}
