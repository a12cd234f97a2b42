//! The outbox: the states of an entered contract, and the rules that move it from one to the next.
//!
//! Owns the table of states, what an answer means for it, when a request is repeated and when only a
//! person can go on. All of it is pure: the dispatcher that carries it out is not here.

use serde::{Deserialize, Serialize};

use crate::contracts::{Confirmed, EntryDraft, SubmissionView};
use crate::interface::Timestamp;

pub use crate::submission_state::{CaseReason, SubmissionState};
pub use blocker::Blocker;

pub mod backoff;
pub mod batching;
mod blocker;
pub mod circuit_breaker;
pub mod classify;
pub mod confirmation;
pub mod matching;
mod record;
pub mod recovery;
pub mod replay_window;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
pub mod state;

/// Counts of the current profile's entries by what staff must know of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutboxSummary {
    /// Draft, queued or in flight.
    pub waiting: u32,
    pub held: u32,
    /// Of these: until another token is set. The others go on by themselves.
    pub held_for_token: u32,
    pub unknown: u32,
    /// Accepted and not yet confirmed.
    pub accepted: u32,
    pub confirmed: u32,
    /// Rejected and not yet edited or cancelled.
    pub rejected: u32,
    /// A person must decide.
    pub needs_person: u32,
    /// Of the others, in whatever state: an attempt was not answered, or an answer named two contracts, so
    /// that the provider may have them more than once, and no person has recorded asking it.
    pub possible_duplicates: u32,
}

/// One attempt to send, as evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    /// From 1.
    pub number: u32,
    /// Committed before the first byte left.
    pub started_at: Timestamp,
    /// `None` while in flight or when the process died.
    pub finished_at: Option<Timestamp>,
    /// What the answer meant; `None` while in flight or when the process died.
    pub class: Option<AnswerClass>,
    pub status: Option<u16>,
    pub request_id: Option<String>,
    pub code: Option<String>,
    /// The service's words or what the network did.
    pub detail: Option<String>,
}

/// What an answer means; the first table of the reliability rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum AnswerClass {
    /// Nothing left the machine.
    NotSent,
    /// 401, 403 or 429 with an error object: nothing was done.
    Declined,
    /// A bad request: the service names what is wrong.
    Rejected,
    /// A 2xx whose items match what was sent, one to one.
    Accepted,
    /// Everything else.
    Unknown,
}

/// What a person may decide about a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ResolutionKind {
    /// Give the contract id found at the provider; a lookup must match.
    GiveContractId,
    /// Record that the provider has none, and send again, linked.
    ProviderHasNone,
    /// Replay the same key once more.
    ReplayOnce,
    /// Edit and enter again.
    Edit,
    /// Try now instead of later.
    SendNow,
    Cancel,
    /// Record that the provider was asked whether it has the contract more than once. It is no step
    /// of the table of states: whatever the state, it changes that note alone.
    DuplicateChecked,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CaseView {
    pub submission: SubmissionView,
    /// Id of the profile that it was entered under.
    #[serde(skip)]
    pub profile_id: String,
    /// The batch it was frozen into, when it was.
    pub batch_id: Option<String>,
    /// How many contracts that batch carries.
    pub batch_size: u32,
    pub attempts: Vec<AttemptView>,
    /// The resolutions that are valid now, and no others.
    pub resolutions: Vec<ResolutionKind>,
    /// It waits in a run that is paused: it is not sent before the run is resumed.
    pub paused: bool,
    /// The entry this one was made in place of.
    pub replaces: Option<String>,
    /// The entry made in place of this one.
    pub replaced_by: Option<String>,
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind")]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Resolution {
    GiveContractId {
        /// The id found at the provider.
        contract_id: String,
    },
    ProviderHasNone {
        /// Who at the provider said so, or a case number.
        reference: String,
        confirmed: Vec<Confirmed>,
    },
    ReplayOnce {
        confirmed: Vec<Confirmed>,
    },
    /// [`ResolutionKind::Edit`]: the corrected entry.
    Edit {
        /// As typed.
        draft: Box<EntryDraft>,
        confirmed: Vec<Confirmed>,
    },
    SendNow {
        confirmed: Vec<Confirmed>,
    },
    Cancel,
    DuplicateChecked {
        /// Who at the provider said so, or a case number.
        reference: String,
    },
}

impl Resolution {
    pub fn kind(&self) -> ResolutionKind {
        match self {
            Self::GiveContractId { .. } => ResolutionKind::GiveContractId,
            Self::ProviderHasNone { .. } => ResolutionKind::ProviderHasNone,
            Self::ReplayOnce { .. } => ResolutionKind::ReplayOnce,
            Self::Edit { .. } => ResolutionKind::Edit,
            Self::SendNow { .. } => ResolutionKind::SendNow,
            Self::Cancel => ResolutionKind::Cancel,
            Self::DuplicateChecked { .. } => ResolutionKind::DuplicateChecked,
        }
    }
}

/// When a run of the outbox ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunUntil {
    /// Also wait until everything accepted is confirmed.
    pub confirmed: bool,
    /// At most this long.
    pub at_most: std::time::Duration,
}
