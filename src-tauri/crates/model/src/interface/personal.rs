//! Text about a person.
//!
//! Owns one rule: a customer's name, e-mail, telephone, address or lead token can be stored, sent
//! and shown, but never printed by a log, a panic or a `{:?}`. It is wiped when it is dropped.

use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

/// A text about a person. Its `Debug` shows nothing of it and it has no `Display`.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct Personal(String);

impl Personal {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself: for the wire, the screen and the store, never for a log.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Drop for Personal {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl std::fmt::Debug for Personal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Personal(…)")
    }
}
