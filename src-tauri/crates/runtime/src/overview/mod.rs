//! Unfinished work and connection of a profile, for the window's header and for `wdesk`.
//!
//! Owns these counts. Calls no service: `contact` observes the requests that are made anyway.

mod blocker;
mod contact;

use contact::Contacts;
pub use warranty_model::overview::{Connection, OpenWork, Overview};

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use warranty_model::day::{CloseItem, CloseLine};
use warranty_model::drafts::DraftName;

use crate::context::Context;
use crate::notice::Notice;
use crate::work::UnsavedDrafts;
use crate::{Result, StoreError};
use warranty_model::outbox::Blocker;
use warranty_model::outbox::recovery::Fresh;
use warranty_model::profile::{Profile, ProfileKind};

/// The connection and unfinished work of each profile.
#[derive(Debug, Clone)]
pub struct Overviews {
    context: Arc<Context>,
    contacts: Arc<Contacts>,
    /// The blocker of each profile's outbox at the last attempt to send.
    blockers: Arc<Mutex<HashMap<String, Blocker>>>,
    /// Drafts that are not in `desk.db` yet.
    pub unsaved: Arc<UnsavedDrafts>,
}

/// What is typed and not submitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DraftCounts {
    /// Rows of the sheet; only its drafts count them.
    pub rows: u32,
    /// Sales at the counter.
    pub sales: u32,
    pub leads: u32,
    pub follow_ups: u32,
    pub products: u32,
}

impl Overviews {
    pub fn new(context: Arc<Context>) -> Self {
        Self {
            context,
            contacts: Arc::default(),
            blockers: Arc::default(),
            unsaved: Arc::default(),
        }
    }

    /// The connection and unfinished work of the chosen profile.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn current(&self) -> Result<Overview> {
        let profile = self.context.profile_now().await?;
        self.of(&profile.id).await
    }

    pub async fn open_work(&self, profile_id: &str) -> Result<OpenWork> {
        let mut open = self.context.store.open_work(profile_id).await?;
        let typed = self.draft_counts(profile_id).await?;
        open.sheet_rows += typed.rows;
        open.drafts = typed.sales;
        open.lead_drafts = typed.leads + typed.follow_ups;
        open.product_drafts = typed.products;
        Ok(open)
    }

    /// Other live profiles that have such unfinished work.
    pub async fn other_profiles(
        &self,
        profile_id: &str,
        counts: fn(&OpenWork) -> bool,
    ) -> Result<Vec<Profile>> {
        let mut others = Vec::new();
        for profile in self.context.store.profiles().await? {
            let is_other = profile.id != profile_id && profile.kind == ProfileKind::Live;
            if is_other && counts(&self.open_work(&profile.id).await?) {
                others.push(profile);
            }
        }
        Ok(others)
    }

    /// What a person has still to do under a profile: what keeps the day open, or a customer to be contacted
    /// about a lead.
    pub async fn to_finish(&self, profile_id: &str) -> Result<Vec<CloseLine>> {
        let open = self.open_work(profile_id).await?;
        let leads = CloseLine {
            item: CloseItem::LeadsToFollowUp,
            count: self.context.store.leads_in_use(profile_id).await?,
        };
        let lines = open.lines().chain([leads]);
        Ok(lines.filter(|line| line.count > 0).collect())
    }

    pub async fn of(&self, profile_id: &str) -> Result<Overview> {
        let open = self.open_work(profile_id).await?;
        let contact = self.contacts.of(profile_id);
        let unseen_report = self.context.store.unseen_report_summary().await?.is_some();
        let blocker = self.blocker_of(profile_id);
        let overview = Overview::new(open, contact, blocker, unseen_report);
        let mut other_profiles = 0;
        if overview.open.is_finished() {
            let others = self.other_profiles(profile_id, |open| !open.is_finished());
            other_profiles = u32::try_from(others.await?.len()).unwrap_or(u32::MAX);
        }
        Ok(Overview {
            all_done: overview.all_done && other_profiles == 0,
            other_profiles,
            asked_again_at: self.context.asked_again_at(profile_id),
            asks_to_wait_until: self.asks_to_wait_until(profile_id),
            ..overview
        })
    }

    /// Whether the last request did not find a profile's service well, and only another one can tell
    /// when that is over.
    pub fn may_be_back(&self, profile_id: &str) -> bool {
        use Connection::{
            Connected, NotReached, NotReady, NotTried, OtherAnswer, ServiceErrors, TokenRefused,
        };
        let may_be_back = match self.contacts.of(profile_id).connection() {
            NotReached | ServiceErrors => true,
            // Where a sale would not be asked about first, it does answer, oddly, and would so again.
            OtherAnswer => {
                let recovery = self.context.work.breaker(profile_id).recovery;
                recovery.fresh(self.context.clock.monotonic()) == Fresh::AfterProbe
            }
            NotTried | NotReady | Connected | TokenRefused => false,
        };
        may_be_back && self.blocker_of(profile_id).is_none()
    }

    /// What is typed under a profile and not submitted.
    pub async fn draft_counts(&self, profile_id: &str) -> Result<DraftCounts, StoreError> {
        let kept = self.context.store.draft_entries(profile_id).await?;
        let mut entries: BTreeMap<DraftName, u32> = kept.into_iter().collect();
        for ((profile, name), (_, unsaved, _)) in self.unsaved.all().iter() {
            if profile == profile_id {
                entries.insert(name.clone(), *unsaved);
            }
        }
        let mut counts = DraftCounts::default();
        for (name, rows) in entries {
            counts.rows += rows;
            match name.form() {
                "counter" => counts.sales += 1,
                "lead" => counts.leads += 1,
                "follow-up" => counts.follow_ups += 1,
                "product" => counts.products += 1,
                _ => {}
            }
        }
        Ok(counts)
    }

    /// Sends a profile's overview in the background.
    pub fn notify_later(&self, profile_id: &str) {
        if self.context.is_listened_to() {
            let (this, id) = (self.clone(), profile_id.to_owned());
            tokio::spawn(async move { this.notify(&id).await });
        }
    }

    /// Sends a profile's overview, or that it could not be read.
    pub async fn notify(&self, profile_id: &str) {
        match self.of(profile_id).await {
            Ok(overview) => self.context.notify(Notice::OverviewChanged {
                profile_id: profile_id.to_owned(),
                overview,
            }),
            Err(error) => {
                tracing::debug!(%error, "the overview could not be read");
                self.context.notify(Notice::OverviewLost);
            }
        }
    }
}
