//! Drafts that are in memory alone.
//!
//! Owns their bounds. How one gets into the desk's file is for others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use warranty_model::drafts::DraftName;
use warranty_model::interface::{Personal, Timestamp};

use super::lock;

/// Most that all drafts of a profile may weigh, in bytes.
pub(crate) const MOST_IN_PROFILE: usize = 64 * 1024 * 1024;

/// A profile's id and the name of a draft.
type Whose = (String, DraftName);

/// A draft in memory: its text, how many entries it holds, and when it was kept.
type Held = (Personal, u32, Timestamp);

/// Drafts that are not in the file yet, and may never be.
#[derive(Debug, Default)]
pub(crate) struct UnsavedDrafts {
    held: Mutex<BTreeMap<Whose, Held>>,
    /// Held while one is written or dropped, so that an older text never replaces a newer one.
    pub turn: tokio::sync::Mutex<()>,
}

impl UnsavedDrafts {
    /// All of them.
    pub fn held(&self) -> MutexGuard<'_, BTreeMap<Whose, Held>> {
        lock(&self.held)
    }

    /// Takes a draft in place of the one of its name, unless there is no room.
    pub fn hold(&self, whose: &Whose, draft: Held) -> bool {
        let mut held = self.held();
        let others = held
            .iter()
            .filter(|((profile, name), _)| (profile, name) != (&whose.0, &whose.1))
            .fold(0, |sum: usize, (_, (text, ..))| sum + text.expose().len());
        let fits = others.saturating_add(draft.0.expose().len()) <= MOST_IN_PROFILE;
        if fits {
            held.insert(whose.clone(), draft);
        }
        fits
    }

    /// Lets go of a draft that is in the file now, unless it was typed anew meanwhile.
    pub fn let_go(&self, whose: &Whose, written: &Personal) {
        let mut held = self.held();
        if held.get(whose).is_some_and(|(text, ..)| text == written) {
            held.remove(whose);
        }
    }
}
