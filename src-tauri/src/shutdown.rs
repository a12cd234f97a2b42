//! Shutdown: closes the desk after the window was closed.
//!
//! Before that, asks a person who leaves unsent sales behind: on a shared computer they wait until the same
//! user of the system opens the window again. Waits for a request in flight. If the program is started again
//! after the window was closed, it starts again with the data folder asked for.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tauri::{AppHandle, Manager};
use tokio::sync::OnceCell;

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
    closed: OnceCell<()>,
    /// The data folder to start with afterwards.
    next: Mutex<Option<PathBuf>>,
}

impl Shutdown {
    fn next(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the desk in this way, or waits for an earlier call that does.
    async fn close(&self, desk: impl Future<Output = ()>) {
        self.closed.get_or_init(|| desk).await;
    }
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
        let shutdown = app.state::<Shutdown>();
        shutdown.close(app.state::<AppState>().close()).await;
        let next = shutdown.next().take();
        if let Some(data_dir) = next {
            let ending = app.clone();
            // Only the main thread can let the next start be the first one.
            let _ = app.run_on_main_thread(move || start(&ending, &data_dir));
        }
        app.exit(0);
    });
}

/// Closes the desk when the program ends without the window being closed, or before that was through: the user
/// logs off from Windows, or quits from the menu of macOS. Nobody can be asked then.
pub fn close_at_the_end(app: &AppHandle) {
    let (shutdown, state) = (app.state::<Shutdown>(), app.state::<AppState>());
    let closed = tauri::async_runtime::block_on(async {
        tokio::time::timeout(AT_THE_END, shutdown.close(state.close()))
            .await
            .is_ok()
    });
    if !closed {
        tracing::warn!("the program ended before a request was answered");
    }
}

/// Starts the program with this data folder once it has closed; the folder asked for last counts. `false`
/// while the window is still being made: then nothing happens.
pub fn start_afterwards(app: &AppHandle, data_dir: &Path) -> bool {
    let shutdown = app.try_state::<Shutdown>();
    if let Some(shutdown) = &shutdown {
        *shutdown.next() = Some(data_dir.to_owned());
    }
    shutdown.is_some()
}

fn start(app: &AppHandle, data_dir: &Path) {
    tauri_plugin_single_instance::destroy(app);
    let started = tauri::process::current_binary(&app.env()).and_then(|program| {
        let mut program = Command::new(program);
        program.arg("--data-dir").arg(data_dir).spawn()
    });
    if let Err(error) = started {
        tracing::warn!(%error, "the program could not be started again");
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures::{FutureExt as _, poll};
    use tokio::sync::oneshot;

    use super::Shutdown;

    #[tokio::test]
    async fn the_end_of_the_program_waits_for_a_desk_that_closes_already() {
        let shutdown = Shutdown::default();
        let (answer, answered) = oneshot::channel();
        let mut window_closed = pin!(shutdown.close(async { answered.await.unwrap() }));
        assert!(poll!(&mut window_closed).is_pending());
        let at_the_end = || shutdown.close(async { unreachable!("the desk closes once") });
        assert!(at_the_end().now_or_never().is_none());
        answer.send(()).unwrap();
        window_closed.await;
        assert!(at_the_end().now_or_never().is_some());
    }
}
