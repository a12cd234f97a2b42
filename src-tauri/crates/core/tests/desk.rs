//! The desk, end to end against the practice service, whose ledger and record of requests judge.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../tests/canary/mod.rs"]
mod canary;
#[path = "desk/cases.rs"]
mod cases;
#[path = "desk/checking.rs"]
mod checking;
#[path = "../../../../tests/copies/mod.rs"]
mod copies;
#[path = "desk/day.rs"]
mod day;
#[path = "desk/drafts.rs"]
mod drafts;
#[path = "desk/encryption_at_rest.rs"]
mod encryption_at_rest;
#[path = "desk/encryption_key.rs"]
mod encryption_key;
#[path = "desk/entering.rs"]
mod entering;
#[path = "desk/equal_rows.rs"]
mod equal_rows;
#[path = "desk/harness.rs"]
mod harness;
#[path = "../../../../tests/hostile/mod.rs"]
mod hostile;
#[path = "desk/hostile_texts.rs"]
mod hostile_texts;
#[path = "desk/imports.rs"]
mod imports;
#[path = "desk/keychain.rs"]
mod keychain;
#[path = "desk/lead_answers.rs"]
mod lead_answers;
#[path = "desk/leads.rs"]
mod leads;
#[path = "desk/links.rs"]
mod links;
#[path = "desk/lists.rs"]
mod lists;
#[path = "desk/lookups.rs"]
mod lookups;
#[cfg(unix)]
#[path = "desk/managed.rs"]
mod managed;
#[path = "desk/mappings.rs"]
mod mappings;
#[path = "desk/older_copy.rs"]
mod older_copy;
#[path = "desk/outbox.rs"]
mod outbox;
#[path = "desk/paper.rs"]
mod paper;
#[path = "desk/plans.rs"]
mod plans;
#[path = "desk/products.rs"]
mod products;
#[path = "desk/profiles.rs"]
mod profiles;
#[path = "desk/queue.rs"]
mod queue;
#[path = "desk/reachability.rs"]
mod reachability;
#[path = "desk/recovery.rs"]
mod recovery;
#[path = "desk/replay_window.rs"]
mod replay_window;
#[path = "desk/retention.rs"]
mod retention;
#[path = "desk/run_dates.rs"]
mod run_dates;
#[path = "desk/run_guards.rs"]
mod run_guards;
#[path = "desk/run_halts.rs"]
mod run_halts;
#[path = "desk/run_kinds.rs"]
mod run_kinds;
#[path = "desk/runs.rs"]
mod runs;
#[path = "desk/sales.rs"]
mod sales;
#[path = "desk/second_contracts.rs"]
mod second_contracts;
#[path = "desk/staff.rs"]
mod staff;
#[path = "desk/steps.rs"]
mod steps;
#[path = "desk/vault.rs"]
mod vault;
#[path = "../../files/tests/whole_file/mod.rs"]
mod whole_file;
