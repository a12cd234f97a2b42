//! The composition root: opens and closes one data folder and its services.
//!
//! Owns the folder and its lock. Knows no rules of the services.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::encryption::Customers;
use crate::outbox::{Blocker, Network, OutboxSummary};
use crate::plans::PlanCache;
use crate::profile::{PracticeService, Profile, ProfileKind, TokenState};
use crate::recovery::RescueSummary;
use crate::services::{DeskOptions, Files, Services};
use crate::staff::StaffState;
use crate::{Error, Result, StoreError, log};
use warranty_runtime::backup_schedule::BackupState;
use warranty_runtime::journal::JournalEntry;
use warranty_runtime::notice::Notice;
use warranty_runtime::organization::{Organization, PolicyReport};
use warranty_runtime::overview::Overview;
use warranty_runtime::policy;
use warranty_runtime::settings::Settings;
use warranty_runtime::work::lock;
use warranty_store as store;
use warranty_store::files::make_file;
use warranty_store::lock::FolderLock;
use warranty_store::{Store, data_folder, opening};
use warranty_vault::VaultError;

/// How often a reader checks whether another process has created the tables.
const ATTEMPTS: u32 = 100;
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// The state of the desk for the start screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeskStatus {
    pub version: String,
    /// The chosen profile; `None` on first run.
    pub profile: Option<Profile>,
    /// Whether its token is stored.
    pub token: TokenState,
    /// The error of the keychain; `None` when it works, or for a practice profile when nothing is
    /// known.
    pub keychain: Option<VaultError>,
    /// Whether customers can be read and entered; for a practice profile this is found without the
    /// keychain.
    pub customers: Customers,
    /// Why nothing can be sent; `None` when sending works or was not tried.
    pub blocker: Option<Blocker>,
    /// Connection and unfinished work; `None` on first run.
    pub overview: Option<Overview>,
    pub outbox: OutboxSummary,
    pub settings: Settings,
    /// What the organization set for this computer.
    pub organization: Organization,
    pub staff: StaffState,
    pub backup: BackupState,
    /// The report when `desk.db` had to be replaced; `None` once the user has seen it.
    pub rescue: Option<RescueSummary>,
    /// Whether this process found `desk.db` damaged: nothing is sent until a restart.
    pub damaged: bool,
}

/// The desk. Cheap to clone; all clones are the same desk.
#[derive(Debug, Clone)]
pub struct Desk {
    pub(crate) services: Arc<Services>,
}

impl Deref for Desk {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
    }
}

impl Desk {
    /// Opens the data folder and takes its lock; batches in flight get an unknown outcome.
    ///
    /// # Errors
    /// [`Error::InUse`] when another process has the lock; [`Error::Store`] when the folder cannot
    /// be used.
    pub async fn open(options: DeskOptions) -> Result<Self> {
        let opened = Self::open_to_write(options).await;
        opened.inspect_err(|error| tracing::warn!(%error, "the desk cannot be opened"))
    }

    async fn open_to_write(options: DeskOptions) -> Result<Self> {
        data_folder::prepare(&options.data_dir)?;
        log::keep_in(&options.data_dir);
        let lock = take_lock(&options.data_dir)?;
        let policy = policy::load(&*options.policies, &options.data_dir, true);
        log::obey(&policy.value("log").unwrap_or_default());
        let files = Files {
            store: opening::open(&options.data_dir, options.clock.now()).await?,
            cache: PlanCache::open(&options.data_dir.join("cache.db"), false).await,
            data_dir: Some(options.data_dir.clone()),
            journal_path: None,
            lock: Some(lock),
            policy,
        };
        let desk = Self {
            services: Services::wire(options, files, Arc::new(Network)),
        };
        desk.recover().await?;
        desk.profiles.set_up_managed().await?;
        desk.context.backups.back_up_if_behind().await;
        tracing::info!("the desk is open");
        Ok(desk)
    }

