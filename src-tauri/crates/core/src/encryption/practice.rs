//! Encryption for the practice service's own file: real customers are typed in while practising too.

use std::sync::Arc;

use super::Encryption;
use super::{AssociatedData, DataKey};
use crate::Error;
use warranty_model::profile::ProfileKind;

/// Encrypts and decrypts texts of the practice service. Cannot be printed.
#[derive(Clone)]
pub struct PracticeSeal {
    key: Arc<DataKey>,
    /// Whether the keychain holds the key.
    kept: bool,
}

impl std::fmt::Debug for PracticeSeal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PracticeSeal(…)")
    }
}

impl PracticeSeal {
    /// A text, encrypted; `None` when the system gives no randomness.
    #[must_use]
    pub fn seal(&self, text: &[u8]) -> Option<Vec<u8>> {
        let sealed = self.key.encrypt(AssociatedData::Practice, text).ok()?;
        Some(sealed.bytes)
    }

    /// The text again; `None` when it was encrypted with another key.
    #[must_use]
    pub fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        let text = self.key.decrypt(AssociatedData::Practice, sealed)?;
        Some(text.to_vec())
    }

    /// Whether its key is in the keychain, and not one of this process alone.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.kept
    }
}

impl Encryption {
    /// The encryption for the practice service of this process. Without a keychain, what it encrypts is gone
    /// with the process.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read or written.
    pub async fn for_practice(&self) -> Result<PracticeSeal, Error> {
        let key = self.key_for_kind(ProfileKind::Practice).await?;
        let own = self.keys.own();
        let kept = own.is_none_or(|own| own.id() != key.id());
        Ok(PracticeSeal { key, kept })
    }
}
