//! What all services share: databases, keychain, clock, ids, work in progress and notices.
//!
//! Knows no service. A lower service announces events to higher ones through [`Subscribers`].

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::broadcast;
use warranty_api::NetworkSettings;
use warranty_model::interface::Timestamp;
use warranty_model::outbox::state::Instant;
use warranty_store::Store;
use warranty_store::lock::FolderLock;
use warranty_store::plans::PlanCache;
use warranty_vault::WatchedVault;

use crate::backup_schedule::BackupSchedule;
use crate::clock::{Clock, Ids};
use crate::notice::Notice;
use crate::policy::{ClosedProfile, ManagedProfile, PolicySource, PolicyState};
use crate::work::{RunQueue, WorkState, lock};
use crate::{Error, Result};
use warranty_model::profile::{Profile, ProfileKind};

/// What all services of a desk share.
#[derive(Debug)]
pub struct Context {
    pub store: Store,
    pub cache: PlanCache,
    /// The keychain with tokens and keys.
    pub vault: WatchedVault,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub network: NetworkSettings,
    /// What the organization set.
    pub policy: PolicyState,
    /// Where that lies.
    pub policies: Arc<dyn PolicySource>,
    /// How often in a row the token helper of a profile failed, and before when it does not run again, on
    /// the monotonic clock.
    pub helped: Mutex<HashMap<String, (u32, Duration)>>,
    /// Managed profiles that nothing may be sold under, by id.
    pub closed_profiles: Mutex<BTreeMap<String, ClosedProfile>>,
    /// The data folder; `None` for readers and simulations.
    pub data_dir: Option<PathBuf>,
    pub backups: BackupSchedule,
    pub notices: broadcast::Sender<Notice>,
    /// The name of a profile to use instead of the chosen one.
    pub chosen: Option<String>,
    /// What the outbox has in progress.
    pub work: Arc<WorkState>,
    /// Which bulk jobs wait, and which are announced.
    pub runs: RunQueue,
    /// Opened read-only, while another process may write.
    pub read_only: bool,
    /// `desk.db` of a desk opened to read, which writes only to its journal.
    pub journal_path: Option<PathBuf>,
    /// The operating system user, for the journal.
    pub user: String,
    /// The code of the person who sells, while one is in effect.
    pub staff: Mutex<Option<String>>,
    /// The higher services that receive announcements; set once.
    pub subscribers: OnceLock<Weak<dyn Subscribers>>,
    /// The folder lock while this process may write; `None` once closed and for readers.
    pub lock: Mutex<Option<FolderLock>>,
}

/// Announcements of lower services that higher services handle.
pub trait Subscribers: Send + Sync + std::fmt::Debug {
    /// A person entered a token for a profile, perhaps the same as before.
    fn token_given<'a>(&'a self, profile: &'a Profile) -> BoxFuture<'a, Result<()>>;
    /// A notice with the counts of the outbox was sent: bulk jobs send their progress too.
    fn counts_sent(&self) -> BoxFuture<'_, Result<()>>;
    /// Customers were deleted, alone or with their profile.
    fn customers_deleted(&self) -> BoxFuture<'_, ()>;
}

impl Context {
    /// The receiver of announcements; `None` once the desk is dropped.
    pub fn subscribers(&self) -> Option<Arc<dyn Subscribers>> {
        self.subscribers.get().and_then(Weak::upgrade)
    }

    pub async fn customers_deleted(&self) {
        if let Some(subscribers) = self.subscribers() {
            subscribers.customers_deleted().await;
        }
    }

    /// The time now, in UTC.
    pub fn now(&self) -> Timestamp {
        Timestamp::new(self.clock.now().fixed_offset())
    }

    /// Now, on both clocks.
    pub fn instant(&self) -> Instant {
        self.work.instant(self.clock.as_ref())
    }

    /// How much longer a profile's service asked to be left alone; `None` when it may be asked.
    pub fn asked_to_wait(&self, profile_id: &str) -> Option<Duration> {
        let until = self.work.breaker(profile_id).asked_until;
        let wait = until.saturating_sub(self.clock.monotonic());
        (!wait.is_zero()).then_some(wait)
    }

    /// When a profile's service, which does not answer, is asked again.
    pub fn asked_again_at(&self, profile_id: &str) -> Option<Timestamp> {
        let at = self.work.breaker(profile_id).recovery.asked_again_at()?;
        let wait = at.saturating_sub(self.clock.monotonic());
        Some(Timestamp::new((self.clock.now() + wait).fixed_offset()))
    }

    pub fn ordered_id(&self) -> String {
        self.ids.ordered_uuid(self.clock.now()).to_string()
    }

    /// Refuses a change on a desk that was opened to read.
    pub fn writable(&self) -> Result<()> {
        (!self.read_only).then_some(()).ok_or(Error::InUse)
    }

