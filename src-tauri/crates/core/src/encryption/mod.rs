//! Encryption and retention of customers' data at rest.
//!
//! Owns the data keys. Knows neither the cipher (vault), nor the tables (store), nor the outbox.

mod decrypt;
mod key_cache;
mod key_management;
mod practice;
mod retention;

use std::sync::Arc;

pub(crate) use decrypt::{Body, json, text};
pub(crate) use key_cache::{Decrypted, KeyCache, KeyUnavailable};
pub(crate) use warranty_model::encrypted::{AssociatedData, BatchBinding, Encrypted};
use warranty_runtime::context::Context;
pub(crate) use warranty_vault::DataKey;

pub use key_cache::Customers;
pub use practice::PracticeEncryption;

/// Customers' data at rest and its keys.
#[derive(Debug, Clone)]
pub struct Encryption {
    pub(crate) context: Arc<Context>,
    pub(crate) keys: Arc<KeyCache>,
}
