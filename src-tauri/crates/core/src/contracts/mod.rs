//! Enters and looks up contracts at the counter. Parts 4.1 and 4.2.
//!
//! Owns the checks before an entry is sent. The outbox sends and handles results.

mod batch_builder;
pub(crate) mod bulk_check;
pub(crate) mod entry_check;
mod leading_zeros;
mod listing;
#[cfg(test)]
mod listing_tests;
mod queries;
mod register;
mod row_check;
mod shown;

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::encryption::Encryption;
use crate::known_codes::CodeLookup;
use crate::plans::Plans;
use crate::profile::Profiles;
pub(crate) use batch_builder::{new_entry, unsold};
pub(crate) use listing::Listing;
pub(crate) use queries::product_hint;
pub use warranty_model::contracts::{
    Confirmed, CustomerState, EnterMode, EntryCheck, EntryDraft, EntryFilter, EntryPage, EntrySort,
    Question, QuestionKind, ReadingProgress, RecentLookup, RowCheck, SubmissionView, Warning,
};
pub(crate) use warranty_model::contracts::{equal_rows, sale, validation};
use warranty_runtime::context::Context;
use warranty_runtime::high_water::HighWater;
use warranty_runtime::notifications::Notifications;

#[derive(Debug, Clone)]
pub struct Contracts {
    pub(crate) context: Arc<Context>,
    pub(crate) encryption: Encryption,
    pub(crate) high_water: HighWater,
    pub(crate) profiles: Profiles,
    pub(crate) catalog: Catalog,
    pub(crate) plans: Plans,
    pub(crate) codes: CodeLookup,
    pub(crate) notifications: Notifications,
    pub(crate) listing: Arc<Listing>,
}
