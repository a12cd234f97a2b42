//! Faults as data: what goes wrong, on which operations and on which of their requests. Knows nothing of how a
//! fault is carried out.

use serde::{Deserialize, Serialize};

use super::wire_faults::WireFault;
use crate::Operation;

/// One rule of a personality: what goes wrong, on which operations and on which of their requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule {
    /// The operations it applies to; empty means all of them.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// Which of the matching requests it applies to.
    #[serde(default)]
    pub when: When,
    pub action: Action,
}

/// Which of the matching requests a rule applies to. Each rule counts its own requests, from 1, from the moment
/// the personality is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    #[default]
    Always,
    /// Only to the request with this number.
    Nth(u64),
    /// To the request numbered `first`, and from there to one in `of`.
    Every {
        /// Length of the cycle.
        of: u64,
        /// Number of the first request it applies to.
        first: u64,
    },
    /// To each with this chance; the same seed gives the same sequence.
    Probability {
        /// Chance in percent, 0 to 100.
        percent: u8,
        seed: u64,
    },
}

/// What goes wrong. The commit is the moment at which the operation's effect is durable at the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Action {
    /// The connection is closed and the operation does not run.
    DropBeforeCommit,
    /// The operation runs, and the connection is closed before a byte of the answer is sent.
    DropAfterCommit,
    /// An error object with this status.
    Status {
        /// HTTP status, 200 to 599.
        status: u16,
        /// Value of the Retry-After header, sent as it is; `None`: no such header.
        retry_after: Option<String>,
        #[serde(default)]
        after_commit: bool,
    },
    /// This answer, unchanged.
    Verbatim {
        /// HTTP status, 200 to 599.
        status: u16,
        /// Value of the Content-Type header.
        content_type: String,
        /// Further headers, each a name and a value.
        #[serde(default)]
        headers: Vec<(String, String)>,
        body: String,
        #[serde(default)]
        after_commit: bool,
    },
    /// The operation runs, and every occurrence of a text in its answer is replaced.
    Replace {
        /// The text to replace, as it is written in the JSON.
        from: String,
        to: String,
    },
    /// The connection is reset before a byte of the answer is sent.
    Reset {
        #[serde(default)]
        after_commit: bool,
    },
    /// The operation runs, and its answer is damaged below the level of HTTP.
    Wire(WireFault),
    /// The operation runs, and its answer is padded with leading white space: valid JSON that is too long.
    Oversize { bytes: usize },
    /// The operation runs, and its answer is sent in small pieces.
    SlowDrip { chunk_bytes: usize, pause_ms: u64 },
}

/// A fault for the next matching requests. It takes precedence over the personality's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScriptedFault {
    /// The operations it applies to; empty means all of them.
    #[serde(default)]
    pub operations: Vec<Operation>,
    pub action: Action,
    /// The number of matching requests it applies to.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}
