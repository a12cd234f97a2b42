//! The desk: one data folder, opened by one process, with its clock, ids and vault.
//!
//! Owns the folder, its lock and what all subjects share. What they do with it is theirs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use warranty_api::{BaseUrl, Personal, StoreId, Timestamp, Token};

use crate::backup_schedule::{BackupState, Keeping};
use crate::bulk::RunWork;
use crate::clock::{Clock, Ids, SystemClock, SystemIds};
use crate::drafts::Drafts;
use crate::encryption::{Customers, KeyCache};
use crate::high_water::KeychainMark;
use crate::keyed_lock::Lanes;
use crate::notice::Notice;
use crate::outbox::{EndpointResolver, Network, Obstacle, Outbox, OutboxSummary};
use crate::overview::{Contacts, Overview};
use crate::plans::{PlanCache, RefreshState};
use crate::profile::{Profile, TokenFingerprint, TokenState};
use crate::recovery::RescueSummary;
use crate::settings::Settings;
use warranty_store as store;

use crate::{Error, StoreError};
use warranty_store::Store;
use warranty_store::backup::Backups;
use warranty_store::data_folder;
use warranty_store::files::make_file;
use warranty_store::lock::{FolderLock, LockError};
use warranty_store::opening;
use warranty_vault::{Vault, VaultError, WatchedVault};

/// Notices kept for a slow listener; one that falls further behind reads the state anew.
const NOTICES_KEPT: usize = 256;

/// How often a reader looks whether another process has made the tables, and the wait between looks.
const LOOKS: u32 = 100;
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// What a desk is opened with.
#[derive(Debug, Clone)]
pub struct DeskOptions {
    /// The folder that holds everything but the tokens.
    pub data_dir: PathBuf,
    /// Where tokens live.
    pub vault: Arc<dyn Vault>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub ids: Arc<dyn Ids>,
    /// Work under this profile, by name, instead of the chosen one.
    pub profile: Option<String>,
}

impl DeskOptions {
    /// A desk over a folder and a vault, with the machine's clock and randomness.
    #[must_use]
    pub fn new(data_dir: PathBuf, vault: Arc<dyn Vault>) -> Self {
        Self {
            data_dir,
            vault,
            clock: Arc::new(SystemClock::default()),
            ids: Arc::new(SystemIds),
            profile: None,
        }
    }
}

/// The practice service, started by whoever owns this process.
#[derive(Debug, Clone)]
pub struct PracticeService {
    /// Its address now.
    pub base_url: BaseUrl,
    /// Its own token.
    pub token: Token,
    /// Its store.
    pub store_id: StoreId,
}

/// Everything a first look needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct DeskStatus {
    /// Version of the program.
    pub version: String,
    /// The chosen profile; `None` on first run.
    pub profile: Option<Profile>,
    /// Whether its token is there.
    pub token: TokenState,
    /// `None` when the keychain works, and while practising, which needs none, as long as nothing
    /// else is known.
    pub keychain: Option<VaultError>,
    /// Whether customers can be read and new entries be made; while practising, as far as is known
    /// without asking the keychain.
    pub customers: Customers,
    /// Why nothing can be sent; `None` when nothing stands in the way, or nothing was tried.
    pub obstacle: Option<Obstacle>,
    /// The connection and what is not finished; `None` on first run.
    pub overview: Option<Overview>,
    /// Counts of the outbox.
    pub outbox: OutboxSummary,
    /// What a person chose for the program.
    pub settings: Settings,
    /// Copies of the desk's own file.
    pub backup: BackupState,
    /// What happened when the desk's own file had to be replaced; `None` once a person has seen it.
    pub rescue: Option<RescueSummary>,
    /// Whether the desk's own file turned out damaged just now: nothing is sent until a new start.
    pub damaged: bool,
}

/// The desk. Cheap to clone; all clones are the same desk.
#[derive(Debug, Clone)]
pub struct Desk {
    pub(crate) inner: Arc<Inner>,
}

