//! What the commands share: the desk, opened on first use, and the practice service.
//!
//! A desk that cannot be opened (another process has it, the disk is full) is tried again at the
//! next command, so that mending the cause is enough and no restart is needed.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::AppHandle;
use tokio::sync::{Mutex, OnceCell};
use warranty_core::profile::ProfileKind;
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions};

use crate::chosen::Chosen;
use crate::error::UiError;
use crate::events;
use crate::hosts::Hosts;
use crate::practice::{self, Practice};
use crate::window;

/// Handed to every command by Tauri.
#[derive(Debug)]
pub struct Shared {
    app: AppHandle,
    data_dir: PathBuf,
    vault: Arc<KeychainVault>,
    desk: OnceCell<Desk>,
    practice: Mutex<Option<Practice>>,
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
            practice: Mutex::default(),
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
                self.follow(&desk).await?;
                desk.outbox_start();
                Ok(desk)
            })
            .await
    }

    /// Starts the practice service in this process if it does not run yet, to choose its profile.
    ///
    /// # Errors
    /// When its database or its port cannot be had.
    pub async fn practise(&self) -> Result<(), UiError> {
        let desk = self.desk().await?;
        self.start_practice(desk, &mut *self.practice.lock().await)
            .await
    }

    /// Follows the profile in use: the window is named after it, and the practice service runs while
    /// it practises, and only then.
    ///
    /// # Errors
    /// When the desk's own file cannot be read.
    pub async fn follow_profile(&self) -> Result<(), UiError> {
        self.follow(self.desk().await?).await
    }

    /// Closes the desk, if it is open: a request on its way is waited for, so that its answer is
    /// kept and no sale is left in doubt by closing the window.
    pub async fn close(&self) {
        if let Some(desk) = self.desk.get() {
            desk.clone().close().await;
        }
    }

    async fn follow(&self, desk: &Desk) -> Result<(), UiError> {
        let mut running = self.practice.lock().await;
        let profile = desk.current_profile().await?;
        window::name_after(&self.app, profile.as_ref());
        if profile.is_some_and(|profile| profile.kind == ProfileKind::Practice) {
            if let Err(error) = self.start_practice(desk, &mut running).await {
                // The page is there without it, and says so itself.
                tracing::warn!(code = ?error.code, "practice is not available");
            }
        } else if let Some(practice) = running.take() {
            practice.stop(desk).await;
        }
        Ok(())
    }

    async fn start_practice(
        &self,
        desk: &Desk,
        running: &mut Option<Practice>,
    ) -> Result<(), UiError> {
        if running.is_none() {
            *running = Some(Practice::start(desk, &self.data_dir).await?);
        }
        Ok(())
    }
}
