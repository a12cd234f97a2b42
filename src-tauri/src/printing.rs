//! Prints the page by the system's print dialog, which also saves PDF.
//!
//! The web view renders the preview and the print with the system's fonts, so they are equal and no
//! font is shipped. WebKitGTK needs the paper size; on macOS and Windows the dialog asks for it.

use tauri::WebviewWindow;
use thiserror::Error;
use warranty_core::print::PaperSize;

/// Why nothing was printed.
#[derive(Debug, Error)]
pub enum PrintError {
    /// The window is closed, or the system cannot print.
    #[error(transparent)]
    Window(#[from] tauri::Error),
    /// An error of the web view or of the print system; its message is for the log.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "the dialogs there report it themselves")
    )]
    #[error("the page could not be printed: {0}")]
    Refused(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageFormat {
    pub size: PaperSize,
    /// Length of the page in millimetres; used for a roll only.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "the dialogs there know their printers' paper")
    )]
    pub length: u32,
}

#[cfg(target_os = "linux")]
pub use linux::print;

/// Opens the system's print dialog for the page. Always `true`: these systems do not report whether
/// something was printed.
#[cfg(not(target_os = "linux"))]
pub async fn print(window: &WebviewWindow, _: PageFormat) -> Result<bool, PrintError> {
    window.print()?;
    Ok(true)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::RefCell;
    use std::rc::Rc;

    use gtk::prelude::*;
    use gtk::{PageSetup, PaperSize as GtkPaper, PrintSettings, Unit};
    use tokio::sync::oneshot;
    use webkit2gtk::{PrintOperation, PrintOperationExt, PrintOperationResponse, WebView};

    use super::{PageFormat, PaperSize, PrintError, WebviewWindow};

    /// Width of a roll and the limits of its length, in millimetres.
    const ROLL_WIDTH: f64 = 80.0;
    const ROLL_LENGTHS: (u32, u32) = (60, 2_000);

    /// Whether something was printed, or the error of the print system.
    type Printed = Result<bool, gtk::glib::Error>;
    type Sender = oneshot::Sender<Printed>;
    /// Keeps a print operation alive until it has ended.
    type Waiting = Rc<RefCell<Option<(Sender, PrintOperation)>>>;

    /// Opens the system's print dialog for the page; `false` when the person cancels.
    pub async fn print(window: &WebviewWindow, format: PageFormat) -> Result<bool, PrintError> {
        let (sender, receiver) = oneshot::channel();
        window.with_webview(move |platform| {
            let operation = operation(&platform.inner(), format);
            let settings = PrintSettings::new();
            settings.set_paper_size(&paper(format));
            operation.set_print_settings(&settings);
            let above = platform
                .inner()
                .toplevel()
                .and_then(|top| top.downcast::<gtk::Window>().ok());
            let waiting = waiting(&operation, sender);
            if operation.run_dialog(above.as_ref()) != PrintOperationResponse::Print {
                answer(&waiting, Ok(false));
            }
        })?;
        // The window was closed in the meantime.
        let gone = |_| PrintError::Window(tauri::Error::WindowNotFound);
        let printed = receiver.await.map_err(gone)?;
        printed.map_err(|error| PrintError::Refused(error.to_string()))
    }

    /// Answers once the operation has ended, by the first of the two callbacks.
    fn waiting(operation: &PrintOperation, sender: Sender) -> Waiting {
        let waiting = Rc::new(RefCell::new(Some((sender, operation.clone()))));
        let failed = Rc::clone(&waiting);
        operation.connect_failed(move |_, error| answer(&failed, Err(error.clone())));
        let finished = Rc::clone(&waiting);
        operation.connect_finished(move |_| answer(&finished, Ok(true)));
        waiting
    }

    fn answer(waiting: &Waiting, printed: Printed) {
        if let Some((sender, _)) = waiting.take() {
            // The receiver is gone when the page was closed in the meantime.
            let _ = sender.send(printed);
        }
    }

    fn operation(view: &WebView, format: PageFormat) -> PrintOperation {
        let setup = PageSetup::new();
        setup.set_paper_size(&paper(format));
        // The layout has its own margins.
        setup.set_top_margin(0.0, Unit::Mm);
        setup.set_bottom_margin(0.0, Unit::Mm);
        setup.set_left_margin(0.0, Unit::Mm);
        setup.set_right_margin(0.0, Unit::Mm);
        let operation = PrintOperation::new(view);
        operation.set_page_setup(&setup);
        operation
    }

    fn paper(format: PageFormat) -> GtkPaper {
        match format.size {
            PaperSize::A4 => GtkPaper::new(Some("iso_a4")),
            PaperSize::Roll => {
                let length = format.length.clamp(ROLL_LENGTHS.0, ROLL_LENGTHS.1);
                let name = format!("roll_80x{length}mm");
                GtkPaper::new_custom(&name, &name, ROLL_WIDTH, f64::from(length), Unit::Mm)
            }
        }
    }
}
