//! What every request may use.

use crate::{clock::Clock, faults::Temper, keys::KeysInProgress, record::Record, store::Store};

/// The parts of a running service.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) token: String,
    pub(crate) clock: Clock,
    pub(crate) temper: Temper,
    pub(crate) record: Record,
    pub(crate) keys: KeysInProgress,
    /// Scheme, host and port, for the record.
    pub(crate) base_url: String,
}
