//! Which bulk jobs wait, and for which ones progress is published.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::time::Duration;

use warranty_model::bulk::{RunState, RunView};

use super::lock;

/// The state of running bulk jobs that only this process knows.
#[derive(Debug, Default)]
pub struct RunQueue {
    /// Until when a run waits, by its number, on the monotonic clock.
    waits: Mutex<HashMap<i64, Duration>>,
    /// The product that a run was about to send when that was last journalled, by the run's number.
    journalled: Mutex<HashMap<i64, String>>,
    /// Ids of runs whose progress is published.
    followed: Mutex<BTreeSet<String>>,
}

impl RunQueue {
    pub fn may_continue(&self, run: i64, now: Duration) -> bool {
        lock(&self.waits)
            .get(&run)
            .is_none_or(|until| *until <= now)
    }

    /// Makes a run wait until this, on the monotonic clock.
    pub fn wait(&self, run: i64, until: Duration) {
        lock(&self.waits).insert(run, until);
    }

    /// Ends the waits of all runs.
    pub fn wake(&self) {
        lock(&self.waits).clear();
    }

    /// Whether it is journalled that a run sends this product.
    pub fn has_journalled(&self, run: i64, product: &str) -> bool {
        lock(&self.journalled).get(&run).map(String::as_str) == Some(product)
    }

    pub fn set_journalled(&self, run: i64, product: &str) {
        lock(&self.journalled).insert(run, product.to_owned());
    }

    /// Publishes the progress of a run from now on.
    pub fn follow(&self, id: &str) {
        lock(&self.followed).insert(id.to_owned());
    }

    /// Ids of the runs whose progress is published.
    pub fn followed(&self) -> Vec<String> {
        lock(&self.followed).iter().cloned().collect()
    }

    /// Stops publishing the progress of a run that can no longer change by itself.
    pub fn unfollow_finished(&self, view: &RunView) {
        let over = matches!(view.state, RunState::Done | RunState::Cancelled);
        if over && !view.sent.can_change() {
            lock(&self.followed).remove(&view.id);
        }
    }
}
