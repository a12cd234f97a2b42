//! Whether everything is finished, and whether the service can be reached: one answer for the
//! window's header and for `wdesk`.
//!
//! Owns the one place where this is decided, and what is counted for it. Asks no service: what is
//! known of the connection comes from the requests that were made anyway (`contact`).

mod blocker;
mod contact;

pub(crate) use blocker::obstacle;
pub(crate) use contact::Contacts;
pub use warranty_model::overview::{Connection, OpenWork, Overview};

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use warranty_model::drafts::DraftName;

use crate::context::Context;
use crate::notice::Notice;
use crate::work::UnsavedDrafts;
use crate::{Error, StoreError};
use warranty_model::outbox::Obstacle;

/// The connection of each profile and what of it is not finished.
#[derive(Debug, Clone)]
pub struct Overviews {
    pub(crate) context: Arc<Context>,
    /// What the last requests said of each profile's service.
    pub(crate) contacts: Arc<Contacts>,
    /// What kept each profile's outbox from sending when it was last tried.
    pub(crate) obstacles: Arc<Mutex<HashMap<String, Obstacle>>>,
    /// What was typed and is not in the file yet.
    pub(crate) unsaved: Arc<UnsavedDrafts>,
}

impl Overviews {
    /// The connection of the chosen profile and what of it is not finished.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn current(&self) -> Result<Overview, Error> {
        let profile = self.context.profile_now().await?;
        self.of(&profile.id).await
    }

    /// The same for a profile.
    pub(crate) async fn of(&self, profile_id: &str) -> Result<Overview, Error> {
        let mut open = self.context.store.open_work(profile_id).await?;
        // Only the sheet says that its drafts hold entries: at the counter one sale is typed in view.
        open.sheet_rows += self.draft_entries(profile_id).await?.values().sum::<u32>();
        let contact = self.contacts.of(profile_id);
        let unseen_report = self.context.store.unseen_report_summary().await?.is_some();
        let obstacle = self.obstacle_of(profile_id);
        Ok(Overview::new(open, contact, obstacle, unseen_report))
    }

    /// How many entries of each draft are not submitted, where there are any.
    pub(crate) async fn draft_entries(
        &self,
        profile_id: &str,
    ) -> Result<BTreeMap<DraftName, u32>, StoreError> {
        let mut found: BTreeMap<DraftName, u32> = self
            .context
            .store
            .draft_entries(profile_id)
            .await?
            .into_iter()
            .collect();
        for ((profile, name), (_, entries, _)) in self.unsaved.all().iter() {
            if profile == profile_id {
                found.insert(name.clone(), *entries);
            }
        }
        found.retain(|_, entries| *entries > 0);
        Ok(found)
    }

    /// Tells listeners a profile's overview soon, without waiting for it.
    pub(crate) fn notify_later(&self, profile_id: &str) {
        if self.context.notices.receiver_count() > 0 {
            let (this, id) = (self.clone(), profile_id.to_owned());
            tokio::spawn(async move { this.notify(&id).await });
        }
    }

    /// Tells listeners a profile's overview.
    pub(crate) async fn notify(&self, profile_id: &str) {
        match self.of(profile_id).await {
            Ok(overview) => self.context.notify(Notice::OverviewChanged {
                profile_id: profile_id.to_owned(),
                overview,
            }),
            Err(error) => tracing::debug!(%error, "the overview could not be read"),
        }
    }
}
