//! Customers' data at rest: encrypted with a key that only the keychain holds, and deleted in time.
//!
//! Owns the key in all its states. The cipher is the vault's, where the bytes are kept is the
//! store's, and what becomes of an entry is the outbox's.

mod decrypt;
mod key_cache;
mod key_management;
mod practice;
mod retention;
#[cfg(test)]
mod search_tests;

pub(crate) use decrypt::{Body, json, text};
pub(crate) use key_cache::{Closed, KeyCache, Opened};
pub(crate) use warranty_model::encrypted::{AssociatedData, BatchBinding, Encrypted};
pub(crate) use warranty_vault::DataKey;

pub use key_cache::Customers;
pub use practice::PracticeSeal;
