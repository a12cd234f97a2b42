//! The end of the program: the window is gone, the desk is closed in order.
//!
//! A request on its way is waited for first. Whoever starts the program again meanwhile gets it
//! again as soon as that is done.

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::{AppHandle, Manager};

use crate::state::Shared;

/// How the end goes on.
#[derive(Debug, Default)]
pub struct Closing {
    begun: AtomicBool,
    again: AtomicBool,
}

/// Closes the desk and ends the program; asked for twice, it is done once.
pub fn close_and_exit(app: &AppHandle) {
    if app.state::<Closing>().begun.swap(true, Ordering::SeqCst) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        app.state::<Shared>().close().await;
        if app.state::<Closing>().again.load(Ordering::SeqCst) {
            app.request_restart();
        } else {
            app.exit(0);
        }
    });
}

/// Starts the program again once it has closed.
pub fn start_again_afterwards(app: &AppHandle) {
    app.state::<Closing>().again.store(true, Ordering::SeqCst);
}
