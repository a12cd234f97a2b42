//! What an answer to a bulk request means, and what is kept of it as evidence.
//!
//! Extends [`Outcome`] for bulk requests: matching of items, and refusals of several.

use std::time::Duration;

use crate::interface::{
    Answer, BulkContracts, Contract, ContractId, ContractItem, Error as ApiError, Unreadable,
    bounded,
};

use super::confirmation::is_of_other_store;
use super::matching::{self, Mismatch, Named};
use super::state::Event;
use super::{AnswerClass, CaseReason};
use crate::call_outcome::Outcome;
use crate::profile::BulkFact;
use crate::redaction::Masked;

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub event: Event,
    pub class: AnswerClass,
    pub evidence: Evidence,
    /// How long the service asked to wait.
    pub retry_after: Option<Duration>,
    /// The contracts made, one for each item in the order sent; empty unless accepted.
    pub created: Vec<Created>,
    /// The contracts that an answer in part names.
    pub named: Vec<Named>,
    /// Whether it has a contract under another store than the profile's.
    pub other_store: bool,
    /// Whether the service could be reached; `None` when this machine did not try.
    pub online: Option<bool>,
}

/// What is kept of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    pub status: Option<u16>,
    pub request_id: Option<String>,
    pub code: Option<String>,
    /// The service's words, or what the network did.
    pub detail: Option<String>,
}

/// A contract the service says it made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    pub contract_id: ContractId,
    /// Why a person is needed: it was made with other amounts than were sent or with some that are not
    /// understood, or under another store.
    pub case: Option<CaseReason>,
    pub inquiry_code: Option<String>,
    /// The product's title, when the answer carries it.
    pub product_title: Option<String>,
    /// The plan's title, when the answer carries it.
    pub plan_title: Option<String>,
}

/// Reads the answer to a bulk request that carried these items of the store `store_id`.
pub fn read(
    answer: &Result<Answer<BulkContracts>, ApiError>,
    sent: &[ContractItem],
    store_id: &str,
    bulk: BulkFact,
) -> Reading {
    match answer {
        Ok(answer) if (200..300).contains(&answer.status) => {
            let contracts: Vec<Contract> = answer.value.iter().flatten().cloned().collect();
            let unreadable = answer.value.len() - contracts.len();
            let mut of_others = contracts.iter();
            let other_store = of_others.any(|found| is_of_other_store(store_id, found));
            let reading = match matching::pair(sent, &contracts, unreadable) {
                Ok(contracts) => Reading {
                    event: Event::Accepted,
                    class: AnswerClass::Accepted,
                    created: sent
                        .iter()
                        .zip(contracts)
                        .map(|(item, contract)| created(item, store_id, contract))
                        .collect(),
                    ..unclear(status(answer.status, None))
                },
                Err(mismatch) => {
                    let detail = words(mismatch, sent, &contracts);
                    // A contract that matches no item may be one of them all the same, with a code that the
                    // service writes differently, and one that is missing may have been made: a repeat could
                    // make one more. Contracts of two items that only their customers tell apart are named
                    // for neither.
                    Reading {
                        event: Event::InPart,
                        named: matching::named(sent, &contracts),
                        ..unclear(status(answer.status, Some(detail)))
                    }
                }
            };
            Reading {
                other_store,
                ..reading
            }
        }
        Ok(answer) => unclear(status(
            answer.status,
            Some("contracts with a status that is no success".to_owned()),
        )),
        Err(error) => failed(error, sent, bulk),
    }
}

fn failed(error: &ApiError, sent: &[ContractItem], bulk: BulkFact) -> Reading {
    let (event, class) = match Outcome::of(error) {
        Outcome::NotSent => (Event::NotSent, AnswerClass::NotSent),
        Outcome::Declined(hold) => (Event::Declined(hold), AnswerClass::Declined),
        Outcome::Rejected if sent.len() == 1 => (Event::Rejected, AnswerClass::Rejected),
        Outcome::Rejected => {
            let class = match bulk {
                BulkFact::AllOrNothing => AnswerClass::Rejected,
                BulkFact::Unknown | BulkFact::Partial => AnswerClass::Unknown,
            };
            (Event::RejectedSeveral, class)
        }
        Outcome::Unknown if may_have_made_some(error, sent.len() > 1) => {
            (Event::InPart, AnswerClass::Unknown)
        }
        Outcome::Unknown => (Event::Unclear, AnswerClass::Unknown),
    };
    Reading {
        event,
        class,
        retry_after: error.retry_after(),
        online: match error {
            ApiError::NotSent(reason) => reason.is_unreachable().then_some(false),
            ApiError::NoAnswer(_) => None,
            ApiError::Unreadable { .. } | ApiError::Refused { .. } => Some(true),
        },
        ..unclear(evidence(error, sent))
    }
}