    /// Opens the data folder read-only, while another process may write; changes are refused with
    /// [`Error::InUse`]. Exports are still recorded in the journal.
    ///
    /// # Errors
    /// [`Error::Store`] when the folder cannot be used.
    pub async fn open_to_read(options: DeskOptions) -> Result<Self> {
        let folder = options.data_dir.clone();
        let opened = Self::open_reading(options).await.map_err(|error| {
            // SQLite does not say that it needs to write beside the file.
            let unclear = matches!(error, Error::Store(StoreError::Sqlite(_)));
            match unclear && !data_folder::is_writable(&folder) {
                true => StoreError::ReadOnly.into(),
                false => error,
            }
        });
        opened.inspect_err(|error| tracing::warn!(%error, "the desk cannot be opened to read"))
    }

    async fn open_reading(options: DeskOptions) -> Result<Self> {
        data_folder::prepare(&options.data_dir)?;
        log::keep_in(&options.data_dir);
        let path = options.data_dir.join("desk.db");
        check_without_lock(&options.data_dir).await?;
        let mut attempts = 0;
        while !path.exists() || store::is_behind(&path).await? {
            // Creating or migrating the tables needs the lock for a moment.
            match take_lock(&options.data_dir) {
                Ok(lock) => {
                    make_file(&path)?;
                    Store::open(&path, false).await?.close().await;
                    drop(lock);
                }
                // The process with the lock is about to do that.
                Err(Error::InUse) if attempts < ATTEMPTS => {
                    attempts += 1;
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error) => return Err(error),
            }
        }
        let policy = policy::load(&*options.policies, &options.data_dir, false);
        log::obey(&policy.value("log").unwrap_or_default());
        let mut store = Store::open(&path, true).await?;
        if store.is_put_back(&options.data_dir).await? {
            // Restoring the file needs a writer. Close first: closing the file a second time would
            // release SQLite's locks on it.
            store.close().await;
            match Box::pin(Self::open(options.clone())).await {
                Ok(rescued) => rescued.close().await,
                // The process with the lock has found the same damage.
                Err(Error::InUse) => {}
                Err(error) => return Err(error),
            }
            store = Store::open(&path, true).await?;
        }
        let files = Files {
            store,
            cache: PlanCache::open(&options.data_dir.join("cache.db"), true).await,
            data_dir: None,
            journal_path: Some(path),
            lock: None,
            policy,
        };
        let desk = Self {
            services: Services::wire(options, files, Arc::new(Network)),
        };
        desk.profiles.managed_here().await?;
        Ok(desk)
    }

    /// Recovers from the end of an earlier process: sets what was in flight to outcome unknown, and
    /// deletes incomplete bulk jobs and expired customers.
    pub(crate) async fn recover(&self) -> Result<()> {
        self.outbox.recover().await?;
        self.context.store.interrupt_leads().await?;
        self.context.store.forget_broken_off_runs().await?;
        self.encryption.delete_expired().await;
        Ok(())
    }

    /// Sets the practice service; work waiting for it continues.
    pub fn attach_practice(&self, practice: PracticeService) {
        self.set_practice(Some(practice));
        self.overviews.clear_practice_blockers();
    }

    /// Removes the practice service; its work waits for the next one.
    pub fn detach_practice(&self) {
        self.set_practice(None);
    }

