//! Methods with which the program that started the service inspects it and changes its behaviour.

use std::{io, path::Path};

use crate::faults::{LedgerError, Personality, RecordedRequest, Sale, ScriptedFault, sales};
use crate::lock;
use crate::server::Sandbox;

impl Sandbox {
    /// What was really sold, oldest first.
    pub async fn ledger(&self) -> Result<Vec<Sale>, LedgerError> {
        self.app.store.transact(sales).await.map_err(LedgerError)
    }

    /// The requests that arrived, oldest first, without those to the control endpoints. At most 16 MiB are kept;
    /// the oldest are dropped first.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.app.faults.request_log.requests()
    }

    /// Changes how the service behaves from the next request on.
    pub fn set_personality(&self, personality: Personality) {
        lock(&self.app.faults.script).set_personality(personality);
    }

    /// Adds faults for the next matching requests, after those already scripted. They apply before the
    /// personality's rules.
    pub fn script(&self, faults: Vec<ScriptedFault>) {
        lock(&self.app.faults.script).script.extend(faults);
    }

    /// From now on appends every exchange to this file, one JSON object a line: `method`, `url`, `headers`,
    /// `body`, `response` (`status`, `headers`, `body`; null when the connection was closed) and `faulty`. The
    /// token's value is masked. Blocks while the file is opened.
    pub fn record_exchanges_to(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.app
            .faults
            .request_log
            .write_exchanges_to(path.as_ref())
    }
}