/// Whether contracts may exist, so that a repeat could make more and would bring no clearer answer: a success
/// in other JSON, or a refusal of several in the service's own words, in other JSON or with contracts. 408, 409, 425, 5xx,
/// and a 401 or 403 without an error object are not refusals.
fn may_have_made_some(error: &ApiError, several: bool) -> bool {
    let succeeds = |status: u16| (200..300).contains(&status);
    let refuses = |status: u16| (400..500).contains(&status) && !matches!(status, 408 | 409 | 425);
    match error {
        ApiError::Refused { status, .. } => several && (succeeds(*status) || refuses(*status)),
        ApiError::Unreadable {
            status,
            reason: Unreadable::OtherShape | Unreadable::Contradiction,
            ..
        } => succeeds(*status) || several && refuses(*status) && !matches!(status, 401 | 403),
        ApiError::NotSent(_) | ApiError::NoAnswer(_) | ApiError::Unreadable { .. } => false,
    }
}

fn evidence(error: &ApiError, sent: &[ContractItem]) -> Evidence {
    let status = error.status();
    let Some(said) = error.said() else {
        return Evidence {
            status,
            detail: Some(error.to_string()),
            ..Evidence::default()
        };
    };
    // What is kept for years must not hold the customers that the service may repeat.
    let customers = Masked::customers(sent);
    let kept = |words: &str| Some(bounded(&customers.masked(words)));
    Evidence {
        status,
        request_id: kept(&said.request_id),
        code: kept(&said.code),
        detail: kept(&said.error),
    }
}

/// An answer of which nothing but this evidence is known.
fn unclear(evidence: Evidence) -> Reading {
    Reading {
        event: Event::Unclear,
        class: AnswerClass::Unknown,
        online: Some(true),
        evidence,
        retry_after: None,
        created: Vec::new(),
        named: Vec::new(),
        other_store: false,
    }
}

fn status(status: u16, detail: Option<String>) -> Evidence {
    Evidence {
        status: Some(status),
        detail,
        ..Evidence::default()
    }
}

/// What is kept of an answer that does not match what was sent: the contracts that it names, so that a
/// person can give their ids.
fn words(mismatch: Mismatch, sent: &[ContractItem], answer: &[Contract]) -> String {
    let mut words = format!(
        "the response does not match what was sent: {} missing, {} extra, {} duplicated",
        mismatch.missing, mismatch.extra, mismatch.doubled
    );
    // A transaction that was not sent is any text.
    let customers = Masked::customers(sent);
    for (nth, contract) in matching::of_these_first(sent, answer).iter().enumerate() {
        words.push_str(if nth == 0 { "; " } else { ", " });
        words.push_str(&format!(
            "contract {} for transaction {}",
            contract.id,
            customers.masked(&contract.transaction_id)
        ));
    }
    bounded(&words)
}

fn created(item: &ContractItem, store_id: &str, contract: &Contract) -> Created {
    let (total, price) = (item.transaction_total, item.product.purchase_price);
    let case = if !matching::same_amounts(total, price, contract) {
        Some(CaseReason::Contradiction)
    } else {
        is_of_other_store(store_id, contract).then_some(CaseReason::OtherStore)
    };
    Created {
        case,
        ..Created::of(contract)
    }
}

impl Created {
    /// What is kept of a contract with the amounts that were sent, of the store that it was sent for.
    pub fn of(contract: &Contract) -> Self {
        Self {
            contract_id: contract.id.clone(),
            case: None,
            inquiry_code: contract.inquiry_code.as_deref().map(bounded),
            product_title: contract.product.title.as_deref().map(bounded),
            plan_title: contract.plan.title.as_deref().map(bounded),
        }
    }
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;
