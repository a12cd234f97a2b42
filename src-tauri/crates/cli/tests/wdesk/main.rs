//! The real `wdesk` against a real `wdesk sandbox serve`, with a real keychain, judged by the
//! service's ledger. The keychain of the session must be there and unlocked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod bad_input;
mod harness;
mod main_job;
mod offline;
mod practice;
mod reading;
mod secrets;
mod sending;
mod trouble;
