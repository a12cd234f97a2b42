//! When a copy of the desk's file is due: at opening, while entries come in, and at closing.
//!
//! A copy is a precaution: one that fails is told in the status and stops nothing.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use warranty_api::Timestamp;

use crate::StoreError;
use crate::clock::Clock;
use warranty_store::Store;
use warranty_store::backup::Backups;
use warranty_store::opening;

/// While things change, at most so often.
const AT_MOST_EVERY: Duration = Duration::from_secs(10 * 60);
/// A newest copy older than this is renewed at opening.
const OLD: TimeDelta = TimeDelta::hours(1);

/// How the copies of the desk's file stand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct BackupState {
    /// When the newest was taken; `None` while there is none.
    pub taken_at: Option<Timestamp>,
    /// Whether the last one that was due could not be taken.
    pub failed: bool,
}

/// The desk's copies and when the last one was taken.
#[derive(Debug, Default)]
pub(crate) struct Keeping {
    /// `None` for a desk that is only read.
    backups: Option<Backups>,
    told: Mutex<Told>,
    /// Held while a copy is taken.
    taking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Told {
    /// When one was last begun, on the clock that nobody sets.
    begun: Option<Duration>,
    /// How many changes there had been then.
    changes: u64,
    failed: bool,
}

impl Keeping {
    /// Copies are kept.
    pub(crate) fn new(backups: Backups) -> Arc<Self> {
        Arc::new(Self {
            backups: Some(backups),
            ..Self::default()
        })
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a copy, once no other is being taken; whether it was taken, or none is kept here.
    async fn take(&self, at: DateTime<Utc>) -> bool {
        let Some(backups) = self.backups.clone() else {
            return true;
        };
        let _turn = self.taking.lock().await;
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
        self.told().failed = failed;
        !failed
    }
}

/// When copies of `desk.db` are taken and old ones deleted.
#[derive(Debug, Clone)]
pub(crate) struct BackupSchedule {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) keeping: Arc<Keeping>,
}

impl BackupSchedule {
    /// Deletes copies and files set aside from before a moment. How many.
    pub(crate) async fn forget_files(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        let (Some(backups), Some(data_dir)) = (self.keeping.backups.clone(), self.data_dir.clone())
        else {
            return Ok(0);
        };
        let unseen = self.store.unseen_report_files().await?;
        // None is taken meanwhile.
        let _turn = self.keeping.taking.lock().await;
        tokio::task::spawn_blocking(move || {
            let set_aside = opening::forget_set_aside(&data_dir, before, &unseen)?;
            Ok(set_aside + backups.forget(before)?)
        })
        .await
        .map_err(|_| StoreError::Closed)?
    }

    /// How the copies of the desk's file stand.
    #[must_use]
    pub(crate) fn backup_state(&self) -> BackupState {
        let keeping = &self.keeping;
        let newest = keeping
            .backups
            .as_ref()
            .and_then(|backups| backups.all().into_iter().next());
        BackupState {
            taken_at: newest.map(|newest| Timestamp::new(newest.taken_at.fixed_offset())),
            failed: keeping.told().failed || self.store.has_unkept_mark(),
        }
    }

    /// Something changed: takes a copy in the background, unless one was taken lately.
    pub(crate) fn keep_soon(&self) {
        let now = self.clock.monotonic();
        let keeping = Arc::clone(&self.keeping);
        if keeping.backups.is_none() {
            return;
        }
        {
            let mut told = keeping.told();
            let lately = told
                .begun
                .is_some_and(|begun| now.saturating_sub(begun) < AT_MOST_EVERY);
            if lately {
                return;
            }
            told.begun = Some(now);
            told.changes = self.store.changes();
        }
        let at = self.clock.now();
        tokio::spawn(async move { keeping.take(at).await });
    }

    /// Takes a copy in the background if the newest lacks something or is old.
    pub(crate) async fn keep_if_behind(&self) {
        let keeping = Arc::clone(&self.keeping);
        let Some(backups) = keeping.backups.clone() else {
            return;
        };
        keeping.told().changes = self.store.changes();
        let at = self.clock.now();
        let behind = tokio::task::spawn_blocking(move || backups.is_behind(at, OLD)).await;
        if behind.unwrap_or(false) {
            tokio::spawn(async move { keeping.take(at).await });
        }
    }

    /// Takes a copy now and waits for it; whether it was taken.
    pub(crate) async fn keep_now(&self) -> bool {
        self.keeping.take(self.clock.now()).await
    }

    /// Takes a last copy if anything changed since the one before, and waits for it.
    pub(crate) async fn keep_at_close(&self) {
        let keeping = &self.keeping;
        let changes = self.store.changes();
        let changed = std::mem::replace(&mut keeping.told().changes, changes) != changes;
        if changed {
            keeping.take(self.clock.now()).await;
        } else {
            // One that is being taken is waited for.
            drop(keeping.taking.lock().await);
        }
    }
}

#[cfg(test)]
#[path = "backup_schedule_tests.rs"]
mod tests;
