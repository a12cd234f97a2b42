//! Bulk jobs: many rows of one kind from a file or a sheet, kept durably and worked through in chunks.
//!
//! Owns what becomes of each row until it is an entry of the outbox, or done at the service. What
//! becomes of an entry from there is the outbox's.

mod columns;
mod control;
mod dry_run;
mod encrypted_rows;
mod enter_contracts;
mod execute;
pub mod from_file;
mod queries;
mod stage;
mod step;
mod validate;

use serde::{Deserialize, Serialize};
use warranty_api::Timestamp;

use crate::contracts::{Question, Warning};
use crate::outbox::Obstacle;
use crate::{Field, FieldProblem};

pub use columns::{Layout, LayoutColumn, RowCells, SheetRow};
pub use dry_run::DryRun;
pub use queries::{RejectedCells, RejectedRows};
pub use stage::SheetPart;
pub(crate) use step::RunWork;
pub use warranty_model::bulk::{
    AnsweredRows, RowFailure, RowList, RowSubmission, RunKind, RunOutcome, RunSent, RunSource,
    RunState,
};
pub(crate) use warranty_model::bulk::{Finding, RowKept, Tally};

/// A run to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// The caller's UUID: the same id twice is one run.
    pub id: String,
    /// What its rows are.
    pub kind: RunKind,
    /// Where they come from.
    pub source: RunSource,
    /// What a person knows it by: the name of the file, without its folder.
    pub name: String,
    /// Headers, and which column is which field.
    pub layout: Layout,
}

/// A run, whatever has become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Its id, a UUID.
    pub id: String,
    /// What its rows are.
    pub kind: RunKind,
    /// Where they come from.
    pub source: RunSource,
    /// What a person knows it by.
    pub name: String,
    /// Where it stands.
    pub state: RunState,
    /// Whether all its rows are there; before, it is neither checked nor started.
    pub whole: bool,
    /// Rows in all.
    pub rows: u32,
    /// Rows looked at by the check so far; the counts below are complete when it is `rows`.
    pub checked: u32,
    /// Rows that can be worked with as far as is known, and were not yet.
    pub pending: u32,
    /// Rows that became entries, or are done at the service.
    pub entered: u32,
    /// Rows whose sale was entered before, differing ones included: nothing is sold again.
    pub already_entered: u32,
    /// Those of them that say something else than the earlier entry.
    pub differing: u32,
    /// Rows that cannot be used, or that a person must answer for first.
    pub rejected: u32,
    /// Rows that the service could not be asked about.
    pub unchecked: u32,
    /// Rows not entered before of which something is odd but legal.
    pub warned: u32,
    /// Batches its entries went into.
    pub batches: u32,
    /// Where its entries stand, those entered before by another hand included.
    pub sent: RunSent,
    /// Those of its own that nothing was done with at the service: a halt keeps them back, an end
    /// calls them off. While there are any it can be halted and ended, also when it is done.
    pub unsent: u32,
    /// When it was kept.
    pub created_at: Timestamp,
    /// OS user.
    pub created_by: String,
    /// What stands in its way; `None` when nothing does, or it does not go on.
    pub waiting_for: Option<Obstacle>,
    /// It runs, and its next rows could not be opened: their key is not in the keychain, or they were
    /// entered for another profile, address or store. They are kept, and tried again.
    pub unreadable: bool,
}

/// A row of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// From 1.
    pub number: u32,
    /// Line of the file it begins on, from 1; its number for a sheet.
    pub line: u32,
    /// What it came to; in a run that is only staged, what it would come to. `None`: nothing yet.
    pub outcome: Option<RunOutcome>,
    /// What must be corrected.
    pub problems: Vec<FieldProblem>,
    /// What a person must answer.
    pub questions: Vec<Question>,
    /// What is odd but legal.
    pub warnings: Vec<Warning>,
    /// In what a row entered before differs from its entry; of a product that was put, in what the
    /// service's answer differs from the row.
    pub differs: Vec<Field>,
    /// What went wrong at the service, for rows that are no contracts.
    pub failure: Option<RowFailure>,
    /// The entry that stands for it.
    pub submission: Option<RowSubmission>,
}
