//! Contracts at the counter: entering them, looking them up. Parts 4.1 and 4.2.
//!
//! Owns what makes an entry fit to be sent. How it is sent and what becomes of it is the outbox's.

mod batch_builder;
pub(crate) mod bulk_check;
mod known_codes;
mod leading_zeros;
mod lost_sales;
pub(crate) mod preflight;
mod preflight_offline;
mod queries;
mod register;

pub(crate) use queries::product_hint;
pub use warranty_model::contracts::{
    Confirmed, CustomerState, EnterMode, EntryCheck, EntryDraft, EntryFields, EntryFilter,
    Question, QuestionKind, RecentLookup, RowCheck, SubmissionView, Warning,
};
pub(crate) use warranty_model::contracts::{equal_rows, sale, validation};
