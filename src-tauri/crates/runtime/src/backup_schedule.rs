//! Schedules backups of `desk.db`: at opening, while entries change, and at closing.
//!
//! A failed backup is shown in the status and stops nothing.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedMutexGuard;
use warranty_api::Timestamp;

use crate::StoreError;
use crate::clock::Clock;
use warranty_store::backup::Backups;
use warranty_store::{Store, opening};

/// Shortest time between two backups during changes.
const AT_MOST_EVERY: Duration = Duration::from_secs(10 * 60);
/// At opening, a newest backup older than this is replaced.
const OLD: TimeDelta = TimeDelta::hours(1);

/// The state of the backups of `desk.db`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupState {
    /// When the newest was taken; `None` while there is none.
    pub taken_at: Option<Timestamp>,
    /// Whether the last backup failed.
    pub failed: bool,
}

/// Takes backups and knows when the last one was begun.
#[derive(Debug, Default)]
pub struct BackupWorker {
    /// `None` for a desk that is only read.
    backups: Option<Backups>,
    progress: Mutex<Progress>,
    /// Locked from before a backup is begun until it is taken, so that closing waits for it.
    running: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug, Default)]
struct Progress {
    /// When the last one was begun, on the monotonic clock.
    begun: Option<Duration>,
    /// The number of changes then.
    changes: u64,
    failed: bool,
}

impl BackupWorker {
    /// Takes backups into this folder.
    #[must_use]
    pub fn new(backups: Backups) -> Arc<Self> {
        Arc::new(Self {
            backups: Some(backups),
            ..Self::default()
        })
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a backup, one at a time; `true` if it was taken or this desk takes none.
    async fn take(&self, at: DateTime<Utc>) -> bool {
        let turn = Arc::clone(&self.running).lock_owned().await;
        self.take_in(turn, at).await
    }

    async fn take_in(&self, _turn: OwnedMutexGuard<()>, at: DateTime<Utc>) -> bool {
        let Some(backups) = self.backups.clone() else {
            return true;
        };
        let taken = tokio::task::spawn_blocking(move || backups.take(at)).await;
        let failed = match taken {
            Ok(Ok(())) => false,
            Ok(Err(error)) => {
                tracing::warn!(%error, "no copy of the desk's file could be taken");
                true
            }
            Err(error) => {
                tracing::warn!(%error, "the copy of the desk's file was not finished");
                true
            }
        };
        self.progress().failed = failed;
        !failed
    }
}

/// Schedules backups of `desk.db` and deletes old ones.
#[derive(Debug, Clone)]
pub struct BackupSchedule {
    /// Whose changes are counted.
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    /// The data folder; `None` for readers and simulations.
    pub data_dir: Option<PathBuf>,
    pub worker: Arc<BackupWorker>,
}

impl BackupSchedule {
    /// Deletes backups and set-aside files from before a moment; returns how many.
    pub async fn delete_files_before(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        let (Some(backups), Some(data_dir)) = (self.worker.backups.clone(), self.data_dir.clone())
        else {
            return Ok(0);
        };
        let unseen = self.store.unseen_report_files().await?;
        // No backup is taken meanwhile.
        let _turn = self.worker.running.lock().await;
        tokio::task::spawn_blocking(move || {
            let set_aside = opening::forget_set_aside(&data_dir, before, &unseen)?;
            Ok(set_aside + backups.forget(before)?)
        })
        .await
        .map_err(|_| StoreError::Closed)?
    }

    #[must_use]
    pub fn backup_state(&self) -> BackupState {
        let worker = &self.worker;
        let newest = worker
            .backups
            .as_ref()
            .and_then(|backups| backups.all().into_iter().next());
        BackupState {
            taken_at: newest.map(|newest| Timestamp::new(newest.taken_at.fixed_offset())),
            failed: worker.progress().failed || self.store.has_unkept_mark(),
        }
    }

    /// After a change: takes a backup in the background, unless one was taken recently.
    pub fn back_up_soon(&self) {
        let now = self.clock.monotonic();
        let worker = Arc::clone(&self.worker);
        if worker.backups.is_none() {
            return;
        }
        let Ok(turn) = Arc::clone(&worker.running).try_lock_owned() else {
            return;
        };
        {
            let mut progress = worker.progress();
            let lately = progress
                .begun
                .is_some_and(|begun| now.saturating_sub(begun) < AT_MOST_EVERY);
            if lately {
                return;
            }
            progress.begun = Some(now);
            progress.changes = self.store.changes();
        }
        let at = self.clock.now();
        tokio::spawn(async move { worker.take_in(turn, at).await });
    }

    /// Takes a backup in the background if the newest is old or lacks changes.
    pub async fn back_up_if_behind(&self) {
        let worker = Arc::clone(&self.worker);
        let Some(backups) = worker.backups.clone() else {
            return;
        };
        worker.progress().changes = self.store.changes();
        let at = self.clock.now();
        let behind = tokio::task::spawn_blocking(move || backups.is_behind(at, OLD)).await;
        if behind.unwrap_or(false) {
            let turn = Arc::clone(&worker.running).lock_owned().await;
            tokio::spawn(async move { worker.take_in(turn, at).await });
        }
    }

    /// Takes a backup now and waits for it; whether it was taken.
    pub async fn back_up_now(&self) -> bool {
        self.worker.take(self.clock.now()).await
    }

    /// Takes a last backup if anything changed since the previous one, and waits for it.
    pub async fn back_up_at_close(&self) {
        let worker = &self.worker;
        let changes = self.store.changes();
        let changed = std::mem::replace(&mut worker.progress().changes, changes) != changes;
        if changed {
            worker.take(self.clock.now()).await;
        } else {
            // Wait for a running backup.
            drop(worker.running.lock().await);
        }
    }
}
