//! Encryption for the file of the practice service, where staff may type real customers too.

use std::sync::Arc;

use super::{AssociatedData, DataKey, Encryption};
use crate::Result;
use warranty_model::profile::ProfileKind;

/// Encrypts and decrypts data of the practice service. `Debug` shows no key.
#[derive(Debug, Clone)]
pub struct PracticeEncryption {
    key: Arc<DataKey>,
    persistent: bool,
}

impl PracticeEncryption {
    /// Encrypts a text; `None` when the system provides no random numbers.
    pub fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        let encrypted = self.key.encrypt(AssociatedData::Practice, plaintext).ok()?;
        Some(encrypted.bytes)
    }

    /// Decrypts a text; `None` when it was encrypted with another key.
    pub fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        let plaintext = self.key.decrypt(AssociatedData::Practice, ciphertext)?;
        Some(plaintext.to_vec())
    }

    /// Whether the key is in the keychain, so that it can be used by later processes.
    pub fn is_persistent(&self) -> bool {
        self.persistent
    }
}

impl Encryption {
    /// The encryption for the practice service. Without a keychain, what it encrypts cannot be read
    /// after this process ends.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read or written.
    pub async fn for_practice(&self) -> Result<PracticeEncryption> {
        let key = self.key_for_kind(ProfileKind::Practice).await?;
        let of_process = self.keys.process_key();
        let persistent = of_process.is_none_or(|other| other.id() != key.id());
        Ok(PracticeEncryption { key, persistent })
    }
}
