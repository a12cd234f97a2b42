//! The real `wdesk` against a real `wdesk sandbox serve`, with a real keychain, judged by the
//! service's ledger. The keychain of the session must be there and unlocked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod answers;
mod bad_input;
mod canaries;
#[path = "../../../../../tests/canary/mod.rs"]
mod canary;
mod codes;
mod command_line;
mod concurrent_processes;
#[path = "../../../../../tests/copies/mod.rs"]
mod copies;
mod day;
mod disk;
mod doctor;
mod documents;
mod dumps;
mod equal_rows;
mod exporting;
mod files;
mod finding;
mod harness;
#[path = "../../../../../tests/hostile/mod.rs"]
mod hostile;
mod hostile_texts;
mod journal;
mod keychain;
mod kills;
mod locks;
mod lost_key;
mod main_job;
mod offline;
mod older_copy;
mod one_store;
mod other_server;
mod plain_words;
mod policy;
mod practice;
mod private;
mod reading;
mod reconcile;
mod repeats;
mod reported;
mod resolving;
mod rows;
mod secrets;
mod sending;
mod service;
mod sheet;
mod support;
mod time_zones;
mod usage;
mod workbooks;
