//! The desk: one data folder, opened by one process, with its clock, ids and vault.
//!
//! Owns the folder, its lock and what all subjects share. What they do with it is theirs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::backup_schedule::{BackupSchedule, BackupState, Keeping};
use crate::bulk::Bulk;
use crate::catalog::Catalog;
use crate::clock::{Clock, Ids, SystemClock, SystemIds};
use crate::context::{Context, Subscribers};
use crate::contracts::Contracts;
use crate::drafts::Drafts;
use crate::encryption::{Customers, Encryption};
use crate::export::Exports;
use crate::journal::JournalEntry;
use crate::leads::Leads;
use crate::notice::Notice;
use crate::outbox::{EndpointResolver, Network, Obstacle, Outbox, OutboxSummary};
use crate::overview::{Overview, Overviews};
use crate::plans::{PlanCache, Plans};
use crate::print::Printing;
use crate::products::Products;
use crate::profile::{PracticeService, Profile, Profiles, TokenState};
use crate::recovery::{Recovery, RescueSummary};
use crate::services::Services;
use crate::settings::Settings;
use crate::work::{RunQueue, WorkState};
use crate::{Error, StoreError};
use warranty_store as store;
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
    pub(crate) services: Arc<Services>,
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
        let files = Files {
            store: opening::open(&options.data_dir, options.clock.now()).await?,
            cache: PlanCache::open(&options.data_dir.join("cache.db"), false).await,
            keeping: Keeping::new(Backups::of(&options.data_dir)),
            data_dir: Some(options.data_dir.clone()),
            read_only: false,
            beside: None,
            lock: Some(lock),
        };
        let desk = Self::over(options, files, reach);
        desk.recover().await?;
        desk.services.context.backups.keep_if_behind().await;
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
        let files = Files {
            store: medium.store(),
            cache: PlanCache::forgetful(),
            keeping: Arc::default(),
            data_dir: None,
            read_only: false,
            beside: None,
            lock: None,
        };
        let desk = Self::over(options, files, reach);
        desk.recover().await?;
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
        let files = Files {
            store,
            cache: PlanCache::open(&options.data_dir.join("cache.db"), true).await,
            keeping: Arc::default(),
            data_dir: None,
            read_only: true,
            beside: Some(path),
            lock: None,
        };
        Ok(Self::over(options, files, Arc::new(Network)))
    }

    /// Marks everything that was being sent when a process ended as unknown, and deletes rows that
    /// were not all kept by then and customers whose time is over.
    async fn recover(&self) -> Result<(), Error> {
        let services = &self.services;
        services.outbox.outbox_recover().await?;
        services.context.store.interrupt_leads().await?;
        services.context.store.forget_broken_off_runs().await?;
        services.encryption.forget_when_due().await;
        Ok(())
    }

    /// Tells the desk where the practice service is; what waited for it goes on.
    pub fn attach_practice(&self, practice: PracticeService) {
        self.set_practice(Some(practice));
        self.services.overviews.forget_practice_obstacle();
    }

    /// Tells the desk that the practice service ends: what is practised waits for the next one.
    pub fn detach_practice(&self) {
        self.set_practice(None);
    }

    fn set_practice(&self, practice: Option<PracticeService>) {
        let Services {
            context, profiles, ..
        } = self.services.as_ref();
        *profiles
            .practice
            .write()
            .unwrap_or_else(PoisonError::into_inner) = practice;
        context.runs.wake();
        context.work.wake();
    }

    /// What the desk says without having been asked.
    #[must_use]
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.services.context.notices.subscribe()
    }

    /// Everything a first look needs. A keychain that hangs is waited for once, and not at all while
    /// practising.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read; a missing profile or keychain is
    /// part of the answer.
    pub async fn status(&self) -> Result<DeskStatus, Error> {
        let Services {
            context,
            encryption,
            high_water,
            overviews,
            profiles,
            recovery,
            ..
        } = self.services.as_ref();
        let profile = context.current_profile().await?;
        let compare = async {
            match &profile {
                Some(profile) => high_water.compare_with_keychain(profile).await,
                None => Ok(()),
            }
        };
        let (found, customers, compared) = tokio::join!(
            profiles.token_and_keychain(profile.as_ref()),
            encryption.customers_under(profile.as_ref()),
            compare
        );
        let ((token, keychain), customers, ()) = (found?, customers?, compared?);
        let overview = match &profile {
            Some(profile) => Some(overviews.overview_of(&profile.id).await?),
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
                .and_then(|profile| overviews.obstacle_of(&profile.id)),
            profile,
            token,
            keychain,
            customers,
            settings: context.settings().await?,
            backup: context.backups.backup_state(),
            rescue: recovery.rescue_summary().await?,
            damaged: context.store.is_damaged(),
        })
    }

    /// Ends the worker and closes the files. A request on its way is waited for, within its own
    /// time-outs.
    pub async fn close(self) {
        let Services {
            context,
            high_water,
            outbox,
            plans,
            ..
        } = self.services.as_ref();
        plans.plans_refresh_cancel();
        outbox.outbox_stop().await;
        context.backups.keep_at_close().await;
        high_water.keep_mark().await;
        context.store.close().await;
        if let Some(data_dir) = &context.data_dir
            && context.store.is_as_opened()
        {
            opening::closed(data_dir).await;
        }
        context.unlock();
    }

    /// The settings as they are kept; a value this version does not know reads as none.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn settings(&self) -> Result<Settings, Error> {
        self.services.context.settings().await
    }

    /// Keeps new settings.
    ///
    /// # Errors
    /// [`Error::Input`] when customers would be kept for no day or for more than ten years;
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when they cannot be kept.
    pub async fn settings_change(&self, settings: Settings) -> Result<(), Error> {
        self.services.context.settings_change(settings).await
    }

    /// The newest lines of the journal, newest first; at most 10,000.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn journal(&self, limit: u32) -> Result<Vec<JournalEntry>, Error> {
        self.services.context.journal(limit).await
    }

    /// Customers' data at rest.
    #[must_use]
    pub fn encryption(&self) -> &Encryption {
        &self.services.encryption
    }

    /// The connection and what is not finished.
    #[must_use]
    pub fn overviews(&self) -> &Overviews {
        &self.services.overviews
    }

    /// Profiles and their tokens.
    #[must_use]
    pub fn profiles(&self) -> &Profiles {
        &self.services.profiles
    }

    /// Products known here.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.services.catalog
    }

    /// Plans.
    #[must_use]
    pub fn plans(&self) -> &Plans {
        &self.services.plans
    }

    /// The upsert of products.
    #[must_use]
    pub fn products(&self) -> &Products {
        &self.services.products
    }

    /// Contracts at the counter.
    #[must_use]
    pub fn contracts(&self) -> &Contracts {
        &self.services.contracts
    }

    /// The outbox.
    #[must_use]
    pub fn outbox(&self) -> &Outbox {
        &self.services.outbox
    }

    /// Leads.
    #[must_use]
    pub fn leads(&self) -> &Leads {
        &self.services.leads
    }

    /// Reports of a file that had to be replaced.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.services.recovery
    }

    /// What was typed and not sent yet.
    #[must_use]
    pub fn drafts(&self) -> &Drafts {
        &self.services.drafts
    }

    /// Bulk jobs.
    #[must_use]
    pub fn bulk(&self) -> &Bulk {
        &self.services.bulk
    }

    /// Lists written into files.
    #[must_use]
    pub fn exports(&self) -> &Exports {
        &self.services.exports
    }

    /// Papers.
    #[must_use]
    pub fn printing(&self) -> &Printing {
        &self.services.printing
    }

    /// Wires the services, from the lowest up.
    fn over(options: DeskOptions, files: Files, resolver: Arc<dyn EndpointResolver>) -> Self {
        let work = Arc::new(WorkState::new(options.clock.as_ref(), options.ids.as_ref()));
        let context = Arc::new(Context {
            backups: BackupSchedule {
                store: files.store.clone(),
                clock: Arc::clone(&options.clock),
                data_dir: files.data_dir.clone(),
                keeping: files.keeping,
            },
            store: files.store,
            cache: files.cache,
            vault: WatchedVault::new(options.vault),
            clock: options.clock,
            ids: options.ids,
            data_dir: files.data_dir,
            notices: broadcast::Sender::new(NOTICES_KEPT),
            chosen: options.profile,
            work,
            runs: RunQueue::default(),
            read_only: files.read_only,
            beside: files.beside,
            user: os_user(),
            subscribers: OnceLock::new(),
            lock: Mutex::new(files.lock),
        });
        let services = Arc::new(Services::new(context, resolver));
        let weak = Arc::downgrade(&services);
        let subscribers: Weak<dyn Subscribers> = weak;
        // Just made: nothing is set yet.
        let _ = services.context.subscribers.set(subscribers);
        Self { services }
    }
}

/// The files a desk works with.
struct Files {
    store: Store,
    cache: PlanCache,
    keeping: Arc<Keeping>,
    data_dir: Option<PathBuf>,
    read_only: bool,
    beside: Option<PathBuf>,
    lock: Option<FolderLock>,
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
