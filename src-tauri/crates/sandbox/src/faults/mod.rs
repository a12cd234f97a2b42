//! What makes the service misbehave and what shows what it did: personalities, scripted faults, the log of requests
//! and the ledger of sales. For tests and `wdesk sandbox serve`; only compiled with the feature `faults`, so that
//! the released window has none of it. Knows nothing of the running service, which `fault_handler`, `control` and
//! `inspection` connect it with.

mod action;
mod keys_in_progress;
mod ledger;
mod personality;
mod presets;
mod request_log;
mod response_faults;
mod response_stream;
mod script;
mod wire_faults;

pub use self::{
    action::{Action, Rule, ScriptedFault, When},
    ledger::{LedgerError, Sale},
    personality::{AnswerOrder, Completeness, ErrorStatus, Personality},
    presets::{UnknownPersonality, named_faults},
    request_log::RecordedRequest,
    wire_faults::WireFault,
};
pub(crate) use self::{
    keys_in_progress::KeysInProgress,
    ledger::sales,
    request_log::{RequestLog, exchange},
    response_faults::{apply, runs_operation, shape_bulk_answer},
    response_stream::ResponseStream,
    script::FaultScript,
};

/// The state behind faults and inspection.
#[derive(Debug)]
pub(crate) struct Faults {
    pub(crate) script: FaultScript,
    pub(crate) request_log: RequestLog,
    pub(crate) keys: KeysInProgress,
}

impl Faults {
    pub(crate) fn new(personality: Personality) -> Self {
        Self {
            script: FaultScript::new(personality),
            request_log: RequestLog::default(),
            keys: KeysInProgress::default(),
        }
    }
}
