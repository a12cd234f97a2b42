//! Bulk jobs: many rows of one kind from a file or a sheet, and the result of each row.

use serde::{Deserialize, Serialize};

use crate::call_outcome::CallFailure;
use crate::contracts::{Confirmed, Question, Warning};
use crate::interface::{ContractId, Timestamp};
use crate::outbox::Blocker;
use crate::submission_state::SubmissionState;
use crate::{Field, FieldProblem};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RunKind {
    /// Contracts to enter, part 4.1.
    Contracts,
    /// Products to register or update, part 4.3.
    Products,
    /// Store references to set on plans, part 4.4.
    PlanLinks,
    /// Product references to add to the known products, with their plans, part 4.5.
    ProductReferences,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RunSource {
    File,
    Sheet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RunState {
    /// Stored, but neither started nor cancelled.
    Staged,
    /// In progress, now or when the desk is open again.
    Running,
    Paused,
    /// Cancelled by a person; what was already sent stays sent.
    Cancelled,
    /// Every row has an outcome. Its entries may still be in flight.
    Done,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunSent {
    /// Draft, queued or in flight.
    pub waiting: u32,
    /// Declined for now.
    pub held: u32,
    /// Sent, with an unknown outcome.
    pub unknown: u32,
    /// The service returned them; a lookup does not show them yet.
    pub accepted: u32,
    /// A lookup returned them.
    pub confirmed: u32,
    /// A person must decide.
    pub needs_person: u32,
    /// Refused; nothing was sold.
    pub rejected: u32,
    pub cancelled: u32,
    /// Those of them that were cancelled with the run, before anything of them was sent.
    pub stopped: u32,
    /// Those that may exist more than once, and no person has recorded asking the provider; without
    /// those that a person must decide anyway.
    pub possible_duplicates: u32,
}

impl RunSent {
    /// Whether some of them can still change without a person.
    pub fn can_change(self) -> bool {
        self.waiting + self.held + self.unknown + self.accepted > 0
    }
}

/// What is left out of a workbook that a run or a list to compare was read from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// How many hidden rows.
    pub hidden_rows: u32,
    /// The lines of the first ones.
    pub hidden_lines: Vec<u32>,
    /// Other visible sheets with rows.
    pub other_sheets: Vec<String>,
}

/// The result of a row of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RunOutcome {
    /// It became an entry, or the service carried it out.
    Entered,
    /// Its sale was entered before with the same contents.
    AlreadyEntered,
    /// Its sale was entered before with other data: the earlier entry stays as it is.
    Differing,
    /// It cannot be used, or a person must answer first.
    Rejected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RowList {
    Entered,
    AlreadyEntered,
    Differing,
    Rejected,
    Warned,
    /// Rows with any finding.
    Found,
}

/// A row that failed at the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RowFailure {
    /// Whether the service may have carried it out nevertheless.
    pub may_be_done: bool,
    pub what: RowFault,
    /// The service's code, when it gave one.
    pub code: Option<String>,
    /// The service's message, when it gave one.
    pub message: Option<String>,
    pub request_id: Option<String>,
}

/// What went wrong with a row. The text `failure.<name>` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(untagged)]
pub enum RowFault {
    Call(CallFailure),
    Link(LinkFault),
}

/// What went wrong with the link of a plan, other than a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LinkFault {
    ChangedMeanwhile,
    NotProven,
}

/// The entry that represents a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RowSubmission {
    pub id: String,
    pub state: SubmissionState,
    pub contract_id: Option<ContractId>,
    /// A person has resolved it: corrected it, so that another entry continues, or cancelled it. An
    /// entry that was cancelled with its run is not settled.
    pub settled: bool,
    /// It may exist more than once at the provider, and no person has recorded asking the provider.
    pub duplicate_possible: bool,
    /// Id of the profile that it was entered under.
    #[serde(skip)]
    pub profile_id: String,
    /// Whether a paused run keeps it from being sent.
    #[serde(skip)]
    pub paused: bool,
    /// Its transaction, product and plan, by which a person recognises it.
    #[serde(skip)]
    pub codes: Vec<String>,
}

/// The rows that an answer with yes is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "which", content = "of", rename_all = "camelCase")]
pub enum AnsweredRows {
    /// All rows that ask the question.
    All,
    /// This question of the row with this number, from 1.
    One { number: u32, yes: Confirmed },
    /// The rows that begin on these lines of the file, from 1.
    Lines(Vec<u32>),
}

