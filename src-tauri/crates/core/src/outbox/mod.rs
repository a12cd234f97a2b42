//! The outbox: sends entered contracts and confirms that the service has them.
//!
//! Owns the dispatcher, its tasks, and the cases that only a person can resolve. The rules are in
//! `model`.

mod confirm;
mod crash_recovery;
mod dispatcher;
mod gateway;
mod other_store;
mod probe;
mod queries;
mod resolve;
mod scheduler;
#[cfg(test)]
mod scheduler_tests;
mod send;
mod settle;
#[cfg(test)]
mod simulation;
mod tasks;

use std::sync::Arc;

use crate::bulk::Bulk;
use crate::catalog::Catalog;
use crate::contracts::Contracts;
use crate::encryption::Encryption;
use crate::known_codes::CodeLookup;
use crate::leads::Leads;
use crate::profile::Profiles;
pub(crate) use gateway::{EndpointResolver, Network};
#[cfg(test)]
pub(crate) use warranty_model::outbox::samples;
pub use warranty_model::outbox::{
    AnswerClass, AttemptView, Blocker, CaseReason, CaseView, OutboxSummary, Resolution,
    ResolutionKind, RunUntil, SubmissionState,
};
pub(crate) use warranty_model::outbox::{
    backoff, circuit_breaker, classify, confirmation, recovery, replay_window, state,
};
use warranty_runtime::context::Context;
use warranty_runtime::high_water::HighWater;
use warranty_runtime::notifications::Notifications;
use warranty_runtime::overview::Overviews;

/// Sends entered contracts and confirms them.
#[derive(Debug, Clone)]
pub struct Outbox {
    pub(crate) context: Arc<Context>,
    pub(crate) encryption: Encryption,
    pub(crate) high_water: HighWater,
    pub(crate) overviews: Overviews,
    pub(crate) notifications: Notifications,
    pub(crate) profiles: Profiles,
    pub(crate) catalog: Catalog,
    pub(crate) codes: CodeLookup,
    pub(crate) contracts: Contracts,
    pub(crate) leads: Leads,
    pub(crate) bulk: Bulk,
    pub(crate) resolver: Arc<dyn EndpointResolver>,
}
