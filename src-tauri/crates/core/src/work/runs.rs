//! Which bulk jobs wait, and which ones listeners are told of.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::time::Duration;

use warranty_model::bulk::{RunState, RunView};

use super::lock;

/// What this process knows of the bulk jobs that run.
#[derive(Debug, Default)]
pub(crate) struct RunQueue {
    /// Runs that could not go on, by number: not before this, on the monotonic clock.
    waits: Mutex<HashMap<i64, Duration>>,
    /// Runs that listeners are told of.
    told: Mutex<BTreeSet<String>>,
}

impl RunQueue {
    /// Whether a run may be worked on now.
    pub(crate) fn may_go_on(&self, run: i64, now: Duration) -> bool {
        lock(&self.waits)
            .get(&run)
            .is_none_or(|until| *until <= now)
    }

    /// A run cannot go on before this.
    pub(crate) fn wait(&self, run: i64, until: Duration) {
        lock(&self.waits).insert(run, until);
    }

    /// Lets every run try to go on.
    pub(crate) fn wake(&self) {
        lock(&self.waits).clear();
    }

    /// Listeners are to be told of a run.
    pub(crate) fn tell_of(&self, id: &str) {
        lock(&self.told).insert(id.to_owned());
    }

    /// The runs that listeners are told of.
    pub(crate) fn told(&self) -> Vec<String> {
        lock(&self.told).iter().cloned().collect()
    }

    /// Nothing more is to be told of a run until it is touched again.
    pub(crate) fn told_last(&self, view: &RunView) {
        let sent = view.sent;
        let over = matches!(view.state, RunState::Done | RunState::Cancelled);
        if over && sent.waiting + sent.held + sent.unknown + sent.accepted == 0 {
            lock(&self.told).remove(&view.id);
        }
    }
}
