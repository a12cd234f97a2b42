//! Bulk jobs: many rows of one kind from a file or a sheet, kept durably and worked through in chunks.
//!
//! Owns what becomes of each row until it is an entry of the outbox, or done at the service. What
//! becomes of an entry from there is the outbox's.

mod control;
mod dry_run;
mod enter_contracts;
mod execute;
pub mod from_file;
mod judge;
mod mapping_memory;
mod queries;
pub mod reconcile;
mod stage;
mod step;
mod validate;

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::contracts::Contracts;
use crate::encryption::Encryption;
use crate::known_codes::CodeLookup;
use crate::plans::Plans;
use crate::products::Products;
use crate::recovery::Recovery;
pub use control::SheetRun;
pub use dry_run::DryRun;
pub use stage::SheetPart;
pub(crate) use step::RunMemory;
pub use warranty_files::layout::{Layout, NumberedRow, SheetRow};
pub use warranty_model::bulk::{
    AnsweredRows, Finding, LeftOut, LinkFault, RowFailure, RowFault, RowList, RowSubmission,
    RunKind, RunOutcome, RunRow, RunSent, RunSource, RunState, RunView, Runs,
};
pub(crate) use warranty_model::bulk::{RowKept, Tally};
use warranty_runtime::context::Context;
use warranty_runtime::notifications::Notifications;
use warranty_runtime::overview::Overviews;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// The caller's UUID: the same id twice is one run.
    pub id: String,
    pub kind: RunKind,
    /// Where they come from.
    pub source: RunSource,
    /// What a person knows it by: the name of the file, without its folder.
    pub name: String,
    /// Headers, and which column is which field.
    pub layout: Layout,
}

#[derive(Debug, Clone)]
pub struct Bulk {
    pub(crate) context: Arc<Context>,
    pub(crate) encryption: Encryption,
    pub(crate) overviews: Overviews,
    pub(crate) recovery: Recovery,
    pub(crate) notifications: Notifications,
    pub(crate) catalog: Catalog,
    pub(crate) plans: Plans,
    pub(crate) products: Products,
    pub(crate) codes: CodeLookup,
    pub(crate) contracts: Contracts,
    pub(crate) memory: Arc<RunMemory>,
}
