//! The outbox: what becomes of an entered contract until the service is known to have it.
//!
//! Owns the table of states, the frozen batches, the worker that carries them out and the cases
//! that only a person can close. `state` is pure; `worker` does what it says.

mod blocker;
mod confirm;
mod crash_recovery;
mod dispatcher;
mod gateway;
mod notifications;
mod queries;
mod resolve;
mod scheduler;
mod send;
#[cfg(test)]
mod simulation;
mod tasks;
#[cfg(test)]
mod unreadable_tests;

pub use blocker::Obstacle;
pub(crate) use dispatcher::Outbox;
pub(crate) use gateway::{EndpointResolver, Network};
pub(crate) use send::surely;
pub(crate) use tasks::TaskGuard;
#[cfg(test)]
pub(crate) use warranty_model::outbox::samples;
pub use warranty_model::outbox::{
    AnswerClass, AttemptView, CaseReason, CaseView, OutboxSummary, Resolution, RunUntil,
    SubmissionState, Way,
};
pub(crate) use warranty_model::outbox::{
    backoff, batching, circuit_breaker, classify, confirmation, replay_window, state,
};
