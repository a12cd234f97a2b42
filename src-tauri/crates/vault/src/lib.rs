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
use serde::{Deserialize, Serialize};
use thiserror::Error;
use warranty_model::interface::Token;

pub use data_key::{DataKey, keychain_name};
pub use keychain::KeychainVault;
pub use memory::MemoryVault;
pub use watched::WatchedVault;

/// Why the vault could not do what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum VaultError {
    /// This session has no keychain at all (on Linux: no session bus or no Secret Service).
    #[error("this computer session has no keychain")]
    NoKeychain,
    /// There is one, but it is locked or refuses.
    #[error("the keychain is locked or refuses")]
    Locked,
    /// It did not answer within five seconds.
    #[error("the keychain did not answer in time")]
    Slow,
    /// It answered something else.
    #[error("the keychain failed")]
    Failed,
}

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
    /// takes; nobody waits for it. For a token that may be kept although nobody was told so.
    fn forget_later(&self, name: &str);
    /// Whether a secret can be written, read back and deleted, tried for real.
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>>;
}
