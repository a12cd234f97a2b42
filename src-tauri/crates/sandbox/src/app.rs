//! What every request may use.

use std::{fmt, net::SocketAddr};

use crate::{
    clock::Clock, faults::FaultScript, keys::KeysInProgress, request_log::RequestLog, store::Store,
};

/// The parts of a running service.
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) token: String,
    pub(crate) clock: Clock,
    pub(crate) fault_script: FaultScript,
    pub(crate) request_log: RequestLog,
    pub(crate) keys: KeysInProgress,
    /// Scheme, host and port, for the record.
    pub(crate) base_url: String,
    /// Where it listens.
    pub(crate) addr: SocketAddr,
}

// Written by hand so that neither the token nor recorded requests are printed.
impl fmt::Debug for App {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("App")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}
