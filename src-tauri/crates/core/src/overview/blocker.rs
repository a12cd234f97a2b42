//! Why nothing can be sent at all: known to the lane, told to people.

use super::Overviews;
use crate::Error;
use crate::notice::Notice;
use crate::work::lock;
use warranty_model::outbox::Obstacle;

impl Overviews {
    /// What kept a profile's outbox from sending when it was last tried.
    pub(crate) fn obstacle_of(&self, profile_id: &str) -> Option<Obstacle> {
        lock(&self.obstacles).get(profile_id).copied()
    }

    /// Keeps that a failure stands in the way of a profile's outbox, when it does.
    pub(crate) fn note_obstacle_of(&self, profile_id: &str, error: &Error) {
        if let Some(obstacle) = obstacle(error) {
            self.note_obstacle(profile_id, Some(obstacle));
        }
    }

    /// The practice service is there again.
    pub(crate) fn forget_practice_obstacle(&self) {
        let mut stopped = lock(&self.obstacles).clone();
        stopped.retain(|_, obstacle| *obstacle == Obstacle::PracticeNotRunning);
        for profile_id in stopped.keys() {
            self.note_obstacle(profile_id, None);
        }
    }

    /// Keeps what stands in the way of a profile's outbox, and tells of it when that is new.
    pub(crate) fn note_obstacle(&self, profile_id: &str, obstacle: Option<Obstacle>) {
        let before = {
            let mut obstacles = lock(&self.obstacles);
            match obstacle {
                Some(obstacle) => obstacles.insert(profile_id.to_owned(), obstacle),
                None => obstacles.remove(profile_id),
            }
        };
        if before != obstacle {
            self.context.notify(Notice::ObstacleChanged {
                profile_id: profile_id.to_owned(),
                obstacle,
            });
            self.notify_later(profile_id);
        }
    }
}

/// The obstacle a failure to find the way is; other failures are told where they happen.
pub(crate) fn obstacle(error: &Error) -> Option<Obstacle> {
    if let Error::Vault(error) = error {
        Some(Obstacle::Vault(*error))
    } else if let Error::PracticeNotRunning = error {
        Some(Obstacle::PracticeNotRunning)
    } else {
        None
    }
}
