//! Decrypts stored rows.

use serde::de::DeserializeOwned;
use warranty_api::{ContractBatch, ContractItem, Personal};
use zeroize::Zeroizing;

use super::{AssociatedData, Decrypted, Encrypted, Encryption, KeyUnavailable};
use crate::StoreError;
use warranty_store::batches::Batch;

#[derive(Clone)]
pub(crate) struct Body {
    /// The exact bytes.
    pub bytes: Zeroizing<Vec<u8>>,
    pub items: Vec<ContractItem>,
}

pub(crate) fn text(bytes: Zeroizing<Vec<u8>>) -> Option<Personal> {
    std::str::from_utf8(&bytes).ok().map(Personal::new)
}

pub(crate) fn json<T: DeserializeOwned>(bytes: Zeroizing<Vec<u8>>) -> Option<T> {
    serde_json::from_slice(&bytes).ok()
}

impl Encryption {
    pub(crate) async fn body_of(&self, batch: &Batch) -> Result<Decrypted<Body>, StoreError> {
        let Some(encrypted) = &batch.body else {
            return Ok(Decrypted::Deleted);
        };
        let place = AssociatedData::Body(batch.body_place());
        self.decrypt(place, encrypted, |bytes| {
            let items = serde_json::from_slice::<ContractBatch>(&bytes).ok()?;
            Some(Body {
                items: items.items().to_vec(),
                bytes,
            })
        })
        .await
    }

    pub(crate) async fn decrypt<T>(
        &self,
        place: AssociatedData<'_>,
        encrypted: &Encrypted,
        read: impl FnOnce(Zeroizing<Vec<u8>>) -> Option<T>,
    ) -> Result<Decrypted<T>, StoreError> {
        if encrypted.bytes.is_empty() {
            return Ok(Decrypted::Deleted);
        }
        let known = match self.key(&encrypted.key_id).await? {
            Ok(key) => key.decrypt(place, &encrypted.bytes).and_then(read),
            Err(KeyUnavailable::Keychain(error)) => return Ok(Decrypted::Locked(error)),
            Err(KeyUnavailable::Lost) => None,
        };
        Ok(known.map_or(Decrypted::Lost, Decrypted::Known))
    }
}