    fn set_practice(&self, practice: Option<PracticeService>) {
        *lock(&self.profiles.practice) = practice;
        self.context.runs.wake();
        self.context.work.wake();
    }

    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.context.notices.subscribe()
    }

    /// The state of the desk. Waits for a hanging keychain once, and never under a practice profile.
    ///
    /// # Errors
    /// [`Error::Store`] when `desk.db` cannot be read; a missing profile or keychain is part of the
    /// result.
    pub async fn status(&self) -> Result<DeskStatus> {
        let profile = self.context.current_profile().await?;
        let kind = profile.as_ref().map(|profile| profile.kind);
        let is_live = kind == Some(ProfileKind::Live);
        let compare = async {
            match &profile {
                Some(profile) => self.high_water.compare_with_keychain(profile).await,
                None => Ok(()),
            }
        };
        let (found, customers, compared) = tokio::join!(
            self.profiles.token_and_keychain(profile.as_ref()),
            self.encryption.customers(is_live),
            compare
        );
        let ((token, keychain), customers, ()) = (found?, customers?, compared?);
        let (mut overview, mut blocker) = (None, None);
        if let Some(profile) = &profile {
            overview = Some(self.overviews.of(&profile.id).await?);
            blocker = self.overviews.blocker_of(&profile.id);
        }
        let mut organization = self.context.organization(profile.as_ref());
        if organization.locked.profiles {
            let here = profile.as_ref().map_or("", |profile| &profile.id);
            for other in self.overviews.other_profiles(here, |_| true).await? {
                if !self.overviews.to_finish(&other.id).await?.is_empty() {
                    organization.unfinished.push(other.id);
                }
            }
        }
        let outbox = overview.as_ref().map(|known| known.open.outbox.clone());
        Ok(DeskStatus {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            outbox: outbox.unwrap_or_default(),
            overview,
            blocker,
            staff: self.staff.state(profile.as_ref()).await?,
            organization,
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

    /// Stops the outbox and closes the files. Waits for requests in flight, within their timeouts.
    pub async fn close(self) {
        self.plans.cancel_refresh();
        self.outbox.stop().await;
        self.context.backups.back_up_at_close().await;
        self.high_water.update().await;
        self.context.store.close().await;
        if let Some(data_dir) = &self.context.data_dir
            && self.context.store.is_as_opened()
        {
            opening::closed(data_dir).await;
        }
        self.context.unlock();
    }

    /// The stored settings; a value that this version does not know reads as not set.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn settings(&self) -> Result<Settings> {
        self.context.settings().await
    }

    /// Stores new settings.
    ///
    /// # Errors
    /// [`Error::Input`] when the retention is not between one day and ten years; [`Error::InUse`] on
    /// a desk opened to read; [`Error::Store`] when they cannot be stored.
    pub async fn settings_change(&self, settings: Settings) -> Result<()> {
        self.context.settings_change(settings).await
    }

    /// What the organization set for this computer, and what counts of it.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn policy(&self) -> Result<PolicyReport> {
        let moved = self.profiles.moved().await?;
        self.context.policy_report(moved).await
    }

    /// How many sales and leads of all live profiles are not sent, or not known to be: they wait until this
    /// user opens the desk again.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn unsent(&self) -> Result<u32> {
        Ok(self.context.store.unsent().await?)
    }

    /// The newest lines of the journal, newest first.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read.
    pub async fn journal(&self, limit: u32) -> Result<Vec<JournalEntry>> {
        let lines = self.context.store.journal_below(i64::MAX, limit).await?;
        Ok(lines.into_iter().map(|(_, entry)| entry).collect())
    }
}

/// Checks the file without the lock. If the file looks damaged, another process may still be
/// creating it; the check is repeated until that process is done.
async fn check_without_lock(data_dir: &Path) -> Result<()> {
    for _ in 0..ATTEMPTS {
        match opening::check_readable(data_dir).await {
            Err(StoreError::Damaged) => {}
            found => return Ok(found?),
        }
        match take_lock(data_dir) {
            Ok(_lock) => return Ok(opening::check_readable(data_dir).await?),
            Err(Error::InUse) => tokio::time::sleep(RETRY_AFTER).await,
            Err(error) => return Err(error),
        }
    }
    Ok(opening::check_readable(data_dir).await?)
}

fn take_lock(folder: &Path) -> Result<FolderLock> {
    FolderLock::take(folder)?.ok_or(Error::InUse)
}
