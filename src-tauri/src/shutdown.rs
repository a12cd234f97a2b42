//! Shutdown: closes the desk after the window was closed.
//!
//! Before that, asks a person who leaves unsent sales behind: on a shared computer they wait until the same
//! user of the system opens the window again. Waits for a request in flight. If the program is started again
//! during that time, it restarts afterwards.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tauri::{AppHandle, Manager};

use crate::question::{ask, spoken};
use crate::state::AppState;
use crate::window;

/// Longest time that the desk may take to close when the system ends the program. Windows ends it by force after
/// five seconds.
const AT_THE_END: Duration = Duration::from_secs(4);

/// There is one once the window was made.
#[derive(Debug, Default)]
pub struct Shutdown {
    asking: AtomicBool,
    started: AtomicBool,
    restart: AtomicBool,
}

/// Closes the window, once a person has confirmed it where sales or leads are not sent.
pub fn close_window(app: &AppHandle) {
    if app.state::<Shutdown>().asking.swap(true, Ordering::SeqCst) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let closes = match app.state::<AppState>().unsent().await {
            None => true,
            Some((count, language)) => {
                let count = spoken(language, "\n", "closing.count", &[("count", &count)]);
                ask(&app, language, "closing", &count).await
            }
        };
        let shutdown = app.state::<Shutdown>();
        shutdown.asking.store(false, Ordering::SeqCst);
        if closes
            && let Some(window) = app.get_webview_window(window::MAIN)
            && let Err(error) = window.destroy()
        {
            tracing::warn!(%error, "the window could not be closed");
        }
    });
}

/// Closes the desk and exits. Further calls do nothing.
pub fn close_and_exit(app: &AppHandle) {
    if app.state::<Shutdown>().started.swap(true, Ordering::SeqCst) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        app.state::<AppState>().close().await;
        if app.state::<Shutdown>().restart.load(Ordering::SeqCst) {
            app.request_restart();
        } else {
            app.exit(0);
        }
    });
}

/// Closes the desk when the program ends without the window being closed: the user logs off from Windows, or
/// quits from the menu of macOS. Nobody can be asked then.
pub fn close_at_the_end(app: &AppHandle) {
    if app.state::<Shutdown>().started.swap(true, Ordering::SeqCst) {
        return;
    }
    let state = app.state::<AppState>();
    let closed = tauri::async_runtime::block_on(async {
        tokio::time::timeout(AT_THE_END, state.close())
            .await
            .is_ok()
    });
    if !closed {
        tracing::warn!("the program ended before a request was answered");
    }
}

/// Starts the program again once it has ended: it was started a second time after its window was closed. While
/// the window is still being made there is nothing to do.
pub fn restart_afterwards(app: &AppHandle) {
    if let Some(shutdown) = app.try_state::<Shutdown>() {
        shutdown.restart.store(true, Ordering::SeqCst);
    }
}
