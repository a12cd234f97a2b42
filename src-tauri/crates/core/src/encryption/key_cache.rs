//! What a process knows of its keys, and what a person is told about them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::DataKey;
use warranty_vault::VaultError;

/// A keychain that refused is not asked again for looking before so long.
const LOOK_AGAIN: Duration = Duration::from_secs(10);
/// Nor one that has no such key, which is tried by writing to it.
const LOST_AGAIN: Duration = Duration::from_secs(60);

/// Whether customers can be read here, and new entries be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(tag = "kind", content = "reason", rename_all = "camelCase")]
pub enum Customers {
    /// They can, as far as is known.
    Readable,
    /// The keychain does not give the key now.
    Keychain(VaultError),
    /// The keychain works and has no such key: what is encrypted with it cannot be read, and nothing
    /// new is entered before a person takes a new key.
    KeyLost,
}

/// Why encrypted text cannot be decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The keychain does not give the key now.
    Keychain(VaultError),
    /// The key is gone, or is another one than it was.
    Lost,
}

/// Something kept, opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Opened<T> {
    /// Here it is.
    Known(T),
    /// It is no longer kept.
    Forgotten,
    /// The keychain does not give the key now.
    Locked(VaultError),
    /// It cannot be opened any more.
    Lost,
}

impl From<Closed> for Customers {
    fn from(closed: Closed) -> Self {
        match closed {
            Closed::Keychain(error) => Self::Keychain(error),
            Closed::Lost => Self::KeyLost,
        }
    }
}

impl<T> From<Closed> for Opened<T> {
    fn from(closed: Closed) -> Self {
        match closed {
            Closed::Keychain(error) => Self::Locked(error),
            Closed::Lost => Self::Lost,
        }
    }
}

/// The keys this process has read, so that the keychain is asked for each once.
#[derive(Debug, Default)]
pub(crate) struct KeyCache {
    opened: Mutex<HashMap<String, Arc<DataKey>>>,
    /// The key of this process alone, for practising without a keychain.
    own: Mutex<Option<Arc<DataKey>>>,
    /// Why a key was not there, and when that was found, on the monotonic clock.
    closed: Mutex<HashMap<String, (Closed, Duration)>>,
    /// What it said when it was to keep a new key, and when, on the monotonic clock.
    unkept: Mutex<Option<(VaultError, Duration)>>,
    /// When it was last seen whether something is to be forgotten, on the monotonic clock.
    seen: Mutex<Option<Duration>>,
    /// Held while the keychain is asked: one asks, the others find the answer.
    pub(super) turn: tokio::sync::Mutex<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KeyCache {
    /// A key that was read before.
    pub(super) fn opened(&self, id: &str) -> Option<Arc<DataKey>> {
        lock(&self.opened).get(id).cloned()
    }

    /// Remembers a key for this process.
    pub(super) fn remember(&self, key: DataKey) -> Arc<DataKey> {
        let key = Arc::new(key);
        lock(&self.closed).remove(key.id());
        lock(&self.opened).insert(key.id().to_owned(), Arc::clone(&key));
        key
    }

    /// The key of this process alone, if it has one.
    pub(super) fn own(&self) -> Option<Arc<DataKey>> {
        lock(&self.own).clone()
    }

    /// Takes a key for this process alone.
    pub(super) fn set_own(&self, key: Arc<DataKey>) {
        *lock(&self.own) = Some(key);
    }

    /// Why a key was not there a moment ago.
    pub(super) fn closed(&self, id: &str, now: Duration) -> Option<Closed> {
        let (closed, since) = lock(&self.closed).get(id).copied()?;
        let again = match closed {
            Closed::Keychain(_) => LOOK_AGAIN,
            Closed::Lost => LOST_AGAIN,
        };
        (now.saturating_sub(since) < again).then_some(closed)
    }

    /// Why a key was not there when it was last asked for, however long ago.
    pub(super) fn last_closed(&self, id: &str) -> Option<Closed> {
        lock(&self.closed).get(id).map(|(closed, _)| *closed)
    }

    /// Remembers why a key is not there.
    pub(super) fn close(&self, id: &str, closed: Closed, now: Duration) {
        lock(&self.closed).insert(id.to_owned(), (closed, now));
    }

    /// Lets every key be asked for anew.
    pub(super) fn ask_again(&self) {
        lock(&self.closed).clear();
        *lock(&self.unkept) = None;
    }

    /// Why the keychain did not keep a new key a moment ago.
    pub(super) fn unkept(&self, now: Duration) -> Option<VaultError> {
        let (error, since) = (*lock(&self.unkept))?;
        (now.saturating_sub(since) < LOOK_AGAIN).then_some(error)
    }

    /// Why it did not keep a new key when it last was to, however long ago.
    pub(super) fn last_unkept(&self) -> Option<VaultError> {
        (*lock(&self.unkept)).map(|(error, _)| error)
    }

    /// Notes whether it kept a new key.
    pub(super) fn note_kept(&self, refusal: Option<VaultError>, now: Duration) {
        *lock(&self.unkept) = refusal.map(|error| (error, now));
    }

    /// Whether it is time to see again what is to be forgotten; then it counts as seen.
    pub(super) fn sees_again(&self, now: Duration, after: Duration) -> bool {
        let mut seen = lock(&self.seen);
        let due = seen.is_none_or(|seen| now.saturating_sub(seen) >= after);
        if due {
            *seen = Some(now);
        }
        due
    }
}
