//! Why the outbox of a profile cannot send at all.

use super::Overviews;
use crate::Error;
use crate::notice::Notice;
use crate::work::lock;
use warranty_model::outbox::Obstacle;

impl Overviews {
    /// The obstacle of a profile's outbox at the last attempt to send.
    pub(crate) fn obstacle_of(&self, profile_id: &str) -> Option<Obstacle> {
        lock(&self.obstacles).get(profile_id).copied()
    }

    /// Sets the obstacle of a profile's outbox, if the error is one.
    pub(crate) fn set_obstacle_from(&self, profile_id: &str, error: &Error) {
        if let Some(obstacle) = obstacle(error) {
            self.set_obstacle(profile_id, Some(obstacle));
        }
    }

    /// The practice service is running again.
    pub(crate) fn clear_practice_obstacles(&self) {
        let mut stopped = lock(&self.obstacles).clone();
        stopped.retain(|_, obstacle| *obstacle == Obstacle::PracticeNotRunning);
        for profile_id in stopped.keys() {
            self.set_obstacle(profile_id, None);
        }
    }

    /// Sets the obstacle of a profile's outbox, and sends a notice when it changed.
    pub(crate) fn set_obstacle(&self, profile_id: &str, obstacle: Option<Obstacle>) {
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

/// The obstacle that an error is; other errors are reported where they happen.
pub(crate) fn obstacle(error: &Error) -> Option<Obstacle> {
    if let Error::Vault(error) = error {
        Some(Obstacle::Vault(*error))
    } else if let Error::PracticeNotRunning = error {
        Some(Obstacle::PracticeNotRunning)
    } else {
        None
    }
}
