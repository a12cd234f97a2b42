//! Things that go wrong: rules as data, and the count of which request they hit next. Knows nothing of how a
//! fault is carried out on the wire.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};

use crate::{operation::Operation, personality::Personality, wire_faults::WireFault};

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

fn applies_to(operations: &[Operation], operation: Operation) -> bool {
    operations.is_empty() || operations.contains(&operation)
}

/// The personality in force, the counts of its rules, and the script.
#[derive(Debug)]
pub(crate) struct FaultScript {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    personality: Arc<Personality>,
    counts: Vec<Count>,
    script: VecDeque<ScriptedFault>,
}

#[derive(Debug)]
struct Count {
    seen: u64,
    dice: StdRng,
}

impl FaultScript {
    pub(crate) fn new(personality: Personality) -> Self {
        Self {
            state: Mutex::new(State {
                counts: counts_of(&personality),
                personality: Arc::new(personality),
                script: VecDeque::new(),
            }),
        }
    }

    /// Replaces the personality and starts its counts anew; the script stays.
    pub(crate) fn set_personality(&self, personality: Personality) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.counts = counts_of(&personality);
        state.personality = Arc::new(personality);
    }

    pub(crate) fn extend_script(&self, faults: Vec<ScriptedFault>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.script.extend(faults);
    }

    pub(crate) fn personality(&self) -> Arc<Personality> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&state.personality)
    }

    /// The personality and the fault for a request of this operation. Counts the request.
    pub(crate) fn next_fault(&self, operation: Operation) -> (Arc<Personality>, Option<Action>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let personality = Arc::clone(&state.personality);
        // Every matching rule counts the request, also when the script or an earlier rule decides it.
        let mut hit = None;
        for (rule, count) in personality.faults.iter().zip(&mut state.counts) {
            if applies_to(&rule.operations, operation) && count.hits(rule.when) && hit.is_none() {
                hit = Some(rule.action.clone());
            }
        }
        let scripted = take_scripted(&mut state.script, operation);
        (personality, scripted.or(hit))
    }
}

fn counts_of(personality: &Personality) -> Vec<Count> {
    personality
        .faults
        .iter()
        .map(|rule| Count {
            seen: 0,
            dice: StdRng::seed_from_u64(match rule.when {
                When::Probability { seed, .. } => seed,
                When::Always | When::Nth(_) | When::Every { .. } => 0,
            }),
        })
        .collect()
}

impl Count {
    fn hits(&mut self, when: When) -> bool {
        self.seen += 1;
        match when {
            When::Always => true,
            When::Nth(number) => self.seen == number,
            When::Every { of, first } => {
                self.seen >= first && (self.seen - first).is_multiple_of(of.max(1))
            }
            When::Probability { percent, .. } => self.dice.random_range(0..100) < percent,
        }
    }
}

fn take_scripted(script: &mut VecDeque<ScriptedFault>, operation: Operation) -> Option<Action> {
    let position = script
        .iter()
        .position(|fault| fault.times > 0 && applies_to(&fault.operations, operation))?;
    let fault = script.get_mut(position)?;
    fault.times -= 1;
    let action = fault.action.clone();
    script.retain(|fault| fault.times > 0);
    Some(action)
}
