//! Journeys: what staff do, in the real window, against the real practice service, with a real
//! keychain. Run them inside `src-tauri/setup/session.sh`, as `make unit` does.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::large_futures,
    reason = "a journey that cannot go on says why and ends"
)]

mod bad_input;
mod counter;
mod harness;
mod life;
mod live;
mod main_job;
mod pictures;
mod walls;
