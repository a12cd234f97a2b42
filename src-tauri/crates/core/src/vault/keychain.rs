//! The OS keychain.

/// Secrets in the keychain of the operating system.
#[derive(Debug)]
pub struct KeychainVault {}
