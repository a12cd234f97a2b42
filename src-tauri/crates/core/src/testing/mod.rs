//! Tests text input with hostile and with random bytes: files, the arguments of the bridge and of
//! wdesk, addresses to open.

#[path = "../../../../../tests/fuzz/mod.rs"]
mod engine;
mod fuzz;
mod hostile;
#[path = "../../../../../tests/hostile/mod.rs"]
pub(crate) mod texts;
#[path = "../../../files/tests/whole_file/mod.rs"]
mod whole_file;
mod workbooks;

use std::path::Path;
use std::sync::Arc;

use warranty_runtime::policy::PolicyState;
use warranty_store::simulated_disk::Medium;
use warranty_vault::MemoryVault;

use crate::outbox::EndpointResolver;
use crate::plans::PlanCache;
use crate::services::{Files, Services};
use crate::{Desk, DeskOptions, Result};

impl Desk {
    /// Opens a desk on a simulated disk: no folder, no lock, no thread, no plan cache.
    pub(crate) async fn open_on(
        medium: &Medium,
        options: DeskOptions,
        resolver: Arc<dyn EndpointResolver>,
    ) -> Result<Self> {
        let files = Files {
            store: medium.store(),
            cache: PlanCache::forgetful(),
            data_dir: None,
            journal_path: None,
            lock: None,
            policy: PolicyState::default(),
        };
        let desk = Self {
            services: Services::wire(options, files, resolver),
        };
        desk.recover().await?;
        Ok(desk)
    }
}

/// A desk in a folder of its own.
pub(crate) async fn new_desk() -> (tempfile::TempDir, Desk) {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path()).await;
    (folder, desk)
}

/// A desk over a keychain in memory.
pub(crate) async fn desk(folder: &Path) -> Desk {
    let options = DeskOptions::new(folder.to_owned(), Arc::new(MemoryVault::default()));
    Desk::open(options).await.unwrap()
}
