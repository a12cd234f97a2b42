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

mod bridge;
#[path = "../canary/mod.rs"]
mod canaries;
mod canary;
#[path = "../hostile/mod.rs"]
mod corpus;
mod correcting;
mod counter;
mod counter_drafts;
mod counter_keys;
mod counter_questions;
mod counter_room;
mod counter_sending;
mod day;
mod exports;
mod finding;
mod harness;
mod hostile;
mod import;
mod isolation;
mod key_lost;
mod listening;
mod live;
mod main_job;
mod managed;
mod measured;
mod overview;
mod papers;
mod pictures;
mod practice_and_live;
mod rescued;
mod sheet;
mod sheet_keys;
mod start_and_close;
mod support;
mod trying_out;
mod web_process;
