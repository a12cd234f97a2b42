//! The way to each profile's service, as far as this process knows it, and what is in hand.
//!
//! Owns no truth: it is empty at every start, and forgetting it costs one request.

use std::collections::HashMap;
use std::time::Duration;

/// One profile's way to its service.
#[derive(Debug, Clone, Default)]
pub(super) struct Lane {
    /// Failures to reach it in a row. While there are any, one request at a time tries.
    pub setbacks: u32,
    /// Not before this, on the monotonic clock.
    pub until: Duration,
    /// There was no token, no keychain or no practice service.
    pub no_way: bool,
    /// Whether batches that wait for a new token have been compared with the one there is.
    pub token_compared: bool,
}

/// What kind of work something in hand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A batch is being sent.
    Send,
    /// An entry is being looked up.
    Look,
    /// Held batches are being released.
    Release,
}

/// Work in hand by its id, with the profile it is for.
#[derive(Debug, Default)]
pub(super) struct InHand(HashMap<String, (Kind, String)>);

impl InHand {
    /// Takes work in hand; `false` when it is already.
    pub fn take(&mut self, id: &str, kind: Kind, profile_id: &str) -> bool {
        if self.0.contains_key(id) {
            return false;
        }
        self.0.insert(id.to_owned(), (kind, profile_id.to_owned()));
        true
    }

    /// Lays work down.
    pub fn lay_down(&mut self, id: &str) {
        self.0.remove(id);
    }

    /// Whether this work is in hand.
    pub fn holds(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// How much of a kind is in hand for all profiles.
    pub fn count(&self, kind: Kind) -> usize {
        self.0.values().filter(|(held, _)| *held == kind).count()
    }

    /// How much is in hand for a profile.
    pub fn of_profile(&self, profile_id: &str) -> usize {
        self.0
            .values()
            .filter(|(_, profile)| profile == profile_id)
            .count()
    }

    /// Whether nothing is in hand.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
