//! Which idempotency keys are being processed, for [`KeyPolicy::ConflictWhileInProgress`].
//!
//! [`KeyPolicy::ConflictWhileInProgress`]: crate::KeyPolicy::ConflictWhileInProgress

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use crate::lock::lock;

/// The idempotency keys whose first answer has not been sent yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeysInProgress(Arc<Mutex<HashSet<String>>>);

impl KeysInProgress {
    /// Marks the key until the returned guard is dropped; `None` if it is marked already.
    pub(crate) fn start(&self, key: &str) -> Option<InProgress> {
        let mut keys = lock(&self.0);
        keys.insert(key.to_owned()).then(|| InProgress {
            keys: self.clone(),
            key: key.to_owned(),
        })
    }
}

/// A key in progress, until it is dropped.
#[derive(Debug)]
pub(crate) struct InProgress {
    keys: KeysInProgress,
    key: String,
}

impl Drop for InProgress {
    fn drop(&mut self) {
        lock(&self.keys.0).remove(&self.key);
    }
}
