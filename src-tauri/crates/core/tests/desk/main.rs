//! The desk, end to end against the practice service, whose ledger and record of requests judge.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../../tests/canary/mod.rs"]
mod canary;
mod cases;
mod checking;
#[path = "../../../../../tests/copies/mod.rs"]
mod copies;
mod day;
mod drafts;
mod encryption_at_rest;
mod encryption_key;
mod entering;
mod equal_rows;
mod harness;
#[path = "../../../../../tests/hostile/mod.rs"]
mod hostile;
mod hostile_texts;
mod imports;
mod keychain;
mod keychain_reset;
mod lead_answers;
mod leads;
mod links;
mod lists;
mod lookups;
#[cfg(unix)]
mod managed;
mod mappings;
mod older_copy;
mod outbox;
mod paper;
mod plans;
mod products;
mod profiles;
mod queue;
mod reachability;
mod recovery;
mod replay_window;
mod retention;
mod run_dates;
mod run_guards;
mod run_halts;
mod run_kinds;
mod runs;
mod sales;
mod second_contracts;
mod staff;
mod steps;
mod vault;
#[path = "../../../files/tests/whole_file/mod.rs"]
mod whole_file;
