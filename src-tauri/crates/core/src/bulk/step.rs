//! The next rows of a run that is running, whoever works on it.
//!
//! Owns which chunk is next and what keeps a run from going on. What its rows become is decided by
//! their kind.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Bulk;
use super::{RunKind, RunState};
use crate::Error;
use crate::contracts::bulk_check::PlanLookups;
use crate::encryption::Opened;
use crate::notifications::Change;
use crate::profile::Profile;
use warranty_store::runs::KeptRun;

/// What the service said of plans and products is believed for so long.
const BELIEVED: Duration = Duration::from_secs(10 * 60);
/// A run that cannot go on is looked at again after this.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// What this process knows of runs; everything that matters is in the store.
#[derive(Debug, Default)]
pub(crate) struct RunMemory {
    /// What the service said for the run worked on last, and since when it counts.
    asked: Mutex<Option<(i64, Duration, Arc<PlanLookups>)>>,
    /// Checks that were asked to end.
    stopped: Mutex<HashSet<String>>,
    /// Runs whose next rows could not be opened, by number.
    unreadable: Mutex<HashSet<i64>>,
}

/// What came of working on a run.
#[derive(Debug)]
pub(crate) enum Feeding {
    /// More rows follow.
    More,
    /// There is nothing more to be done with it now: it is done, halted or ended.
    Ended,
    /// Its rows cannot be worked on now.
    Waits(Error),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunMemory {
    /// What the service is asked for a check that begins now; it counts for the run after it.
    pub(super) fn begin_check(&self, run: &KeptRun, now: Duration) -> Arc<PlanLookups> {
        locked(&self.stopped).remove(&run.id);
        let asked = Arc::<PlanLookups>::default();
        *locked(&self.asked) = Some((run.number, now, Arc::clone(&asked)));
        asked
    }

    /// What the service was asked for a run.
    fn asked(&self, run: i64, now: Duration) -> Arc<PlanLookups> {
        let mut kept = locked(&self.asked);
        match &*kept {
            Some((number, since, asked))
                if *number == run && now.saturating_sub(*since) < BELIEVED =>
            {
                Arc::clone(asked)
            }
            Some(_) | None => {
                let asked = Arc::<PlanLookups>::default();
                *kept = Some((run, now, Arc::clone(&asked)));
                asked
            }
        }
    }

    pub(super) fn stop_check(&self, id: &str) {
        locked(&self.stopped).insert(id.to_owned());
    }

    pub(super) fn check_is_stopped(&self, id: &str) -> bool {
        locked(&self.stopped).contains(id)
    }

    /// Whether the next rows of a run could not be opened when that was last tried.
    pub(super) fn is_unreadable(&self, run: i64) -> bool {
        locked(&self.unreadable).contains(&run)
    }
}

impl Bulk {
    /// Works on the next rows of a run, in the background: what it waits for is kept.
    pub(crate) async fn work_on_next(&self, profile: &Profile, number: i64) -> Result<(), Error> {
        match self.work_on(profile, number).await? {
            Feeding::More | Feeding::Ended => {}
            Feeding::Waits(error) => {
                tracing::info!(%error, "a run waits");
                let wait = error.retry_after().unwrap_or_default().max(LOOK_AGAIN);
                let until = self.context.clock.monotonic().saturating_add(wait);
                self.context.runs.wait(number, until);
                self.overviews.note_obstacle_of(&profile.id, &error);
            }
        }
        self.notifications
            .notify_soon(&profile.id, Change::Many)
            .await;
        Ok(())
    }

    /// Works on the next rows of a run.
    pub(super) async fn work_on(&self, profile: &Profile, number: i64) -> Result<Feeding, Error> {
        let run = self.context.store.run_numbered(number).await?;
        let Some(run) = run.filter(|run| run.state == RunState::Running) else {
            return Ok(Feeding::Ended);
        };
        self.context.runs.follow(&run.id);
        match self.recovery.expect_seen(profile).await {
            Ok(()) => {}
            Err(error @ Error::RescueNotSeen) => return Ok(Feeding::Waits(error)),
            Err(error) => return Err(error),
        }
        let line = self.ended_line(profile, &run);
        if run.next_chunk >= run.chunks {
            self.context.store.end_empty_run(number, line).await?;
            return Ok(Feeding::Ended);
        }
        let opened = match self.layout_of(&run).await? {
            Opened::Known(layout) => {
                let open = self.open_chunk(&run, run.next_chunk).await;
                open.map(|open| (layout, open))
            }
            Opened::Locked(error) => Err(error.into()),
            Opened::Forgotten | Opened::Lost => Err(Error::NotOpened),
        };
        let (layout, open) = match opened {
            Ok(opened) => {
                locked(&self.memory.unreadable).remove(&number);
                opened
            }
            Err(error @ Error::Vault(_)) => return Ok(Feeding::Waits(error)),
            Err(Error::NotOpened | Error::NotLawful) => {
                // They are kept: what they are bound to may come back, and a person sees them wait.
                locked(&self.memory.unreadable).insert(number);
                return Ok(Feeding::Waits(Error::NotOpened));
            }
            Err(error) => return Err(error),
        };
        let seal = match self.encryption.key_for(profile).await {
            Ok(seal) => seal,
            Err(error @ (Error::Vault(_) | Error::KeyLost)) => return Ok(Feeding::Waits(error)),
            Err(error) => return Err(error),
        };
        match run.kind {
            RunKind::Contracts => {
                let asked = self.memory.asked(number, self.context.clock.monotonic());
                self.enter_chunk(profile, &run, &layout, open, &seal, &asked, line)
                    .await
            }
            RunKind::Products | RunKind::PlanLinks | RunKind::ProductReferences => {
                self.do_chunk(profile, &run, &layout, open, &seal, line)
                    .await
            }
        }
    }
}
