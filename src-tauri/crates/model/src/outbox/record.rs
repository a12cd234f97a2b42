//! What is known of a batch: its state, its record, and the moments in it. Does not know what may happen
//! to it, which is the table of states.

use std::time::Duration;

use uuid::Uuid;

use crate::call_outcome::Hold;
use crate::submission_state::{CaseReason, SubmissionState};

/// The state of a batch, or of an entry of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Draft,
    Queued,
    InFlight,
    Held(Hold),
    Unknown,
    Accepted,
    Confirmed,
    Rejected,
    NeedsPerson(CaseReason),
    Cancelled,
}

impl State {
    /// The state as it is stored and shown.
    pub fn word(self) -> SubmissionState {
        match self {
            Self::Draft => SubmissionState::Draft,
            Self::Queued => SubmissionState::Queued,
            Self::InFlight => SubmissionState::InFlight,
            Self::Held(_) => SubmissionState::Held,
            Self::Unknown => SubmissionState::Unknown,
            Self::Accepted => SubmissionState::Accepted,
            Self::Confirmed => SubmissionState::Confirmed,
            Self::Rejected => SubmissionState::Rejected,
            Self::NeedsPerson(_) => SubmissionState::NeedsPerson,
            Self::Cancelled => SubmissionState::Cancelled,
        }
    }

    /// The state with its hold and its reason; `None` when they do not fit together.
    pub fn of(
        word: SubmissionState,
        hold: Option<Hold>,
        reason: Option<CaseReason>,
    ) -> Option<Self> {
        match word {
            SubmissionState::Draft => Some(Self::Draft),
            SubmissionState::Queued => Some(Self::Queued),
            SubmissionState::InFlight => Some(Self::InFlight),
            SubmissionState::Held => hold.map(Self::Held),
            SubmissionState::Unknown => Some(Self::Unknown),
            SubmissionState::Accepted => Some(Self::Accepted),
            SubmissionState::Confirmed => Some(Self::Confirmed),
            SubmissionState::Rejected => Some(Self::Rejected),
            SubmissionState::NeedsPerson => reason.map(Self::NeedsPerson),
            SubmissionState::Cancelled => Some(Self::Cancelled),
        }
    }
}

/// Whether address and token are those the batch was frozen for and last sent with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Same address, same token.
    Same,
    /// Same address, another token.
    Other,
    /// Another address than it was frozen for: it is never sent there.
    Elsewhere,
    /// Not known now: no token, no keychain, no practice service.
    Unavailable,
}

/// What is remembered of a batch beside its state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// How many contracts it carries.
    pub size: u32,
    /// Whether anything may ever have reached the service.
    pub reached: bool,
    /// Whether an attempt of unknown outcome ever happened.
    pub unknown_before: bool,
    /// A person allowed one more repeat.
    pub replay_granted: bool,
    /// How often it may have left since it was last known to be nowhere.
    pub sends: u32,
    /// When it first left since then.
    pub first_sent: Option<Instant>,
    /// Whether every entry still has the state of the batch, and no contract is known of any; a person
    /// may settle some alone.
    pub whole: bool,
    /// Since when it has been accepted, in milliseconds since 1970 UTC.
    pub accepted_at: Option<i64>,
    /// How often an entry was looked up since.
    pub lookups: u32,
    /// It was accepted after an attempt whose outcome stayed unknown, and the provider is not known
    /// to have kept the key: what it carries may exist more than once there.
    pub duplicate_possible: bool,
}

impl Record {
    /// Whether the service may have anything of it.
    pub(super) fn is_unknown(&self) -> bool {
        self.reached || self.unknown_before
    }
}

/// A moment on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// Milliseconds since 1970 UTC.
    pub wall: i64,
    /// Time that no clock change moves.
    pub mono: Duration,
    /// Names what `mono` counts from: a start of the machine, or of a process where the machine
    /// does not say. Two moments can be compared only when it is the same.
    pub counted_from: Uuid,
}
