//! Faults as data: what goes wrong, on which operations and on which of their requests. Knows nothing of how a
//! fault is carried out.

use serde::{Deserialize, Serialize};

use super::wire_faults::WireFault;
use crate::operation::Operation;

/// One rule: on which operations, on which of their requests, what goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule {
    /// The operations it is about; empty means all of them.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// Which of the matching requests it hits.
    #[serde(default)]
    pub when: When,
    /// What goes wrong.
    pub action: Action,
}

/// Which of the matching requests a rule hits. Requests are counted from 1, for each rule on its own, from the
/// moment the personality was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    /// Every one.
    #[default]
    Always,
    /// Only this one.
    Nth(u64),
    /// The one numbered `first`, and from there one in `of`.
    Every {
        /// Length of the cycle.
        of: u64,
        /// Number of the first request hit.
        first: u64,
    },
    /// Each with this chance; the same seed gives the same sequence.
    Probability {
        /// Chance in percent, 0 to 100.
        percent: u8,
        /// Seed of the sequence.
        seed: u64,
    },
}

/// What goes wrong. "Commit" is the moment the operation's effect is durable at the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Action {
    /// The connection is cut and nothing was done.
    DropBeforeCommit,
    /// The work is done and the connection cut before a byte of the answer left.
    DropAfterCommit,
    /// An error object with this status.
    Status {
        /// HTTP status, 200 to 599.
        status: u16,
        /// Whether the work is done all the same.
        #[serde(default)]
        after_commit: bool,
    },
    /// A page of HTML with status 200, as a captive portal or a proxy sends it.
    HtmlWith200 {
        /// Whether the work is done all the same.
        #[serde(default)]
        after_commit: bool,
    },
    /// A redirect.
    Redirect {
        /// HTTP status, 300 to 399.
        status: u16,
        /// Value of the Location header; empty: no such header.
        location: String,
        /// Whether the work is done all the same.
        #[serde(default)]
        after_commit: bool,
    },
    /// An answer that is given word for word.
    Verbatim {
        /// HTTP status, 200 to 599.
        status: u16,
        /// Value of the Content-Type header.
        content_type: String,
        /// Further headers, each a name and a value.
        #[serde(default)]
        headers: Vec<(String, String)>,
        /// The body.
        body: String,
        /// Whether the work is done all the same.
        #[serde(default)]
        after_commit: bool,
    },
    /// The work is done, and every occurrence of a text in the true answer is replaced.
    Replace {
        /// What is replaced, as it stands in the JSON.
        from: String,
        /// What stands there instead.
        to: String,
    },
    /// The connection is reset and not a byte of an answer left.
    Reset {
        /// Whether the work is done all the same.
        #[serde(default)]
        after_commit: bool,
    },
    /// The work is done and the answer damaged on its way.
    Wire {
        /// How.
        #[serde(rename = "damage")]
        fault: WireFault,
    },
    /// The answer, cut short.
    Truncate {
        /// How much of the body is sent, in percent.
        keep_percent: u8,
        /// Whether Content-Length tells the cut length (the body is merely broken JSON) or the whole one (the
        /// connection ends early).
        #[serde(default)]
        honest_length: bool,
    },
    /// The answer, preceded by white space up to this many bytes: valid JSON, and too much of it.
    Oversize {
        /// Length of the body in bytes.
        bytes: usize,
    },
    /// The answer in small pieces.
    SlowDrip {
        /// Bytes per piece.
        chunk_bytes: usize,
        /// Milliseconds before each piece.
        pause_ms: u64,
    },
    /// 401 with an error object, whatever the token; nothing was done.
    Unauthorized,
    /// 403 with an error object; nothing was done.
    Forbidden,
    /// 429 with an error object; nothing was done.
    TooManyRequests {
        /// Value of the Retry-After header, sent as it is; `None`: no such header.
        #[serde(default)]
        retry_after: Option<String>,
    },
}

/// A fault for the next matching requests, ahead of every rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScriptedFault {
    /// The operations it waits for; empty means any.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// What goes wrong.
    pub action: Action,
    /// How many matching requests it hits before it is used up.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}
