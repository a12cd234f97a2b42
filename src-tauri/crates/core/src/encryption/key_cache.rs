//! The data keys that this process has read, and why others are unavailable.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::DataKey;
use crate::{Error, Result};
use warranty_runtime::work::lock;
use warranty_vault::VaultError;

/// How long a failed keychain call is not repeated.
const RETRY_FAILED_AFTER: Duration = Duration::from_secs(10);
/// How long a missing key is not looked up again; the lookup writes to the keychain.
const RETRY_LOST_AFTER: Duration = Duration::from_secs(60);

/// Whether customers can be decrypted here and new entries encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", content = "reason", rename_all = "camelCase")]
pub enum Customers {
    /// They can, as far as is known.
    Readable,
    /// The keychain does not return the key now.
    Keychain(VaultError),
    /// The keychain works and does not hold the key. Data encrypted with it cannot be read, and
    /// nothing new is entered until a person creates a new key.
    KeyLost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyUnavailable {
    /// The keychain does not return the key now.
    Keychain(VaultError),
    /// The key is missing or does not match its check value.
    Lost,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decrypted<T> {
    Known(T),
    Deleted,
    /// The keychain does not return the key now.
    Locked(VaultError),
    /// It can no longer be decrypted.
    Lost,
}

impl<T> Decrypted<T> {
    /// The value, or why it cannot be read.
    pub(crate) fn readable(self) -> Result<T> {
        match self {
            Self::Known(known) => Ok(known),
            Self::Locked(error) => Err(error.into()),
            Self::Lost => Err(Error::NotOpened),
            Self::Deleted => Err(Error::NotAllowed),
        }
    }
}

/// The keys this process has read, so that it reads each from the keychain once.
#[derive(Debug, Default)]
pub(crate) struct KeyCache {
    loaded: Mutex<HashMap<String, Arc<DataKey>>>,
    /// The key of this process only, for practice without a keychain.
    process_key: Mutex<Option<Arc<DataKey>>>,
    /// Why and since when a key is unavailable, on the monotonic clock.
    unavailable: Mutex<HashMap<String, (KeyUnavailable, Duration)>>,
    /// The last failure to save a new key, with its time on the monotonic clock.
    save_failure: Mutex<Option<(VaultError, Duration)>>,
    /// When retention was last checked, on the monotonic clock.
    checked_at: Mutex<Option<Duration>>,
    /// Whether the keychain may have lost the current key.
    pub(super) in_doubt: AtomicBool,
    /// Locked during a keychain call: one task asks, the others read its result.
    pub(super) keychain_access: tokio::sync::Mutex<()>,
}

impl KeyCache {
    pub(super) fn loaded(&self, id: &str) -> Option<Arc<DataKey>> {
        lock(&self.loaded).get(id).cloned()
    }

    pub(crate) fn insert(&self, key: DataKey) -> Arc<DataKey> {
        let key = Arc::new(key);
        lock(&self.unavailable).remove(key.id());
        lock(&self.loaded).insert(key.id().to_owned(), Arc::clone(&key));
        key
    }

    pub(super) fn process_key(&self) -> Option<Arc<DataKey>> {
        lock(&self.process_key).clone()
    }

    pub(super) fn set_process_key(&self, key: Arc<DataKey>) {
        *lock(&self.process_key) = Some(key);
    }

    /// Why a key was unavailable a moment ago.
    pub(super) fn unavailable(&self, id: &str, now: Duration) -> Option<KeyUnavailable> {
        let (reason, since) = lock(&self.unavailable).get(id).copied()?;
        let again = match reason {
            KeyUnavailable::Keychain(_) => RETRY_FAILED_AFTER,
            KeyUnavailable::Lost => RETRY_LOST_AFTER,
        };
        (now.saturating_sub(since) < again).then_some(reason)
    }

    /// Why a key was unavailable at its last lookup, however long ago.
    pub(super) fn last_unavailable(&self, id: &str) -> Option<KeyUnavailable> {
        lock(&self.unavailable).get(id).map(|(reason, _)| *reason)
    }

    pub(super) fn set_unavailable(&self, id: &str, reason: KeyUnavailable, now: Duration) {
        lock(&self.unavailable).insert(id.to_owned(), (reason, now));
    }

    pub(super) fn clear_failures(&self) {
        lock(&self.unavailable).clear();
        *lock(&self.save_failure) = None;
    }

    /// Why the keychain did not save a new key a moment ago.
    pub(super) fn recent_save_failure(&self, now: Duration) -> Option<VaultError> {
        let (error, since) = (*lock(&self.save_failure))?;
        (now.saturating_sub(since) < RETRY_FAILED_AFTER).then_some(error)
    }

    /// Why the keychain did not save a new key at the last attempt, however long ago.
    pub(super) fn last_save_failure(&self) -> Option<VaultError> {
        (*lock(&self.save_failure)).map(|(error, _)| error)
    }

    pub(super) fn record_save(&self, failure: Option<VaultError>, now: Duration) {
        *lock(&self.save_failure) = failure.map(|error| (error, now));
    }

    /// Whether a retention check is due; if so, records it as done now.
    pub(super) fn is_check_due(&self, now: Duration, after: Duration) -> bool {
        let mut checked_at = lock(&self.checked_at);
        let due = checked_at.is_none_or(|at| now.saturating_sub(at) >= after);
        if due {
            *checked_at = Some(now);
        }
        due
    }
}
