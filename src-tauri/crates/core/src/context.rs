//! What every service works with: the desk's own file, the cache of plans, the keychain, clock and
//! ids, what this process has in progress, and where notices go.
//!
//! Knows no service. What a lower service announces to a higher one goes through [`Subscribers`].

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use futures::future::BoxFuture;
use tokio::sync::broadcast;
use warranty_model::interface::Timestamp;
use warranty_model::outbox::state::Instant;
use warranty_store::Store;
use warranty_store::lock::FolderLock;
use warranty_store::plans::PlanCache;
use warranty_vault::WatchedVault;

use crate::Error;
use crate::backup_schedule::BackupSchedule;
use crate::clock::{Clock, Ids};
use crate::notice::Notice;
use crate::work::{RunQueue, WorkState};
use warranty_model::profile::Profile;

/// What all services of a desk share.
#[derive(Debug)]
pub(crate) struct Context {
    /// `desk.db`.
    pub store: Store,
    /// `cache.db`.
    pub cache: PlanCache,
    /// Where tokens and keys are kept.
    pub vault: WatchedVault,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub ids: Arc<dyn Ids>,
    /// Where the files are, for a desk that works with them.
    pub data_dir: Option<PathBuf>,
    /// Copies of `desk.db`.
    pub backups: BackupSchedule,
    /// What listeners receive.
    pub notices: broadcast::Sender<Notice>,
    /// The profile asked for by name, instead of the chosen one.
    pub chosen: Option<String>,
    /// What the outbox has in progress.
    pub work: Arc<WorkState>,
    /// Which bulk jobs wait, and which ones listeners are told of.
    pub runs: RunQueue,
    /// Opened beside the process that works with the folder.
    pub read_only: bool,
    /// The file of a desk that was opened to read: only the journal is written there.
    pub beside: Option<PathBuf>,
    /// The account of the operating system, for the journal.
    pub user: String,
    /// What higher services do when a lower one announces something; set once, at wiring.
    pub subscribers: OnceLock<Weak<dyn Subscribers>>,
    /// Held while this process may write; `None` once closed and for readers.
    pub lock: Mutex<Option<FolderLock>>,
}

/// What lower services announce and higher ones act on.
pub(crate) trait Subscribers: Send + Sync + std::fmt::Debug {
    /// A person gave a profile a token, perhaps the same as before.
    fn token_given<'a>(&'a self, profile: &'a Profile) -> BoxFuture<'a, Result<(), Error>>;
    /// The counts of the outbox were told: bulk jobs in progress are told as well.
    fn counts_told(&self) -> BoxFuture<'_, Result<(), Error>>;
    /// A queued lead is to be sent; `true` when it is queued still.
    fn lead_due<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, Error>>;
    /// A lead was left in flight: its outcome is unknown.
    fn lead_unknown<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), Error>>;
    /// The next rows of a bulk job are to be worked on.
    fn rows_due<'a>(&'a self, profile: &'a Profile, run: i64) -> BoxFuture<'a, Result<(), Error>>;
}

impl Context {
    /// Who acts on announcements; `None` once the desk is gone.
    pub(crate) fn subscribers(&self) -> Option<Arc<dyn Subscribers>> {
        self.subscribers.get().and_then(Weak::upgrade)
    }

    /// The time now, in UTC.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::new(self.clock.now().fixed_offset())
    }

    /// Now, on both clocks.
    pub(crate) fn instant(&self) -> Instant {
        self.work.instant(self.clock.as_ref())
    }

    /// Refuses a change on a desk that was opened to read.
    pub(crate) fn writable(&self) -> Result<(), Error> {
        if self.read_only {
            Err(Error::InUse)
        } else {
            Ok(())
        }
    }

    /// Sends a notice; nobody listening is fine.
    pub(crate) fn notify(&self, notice: Notice) {
        if let Notice::OutboxChanged { .. } = &notice {
            self.backups.keep_soon();
        }
        // The only failure is that nobody listens.
        let _ = self.notices.send(notice);
    }

    /// The profile this desk works under: the one it was opened with, else the chosen one.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`] when the desk was opened with a name that no profile has.
    pub(crate) async fn current_profile(&self) -> Result<Option<Profile>, Error> {
        match &self.chosen {
            Some(name) => Ok(Some(self.find_profile(name).await?)),
            None => Ok(self.store.current_profile().await?),
        }
    }

    /// The profile to work under.
    pub(crate) async fn profile_now(&self) -> Result<Profile, Error> {
        self.current_profile().await?.ok_or(Error::NoProfile)
    }

    /// The profile of this id or name.
    pub(crate) async fn find_profile(&self, id_or_name: &str) -> Result<Profile, Error> {
        let found = self.store.profile(id_or_name).await?;
        found.ok_or_else(|| Error::UnknownProfile(id_or_name.to_owned()))
    }

    /// The profile of exactly this id.
    pub(crate) async fn profile_by_id(&self, id: &str) -> Result<Profile, Error> {
        let found = self.store.profile(id).await?;
        found
            .filter(|profile| profile.id == id)
            .ok_or_else(|| Error::UnknownProfile(id.to_owned()))
    }

    /// Lets another process work with the folder.
    pub(crate) fn unlock(&self) {
        drop(
            self.lock
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
    }
}
