//! What makes the service misbehave and what shows what it did: personalities, scripted faults, the log of requests
//! and the ledger of sales. For tests and `wdesk sandbox serve`; only compiled with the feature `faults`, so that
//! the released window has none of it. Knows nothing of the running service, which `fault_handler`, `control` and
//! `inspection` connect it with.

mod action;
mod ledger;
mod personality;
mod presets;
mod request_log;
mod response_faults;
mod response_stream;
mod script;
mod wire_faults;

use std::{collections::HashSet, sync::Mutex};

use tokio::sync::Notify;

pub use self::{
    action::{Action, Rule, ScriptedFault, When},
    ledger::{LedgerError, Sale},
    personality::{AnswerOrder, Completeness, ErrorStatus, Personality},
    presets::{UnknownPersonality, named_faults},
    request_log::RecordedRequest,
};
pub(crate) use self::{
    ledger::sales,
    request_log::{RequestLog, exchange},
    response_faults::{apply, runs_operation, shape_bulk_answer},
    response_stream::{ConnectionHandle, ResponseStream},
    script::FaultScript,
};

/// The state behind faults and inspection.
#[derive(Debug)]
pub(crate) struct Faults {
    pub(crate) script: Mutex<FaultScript>,
    pub(crate) request_log: RequestLog,
    /// The idempotency keys whose first answer has not been sent yet, for
    /// [`KeyPolicy::ConflictWhileInProgress`](crate::KeyPolicy::ConflictWhileInProgress).
    pub(crate) keys_in_progress: Mutex<HashSet<String>>,
    /// Ends the responses that still go on when the service stops.
    pub(crate) stopped: Notify,
}

impl Faults {
    pub(crate) fn new(personality: Personality) -> Self {
        Self {
            script: Mutex::new(FaultScript::new(personality)),
            request_log: RequestLog::default(),
            keys_in_progress: Mutex::default(),
            stopped: Notify::new(),
        }
    }
}
