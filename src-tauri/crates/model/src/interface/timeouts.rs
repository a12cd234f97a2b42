//! How long a call may take.

use std::time::Duration;

/// How long a call may take; nothing waits without an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To make a connection, the lookup of the name included; at most half of a call.
    pub connect: Duration,
    /// For a whole call that only reads.
    pub read: Duration,
    /// For a whole call that changes something: on a slow line most of it may pass before the service has all.
    pub write: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(30),
            read: Duration::from_secs(40),
            write: Duration::from_secs(60),
        }
    }
}