/// What all clones of a desk share.
#[derive(Debug)]
pub(crate) struct Inner {
    /// `desk.db`.
    pub store: Store,
    /// `cache.db`.
    pub cache: PlanCache,
    /// Where tokens live.
    pub vault: WatchedVault,
    /// The keys that customers are encrypted with.
    pub keys: KeyCache,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub ids: Arc<dyn Ids>,
    /// The practice service, once attached.
    pub practice: RwLock<Option<PracticeService>>,
    /// Where its files are, for one that works with them.
    pub data_dir: Option<PathBuf>,
    /// Copies of `desk.db`.
    pub keeping: Arc<Keeping>,
    /// The copy of the high-water mark in the keychain.
    pub keychain_mark: KeychainMark,
    /// What listeners hear.
    pub notices: broadcast::Sender<Notice>,
    /// The profile asked for by name, instead of the chosen one.
    pub chosen: Option<String>,
    /// Clients by address and token, kept so that connections are used again.
    pub clients: Mutex<HashMap<(String, Option<TokenFingerprint>), warranty_api::Client>>,
    /// The worker's own state.
    pub outbox: Outbox,
    /// What the last requests said of each profile's service.
    pub contacts: Contacts,
    /// The refreshing of all plans.
    pub refresh: RefreshState,
    /// What this process knows of runs.
    pub runs: RunWork,
    /// Tokens of leads that were sent without anyone waiting for the answer, by the lead's id.
    pub lead_tokens: Mutex<HashMap<String, Personal>>,
    /// Changes to one product or plan, one after the other.
    pub lanes: Lanes,
    /// What was typed and is not in the file yet.
    pub drafts: Drafts,
    /// Opened beside the process that works with the folder.
    pub read_only: bool,
    /// The file of a desk that was opened to read: the journal alone is written there all the same.
    pub beside: Option<PathBuf>,
    /// The account of the operating system, for the journal.
    pub user: String,
    /// Held while this process may write; `None` once closed and for readers.
    lock: Mutex<Option<FolderLock>>,
}

impl Desk {
    /// Opens the data folder, taking its lock; what was in flight becomes unknown.
    ///
    /// # Errors
    /// [`Error::InUse`] when another process has it; [`Error::Store`] when it cannot be used.
    pub async fn open(options: DeskOptions) -> Result<Self, Error> {
        Self::open_over(options, Arc::new(Network)).await
    }

    /// The same with another way to the service for the outbox.
    pub(crate) async fn open_over(
        options: DeskOptions,
        reach: Arc<dyn EndpointResolver>,
    ) -> Result<Self, Error> {
        data_folder::prepare(&options.data_dir)?;
        let lock = take_lock(&options.data_dir)?;
        let store = opening::open(&options.data_dir, options.clock.now()).await?;
        let cache = PlanCache::open(&options.data_dir.join("cache.db"), false).await;
        let keeping = Keeping::new(Backups::of(&options.data_dir));
        let data_dir = options.data_dir.clone();
        let mut inner = Inner::new(options, store, cache, Some(lock), reach);
        inner.keeping = keeping;
        inner.data_dir = Some(data_dir);
        let desk = Self {
            inner: Arc::new(inner),
        };
        desk.recover().await?;
        desk.forget_when_due().await;
        desk.keep_if_behind().await;
        Ok(desk)
    }

    /// Opens a desk on a simulated disk: no folder, no lock, no thread, and plans that are not
    /// remembered.
    #[cfg(test)]
    pub(crate) async fn open_on(
        medium: &store::simulated_disk::Medium,
        options: DeskOptions,
        reach: Arc<dyn EndpointResolver>,
    ) -> Result<Self, Error> {
        let (store, cache) = (medium.store(), PlanCache::forgetful());
        let mut inner = Inner::new(options, store, cache, None, reach);
        inner.read_only = false;
        let desk = Self {
            inner: Arc::new(inner),
        };
        desk.recover().await?;
        desk.forget_when_due().await;
        Ok(desk)
    }