    pub fn managed_profiles(&self) -> Vec<ManagedProfile> {
        self.policy.value("profiles").unwrap_or_default()
    }

    pub fn is_managed(&self, profile_id: &str) -> bool {
        let profiles = self.managed_profiles();
        profiles.iter().any(|managed| managed.id() == profile_id)
    }

    /// Refuses what the organization has switched so.
    ///
    /// # Errors
    /// [`Error::Managed`].
    pub fn refuse_when(&self, key: &'static str, switched: bool) -> Result<()> {
        if self.policy.value(key) == Some(switched) {
            return Err(Error::Managed(key));
        }
        Ok(())
    }

    /// Refuses a sale under a profile that the organization does not allow, and a live one while the
    /// policy of this computer, or its store, cannot be told.
    ///
    /// # Errors
    /// [`Error::Managed`]; [`Error::SellingClosed`].
    pub fn open_for_sales(&self, profile: &Profile) -> Result<()> {
        self.refuse_profile(profile)?;
        self.expect_certain(profile)
    }

    /// Refuses a live sale while the policy of this computer, or its store, cannot be told.
    ///
    /// # Errors
    /// [`Error::SellingClosed`].
    pub fn expect_certain(&self, profile: &Profile) -> Result<()> {
        let closed = self.policy.is_closed || lock(&self.closed_profiles).contains_key(&profile.id);
        if closed && profile.kind == ProfileKind::Live {
            return Err(Error::SellingClosed);
        }
        Ok(())
    }

    /// Refuses to work under a profile that the organization does not allow.
    ///
    /// # Errors
    /// [`Error::Managed`].
    pub fn refuse_profile(&self, profile: &Profile) -> Result<()> {
        match profile.kind {
            ProfileKind::Practice => self.refuse_when("practiceAllowed", false),
            ProfileKind::Live if self.is_managed(&profile.id) => Ok(()),
            ProfileKind::Live => self.refuse_when("profilesLocked", true),
        }
    }

    pub fn is_listened_to(&self) -> bool {
        self.notices.receiver_count() > 0
    }

    pub fn notify(&self, notice: Notice) {
        if let Notice::OutboxChanged { .. } = &notice {
            self.backups.back_up_soon();
        }
        let _ = self.notices.send(notice);
    }

    /// The profile this desk works under: the one it was opened with, else the chosen one.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`] when the desk was opened with a name that no profile has.
    pub async fn current_profile(&self) -> Result<Option<Profile>> {
        match &self.chosen {
            Some(name) => Ok(Some(self.find_profile(name).await?)),
            None => Ok(self.store.current_profile().await?),
        }
    }

    /// The same, where there must be one.
    ///
    /// # Errors
    /// [`Error::SellingClosed`] where there is none because the policy, or each store in it, cannot be told;
    /// else [`Error::NoProfile`].
    pub async fn profile_now(&self) -> Result<Profile> {
        self.current_profile().await?.ok_or_else(|| {
            let closed = lock(&self.closed_profiles).len();
            let all_closed = closed > 0 && closed == self.managed_profiles().len();
            match self.policy.is_closed || all_closed {
                true => Error::SellingClosed,
                false => Error::NoProfile,
            }
        })
    }

    /// The current profile, if it is the one that a call is meant for.
    pub async fn expect_profile(&self, id: &str) -> Result<Profile> {
        let profile = self.profile_now().await?;
        (profile.id == id)
            .then_some(profile)
            .ok_or(Error::ProfileMoved)
    }

    /// The profile of this id or name, else of this key in the policy: a profile that a person named so is
    /// meant before one that only the organization calls so.
    pub async fn find_profile(&self, id_or_name: &str) -> Result<Profile> {
        let mut found = self.store.profile(id_or_name).await?;
        if found.is_none() {
            let managed = self.managed_profiles();
            let managed = managed.iter().find(|managed| managed.key == id_or_name);
            if let Some(managed) = managed {
                found = self.store.profile(&managed.id()).await?;
            }
        }
        found.ok_or_else(|| Error::UnknownProfile(id_or_name.to_owned()))
    }

    /// The profile of exactly this id.
    pub async fn profile_by_id(&self, id: &str) -> Result<Profile> {
        let found = self.store.profile(id).await?;
        found
            .filter(|profile| profile.id == id)
            .ok_or_else(|| Error::UnknownProfile(id.to_owned()))
    }

    pub fn staff(&self) -> Option<String> {
        lock(&self.staff).clone()
    }

    /// Puts a staff code into effect, or none.
    pub fn set_staff(&self, code: Option<String>) {
        *lock(&self.staff) = code;
    }

    /// Who enters what is entered now: the staff code, else the user of the operating system.
    pub fn who(&self) -> String {
        self.staff().unwrap_or_else(|| self.user.clone())
    }

    /// Releases the folder lock.
    pub fn unlock(&self) {
        drop(lock(&self.lock).take());
    }
}
