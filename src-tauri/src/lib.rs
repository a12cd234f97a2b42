//! The window: a Tauri shell around the desk.
//!
//! Owns the wiring: which commands there are, how the desk's errors and notices reach the screen,
//! and where the practice service runs. All rules of the counter live in `warranty-core`.

mod app;
#[cfg(test)]
mod audit;
mod bounds;
pub mod bridge;
mod chosen;
mod closing;
mod commands;
mod dropping;
mod error;
mod events;
mod exporting;
mod handing;
mod hosts;
mod places;
mod practice;
mod printing;
mod reasons;
mod state;
mod texts;
mod web_files;
mod web_process;
mod window;

pub use app::run;
