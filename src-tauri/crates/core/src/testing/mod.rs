//! What comes in as text, tried with hostile and with random bytes: files, the bridge's and wdesk's arguments,
//! addresses to open.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../../tests/fuzz/mod.rs"]
mod engine;
mod fuzz;
mod hostile;
#[path = "../../../../../tests/hostile/mod.rs"]
pub(crate) mod texts;
mod workbooks;
