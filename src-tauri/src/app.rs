//! The program: logging, plugins, the window and the command handler.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tauri::{Manager, RunEvent, WindowEvent};
use tauri_plugin_window_state::StateFlags;
use warranty_core::hardening::close_memory;
use warranty_core::log;

use crate::ipc_limits::bounded;
use crate::shutdown::{self, Shutdown};
use crate::state::AppState;
use crate::{bridge, drag_drop, second_start, window};

/// Runs the window until it is closed.
///
/// `--data-dir DIR` or `--data-dir=DIR` uses another data folder; an empty DIR is refused. Tokens stay in the
/// keychain.
pub fn run() -> ExitCode {
    log::start("WARRANTY_DESK_LOG", Some("warn"));
    close_memory();
    #[cfg(target_os = "linux")]
    crate::painting::choose();
    #[cfg(windows)]
    if let Err(error) = tauri::webview_version() {
        tracing::error!(%error, "the WebView2 runtime is missing");
        crate::cannot_start::say("webviewMissing", &error.to_string());
        return ExitCode::FAILURE;
    }
    let Some(data_dir) = data_dir(std::env::args_os().skip(1)) else {
        tracing::error!("no folder for the program's data is given, and the system names none");
        return ExitCode::FAILURE;
    };
    match start(data_dir) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_no_window(&error);
            ExitCode::FAILURE
        }
    }
}

fn say_no_window(error: &tauri::Error) {
    tracing::error!(%error, "the window could not be opened");
    #[cfg(windows)]
    crate::cannot_start::say("noWindow", &error.to_string());
}

fn start(data_dir: PathBuf) -> tauri::Result<()> {
    let bridge = bridge::builder();
    let builder = tauri::Builder::default();
    // macOS opens a program once for each user by itself; there the plugin would ask at one place in /tmp for all
    // accounts, and whoever took it first could end every other window.
    let builder = if cfg!(target_os = "macos") {
        builder
    } else {
        builder.plugin(tauri_plugin_single_instance::init(
            |app, arguments, folder| {
                // Without a folder that start ended before it asked here.
                let asked = self::data_dir(arguments.into_iter().skip(1).map(Into::into));
                if let Some(asked) = asked {
                    second_start::happened(app, &Path::new(&folder).join(asked));
                }
            },
        ))
    };
    builder
        .plugin(
            tauri_plugin_window_state::Builder::default()
                // It would show a window that waits for its page.
                .with_state_flags(StateFlags::all() - StateFlags::VISIBLE)
                .build(),
        )
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(bounded(bridge.invoke_handler()))
        .setup(move |app| {
            bridge.mount_events(app);
            app.manage(AppState::new(app.handle().clone(), data_dir.clone()));
            // Tauri would end the program with a panic.
            let window = window::open(app.handle(), &data_dir).unwrap_or_else(|error| {
                say_no_window(&error);
                std::process::exit(1)
            });
            app.manage(Shutdown::default());
            drag_drop::listen(&window);
            // While the page starts; if it fails, the page's first call tries again and says why.
            let app = app.handle().clone();
            tauri::async_runtime::spawn(async move {
                if let Ok(desk) = app.state::<AppState>().desk().await {
                    // The keychain's first answer takes longer than all that follow.
                    let _ = desk.status().await;
                }
            });
            Ok(())
        })
        .build(tauri::generate_context!())?
        .run(|app, event| {
            if let RunEvent::WindowEvent {
                event: WindowEvent::CloseRequested { api, .. },
                ..
            } = &event
            {
                api.prevent_close();
                shutdown::close_window(app);
            }
            if let RunEvent::ExitRequested {
                code: None, api, ..
            } = &event
            {
                api.prevent_exit();
                shutdown::close_and_exit(app);
            }
            if let RunEvent::Exit = event {
                shutdown::close_at_the_end(app);
            }
        });
    Ok(())
}

fn data_dir(mut arguments: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    while let Some(argument) = arguments.next() {
        if argument == "--data-dir" {
            return arguments.next().and_then(named);
        }
        if argument.as_encoded_bytes().starts_with(b"--data-dir=") {
            let folder = argument.to_str()?.strip_prefix("--data-dir=")?;
            return named(folder.into());
        }
    }
    warranty_core::data_dir::default_data_dir()
}

/// The folder, unless its name is empty: that would be the current one.
fn named(folder: OsString) -> Option<PathBuf> {
    (!folder.is_empty()).then(|| folder.into())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::data_dir;

    #[test]
    fn a_folder_given_at_the_start_is_used() {
        for given in [
            &["--data-dir", "/somewhere"][..],
            &["--data-dir=/somewhere"],
        ] {
            let given = given.iter().map(Into::into);
            assert_eq!(data_dir(given), Some(PathBuf::from("/somewhere")));
        }
    }

    #[test]
    fn an_empty_folder_is_not_the_current_one() {
        for given in [&["--data-dir", ""][..], &["--data-dir="]] {
            let given = given.iter().map(Into::into);
            assert_eq!(data_dir(given), None);
        }
    }
}
