//! The desk: one data folder, opened by one process, with its clock, ids and vault.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use warranty_api::{BaseUrl, StoreId, Token};

use crate::Error;
use crate::clock::{Clock, Ids, SystemClock, SystemIds};
use crate::notice::Notice;
use crate::outbox::OutboxSummary;
use crate::profile::{Profile, TokenState};
use crate::settings::Settings;
use crate::vault::{Vault, VaultError};

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
    /// `None` when the keychain works.
    pub keychain: Option<VaultError>,
    /// Counts of the outbox.
    pub outbox: OutboxSummary,
    /// Language and theme.
    pub settings: Settings,
}

/// The desk. Cheap to clone; all clones are the same desk.
#[derive(Debug, Clone)]
pub struct Desk {}

#[allow(clippy::todo, unused_variables, clippy::unused_async)]
impl Desk {
    /// Opens the data folder, taking its lock; what was in flight becomes unknown.
    ///
    /// # Errors
    /// [`Error::InUse`] when another process has it; [`Error::Store`] when it cannot be used.
    pub async fn open(options: DeskOptions) -> Result<Self, Error> {
        todo!()
    }
    /// Opens the data folder to read beside the process that works with it; changes are refused
    /// with [`Error::InUse`].
    ///
    /// # Errors
    /// [`Error::Store`] when it cannot be used.
    pub async fn open_to_read(options: DeskOptions) -> Result<Self, Error> {
        todo!()
    }
    /// Tells the desk where the practice service is.
    pub fn attach_practice(&self, practice: PracticeService) {
        todo!()
    }
    /// What the desk says without having been asked.
    #[must_use]
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        todo!()
    }
    /// Everything a first look needs.
    pub async fn status(&self) -> Result<DeskStatus, Error> {
        todo!()
    }
    /// Ends the worker and closes the files.
    pub async fn close(self) {
        todo!()
    }
}
