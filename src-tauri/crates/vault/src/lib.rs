//! The vault: the keychain that holds tokens and data keys, and the encryption with those keys.
//!
//! Owns the rule that a secret is stored in the OS keychain or not at all. Every call is bounded in
//! time. Knows nothing of databases and networks.

mod data_key;
mod keychain;
#[cfg(any(test, feature = "memory"))]
mod memory;
mod watched;

use futures::future::BoxFuture;
use warranty_model::interface::Token;
pub use warranty_model::vault_error::VaultError;

pub use data_key::{DataKey, keychain_name};
pub use keychain::KeychainVault;
#[cfg(any(test, feature = "memory"))]
pub use memory::MemoryVault;
pub use watched::WatchedVault;

/// Stores secrets by name: a token under the id of its profile, a data key, in the form of a token,
/// under a name of its own.
pub trait Vault: Send + Sync + std::fmt::Debug {
    /// The token stored under a name; `None` if there is none.
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>>;
    /// Stores a token under a name, replacing an earlier one.
    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>>;
    /// Deletes what is stored under a name; succeeds if nothing is.
    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>>;
    /// Deletes what is stored under a name, after all earlier calls and without a time limit;
    /// returns at once. For a token that may have been stored although its caller got no answer.
    fn forget_later(&self, name: &str);
    /// Tests whether a secret can be written, read back and deleted.
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>>;
}
