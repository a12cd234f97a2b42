//! Settings of a service that may misbehave: what the specification leaves open, and what may happen to a true
//! answer. Nothing here acts on them.

use serde::{Deserialize, Serialize};

use super::action::Rule;
use crate::behaviour::{Behaviour, BulkFailure, KeyPolicy, Visibility};
use crate::{Answer, Reply};

/// Everything about the service that the specification leaves open. As JSON its fields are camelCase and each
/// may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Personality {
    pub key_policy: KeyPolicy,
    pub bulk_failure: BulkFailure,
    pub answer_order: AnswerOrder,
    pub completeness: Completeness,
    pub error_status: ErrorStatus,
    pub visibility: Visibility,
    /// Milliseconds between a request's arrival and the start of its work.
    pub latency_ms: u64,
    /// Milliseconds between the end of the work, commit included, and the answer.
    pub answer_delay_ms: u64,
    /// What goes wrong; the first rule that applies to a request decides.
    pub faults: Vec<Rule>,
}

impl Personality {
    /// The settings that change the work itself.
    pub(crate) fn behaviour(&self) -> Behaviour {
        Behaviour {
            key_policy: self.key_policy,
            bulk_failure: self.bulk_failure,
            visibility: self.visibility,
        }
    }

    /// The answer as HTTP sees it, with this personality's status for error objects.
    pub(crate) fn reply(&self, answer: Answer) -> Reply {
        let status = match self.error_status {
            ErrorStatus::Always(status) if answer.is_error => status,
            ErrorStatus::Standard4xx | ErrorStatus::Always(_) => answer.status,
        };
        Reply::json(Answer { status, ..answer })
    }
}

/// The order in which a bulk answer lists its contracts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AnswerOrder {
    #[default]
    AsSent,
    /// In an order that differs from the sent one whenever there are two or more.
    Shuffled,
}

/// Whether a bulk answer lists what was really created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Completeness {
    /// Exactly what was created.
    #[default]
    Whole,
    /// This many created contracts are missing from the answer.
    Partial(usize),
    /// This many contracts are listed twice.
    Doubled(usize),
    /// This many contracts of other customers are listed as well.
    Foreign(usize),
}

/// The HTTP status of an error object (spec part 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ErrorStatus {
    /// 400, 401, 404, 405, 406, 409, 413 or 415, by kind of error.
    #[default]
    Standard4xx,
    /// Always this status, for instance 200 or 500. A number that is no final HTTP status counts as 500.
    Always(u16),
}
