//! What an answer to a bulk request means, and what is kept of it as evidence. Pure.
//!
//! Owns the first table of the reliability rules: everything not listed there is unknown.

use std::time::Duration;

use warranty_api::{
    Answer, Contract, ContractId, ContractItem, Error as ApiError, NotSent, ServiceError,
};

use super::AnswerClass;
use super::matching::{self, Mismatch};
use super::state::{Event, Hold};
use crate::profile::BulkFact;
use crate::seal::Masked;

/// The one code the interface lists: a failure such as a product that is not found.
const BAD_REQUEST: &str = "BadRequestException";
/// Characters of the service's words that are kept.
const MOST_KEPT: usize = 1_000;

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    /// For the table of states.
    pub event: Event,
    /// For the eyes.
    pub class: AnswerClass,
    /// What is kept of it.
    pub evidence: Evidence,
    /// How long the service asked to wait.
    pub retry_after: Option<Duration>,
    /// The contracts made, one for each item in the order sent; empty unless accepted.
    pub created: Vec<Created>,
    /// Whether the service could be reached; `None` when this machine did not try.
    pub online: Option<bool>,
}

/// What is kept of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// HTTP status.
    pub status: Option<u16>,
    /// The service's request id.
    pub request_id: Option<String>,
    /// The service's code.
    pub code: Option<String>,
    /// The service's words, or what the network did.
    pub detail: Option<String>,
}

/// A contract the service says it made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Created {
    /// Its id.
    pub contract_id: ContractId,
    /// Its inquiry code.
    pub inquiry_code: Option<String>,
    /// The product's title, when the answer carries it.
    pub product_title: Option<String>,
    /// The plan's title, when the answer carries it.
    pub plan_title: Option<String>,
}

/// Reads the answer to a bulk request that carried these items.
pub(crate) fn read(
    answer: &Result<Answer<Vec<Contract>>, ApiError>,
    sent: &[ContractItem],
    bulk: BulkFact,
) -> Reading {
    match answer {
        Ok(answer) if (200..300).contains(&answer.status) => {
            match matching::pair(sent, &answer.value) {
                Ok(contracts) => Reading {
                    event: Event::Accepted,
                    class: AnswerClass::Accepted,
                    evidence: status(answer.status, None),
                    retry_after: None,
                    created: contracts.into_iter().map(created).collect(),
                    online: Some(true),
                },
                Err(mismatch) => unknown(status(answer.status, Some(words(mismatch)))),
            }
        }
        Ok(answer) => unknown(status(
            answer.status,
            Some("contracts with a status that is no success".to_owned()),
        )),
        Err(error @ ApiError::NotSent(reason)) => Reading {
            event: Event::NotSent,
            class: AnswerClass::NotSent,
            evidence: Evidence {
                detail: Some(error.to_string()),
                ..Evidence::default()
            },
            retry_after: None,
            created: Vec::new(),
            online: reached(*reason),
        },
        Err(error @ ApiError::NoAnswer(_)) => unknown(Evidence {
            detail: Some(error.to_string()),
            ..Evidence::default()
        }),
        Err(error @ ApiError::Unreadable { status: code, .. }) => {
            unknown(status(*code, Some(error.to_string())))
        }
        Err(ApiError::Refused {
            status,
            error,
            retry_after,
        }) => refused(*status, error, *retry_after, sent, bulk),
    }
}

/// Whether a failure to send says that the service cannot be reached.
pub(crate) fn reached(reason: NotSent) -> Option<bool> {
    match reason {
        NotSent::Name | NotSent::Connect | NotSent::Tls => Some(false),
        NotSent::NoToken | NotSent::Unsendable => None,
    }
}

/// Which hold a refusal asks for, if it declines at all.
pub(crate) fn declined(status: u16) -> Option<Hold> {
    match status {
        401 | 403 => Some(Hold::Token),
        429 => Some(Hold::Rate),
        _ => None,
    }
}

fn refused(
    status: u16,
    error: &ServiceError,
    retry_after: Option<Duration>,
    sent: &[ContractItem],
    bulk: BulkFact,
) -> Reading {
    let size = sent.len();
    // What is kept for years must not hold the customers that the service may repeat.
    let customers = Masked::of(sent);
    let kept = |words: &str| bounded(&customers.masked(words));
    let bad_request =
        error.code == BAD_REQUEST && ((200..300).contains(&status) || (400..500).contains(&status));
    let (event, class) = if let Some(hold) = declined(status) {
        (Event::Declined(hold), AnswerClass::Declined)
    } else if bad_request && size == 1 {
        (Event::Rejected, AnswerClass::Rejected)
    } else if bad_request {
        let class = match bulk {
            BulkFact::AllOrNothing => AnswerClass::Rejected,
            BulkFact::Unknown | BulkFact::Partial => AnswerClass::Unknown,
        };
        (Event::RejectedSeveral, class)
    } else {
        (Event::Unclear, AnswerClass::Unknown)
    };
    Reading {
        event,
        class,
        evidence: Evidence {
            status: Some(status),
            request_id: Some(kept(&error.request_id)),
            code: Some(kept(&error.code)),
            detail: Some(kept(&error.error)),
        },
        retry_after,
        created: Vec::new(),
        online: Some(true),
    }
}

fn unknown(evidence: Evidence) -> Reading {
    Reading {
        event: Event::Unclear,
        class: AnswerClass::Unknown,
        // Something answered, or at least took the request.
        online: evidence.status.map(|_| true),
        evidence,
        retry_after: None,
        created: Vec::new(),
    }
}

fn status(status: u16, detail: Option<String>) -> Evidence {
    Evidence {
        status: Some(status),
        detail,
        ..Evidence::default()
    }
}

fn words(mismatch: Mismatch) -> String {
    format!(
        "the answer does not account for what was sent: {} missing, {} extra, {} doubled",
        mismatch.missing, mismatch.extra, mismatch.doubled
    )
}

fn created(contract: &Contract) -> Created {
    Created {
        contract_id: contract.id.clone(),
        inquiry_code: contract.inquiry_code.as_deref().map(bounded),
        product_title: contract.product.title.as_deref().map(bounded),
        plan_title: contract.plan.title.as_deref().map(bounded),
    }
}

fn bounded(text: &str) -> String {
    text.chars().take(MOST_KEPT).collect()
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;
