//! Reloads the page after the web process crashed or ran out of memory.
//!
//! On macOS the window's library does this. On Windows nothing does: WebView2 shows an error page in place of
//! ours, until that page is reloaded (F5) or the window is opened again. If its browser process ends, the window
//! stays blank; a second start replaces it (`window::raise`). The outbox works on.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tauri::WebviewWindow;
use webkit2gtk::WebViewExt;

/// A page that crashes again within this time is reloaded after a pause, to avoid a tight loop.
const SHORT_LIFE: Duration = Duration::from_secs(10);

/// The pause before such a reload.
const PAUSE: Duration = Duration::from_secs(5);

/// Reloads the page whenever its process has ended.
pub fn reload_after_crash(window: &WebviewWindow) -> tauri::Result<()> {
    let handle = window.clone();
    window.with_webview(move |platform| {
        let crashed = Cell::new(None);
        platform
            .inner()
            .connect_web_process_terminated(move |_, reason| {
                tracing::error!(?reason, "the page's process has ended");
                let before = crashed.replace(Some(Instant::now()));
                let pause = pause(before.map(|before| before.elapsed()));
                let window = handle.clone();
                tauri::async_runtime::spawn(async move {
                    tokio::time::sleep(pause).await;
                    if let Err(error) = window.reload() {
                        tracing::error!(%error, "the page could not be reloaded");
                    }
                });
            });
    })
}

/// The pause before a page is reloaded that ran this long since its last crash.
fn pause(lived: Option<Duration>) -> Duration {
    match lived {
        Some(lived) if lived < SHORT_LIFE => PAUSE,
        Some(_) | None => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{PAUSE, SHORT_LIFE, pause};

    #[test]
    fn a_page_that_dies_comes_back_at_once_and_one_that_keeps_dying_with_pauses() {
        assert_eq!(pause(None), Duration::ZERO);
        assert_eq!(pause(Some(SHORT_LIFE)), Duration::ZERO);
        assert_eq!(pause(Some(Duration::from_millis(1))), PAUSE);
    }
}
