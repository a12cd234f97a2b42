//! Shutdown: closes the desk after the window was closed.
//!
//! Waits for a request in flight. If the program is started again during that time, it restarts
//! afterwards.

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::{AppHandle, Manager};

use crate::state::AppState;

/// State of the shutdown.
#[derive(Debug, Default)]
pub struct Shutdown {
    started: AtomicBool,
    restart: AtomicBool,
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

/// Restarts the program once it has closed.
pub fn restart_afterwards(app: &AppHandle) {
    app.state::<Shutdown>()
        .restart
        .store(true, Ordering::SeqCst);
}
