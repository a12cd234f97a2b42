//! The state of an entered contract, and why a person is needed.

use serde::{Deserialize, Serialize};

/// The state of an entered contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SubmissionState {
    /// Entered, not yet frozen into a batch.
    Draft,
    /// Frozen and committed; waits to be sent.
    Queued,
    InFlight,
    /// Declined for now (token, rate); waits for a new token or a later time.
    Held,
    /// Sent; what happened is not known.
    Unknown,
    /// The service returned it.
    Accepted,
    /// A lookup returned it.
    Confirmed,
    /// Refused: nothing was sold; can be edited and entered again.
    Rejected,
    /// Only a person can go on.
    NeedsPerson,
    Cancelled,
}

impl SubmissionState {
    /// Whether it is a contract or may become one.
    pub fn may_be_sold(self) -> bool {
        !matches!(self, Self::Rejected | Self::Cancelled)
    }
}

/// Why a person is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CaseReason {
    /// Sent without a usable answer, and the time in which repeating is safe has passed.
    UnknownTooLong,
    /// Refused after an attempt whose outcome is unknown.
    RejectedAfterUnknown,
    /// The answer named it beside others that were not sent, or a batch of several was refused or
    /// answered in part: it is not known which were created.
    RejectedBatch,
    /// Accepted, and not found by lookup for 24 hours.
    NeverVisible,
    /// Lookup returns something else than was sent.
    Contradiction,
    /// The service has it as sent, as a contract of another store.
    OtherStore,
    /// Lookup returns it as sent, with a status that may mean it is cancelled, or that cannot be read.
    ReportedCancelled,
    /// Lookup returns it as sent, with a mark of fraud, or one that cannot be read.
    ReportedFraud,
    /// The desk's file was damaged and an earlier copy of it took its place: this may have been
    /// sent since the copy was taken.
    RestoredFromBackup,
    /// An older copy of the desk's file was put in its place: this may have been sent since that
    /// copy was taken.
    OlderFilePutBack,
    /// It can never be sent as it is: the key that it is encrypted with is gone, or the desk's file has
    /// another address, profile or key for it than it was entered for.
    KeyLost,
}
