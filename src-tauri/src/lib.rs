//! The window: a Tauri shell around `warranty-core`.
//!
//! Owns the commands, the errors and events sent to the page, and the practice service of this
//! process. It has no business rules: those are in `warranty-core`.

mod app;
#[cfg(test)]
mod audit_tests;
pub mod bridge;
#[cfg(windows)]
mod cannot_start;
mod commands;
mod drag_drop;
mod error;
mod events;
mod export_file;
#[cfg(target_os = "linux")]
mod first_show;
mod ipc_limits;
mod json_text;
#[cfg(target_os = "linux")]
mod painting;
mod picked_file;
mod practice;
mod printing;
mod question;
mod rejected_rows;
mod second_start;
mod server_approval;
mod shutdown;
mod state;
mod webview_data;
#[cfg(target_os = "linux")]
mod webview_recovery;
mod window;

pub use app::run;
