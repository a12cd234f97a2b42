//! State shared by the commands: the desk, opened on first use, and the practice service.
//!
//! When the desk cannot be opened (in use by another process, disk full), the next command tries
//! again, so no restart is needed.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::AppHandle;
use tokio::sync::{Mutex, OnceCell};
use warranty_core::profile::{Display, Profile, ProfileDraft, ProfileKind};
use warranty_core::settings::Language;
use warranty_core::support::Entry;
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions};

use warranty_messages::ErrorCode;

use crate::error::UiError;
use crate::picked_file::PickedFile;
use crate::practice::{self, Practice, PracticeSituation};
use crate::server_approval::ApprovedServers;
use crate::{events, window};

/// Passed to every command by Tauri.
#[derive(Debug)]
pub struct AppState {
    app: AppHandle,
    pub data_dir: PathBuf,
    vault: Arc<KeychainVault>,
    desk: OnceCell<Desk>,
    practice: Mutex<Option<Practice>>,
    pub picked_file: PickedFile,
    /// The support bundle that the page showed last.
    pub bundle: Mutex<Vec<Entry>>,
    approved_servers: ApprovedServers,
}

impl AppState {
    /// Creates the state for a data folder; opens only the keychain, while the page starts.
    pub fn new(app: AppHandle, data_dir: PathBuf) -> Self {
        let vault = Arc::new(KeychainVault::new());
        vault.open_soon();
        Self {
            app,
            data_dir,
            vault,
            desk: OnceCell::new(),
            practice: Mutex::default(),
            picked_file: PickedFile::default(),
            bundle: Mutex::default(),
            approved_servers: ApprovedServers::default(),
        }
    }

    /// The desk, opened on first use, with its outbox running.
    pub async fn desk(&self) -> Result<&Desk, UiError> {
        self.desk
            .get_or_try_init(|| async {
                let desk =
                    Desk::open(DeskOptions::new(self.data_dir.clone(), self.vault.clone())).await?;
                events::forward(&self.app, &desk);
                // Before anything holds the desk: if it fails, the folder is free for the next try.
                self.apply(&desk).await?;
                practice::delete_old(&desk, &self.data_dir).await;
                desk.outbox.start();
                Ok(desk)
            })
            .await
    }

    /// The desk, once a person has approved the server of a draft.
    pub async fn desk_for(&self, draft: &ProfileDraft) -> Result<&Desk, UiError> {
        let desk = self.desk().await?;
        self.approved_servers
            .require(&self.app, desk, draft)
            .await?;
        Ok(desk)
    }

    /// Starts the practice service in this process unless it is running, and selects its profile, creating
    /// it when there is none.
    pub async fn practise(&self, name: String, display: Display) -> Result<Profile, UiError> {
        let desk = self.desk().await?;
        self.start_practice(desk, &mut *self.practice.lock().await)
            .await?;
        let chosen = desk.profiles.practise(name, display).await;
        self.apply(desk).await?;
        let profile = chosen?;
        practice::add_sample_products(desk).await?;
        Ok(profile)
    }

    /// Simulates a situation with the practice service.
    pub async fn try_out(&self, situation: PracticeSituation) -> Result<(), UiError> {
        let desk = self.desk().await?;
        let mut running = self.practice.lock().await;
        let practice = running.as_mut().ok_or(ErrorCode::PracticeNotRunning)?;
        Ok(practice.try_out(desk, situation)?)
    }

    /// Applies the selected profile, or selects a live one if there is none: sets the window's title, and runs
    /// the practice service only while the profile is a practice profile.
    pub async fn apply_profile(&self) -> Result<(), UiError> {
        self.apply(self.desk().await?).await
    }

    /// How many sales and leads of live profiles are not sent, with the selected language; `None` when there
    /// are none, or when it cannot be told.
    pub async fn unsent(&self) -> Option<(u32, Option<Language>)> {
        let desk = self.desk.get()?;
        let count = desk.unsent().await.ok().filter(|count| *count > 0)?;
        Some((count, self.language().await))
    }

    /// The selected language; `None` if none is selected or it cannot be told.
    pub async fn language(&self) -> Option<Language> {
        self.desk.get()?.settings().await.ok()?.language
    }

    /// Closes the desk if it is open. Waits for a request in flight, so that its answer is stored and
    /// closing the window leaves no outcome unknown.
    pub async fn close(&self) {
        if let Some(desk) = self.desk.get() {
            desk.clone().close().await;
        }
    }

    async fn apply(&self, desk: &Desk) -> Result<(), UiError> {
        let mut running = self.practice.lock().await;
        desk.profiles.choose_live_if_none().await?;
        let profile = desk.profiles.current().await?;
        window::set_title(&self.app, profile.as_ref());
        if profile.is_some_and(|profile| profile.kind == ProfileKind::Practice) {
            if let Err(error) = self.start_practice(desk, &mut running).await {
                // The page works without the practice service and shows that it is missing.
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
