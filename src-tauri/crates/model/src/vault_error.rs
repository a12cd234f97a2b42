//! Why the keychain did not do what was asked.

use serde::{Deserialize, Serialize};
use thiserror::Error;

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
