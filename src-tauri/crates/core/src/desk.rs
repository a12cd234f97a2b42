//! The desk: one data folder, opened by one process, with its clock, ids and vault.
//!
//! Owns the folder, its lock and what all subjects share. What they do with it is theirs.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::backup_schedule::{BackupState, Keeping};
use crate::encryption::Customers;
use crate::journal::JournalEntry;
use crate::notice::Notice;
use crate::outbox::{EndpointResolver, Network, Obstacle, OutboxSummary};
use crate::overview::Overview;
use crate::plans::PlanCache;
use crate::profile::{PracticeService, Profile, TokenState};
use crate::recovery::RescueSummary;
use crate::services::{DeskOptions, Files, Services};
use crate::settings::Settings;
use crate::{Error, StoreError};
use warranty_store as store;
use warranty_store::Store;
use warranty_store::backup::Backups;
use warranty_store::data_folder;
use warranty_store::files::make_file;
use warranty_store::lock::{FolderLock, LockError};
use warranty_store::opening;
use warranty_vault::VaultError;

/// How often a reader looks whether another process has made the tables, and the wait between looks.
const LOOKS: u32 = 100;
const LOOK_AGAIN: Duration = Duration::from_millis(20);

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
    services: Arc<Services>,
}

impl Deref for Desk {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
    }
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
        let desk = Self {
            services: Services::wire(options, files, reach),
        };
        desk.recover().await?;
        desk.context.backups.keep_if_behind().await;
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
        let desk = Self {
            services: Services::wire(options, files, reach),
        };
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
        Ok(Self {
            services: Services::wire(options, files, Arc::new(Network)),
        })
    }

    /// Marks everything that was being sent when a process ended as unknown, and deletes rows that
    /// were not all kept by then and customers whose time is over.
    async fn recover(&self) -> Result<(), Error> {
        self.outbox.recover().await?;
        self.context.store.interrupt_leads().await?;
        self.context.store.forget_broken_off_runs().await?;
        self.encryption.delete_expired().await;
        Ok(())
    }

    /// Tells the desk where the practice service is; what waited for it goes on.
    pub fn attach_practice(&self, practice: PracticeService) {
        self.set_practice(Some(practice));
        self.overviews.forget_practice_obstacle();
    }

    /// Tells the desk that the practice service ends: what is practised waits for the next one.
    pub fn detach_practice(&self) {
        self.set_practice(None);
    }

    fn set_practice(&self, practice: Option<PracticeService>) {
        *self
            .profiles
            .practice
            .write()
            .unwrap_or_else(PoisonError::into_inner) = practice;
        self.context.runs.wake();
        self.context.work.wake();
    }

    /// What the desk says without having been asked.
    #[must_use]
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.context.notices.subscribe()
    }

    /// Everything a first look needs. A keychain that hangs is waited for once, and not at all while
    /// practising.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read; a missing profile or keychain is
    /// part of the answer.
    pub async fn status(&self) -> Result<DeskStatus, Error> {
        let profile = self.context.current_profile().await?;
        let compare = async {
            match &profile {
                Some(profile) => self.high_water.compare_with_keychain(profile).await,
                None => Ok(()),
            }
        };
        let (found, customers, compared) = tokio::join!(
            self.profiles.token_and_keychain(profile.as_ref()),
            self.encryption.state_under(profile.as_ref()),
            compare
        );
        let ((token, keychain), customers, ()) = (found?, customers?, compared?);
        let overview = match &profile {
            Some(profile) => Some(self.overviews.of(&profile.id).await?),
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
                .and_then(|profile| self.overviews.obstacle_of(&profile.id)),
            profile,
            token,
            keychain,
            customers,
            settings: self.context.settings().await?,
            backup: self.context.backups.backup_state(),
            rescue: self.recovery.unseen_summary().await?,
            damaged: self.context.store.is_damaged(),
        })
    }

    /// Ends the worker and closes the files. A request on its way is waited for, within its own
    /// time-outs.
    pub async fn close(self) {
        self.plans.cancel_refresh();
        self.outbox.stop().await;
        self.context.backups.keep_at_close().await;
        self.high_water.update().await;
        self.context.store.close().await;
        if let Some(data_dir) = &self.context.data_dir
            && self.context.store.is_as_opened()
        {
            opening::closed(data_dir).await;
        }
        self.context.unlock();
    }

    /// The settings as they are kept; a value this version does not know reads as none.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn settings(&self) -> Result<Settings, Error> {
        self.context.settings().await
    }

    /// Keeps new settings.
    ///
    /// # Errors
    /// [`Error::Input`] when customers would be kept for no day or for more than ten years;
    /// [`Error::InUse`] on a desk opened to read; [`Error::Store`] when they cannot be kept.
    pub async fn settings_change(&self, settings: Settings) -> Result<(), Error> {
        self.context.settings_change(settings).await
    }

    /// The newest lines of the journal, newest first; at most 10,000.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn journal(&self, limit: u32) -> Result<Vec<JournalEntry>, Error> {
        self.context.journal(limit).await
    }
}

/// Looks at the file without the lock. What looks damaged while another process has it may only be
/// half made: that one is given time, and only what nobody works with is judged.
async fn look_beside(data_dir: &Path) -> Result<(), Error> {
    for _ in 0..LOOKS {
        match opening::check_readable(data_dir).await {
            Err(StoreError::Damaged) => {}
            found => return Ok(found?),
        }
        match take_lock(data_dir) {
            Ok(_lock) => return Ok(opening::check_readable(data_dir).await?),
            Err(Error::InUse) => tokio::time::sleep(LOOK_AGAIN).await,
            Err(error) => return Err(error),
        }
    }
    Ok(opening::check_readable(data_dir).await?)
}

fn take_lock(folder: &Path) -> Result<FolderLock, Error> {
    FolderLock::take(folder).map_err(|error| match error {
        LockError::InUse => Error::InUse,
        LockError::Store(error) => error.into(),
    })
}
