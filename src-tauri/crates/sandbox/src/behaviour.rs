//! The decisions that the specification leaves to the service and that change its work: settings only.
//! Knows nothing of how an answer is sent.

use serde::{Deserialize, Serialize};

/// What the service does where the specification is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Behaviour {
    pub(crate) key_policy: KeyPolicy,
    pub(crate) bulk_failure: BulkFailure,
    pub(crate) visibility: Visibility,
}

/// What a repeated idempotency key does (spec 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyPolicy {
    /// Same key and same body: the stored answer again, errors included. A changed body is a new request.
    #[default]
    ReplayAll,
    /// As `ReplayAll`, but errors are not stored: the same request is processed again.
    SuccessesOnly,
    /// Keys are ignored: every request is processed.
    Ignore,
    /// As `ReplayAll` for this many milliseconds after the first answer; then the key is unknown again.
    ForgetAfter(u64),
    /// Only the key is compared: even a changed body gets the stored answer and is not processed.
    BodyBlind,
    /// As `ReplayAll`, but a changed body under a known key is refused.
    RefuseChangedBody,
    /// As `ReplayAll`, but a repeat that arrives before the first answer was sent is refused as a conflict.
    ConflictWhileInProgress,
}

/// What happens to a bulk request when some of its items fail, for instance for an unknown product (spec 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BulkFailure {
    /// Nothing is created; the answer is the first failing item's error object.
    #[default]
    AllOrNothing,
    /// The good items are created, and the answer is still the first failing item's error object.
    PartialError,
    /// The good items are created and returned as a success; the failing ones are not mentioned.
    PartialCreated,
}

/// When a created contract can be looked up (spec part 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Visibility {
    /// This many milliseconds after its creation.
    AfterMs(u64),
    /// Never, while this setting is in force.
    Never,
}

impl Default for Visibility {
    fn default() -> Self {
        Self::AfterMs(3_000)
    }
}
