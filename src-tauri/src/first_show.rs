//! When the window is shown (Linux): once its page is loaded.
//!
//! When WebKitGTK paints a window without OpenGL, it waits for the process of the page. That one may wait
//! for this program while it starts, and then both go on only after half a second.

use std::sync::Once;
use std::time::Duration;

use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, WebviewWindow, WebviewWindowBuilder, Wry};

/// Longest time that the window stays hidden when its page does not load.
const AT_THE_LATEST: Duration = Duration::from_secs(5);

/// Keeps the one window hidden until its page is loaded.
pub fn hidden<'a>(
    builder: WebviewWindowBuilder<'a, Wry, AppHandle>,
) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    builder.visible(false).on_page_load(|window, load| {
        if load.event() == PageLoadEvent::Finished {
            show(&window);
        }
    })
}

/// Shows the window after a while though its page is not loaded, so that it can be closed.
pub fn at_the_latest(window: &WebviewWindow) {
    let window = window.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(AT_THE_LATEST).await;
        show(&window);
    });
}

fn show(window: &WebviewWindow) {
    static SHOWN: Once = Once::new();
    SHOWN.call_once(|| {
        if let Err(error) = window.show() {
            tracing::warn!(%error, "the window could not be shown");
        }
    });
}
