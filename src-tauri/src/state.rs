//! What the commands share: the desk, opened on first use, and the practice service.
//!
//! A desk that cannot be opened (another process has it, the disk is full) is tried again at the
//! next command, so that mending the cause is enough and no restart is needed.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::AppHandle;
use tokio::sync::OnceCell;
use warranty_core::profile::ProfileKind;
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions};

use crate::chosen::Chosen;
use crate::error::UiError;
use crate::events;
use crate::hosts::Hosts;
use crate::practice::{self, Practice};

/// Handed to every command by Tauri.
#[derive(Debug)]
pub struct Shared {
    app: AppHandle,
    data_dir: PathBuf,
    vault: Arc<KeychainVault>,
    desk: OnceCell<Desk>,
    practice: OnceCell<Practice>,
    chosen: Chosen,
    hosts: Hosts,
}

impl Shared {
    /// Shares the desk of a data folder; nothing is opened yet.
    #[must_use]
    pub fn new(app: AppHandle, data_dir: PathBuf) -> Self {
        Self {
            app,
            data_dir,
            vault: Arc::new(KeychainVault::new()),
            desk: OnceCell::new(),
            practice: OnceCell::new(),
            chosen: Chosen::default(),
            hosts: Hosts::default(),
        }
    }

    /// The file a person gave to the window.
    #[must_use]
    pub fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// The servers a person confirmed.
    #[must_use]
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// The desk, opened if it is not open yet, its outbox running.
    ///
    /// # Errors
    /// Why it cannot be opened now.
    pub async fn desk(&self) -> Result<&Desk, UiError> {
        self.desk
            .get_or_try_init(|| async {
                let desk =
                    Desk::open(DeskOptions::new(self.data_dir.clone(), self.vault.clone())).await?;
                events::forward(&self.app, &desk);
                practice::forget_old(&desk, &self.data_dir).await;
                let profiles = desk.profiles().await?;
                if profiles.iter().any(|p| p.kind == ProfileKind::Practice)
                    && let Err(error) = self.start_practice(&desk).await
                {
                    // The live profiles must work without it; the practice profile says so itself.
                    tracing::warn!(code = ?error.code, "practice is not available");
                }
                desk.outbox_start();
                Ok(desk)
            })
            .await
    }

    /// Starts the practice service in this process if it does not run yet.
    ///
    /// # Errors
    /// When its database or its port cannot be had.
    pub async fn practise(&self) -> Result<(), UiError> {
        let desk = self.desk().await?;
        self.start_practice(desk).await
    }

    /// Closes the desk, if it is open: a request on its way is waited for, so that its answer is
    /// kept and no sale is left in doubt by closing the window.
    pub async fn close(&self) {
        if let Some(desk) = self.desk.get() {
            desk.clone().close().await;
        }
    }

    async fn start_practice(&self, desk: &Desk) -> Result<(), UiError> {
        self.practice
            .get_or_try_init(|| Practice::start(desk, &self.data_dir))
            .await
            .map(|_| ())
    }
}
