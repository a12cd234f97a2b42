//! Schedules backups of `desk.db`: at opening, while entries change, and at closing.
//!
//! A failed backup is shown in the status and stops nothing, unless it found the file damaged: then
//! nothing more is sent, and the next start checks it and puts the newest backup in its place.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedMutexGuard, broadcast};
use warranty_api::Timestamp;

use crate::StoreError;
use crate::clock::Clock;
use crate::notice::Notice;
use crate::work::lock;
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
    pub failed: bool,
}

#[derive(Debug, Default)]
struct Progress {
    /// Before when no other is begun during changes, on the monotonic clock.
    not_before: Duration,
    /// The number of changes in the newest; `None` unless it is known to have all of before.
    changes: Option<u64>,
    failed: bool,
    /// Whether the file was damaged and whether its backups failed at the last notice.
    notified: (bool, bool),
    /// One is begun soon: at the latest once the shortest time has passed.
    is_due: bool,
    is_closing: bool,
}

/// Takes backups of `desk.db` and deletes old ones. Cheap to clone.
#[derive(Debug, Clone)]
pub struct BackupSchedule {
    /// Whose changes are counted.
    store: Store,
    clock: Arc<dyn Clock>,
    /// The data folder; `None` for readers and simulations, which take no backups.
    data_dir: Option<PathBuf>,
    progress: Arc<Mutex<Progress>>,
    notices: broadcast::Sender<Notice>,
    /// Locked from before a backup is begun until it is taken, so that closing waits for it.
    running: Arc<tokio::sync::Mutex<()>>,
}

impl BackupSchedule {
    /// A schedule that has taken no backup yet.
    pub fn new(
        store: &Store,
        clock: &Arc<dyn Clock>,
        data_dir: Option<&PathBuf>,
        notices: &broadcast::Sender<Notice>,
    ) -> Self {
        Self {
            notices: notices.clone(),
            store: store.clone(),
            clock: Arc::clone(clock),
            data_dir: data_dir.cloned(),
            progress: Arc::default(),
            running: Arc::default(),
        }
    }

    fn backups(&self) -> Option<Backups> {
        self.data_dir.as_deref().map(Backups::of)
    }

    /// Waits until no backup is being taken.
    async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.running).lock_owned().await
    }

    /// Takes a backup, unless this desk takes none.
    async fn take(&self, _turn: OwnedMutexGuard<()>, at: DateTime<Utc>) {
        let Some(backups) = self.backups() else {
            return;
        };
        let changes = self.store.changes();
        let taken = tokio::task::spawn_blocking(move || backups.take(at)).await;
        let failed = match taken.map(|taken| self.store.note_damage(taken)) {
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
        let mut progress = lock(&self.progress);
        progress.failed = failed;
        progress.changes = (!failed).then_some(changes);
        self.notify_if_changed(&mut progress);
    }

    /// Sends a notice when the file was found damaged, or its backups began or ceased to fail.
    fn notify_if_changed(&self, progress: &mut Progress) {
        let failed = progress.failed || self.store.has_unkept_mark();
        let found = (self.store.is_damaged(), failed);
        if std::mem::replace(&mut progress.notified, found) != found {
            let _ = self.notices.send(Notice::DataFileChanged);
        }
    }

    /// Deletes backups and set-aside files from before a moment; returns how many.
    pub async fn delete_files_before(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        let Some(data_dir) = self.data_dir.clone() else {
            return Ok(0);
        };
        let reported = self.store.set_aside_files().await?;
        let now = self.clock.now();
        // No backup is taken meanwhile.
        let _turn = self.running.lock().await;
        tokio::task::spawn_blocking(move || {
            let set_aside = opening::forget_set_aside(&data_dir, before, now, &reported)?;
            Ok(set_aside + Backups::of(&data_dir).forget(before)?)
        })
        .await
        .map_err(|_| StoreError::Closed)?
    }

    pub fn backup_state(&self) -> BackupState {
        let newest = self.backups().and_then(|all| all.all().into_iter().next());
        BackupState {
            taken_at: newest.map(|newest| Timestamp::new(newest.taken_at.fixed_offset())),
            failed: lock(&self.progress).failed || self.store.has_unkept_mark(),
        }
    }

    /// After a change: takes a backup in the background, at once or as soon as the last one is not recent.
    pub fn back_up_soon(&self) {
        let now = self.clock.monotonic();
        if self.data_dir.is_none() {
            return;
        }
        let mut progress = lock(&self.progress);
        self.notify_if_changed(&mut progress);
        if std::mem::replace(&mut progress.is_due, true) {
            return;
        }
        let wait = progress.not_before.saturating_sub(now);
        let this = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            let turn = this.turn().await;
            {
                let mut progress = lock(&this.progress);
                progress.is_due = false;
                progress.not_before = this.clock.monotonic() + AT_MOST_EVERY;
                if progress.is_closing {
                    return;
                }
            }
            this.take(turn, this.clock.now()).await;
        });
    }

    /// Takes a backup in the background if the newest is old or lacks changes.
    pub async fn back_up_if_behind(&self) {
        let Some(backups) = self.backups() else {
            return;
        };
        let changes = self.store.changes();
        let at = self.clock.now();
        let looked = tokio::task::spawn_blocking(move || {
            let newest = backups.all().into_iter().next();
            let taken_at = newest.map(|newest| newest.taken_at);
            (backups.is_behind(at, OLD), taken_at)
        });
        let (behind, newest) = looked.await.unwrap_or((true, None));
        let newest = if behind { Some(at) } else { newest };
        if let Some(age) = newest.and_then(|newest| (at - newest).to_std().ok()) {
            let left = AT_MOST_EVERY.saturating_sub(age);
            lock(&self.progress).not_before = self.clock.monotonic() + left;
        }
        if behind {
            let (this, turn) = (self.clone(), self.turn().await);
            tokio::spawn(async move { this.take(turn, at).await });
        } else {
            lock(&self.progress).changes = Some(changes);
        }
    }

    /// Takes a last backup unless the newest has everything, once a running one is taken, and waits for
    /// it.
    pub async fn back_up_at_close(&self) {
        lock(&self.progress).is_closing = true;
        let turn = self.turn().await;
        let changes = lock(&self.progress).changes;
        if changes != Some(self.store.changes()) {
            self.take(turn, self.clock.now()).await;
        }
    }
}
