//! The vault: the keychain that holds tokens and data keys, and the encryption with those keys.
//!
//! Owns the rule that a secret is either in the OS keychain or nowhere. [`MemoryVault`] serves
//! practice and tests. Every call is bounded in time. Knows of no database and no network.

#![warn(missing_docs)]

mod data_key;
mod keychain;
mod memory;
mod watched;

use futures::future::BoxFuture;
use warranty_model::interface::Token;
pub use warranty_model::vault_error::VaultError;

pub use data_key::{DataKey, keychain_name};
pub use keychain::KeychainVault;
pub use memory::MemoryVault;
pub use watched::WatchedVault;

/// A place for secrets, by name: a token under the id of its profile, a key in the form of a token
/// under a name of its own.
pub trait Vault: Send + Sync + std::fmt::Debug {
    /// The token kept under a name; absence is `None`, not an error.
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>>;
    /// Keeps a token under a name, replacing another.
    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>>;
    /// Forgets what is kept under a name; nothing kept is fine.
    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>>;
    /// Forgets what is kept under a name after everything that was asked before, however long that
    /// takes; nobody waits for it. For a token that may be kept although no caller got an answer.
    fn forget_later(&self, name: &str);
    /// Whether a secret can be written, read back and deleted, tried for real.
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>>;
}