    /// Opens the data folder to read beside the process that works with it; changes are refused
    /// with [`Error::InUse`]. What leaves the desk is noted in the journal all the same.
    ///
    /// # Errors
    /// [`Error::Store`] when it cannot be used.
    pub async fn open_to_read(options: DeskOptions) -> Result<Self, Error> {
        data_folder::prepare(&options.data_dir)?;
        let path = options.data_dir.join("desk.db");
        look_beside(&options.data_dir).await?;
        let mut looks = 0;
        while !path.exists() || store::is_behind(&path).await? {
            // A reader cannot make or widen the tables: that takes the lock for a moment.
            match take_lock(&options.data_dir) {
                Ok(lock) => {
                    make_file(&path)?;
                    Store::open(&path, false).await?.close().await;
                    drop(lock);
                }
                // Whoever has it is about to do just that.
                Err(Error::InUse) if looks < LOOKS => {
                    looks += 1;
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Err(error) => return Err(error),
            }
        }
        let mut store = Store::open(&path, true).await?;
        if store.is_put_back(&options.data_dir).await? {
            // A reader cannot stop what is in it either. Closed first: closing the file a second time
            // would give up SQLite's locks on it.
            store.close().await;
            match Box::pin(Self::open(options.clone())).await {
                Ok(rescued) => rescued.close().await,
                // Whoever has it has found the same.
                Err(Error::InUse) => {}
                Err(error) => return Err(error),
            }
            store = Store::open(&path, true).await?;
        }
        let cache = PlanCache::open(&options.data_dir.join("cache.db"), true).await;
        let mut inner = Inner::new(options, store, cache, None, Arc::new(Network));
        inner.beside = Some(path);
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Says of everything that was being sent when a process ended that nobody knows, and puts away
    /// rows that were not all kept by then.
    async fn recover(&self) -> Result<(), Error> {
        self.outbox_recover().await?;
        self.inner.store.interrupt_leads().await?;
        Ok(self.inner.store.forget_broken_off_runs().await?)
    }

    /// Tells the desk where the practice service is; what waited for it goes on.
    pub fn attach_practice(&self, practice: PracticeService) {
        self.set_practice(Some(practice));
        self.forget_practice_obstacle();
    }

    /// Tells the desk that the practice service ends: what is practised waits for the next one.
    pub fn detach_practice(&self) {
        self.set_practice(None);
    }

    fn set_practice(&self, practice: Option<PracticeService>) {
        *self
            .inner
            .practice
            .write()
            .unwrap_or_else(PoisonError::into_inner) = practice;
        self.inner.runs.wake();
        self.inner.outbox.wake();
    }

    /// What the desk says without having been asked.
    #[must_use]
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.inner.notices.subscribe()
    }

    /// Everything a first look needs. A keychain that hangs is waited for once, and not at all while
    /// practising.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read; a missing profile or keychain is
    /// part of the answer.
    pub async fn status(&self) -> Result<DeskStatus, Error> {
        let profile = self.current_profile().await?;
        let compare = async {
            match &profile {
                Some(profile) => self.compare_with_keychain(profile).await,
                None => Ok(()),
            }
        };
        let (found, customers, compared) = tokio::join!(
            self.token_and_keychain(profile.as_ref()),
            self.customers_under(profile.as_ref()),
            compare
        );
        let ((token, keychain), customers, ()) = (found?, customers?, compared?);
        let overview = match &profile {
            Some(profile) => Some(self.overview_of(&profile.id).await?),
            None => None,
        };
        Ok(DeskStatus {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            outbox: overview
                .as_ref()
                .map(|overview| overview.open.outbox.clone())
                .unwrap_or_default(),
            overview,
            obstacle: profile
                .as_ref()
                .and_then(|profile| self.obstacle_of(&profile.id)),
            profile,
            token,
            keychain,
            customers,
            settings: self.settings().await?,
            backup: self.backup_state(),
            rescue: self.rescue_summary().await?,
            damaged: self.inner.store.is_damaged(),
        })
    }

    /// Ends the worker and closes the files. A request on its way is waited for, within its own
    /// time-outs.
    pub async fn close(self) {
        self.plans_refresh_cancel();
        self.outbox_stop().await;
        self.keep_at_close().await;
        self.keep_mark().await;
        self.inner.store.close().await;
        if let Some(data_dir) = &self.inner.data_dir
            && self.inner.store.is_as_opened()
        {
            opening::closed(data_dir).await;
        }
        drop(
            self.inner
                .lock
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
    }

    /// The time now, in UTC.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::new(self.inner.clock.now().fixed_offset())
    }

    /// Refuses a change on a desk that was opened to read.
    pub(crate) fn writable(&self) -> Result<(), Error> {
        if self.inner.read_only {
            Err(Error::InUse)
        } else {
            Ok(())
        }
    }

    /// Tells listeners; nobody listening is fine.
    pub(crate) fn tell(&self, notice: Notice) {
        if let Notice::OutboxChanged { .. } = &notice {
            self.keep_soon();
        }
        // The only failure is that nobody listens.
        let _ = self.inner.notices.send(notice);
    }
}

impl Inner {
    /// Everything at rest; without a lock, to be read only.
    fn new(
        options: DeskOptions,
        store: Store,
        cache: PlanCache,
        lock: Option<FolderLock>,
        reach: Arc<dyn EndpointResolver>,
    ) -> Self {
        Self {
            store,
            cache,
            vault: WatchedVault::new(options.vault),
            keys: KeyCache::default(),
            outbox: Outbox::new(options.clock.as_ref(), options.ids.as_ref(), reach),
            contacts: Contacts::default(),
            clock: options.clock,
            ids: options.ids,
            practice: RwLock::new(None),
            data_dir: None,
            keeping: Arc::default(),
            keychain_mark: KeychainMark::default(),
            notices: broadcast::Sender::new(NOTICES_KEPT),
            chosen: options.profile,
            clients: Mutex::new(HashMap::new()),
            refresh: RefreshState::default(),
            runs: RunWork::default(),
            lead_tokens: Mutex::default(),
            lanes: Lanes::default(),
            drafts: Drafts::default(),
            read_only: lock.is_none(),
            beside: None,
            user: os_user(),
            lock: Mutex::new(lock),
        }
    }
}

/// Looks at the file without the lock. What looks damaged while another process has it may only be
/// half made: that one is given time, and only what nobody works with is judged.
async fn look_beside(data_dir: &Path) -> Result<(), Error> {
    for _ in 0..LOOKS {
        match opening::look(data_dir).await {
            Err(StoreError::Damaged) => {}
            found => return Ok(found?),
        }
        match take_lock(data_dir) {
            Ok(_lock) => return Ok(opening::look(data_dir).await?),
            Err(Error::InUse) => tokio::time::sleep(LOOK_AGAIN).await,
            Err(error) => return Err(error),
        }
    }
    Ok(opening::look(data_dir).await?)
}

fn take_lock(folder: &Path) -> Result<FolderLock, Error> {
    FolderLock::take(folder).map_err(|error| match error {
        LockError::InUse => Error::InUse,
        LockError::Store(error) => error.into(),
    })
}

/// The account this process runs under, as the system says and not as the environment does, which
/// anyone can set; for the journal.
fn os_user() -> String {
    match whoami::username() {
        Ok(user) if !user.is_empty() => user.chars().take(128).collect(),
        Ok(_) | Err(_) => nameless_user(),
    }
}

/// An account that the system has no name for.
fn nameless_user() -> String {
    #[cfg(target_os = "linux")]
    return format!("uid {}", rustix::process::geteuid().as_raw());
    #[cfg(not(target_os = "linux"))]
    return "unknown".to_owned();
}
