//! How long a call may take.

use std::time::Duration;

/// How long a call may take; nothing waits without an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To make a connection.
    pub connect: Duration,
    /// Between two pieces of an answer.
    pub read: Duration,
    /// For the whole call.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            read: Duration::from_secs(20),
            total: Duration::from_secs(60),
        }
    }
}
