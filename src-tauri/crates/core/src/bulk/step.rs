//! Works on the next chunk of a running bulk job.
//!
//! Owns which chunk is next and what blocks a run. What happens to its rows depends on their kind.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::judge::Job;
use super::{Bulk, RunKind, RunState};
use crate::Error;
use crate::contracts::bulk_check::PlanLookups;
use crate::profile::Profile;
use warranty_runtime::notifications::Change;
use warranty_runtime::work::lock;
use warranty_store::runs::KeptRun;

/// How long answers of the service about plans and products are reused.
const CACHED_FOR: Duration = Duration::from_secs(10 * 60);
/// Minimum wait before a blocked run is tried again.
const RETRY_WAIT: Duration = Duration::from_secs(30);

/// The state of runs that may be lost when the process ends.
#[derive(Debug, Default)]
pub(crate) struct RunMemory {
    /// The service's answers for the run worked on last, and when they were asked.
    asked: Mutex<Option<(i64, Duration, Arc<PlanLookups>)>>,
    stopped: Mutex<HashSet<String>>,
    /// Numbers of runs whose next rows could not be decrypted.
    unreadable: Mutex<HashSet<i64>>,
}

impl RunMemory {
    /// New lookups for a check that begins now; the run after it reuses them.
    pub(super) fn begin_check(&self, run: &KeptRun, now: Duration) -> Arc<PlanLookups> {
        lock(&self.stopped).remove(&run.view.id);
        *lock(&self.asked) = None;
        self.asked(run.number, now)
    }

    fn asked(&self, run: i64, now: Duration) -> Arc<PlanLookups> {
        let mut kept = lock(&self.asked);
        kept.take_if(|(number, since, _)| {
            *number != run || now.saturating_sub(*since) >= CACHED_FOR
        });
        let (_, _, asked) = kept.get_or_insert_with(|| (run, now, Arc::default()));
        Arc::clone(asked)
    }

    pub(super) fn stop_check(&self, id: &str) {
        lock(&self.stopped).insert(id.to_owned());
    }

    pub(super) fn check_is_stopped(&self, id: &str) -> bool {
        lock(&self.stopped).contains(id)
    }

    /// Whether the next rows of a run could not be opened when that was last tried.
    pub(super) fn is_unreadable(&self, run: i64) -> bool {
        lock(&self.unreadable).contains(&run)
    }
}

impl Bulk {
    /// Works on the next rows of a run in the background, and stores what it waits for.
    pub(crate) async fn work_on_next(&self, profile: &Profile, number: i64) -> Result<(), Error> {
        if let Err(error) = self.work_on(profile, number).await {
            if !passes(&error) {
                return Err(error);
            }
            tracing::info!(%error, "a run waits");
            let wait = error.retry_after().unwrap_or_default().max(RETRY_WAIT);
            let until = self.context.clock.monotonic().saturating_add(wait);
            self.context.runs.wait(number, until);
            self.overviews.set_blocker_from(&profile.id, &error);
        }
        self.notifications.notify_soon(Change::Many).await;
        Ok(())
    }

    /// Works on the next rows of a run; `false` when it is done, paused or cancelled.
    pub(super) async fn work_on(&self, profile: &Profile, number: i64) -> Result<bool, Error> {
        let run = self.context.store.run_numbered(number).await?;
        let Some(run) = run.filter(|run| run.view.state == RunState::Running) else {
            return Ok(false);
        };
        self.context.runs.follow(&run.view.id);
        self.recovery.expect_seen(profile).await?;
        let line = self.ended_line(profile, &run);
        if run.next_chunk >= run.chunks {
            self.context.store.end_empty_run(number, line).await?;
            return Ok(false);
        }
        let opened = async {
            let layout = self.layout_of(&run).await?.readable()?;
            Ok((layout, self.open_chunk(&run, run.next_chunk).await?))
        };
        let (layout, open) = match opened.await {
            Ok(opened) => {
                lock(&self.memory.unreadable).remove(&number);
                opened
            }
            Err(Error::NotOpened | Error::NotAllowed) => {
                // The rows stay: their key may become available again.
                lock(&self.memory.unreadable).insert(number);
                return Err(Error::NotOpened);
            }
            Err(error) => return Err(error),
        };
        let key = self.encryption.key_for(profile).await?;
        let are_contracts = run.view.kind == RunKind::Contracts;
        let asked = if are_contracts {
            self.memory.asked(number, self.context.clock.monotonic())
        } else {
            Arc::default()
        };
        let job = Job {
            bulk: self,
            profile,
            kind: run.view.kind,
            layout: &layout,
            submitted_at: run.view.created_at.get().to_utc(),
            asked: &asked,
        };
        if are_contracts {
            job.enter_chunk(&run, open, &key, line).await
        } else {
            job.execute_chunk(&run, open, &key, line).await
        }
    }
}

/// Whether rows that ended in this error can be worked on later. Any other is of the desk itself.
fn passes(error: &Error) -> bool {
    matches!(
        error,
        Error::RescueNotSeen
            | Error::SellingClosed
            | Error::NotOpened
            | Error::Vault(_)
            | Error::KeyLost
            | Error::Service { .. }
            | Error::Network(_)
            | Error::PracticeNotRunning
    )
}
