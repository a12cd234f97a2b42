//! Customers' data at rest: sealed with a key that only the keychain holds, and forgotten in time.
//!
//! Owns the key in all its states and what is sealed with it. Where sealed bytes are kept is the
//! store's; what becomes of an entry is the outbox's.

mod drafting;
mod forgetting;
mod keeping;
mod key;
mod opening;
mod practice;
#[cfg(test)]
mod search_tests;
mod state;

pub(crate) use forgetting::Look;
pub(crate) use key::{BodyPlace, Place, SealKey, Sealed, StorePlace};
pub(crate) use opening::Body;
pub(crate) use state::{Closed, Opened, Seal};

pub use practice::PracticeSeal;
pub use state::Customers;
