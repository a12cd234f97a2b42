//! Contracts at the counter: entering them, looking them up. Parts 4.1 and 4.2.
//!
//! Owns what makes an entry fit to be sent. How it is sent and what becomes of it is the outbox's.

pub(crate) mod check;
mod checking;
mod entering;
pub(crate) mod equal;
mod freezing;
mod gap;
mod known;
mod looking;
pub(crate) mod sifting;
mod zeros;

pub(crate) use looking::product_hint;
pub(crate) use warranty_model::contracts::validation;
pub use warranty_model::contracts::{
    Confirmed, CustomerState, EnterMode, EntryCheck, EntryDraft, EntryFields, EntryFilter,
    Question, QuestionKind, RecentLookup, RowCheck, SubmissionView, Warning,
};
