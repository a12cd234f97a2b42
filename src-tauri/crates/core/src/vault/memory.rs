//! A vault that forgets when the process ends.

/// Secrets in memory: for practice and tests.
#[derive(Debug, Default)]
pub struct MemoryVault {}
