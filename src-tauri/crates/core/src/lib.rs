//! The services of the desk: contracts, outbox, bulk jobs, plans, products, leads, profiles, journal.
//!
//! [`Desk`] is the composition root. Knows neither window nor terminal; clock, ids and vault are
//! injected.

#![warn(missing_docs)]

mod backup_schedule;
pub mod bulk;
mod catalog;
pub mod clock;
mod context;
pub mod contracts;
pub mod data_dir;
pub mod day;
mod desk;
pub mod drafts;
pub mod encryption;
mod error;
pub mod export;
pub mod hardening;
mod high_water;
pub mod journal;
mod keyed_lock;
mod known_codes;
pub mod leads;
pub mod notice;
mod notifications;
pub mod outbox;
pub mod overview;
pub mod plans;
pub mod print;
pub mod products;
pub mod profile;
pub mod recovery;
mod repeats;
mod services;
pub mod settings;
#[cfg(test)]
mod testing;
mod work;

pub use backup_schedule::BackupState;
pub use desk::{Desk, DeskStatus};
pub use error::{Error, Field, FieldProblem, Operation, Problem, StoreError};
pub use profile::PracticeService;
pub use repeats::{Hold, Outcome};
pub use services::{DeskOptions, Services};

pub use warranty_files as files;
pub use warranty_model::display;
use warranty_model::search_text;
pub use warranty_vault as vault;

/// The wire types of the interface, for the user interfaces.
pub use warranty_api as api;
