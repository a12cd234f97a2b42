//! Why nothing can be sent at all: known to the lane, told to people.

use serde::{Deserialize, Serialize};

use super::dispatcher::lock;
use super::gateway::Endpoint;
use crate::notice::Notice;
use crate::profile::Profile;
use crate::{Desk, Error};
use warranty_vault::VaultError;

/// Why nothing of a profile can be sent now. Nothing is lost: entries wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(tag = "kind", content = "reason", rename_all = "camelCase")]
pub enum Obstacle {
    /// The profile has no token.
    NoToken,
    /// The keychain that holds the token does not give it.
    Vault(VaultError),
    /// The practice service does not run.
    PracticeNotRunning,
}

impl Desk {
    /// What kept the chosen profile's outbox from sending when it was last tried; `None` when
    /// nothing did, or nothing was tried yet. A desk opened to read tries now.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn outbox_obstacle(&self) -> Result<Option<Obstacle>, Error> {
        let profile = self.profile_now().await?;
        if self.inner.read_only {
            // Nobody else finds it out in this process.
            self.endpoint(&profile).await;
        }
        Ok(self.obstacle_of(&profile.id))
    }

    /// What kept a profile's outbox from sending when it was last tried.
    pub(crate) fn obstacle_of(&self, profile_id: &str) -> Option<Obstacle> {
        lock(&self.inner.outbox.obstacles).get(profile_id).copied()
    }

    /// Keeps that a failure stands in the way of a profile's outbox, when it does.
    pub(crate) fn note_obstacle_of(&self, profile_id: &str, error: &Error) {
        if let Some(obstacle) = obstacle(error) {
            self.note_obstacle(profile_id, Some(obstacle));
        }
    }

    /// The way to a profile's service now; what stands in it is kept.
    pub(super) async fn endpoint(&self, profile: &Profile) -> Option<Endpoint> {
        let found = self.inner.outbox.reach().reach(self, profile).await;
        let obstacle = match &found {
            Ok(Some(_)) => None,
            Ok(None) => Some(Obstacle::NoToken),
            Err(error) => {
                tracing::info!(%error, "there is no way to the service now");
                obstacle(error)
            }
        };
        self.note_obstacle(&profile.id, obstacle);
        found.ok().flatten()
    }

    /// The practice service is there again.
    pub(crate) fn forget_practice_obstacle(&self) {
        let mut stopped = lock(&self.inner.outbox.obstacles).clone();
        stopped.retain(|_, obstacle| *obstacle == Obstacle::PracticeNotRunning);
        for profile_id in stopped.keys() {
            self.note_obstacle(profile_id, None);
        }
    }

    /// Keeps what stands in the way of a profile's outbox, and tells of it when that is new.
    pub(crate) fn note_obstacle(&self, profile_id: &str, obstacle: Option<Obstacle>) {
        let before = {
            let mut obstacles = lock(&self.inner.outbox.obstacles);
            match obstacle {
                Some(obstacle) => obstacles.insert(profile_id.to_owned(), obstacle),
                None => obstacles.remove(profile_id),
            }
        };
        if before != obstacle {
            self.tell(Notice::ObstacleChanged {
                profile_id: profile_id.to_owned(),
                obstacle,
            });
            self.tell_overview_later(profile_id);
        }
    }
}

/// The obstacle a failure to find the way is; other failures are told where they happen.
fn obstacle(error: &Error) -> Option<Obstacle> {
    if let Error::Vault(error) = error {
        Some(Obstacle::Vault(*error))
    } else if let Error::PracticeNotRunning = error {
        Some(Obstacle::PracticeNotRunning)
    } else {
        None
    }
}