/// The data stored for a row in addition to its cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowKept {
    /// From 1.
    pub number: u32,
    pub line: u32,
    pub outcome: Option<RunOutcome>,
    pub submission_id: Option<String>,
    pub finding: Finding,
    /// The questions that a person confirmed since it was submitted.
    pub confirmed: Vec<Confirmed>,
}

/// The reasons for the result of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Finding {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<FieldProblem>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// The fields that differ from the entry of its sale, or from the service's answer about a
    /// product.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<RowFailure>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Whether another row of the run is of the same sale.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equal: bool,
}

impl Finding {
    /// Whether nothing prevents the row from being entered.
    pub fn is_clear(&self) -> bool {
        let warned = Self {
            warnings: self.warnings.clone(),
            equal: self.equal,
            ..Self::default()
        };
        *self == warned
    }
}

/// The number of rows of a chunk with each result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub entered: i64,
    /// [`RunOutcome::AlreadyEntered`] and [`RunOutcome::Differing`].
    pub already_entered: i64,
    pub differing: i64,
    pub rejected: i64,
    /// Rows that could not be checked at the service.
    pub unchecked: i64,
}

impl Tally {
    /// Counts stored rows, except the unchecked ones, which the check counts itself.
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

    /// The difference when these rows replace others.
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
    pub const ALL: [Self; 4] = [
        Self::Contracts,
        Self::Products,
        Self::PlanLinks,
        Self::ProductReferences,
    ];

    /// The field that identifies a row.
    pub fn key(self) -> Field {
        match self {
            Self::Contracts => Field::TransactionId,
            Self::PlanLinks => Field::PlanId,
            Self::Products | Self::ProductReferences => Field::ProductReferenceId,
        }
    }
}

/// Which runs of a profile are listed.
#[derive(Debug, Clone, Copy)]
pub enum Runs {
    /// At most so many, newest first, but all open files before them.
    Latest(u32),
    /// Those that are running or paused, oldest first.
    Unfinished,
    /// The files that are not finished, or have rejected rows that no person has, oldest first: those
    /// that the close of the day counts.
    OpenFiles,
}

/// A run in any state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Its id, a UUID.
    pub id: String,
    pub kind: RunKind,
    pub source: RunSource,
    /// The name that people see.
    pub name: String,
    pub state: RunState,
    /// Whether all its rows are stored; until then it is neither checked nor started.
    pub whole: bool,
    pub rows: u32,
    /// Rows checked so far; the counts below are complete when this equals `rows`.
    pub checked: u32,
    /// Rows that are valid as far as is known and are not yet entered.
    pub pending: u32,
    /// Rows that became entries, or that the service carried out.
    pub entered: u32,
    /// Rows of a sale that was entered before, including differing ones: they are not sold again.
    pub already_entered: u32,
    /// Of these, the rows with data that differ from the earlier entry.
    pub differing: u32,
    /// Rows that cannot be used, or that need an answer first.
    pub rejected: u32,
    /// Rows that could not be checked at the service.
    pub unchecked: u32,
    /// Rows with warnings that were not entered before.
    pub warned: u32,
    /// Number of batches that contain its entries.
    pub batches: u32,
    /// The states of its entries, including those that were entered before by others.
    pub sent: RunSent,
    /// Its own entries that the service has not processed: pausing holds them, cancelling cancels
    /// them. While there are any, the run can be paused and cancelled, even when it is done.
    pub unsent: u32,
    pub created_at: Timestamp,
    /// OS user.
    pub created_by: String,
    /// Of a file whose key is there and whose rows are not deleted; empty otherwise.
    pub left_out: LeftOut,
    /// What blocks it; `None` when nothing does, or when it is not running.
    pub waiting_for: Option<Blocker>,
    /// It is running, but its next rows could not be decrypted: their key is not in the keychain,
    /// or they were entered for another profile, address or store. They are stored and tried again.
    pub unreadable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// From 1.
    pub number: u32,
    /// First line of the row in the file, from 1; its number for a sheet.
    pub line: u32,
    /// Its outcome; in a staged run, its expected outcome. `None`: none yet.
    pub outcome: Option<RunOutcome>,
    pub problems: Vec<FieldProblem>,
    pub questions: Vec<Question>,
    pub warnings: Vec<Warning>,
    /// The fields in which a row that was entered before differs from its entry; for a product, the
    /// fields in which the service's answer differs from the row.
    pub differs: Vec<Field>,
    /// The failure at the service, for rows that are not contracts.
    pub failure: Option<RowFailure>,
    pub submission: Option<RowSubmission>,
    /// For a row of a file: its codes and amounts, by which a person recognises it. Empty while they
    /// cannot be read, and once they are deleted. Nothing personal.
    pub content: Vec<String>,
}
