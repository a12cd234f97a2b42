//! What the outbox tells: counts, and whether the service is there.

use super::OutboxSummary;
use super::worker::held;
use crate::notice::Notice;
use crate::store::submissions;
use crate::{Desk, Error};

impl Desk {
    /// Tells listeners whether the service could be reached, when that changed.
    pub(super) fn say_online(&self, online: bool) {
        if held(&self.inner.outbox.online).replace(online) != Some(online) {
            self.tell(Notice::ConnectionChanged { online });
        }
    }

    /// Tells listeners the counts, when the profile is the chosen one.
    pub(crate) async fn publish(&self, profile_id: &str) {
        self.inner.outbox.bump();
        let told = async {
            if self.profile_now().await?.id == profile_id {
                let summary = self.summary_of(profile_id).await?;
                self.tell(Notice::OutboxChanged { summary });
            }
            Ok::<(), Error>(())
        };
        if let Err(error) = told.await {
            tracing::debug!(%error, "the counts could not be told");
        }
    }

    /// A profile's counts.
    pub(crate) async fn summary_of(&self, profile_id: &str) -> Result<OutboxSummary, Error> {
        let id = profile_id.to_owned();
        Ok(self
            .inner
            .store
            .call(move |connection| submissions::summary(connection, &id))
            .await?)
    }
}
