//! What a store does with the service: enter contracts and never lose or double one, look them up,
//! keep products and plans, create leads, and remember who did what.
//!
//! Everything starts at [`Desk`]. Each subject has a folder with its part of the desk's calls. The
//! crate knows of no window and no terminal; clock, ids and vault are handed in.

#![warn(missing_docs)]

mod backup_schedule;
pub mod bulk;
mod catalog;
pub mod clock;
mod context;
pub mod contracts;
pub mod data_dir;
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

/// The wire types of the interface, for those who show them.
pub use warranty_api as api;
