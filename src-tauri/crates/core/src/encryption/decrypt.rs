//! Encrypted rows turned into what is shown and sent.

use serde::de::DeserializeOwned;
use warranty_api::{ContractBatch, ContractItem, Personal};
use zeroize::Zeroizing;

use super::Encryption;
use super::{AssociatedData, Encrypted, Opened};
use crate::StoreError;
use warranty_store::batches::Batch;

/// The body of a batch, opened.
#[derive(Clone)]
pub(crate) struct Body {
    /// The exact bytes.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What they carry, in their order.
    pub items: Vec<ContractItem>,
}

/// A text that was encrypted as its bytes.
#[allow(clippy::needless_pass_by_value, reason = "it is wiped here")]
pub(crate) fn text(bytes: Zeroizing<Vec<u8>>) -> Option<Personal> {
    std::str::from_utf8(&bytes).ok().map(Personal::new)
}

/// A value that was encrypted as JSON.
#[allow(clippy::needless_pass_by_value, reason = "it is wiped here")]
pub(crate) fn json<T: DeserializeOwned>(bytes: Zeroizing<Vec<u8>>) -> Option<T> {
    serde_json::from_slice(&bytes).ok()
}

impl Encryption {
    /// The body of a batch.
    pub(crate) async fn body_of(&self, batch: &Batch) -> Result<Opened<Body>, StoreError> {
        let Some(encrypted) = &batch.body else {
            return Ok(Opened::Forgotten);
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

    /// What was encrypted for a place, as `read` makes it of its bytes.
    pub(crate) async fn decrypt<T>(
        &self,
        place: AssociatedData<'_>,
        encrypted: &Encrypted,
        read: impl FnOnce(Zeroizing<Vec<u8>>) -> Option<T>,
    ) -> Result<Opened<T>, StoreError> {
        Ok(match self.key(&encrypted.key_id).await? {
            Ok(key) => key
                .decrypt(place, &encrypted.bytes)
                .and_then(read)
                .map_or(Opened::Lost, Opened::Known),
            Err(closed) => closed.into(),
        })
    }
}
