//! Why the outbox of a profile cannot send at all.

use super::Overviews;
use crate::notice::Notice;
use crate::work::lock;
use crate::{Error, StoreError};
use warranty_model::outbox::Blocker;

impl Overviews {
    /// The blocker of a profile's outbox at the last attempt to send.
    pub fn blocker_of(&self, profile_id: &str) -> Option<Blocker> {
        lock(&self.blockers).get(profile_id).copied()
    }

    /// Sets the blocker of a profile's outbox, if the error is one. A damaged file keeps all profiles
    /// from sending: the status says so.
    pub fn set_blocker_from(&self, profile_id: &str, error: &Error) {
        let blocker = if let Error::Vault(error) = error {
            Blocker::Vault(*error)
        } else if let Error::PracticeNotRunning = error {
            Blocker::PracticeNotRunning
        } else if let Error::Network(_) = error {
            Blocker::NetworkSetup
        } else {
            if let Error::Store(StoreError::Damaged) = error {
                self.context.notify(Notice::DataFileChanged);
            }
            return;
        };
        self.set_blocker(profile_id, Some(blocker));
    }

    /// The practice service is running again.
    pub fn clear_practice_blockers(&self) {
        let mut stopped = lock(&self.blockers).clone();
        stopped.retain(|_, blocker| *blocker == Blocker::PracticeNotRunning);
        for profile_id in stopped.keys() {
            self.set_blocker(profile_id, None);
        }
    }

    /// The service of a profile can be asked. What waits for a lost key waits all the same.
    pub fn clear_blocker(&self, profile_id: &str) {
        if self.blocker_of(profile_id) != Some(Blocker::KeyLost) {
            self.set_blocker(profile_id, None);
        }
    }

    /// Nothing is known to wait for a lost key any more.
    pub fn clear_key_lost(&self, profile_id: &str) {
        if self.blocker_of(profile_id) == Some(Blocker::KeyLost) {
            self.set_blocker(profile_id, None);
        }
    }

    /// Sets the blocker of a profile's outbox, and sends a notice when it changed.
    pub fn set_blocker(&self, profile_id: &str, blocker: Option<Blocker>) {
        let before = {
            let mut blockers = lock(&self.blockers);
            match blocker {
                Some(blocker) => blockers.insert(profile_id.to_owned(), blocker),
                None => blockers.remove(profile_id),
            }
        };
        if before != blocker {
            self.context.notify(Notice::BlockerChanged {
                profile_id: profile_id.to_owned(),
                blocker,
            });
            self.notify_later(profile_id);
        }
    }
}
