//! How the service behaves where the specification says "not shown": settings, each independent of the
//! others, and nothing that acts on them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::faults::Rule;

/// Everything about the service that the specification leaves open. As JSON its fields are camelCase and each
/// may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Personality {
    /// What a repeated `X-Idempotency-Key` does (spec 4.1).
    pub key_policy: KeyPolicy,
    /// What becomes of a bulk request of which some items fail (spec 4.1).
    pub bulk_failure: BulkFailure,
    /// In which order a bulk answer lists its contracts.
    pub answer_order: AnswerOrder,
    /// Whether a bulk answer lists what was really created.
    pub completeness: Completeness,
    /// The HTTP status that goes with an error object (spec part 7).
    pub error_status: ErrorStatus,
    /// When a created contract can be looked up (spec part 3).
    pub visibility: Visibility,
    /// Milliseconds between a request's arrival and the start of its work.
    pub latency_ms: u64,
    /// Milliseconds between the end of the work, commit included, and the answer.
    pub answer_delay_ms: u64,
    /// Seed of whatever is random in the answers.
    pub seed: u64,
    /// Things that go wrong; the first rule that hits decides.
    pub faults: Vec<Rule>,
}

impl Default for Personality {
    fn default() -> Self {
        Self {
            key_policy: KeyPolicy::ReplayAll,
            bulk_failure: BulkFailure::AllOrNothing,
            answer_order: AnswerOrder::AsSent,
            completeness: Completeness::Whole,
            error_status: ErrorStatus::Standard4xx,
            visibility: Visibility::AfterMs(3_000),
            latency_ms: 0,
            answer_delay_ms: 0,
            seed: 1,
            faults: Vec::new(),
        }
    }
}

/// What a repeated idempotency key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyPolicy {
    /// Same key and same body: the stored answer again, refusals included. A changed body is a new request.
    ReplayAll,
    /// As `ReplayAll`, but refusals are not stored: the same request is tried afresh.
    SuccessesOnly,
    /// Keys mean nothing: every request is carried out.
    Ignore,
    /// As `ReplayAll` for this many milliseconds after the first answer, then forgotten.
    ForgetAfter(u64),
    /// The key alone counts: even a changed body gets the stored answer and is not carried out.
    BodyBlind,
    /// As `ReplayAll`, but a changed body under a known key is refused.
    RefuseChangedBody,
    /// As `ReplayAll`, but a repetition that arrives before the first answer left is refused as a conflict.
    ConflictWhileInProgress,
}

/// What becomes of a bulk request when some of its items fail, for instance for an unknown product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BulkFailure {
    /// Nothing is created; the first failing item's error object is the answer.
    AllOrNothing,
    /// The good items are created, and the answer is the first failing item's error object all the same.
    PartialError,
    /// The good items are created and listed as a success; the others are passed over in silence.
    PartialCreated,
}

/// In which order a bulk answer lists its contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AnswerOrder {
    /// As they were sent.
    AsSent,
    /// End sent, first listed.
    Reversed,
    /// In an order that differs from the sent one whenever there are two or more.
    Shuffled,
}

/// Whether a bulk answer lists what was really created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Completeness {
    /// Exactly what was created.
    Whole,
    /// This many created contracts are missing from the answer.
    Partial(usize),
    /// This many contracts are listed twice.
    Doubled(usize),
    /// This many contracts nobody asked for are listed as well.
    Foreign(usize),
}

/// The HTTP status that goes with an error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ErrorStatus {
    /// 400, 401, 404, 405, 406, 409, 413, 415, by kind.
    Standard4xx,
    /// Always this status, be it 200 or 500. Values that are no final HTTP status count as 500.
    Always(u16),
}

/// When a created contract can be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Visibility {
    /// This many milliseconds after its creation.
    AfterMs(u64),
    /// As long as this personality lasts, not at all.
    Never,
}

impl Visibility {
    /// The age from which a contract is found; `None`: at no age.
    pub(crate) fn delay(self) -> Option<Duration> {
        match self {
            Visibility::AfterMs(ms) => Some(Duration::from_millis(ms)),
            Visibility::Never => None,
        }
    }
}

impl ErrorStatus {
    /// The status to send for an error object whose natural status is `natural`.
    pub(crate) fn of(self, natural: u16) -> u16 {
        match self {
            ErrorStatus::Standard4xx => natural,
            ErrorStatus::Always(status) => status,
        }
    }
}
