//! The process that draws the page can die: out of memory, or by a fault of its own. The desk goes
//! on without it, and the page is loaded anew.
//!
//! macOS and Windows bring a page back by themselves or through their own runtime; this is for the
//! one that leaves an empty window behind.

use std::time::{Duration, Instant};

use tauri::WebviewWindow;

/// A page that dies again within this time is not loaded at once: that would be a loop.
const SHORT_LIFE: Duration = Duration::from_secs(10);

/// How long such a page waits.
const PAUSE: Duration = Duration::from_secs(5);

/// Loads the page anew whenever its process has ended.
///
/// # Errors
/// When the window is gone already.
#[cfg(target_os = "linux")]
pub fn revive(window: &WebviewWindow) -> tauri::Result<()> {
    use std::cell::Cell;

    use webkit2gtk::WebViewExt;

    let handle = window.clone();
    window.with_webview(move |platform| {
        let died = Cell::new(None);
        platform
            .inner()
            .connect_web_process_terminated(move |_, reason| {
                tracing::error!(?reason, "the page's process has ended");
                let before = died.replace(Some(Instant::now()));
                let pause = pause(before.map(|before| before.elapsed()));
                let window = handle.clone();
                tauri::async_runtime::spawn(async move {
                    tokio::time::sleep(pause).await;
                    if let Err(error) = window.reload() {
                        tracing::error!(%error, "the page could not be loaded anew");
                    }
                });
            });
    })
}

/// Loads the page anew whenever its process has ended.
///
/// # Errors
/// Never here: the web view does it itself.
#[cfg(not(target_os = "linux"))]
pub fn revive(_: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// How long the page waits that lived this long since it last died.
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
