//! The desk, end to end against the practice service, whose ledger and record of requests judge.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "desk/harness.rs"]
mod harness;
#[path = "desk/keychain.rs"]
mod keychain;
#[path = "desk/leads.rs"]
mod leads;
#[path = "desk/plans.rs"]
mod plans;
#[path = "desk/products.rs"]
mod products;
#[path = "desk/profiles.rs"]
mod profiles;
