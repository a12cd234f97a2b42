//! The state that every request handler shares.

use std::{fmt, net::SocketAddr, sync::Mutex};

use crate::clock::Clock;
#[cfg(feature = "faults")]
use crate::faults::Faults;
use crate::lock;
use crate::situation::Situation;
use crate::store::Store;

/// The parts of a running service.
pub(crate) struct App {
    pub(crate) store: Store,
    /// The access token every protected operation requires.
    pub(crate) token: String,
    pub(crate) clock: Clock,
    pub(crate) addr: SocketAddr,
    /// What a person tries out.
    pub(crate) situation: Mutex<Situation>,
    #[cfg(feature = "faults")]
    pub(crate) faults: Faults,
}

impl App {
    pub(crate) fn situation(&self) -> Situation {
        *lock(&self.situation)
    }

    /// Scheme, host and port, without a slash at the end.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.addr)
    }
}

// Written by hand so that neither the token nor recorded requests are printed.
impl fmt::Debug for App {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("App")
            .field("addr", &self.addr)
            .finish_non_exhaustive()
    }
}
