//! Bulk jobs: many rows of one kind from a file or a sheet, and what becomes of each.

use serde::{Deserialize, Serialize};

use crate::contracts::{Confirmed, Question, Warning};
use crate::interface::{ContractId, Timestamp};
use crate::outbox::Blocker;
use crate::submission_state::SubmissionState;
use crate::{Field, FieldProblem};

/// What the rows of a run are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum RunKind {
    /// Contracts to enter, part 4.1.
    Contracts,
    /// Products to put, part 4.3.
    Products,
    /// Store references to set on plans, part 4.4.
    PlanLinks,
    /// References of products to know and to read the plans of, part 4.5.
    ProductReferences,
}

/// Where the rows of a run come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum RunSource {
    /// A file.
    File,
    /// The sheet of the window.
    Sheet,
}

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum RunState {
    /// Kept, and nothing done with it.
    Staged,
    /// Being worked through, now or when the desk is open again.
    Running,
    /// A person halted it.
    Paused,
    /// A person ended it; what was sent by then stays sent.
    Cancelled,
    /// Every row has an outcome. Its entries may still be in flight.
    Done,
}

/// Entries of a run by their state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RunSent {
    /// Draft, queued or in flight.
    pub waiting: u32,
    /// Declined for now.
    pub held: u32,
    /// Sent; what happened is not known.
    pub unknown: u32,
    /// The service returned them; a lookup does not show them yet.
    pub accepted: u32,
    /// A lookup returned them.
    pub confirmed: u32,
    /// Only a person can go on.
    pub needs_person: u32,
    /// Refused; nothing was sold.
    pub rejected: u32,
    /// Given up.
    pub cancelled: u32,
}

/// What a row of a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum RunOutcome {
    /// It became an entry, or is done at the service.
    Entered,
    /// Its sale was entered before with the same contents.
    AlreadyEntered,
    /// Its sale was entered before with other data: the earlier entry stays as it is.
    Differing,
    /// It cannot be used, or a person must answer first.
    Rejected,
}

/// Which rows of a run to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum RowList {
    /// [`RunOutcome::Entered`].
    Entered,
    /// [`RunOutcome::AlreadyEntered`].
    AlreadyEntered,
    /// [`RunOutcome::Differing`].
    Differing,
    /// [`RunOutcome::Rejected`].
    Rejected,
    /// Of which something is odd but legal.
    Warned,
    /// Of which there is anything to say.
    Found,
}

/// A row that was tried at the service in vain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RowFailure {
    /// Whether the service may have done it all the same.
    pub may_be_done: bool,
    /// The service's code, when it gave one.
    pub code: Option<String>,
    /// The service's words, or what happened.
    pub message: String,
    /// The service's request id.
    pub request_id: Option<String>,
}

/// The entry that represents a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RowSubmission {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: SubmissionState,
    /// Its contract id, when it has one.
    pub contract_id: Option<ContractId>,
    /// A person has settled it: corrected, it went on as another entry; cancelled, it went no
    /// further. What a run's own end calls off is not settled.
    pub settled: bool,
    /// It may exist more than once at the provider, and no person has recorded asking.
    pub duplicate_possible: bool,
}

/// Which rows a person says yes for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(tag = "which", content = "numbers", rename_all = "camelCase")]
pub enum AnsweredRows {
    /// All that ask it.
    All,
    /// Those of these numbers, from 1.
    These(Vec<u32>),
    /// Those that begin on these lines of the file, from 1.
    Lines(Vec<u32>),
}

/// What is kept of a row beside its cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowKept {
    /// From 1.
    pub number: u32,
    /// Line of the file.
    pub line: u32,
    /// What it came to.
    pub outcome: Option<RunOutcome>,
    /// The entry that represents it.
    pub submission_id: Option<String>,
    /// Why.
    pub finding: Finding,
    /// What a person said yes to since it was submitted.
    pub confirmed: Vec<Confirmed>,
}

/// Why a row came to what it did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Finding {
    /// What must be corrected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<FieldProblem>,
    /// What a person must answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// In what it differs from the entry of its sale, or a product from the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Field>,
    /// What went wrong at the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<RowFailure>,
    /// What is odd but legal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Whether another row of the run is of the same sale.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equal: bool,
}

impl Finding {
    /// Whether nothing keeps the row from being entered.
    pub fn is_clear(&self) -> bool {
        let warned = Self {
            warnings: self.warnings.clone(),
            equal: self.equal,
            ..Self::default()
        };
        *self == warned
    }
}

/// What the rows of a chunk came to, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// [`RunOutcome::Entered`].
    pub entered: i64,
    /// [`RunOutcome::AlreadyEntered`] and [`RunOutcome::Differing`].
    pub already_entered: i64,
    /// [`RunOutcome::Differing`].
    pub differing: i64,
    /// [`RunOutcome::Rejected`].
    pub rejected: i64,
    /// Rows that the service could not be asked about.
    pub unchecked: i64,
}

impl Tally {
    /// Of kept rows; those the service could not be asked about are counted by who asked.
    pub fn of(rows: &[RowKept]) -> Self {
        let mut tally = Self::default();
        for row in rows {
            match row.outcome {
                Some(RunOutcome::Entered) => tally.entered += 1,
                Some(RunOutcome::AlreadyEntered) => tally.already_entered += 1,
                Some(RunOutcome::Differing) => {
                    tally.already_entered += 1;
                    tally.differing += 1;
                }
                Some(RunOutcome::Rejected) => tally.rejected += 1,
                None => {}
            }
        }
        tally
    }

    /// What changes when these rows replace others.
    pub fn instead_of(self, before: Self) -> Self {
        Self {
            entered: self.entered - before.entered,
            already_entered: self.already_entered - before.already_entered,
            differing: self.differing - before.differing,
            rejected: self.rejected - before.rejected,
            unchecked: self.unchecked - before.unchecked,
        }
    }
}

impl RunKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [
        Self::Contracts,
        Self::Products,
        Self::PlanLinks,
        Self::ProductReferences,
    ];

    /// The code that a row is known by.
    pub fn key(self) -> Field {
        match self {
            Self::Contracts => Field::TransactionId,
            Self::PlanLinks => Field::PlanId,
            Self::Products | Self::ProductReferences => Field::ProductReferenceId,
        }
    }
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
    /// Its state.
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
    /// The states of its entries, those entered before by somebody else included.
    pub sent: RunSent,
    /// Those of its own that nothing was done with at the service: a halt keeps them back, an end
    /// calls them off. While there are any it can be halted and ended, also when it is done.
    pub unsent: u32,
    /// When it was kept.
    pub created_at: Timestamp,
    /// OS user.
    pub created_by: String,
    /// What blocks it; `None` when nothing does, or it does not go on.
    pub waiting_for: Option<Blocker>,
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
    /// Its outcome; in a staged run, its expected outcome. `None`: none yet.
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
    /// The entry that represents it.
    pub submission: Option<RowSubmission>,
}
