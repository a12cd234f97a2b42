//! The outbox: what becomes of an entered contract until the service is known to have it.
//!
//! Owns the table of states, the frozen batches, the worker that carries them out and the cases
//! that only a person can close. `state` is pure; `worker` does what it says.

mod jobs;
mod lanes;
mod obstacle;
mod planning;
mod polling;
mod recovering;
mod resolving;
mod sending;
mod service;
mod showing;
#[cfg(test)]
mod simulation;
mod telling;
#[cfg(test)]
mod unreadable_tests;
mod worker;

pub(crate) use jobs::Hand;
pub use obstacle::Obstacle;
pub(crate) use sending::surely;
pub(crate) use service::{Network, Reach};
#[cfg(test)]
pub(crate) use warranty_model::outbox::samples;
pub use warranty_model::outbox::{
    AnswerClass, AttemptView, CaseReason, CaseView, OutboxSummary, Resolution, RunUntil,
    SubmissionState, Way,
};
pub(crate) use warranty_model::outbox::{
    backoff, batching, classify, confirmation, replay_window, state,
};
pub(crate) use worker::Outbox;
