//! Why a keychain operation failed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why an operation of the vault failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum VaultError {
    /// This session has no keychain at all (on Linux: no session bus or no Secret Service).
    #[error("this computer session has no keychain")]
    NoKeychain,
    /// There is one, but it is locked or denies access.
    #[error("the keychain is locked or refuses")]
    Locked,
    /// It did not answer within five seconds.
    #[error("the keychain did not answer in time")]
    Slow,
    #[error("the keychain failed")]
    Failed,
}
