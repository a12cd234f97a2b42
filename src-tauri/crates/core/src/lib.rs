//! The services of the desk: contracts, outbox, bulk jobs, plans, products, leads, profiles, journal.
//!
//! [`Desk`] is the composition root. Knows neither window nor terminal; clock, ids and vault are
//! injected.

#[cfg(test)]
mod backup_schedule_tests;
pub mod bulk;
mod catalog;
mod change_order;
pub mod contracts;
pub mod data_dir;
pub mod day;
mod desk;
pub mod doctor;
pub mod drafts;
pub mod encryption;
pub mod export;
pub mod hardening;
mod known_codes;
pub mod leads;
pub mod outbox;
pub mod plans;
pub mod print;
pub mod products;
pub mod profile;
pub mod recovery;
mod services;
pub mod staff;
pub mod support;
#[cfg(test)]
mod testing;

pub use desk::{Desk, DeskStatus};
pub use profile::PracticeService;
pub use services::{DeskOptions, Services};
pub use warranty_model::call_outcome::CallFailure;
pub use warranty_runtime::backup_schedule::BackupState;
pub use warranty_runtime::repeats::{Hold, Outcome};
pub use warranty_runtime::{
    Error, Field, FieldProblem, Operation, Problem, Result, StoreError, clock, journal, log,
    notice, organization, overview, policy, settings,
};

pub use warranty_files as files;
use warranty_model::search_text;
pub use warranty_model::{display, texts};
pub use warranty_vault as vault;

/// The wire types of the interface, for the user interfaces.
pub use warranty_api as api;
