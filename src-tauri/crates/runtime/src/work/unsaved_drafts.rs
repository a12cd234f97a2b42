//! Drafts that are only in memory.
//!
//! Owns their size limit. Does not write them to the store.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use warranty_model::drafts::DraftName;
use warranty_model::interface::{Personal, Timestamp};

use super::lock;

/// Maximum size of all drafts of a profile, in bytes.
pub const MOST_IN_PROFILE: usize = 64 * 1024 * 1024;

/// A profile's id and the name of a draft.
pub type DraftKey = (String, DraftName);

/// The text of a draft, its number of entries, and when it was saved to memory.
pub type UnsavedDraft = (Personal, u32, Timestamp);

/// Drafts that are not in the store.
#[derive(Debug, Default)]
pub struct UnsavedDrafts {
    drafts: Mutex<BTreeMap<DraftKey, UnsavedDraft>>,
    /// Locked while a draft is written or deleted, so that an older text never replaces a newer one.
    pub write_lock: tokio::sync::Mutex<()>,
}

impl UnsavedDrafts {
    pub fn all(&self) -> MutexGuard<'_, BTreeMap<DraftKey, UnsavedDraft>> {
        lock(&self.drafts)
    }

    /// Inserts or replaces a draft; `false` when it would exceed the size limit.
    pub fn insert(&self, key: &DraftKey, draft: UnsavedDraft) -> bool {
        let mut drafts = self.all();
        let others = drafts
            .iter()
            .filter(|((profile, name), _)| (profile, name) != (&key.0, &key.1))
            .fold(0, |sum: usize, (_, (text, ..))| sum + text.expose().len());
        let fits = others.saturating_add(draft.0.expose().len()) <= MOST_IN_PROFILE;
        if fits {
            drafts.insert(key.clone(), draft);
        }
        fits
    }

    /// The drafts of a draft's profile that are not in the store yet, itself last; none when it is there.
    pub fn due(&self, key: &DraftKey) -> Vec<(DraftKey, UnsavedDraft)> {
        let drafts = self.all();
        if !drafts.contains_key(key) {
            return Vec::new();
        }
        let of_profile = drafts.iter().filter(|((profile, _), _)| *profile == key.0);
        let mut due: Vec<_> = of_profile
            .map(|(key, draft)| (key.clone(), draft.clone()))
            .collect();
        due.sort_by_key(|(other, _)| other == key);
        due
    }

    /// Removes a draft that is now in the store, unless its text changed meanwhile.
    pub fn remove_written(&self, key: &DraftKey, written: &Personal) {
        let mut drafts = self.all();
        if drafts.get(key).is_some_and(|(text, ..)| text == written) {
            drafts.remove(key);
        }
    }
}
