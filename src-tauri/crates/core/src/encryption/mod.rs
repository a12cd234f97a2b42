//! Customers' data at rest: encrypted with a key that only the keychain holds, and deleted in time.
//!
//! Owns the key in all its states. The cipher is the vault's, where the bytes are kept is the
//! store's, and what becomes of an entry is the outbox's.

mod decrypt;
mod key_cache;
mod key_management;
mod practice;
mod retention;

use std::sync::Arc;

use crate::context::Context;
pub(crate) use decrypt::{Body, json, text};
pub(crate) use key_cache::{Closed, KeyCache, Opened};
pub(crate) use warranty_model::encrypted::{AssociatedData, BatchBinding, Encrypted};
pub(crate) use warranty_vault::DataKey;

pub use key_cache::Customers;
pub use practice::PracticeSeal;

/// Customers' data at rest and the keys that open it.
#[derive(Debug, Clone)]
pub struct Encryption {
    pub(crate) context: Arc<Context>,
    pub(crate) keys: Arc<KeyCache>,
}
