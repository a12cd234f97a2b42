//! Why nothing of a profile can be sent at all.

use serde::{Deserialize, Serialize};

use crate::vault_error::VaultError;

/// Why nothing of a profile can be sent now. Nothing is lost: entries wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", content = "reason", rename_all = "camelCase")]
pub enum Blocker {
    NoToken,
    /// The keychain that holds the token does not give it.
    Vault(VaultError),
    /// The keychain does not hold the key of what waits, and no person has replaced it.
    KeyLost,
    /// The practice service does not run.
    PracticeNotRunning,
    /// No connection can be set up on this computer, for instance because none of the certificate authorities
    /// of its policy can be read.
    NetworkSetup,
}
