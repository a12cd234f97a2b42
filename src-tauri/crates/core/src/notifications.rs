//! What listeners are told of contracts and leads: the counts, and which of them changed.
//!
//! Owns that listeners hear it soon and not too often: counting takes longer the more entries there
//! are.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use warranty_model::interface::MAX_CONTRACTS_PER_REQUEST;

use crate::Error;
use crate::context::Context;
use crate::notice::Notice;
use crate::overview::Overviews;
use crate::work::lock;

/// Counts are told at most this often; the last ones always are.
const NOT_BEFORE: Duration = Duration::from_millis(250);

/// Ids named in one notice; when more changed, listeners read everything again.
const MOST_NAMED: usize = 100;

/// What changed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change<'a> {
    /// An entry or a lead, by its id.
    One(&'a str),
    /// The entries of a batch, by its id.
    Batch(&'a str),
    /// More than can be named.
    Many,
    /// No entry and no lead: rows of a bulk job.
    Rows,
}

/// What changed since listeners were last told.
#[derive(Debug, Default)]
struct Changed {
    ids: BTreeSet<String>,
    batches: BTreeSet<String>,
    many: bool,
}

impl Changed {
    fn add(&mut self, change: Change<'_>) {
        match change {
            Change::One(id) => {
                self.ids.insert(id.to_owned());
            }
            Change::Batch(id) => {
                self.batches.insert(id.to_owned());
            }
            Change::Many => self.many = true,
            Change::Rows => {}
        }
        if self.many || self.ids.len() + self.batches.len() * MAX_CONTRACTS_PER_REQUEST > MOST_NAMED
        {
            *self = Self {
                many: true,
                ..Self::default()
            };
        }
    }
}

/// When listeners were told, whether they will be, and of what.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    changed: Changed,
    /// When they were told last, on the monotonic clock.
    last: Option<Duration>,
    /// A task waits to tell them.
    waits: bool,
}

impl Telling {
    /// Something moved: `None` when a task tells it already, else how long to wait before.
    fn moved(&mut self, now: Duration) -> Option<Duration> {
        if self.waits {
            return None;
        }
        let due = self
            .last
            .map_or(Duration::ZERO, |last| last.saturating_add(NOT_BEFORE));
        let wait = due.saturating_sub(now);
        if wait.is_zero() {
            self.last = Some(now);
        } else {
            self.waits = true;
        }
        Some(wait)
    }

    /// They are told now, by the task that waited. What moves from here on is told anew.
    fn told(&mut self, now: Duration) {
        self.last = Some(now);
        self.waits = false;
    }
}

/// Tells listeners the counts of the outbox.
#[derive(Debug, Clone)]
pub(crate) struct Notifications {
    pub(crate) context: Arc<Context>,
    pub(crate) overviews: Overviews,
    pub(crate) telling: Arc<Mutex<Telling>>,
}

impl Notifications {
    /// Has the outbox look for work, and tells listeners what changed.
    pub(crate) async fn publish(&self, profile_id: &str, change: Change<'_>) {
        self.context.work.bump();
        self.notify_soon(profile_id, change).await;
    }

    /// Tells listeners what changed and the counts, when the profile is the chosen one: at once, or a
    /// moment later when they were told just now. Enough for a task: its end has the outbox look for
    /// more.
    pub(crate) async fn notify_soon(&self, profile_id: &str, change: Change<'_>) {
        let now = self.context.clock.monotonic();
        let wait = {
            let mut telling = lock(&self.telling);
            telling.changed.add(change);
            telling.moved(now)
        };
        match wait {
            None => {}
            Some(Duration::ZERO) => self.notify_counts(Some(profile_id)).await,
            Some(wait) => {
                let this = self.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    let now = this.context.clock.monotonic();
                    lock(&this.telling).told(now);
                    this.notify_counts(None).await;
                });
            }
        }
    }

    /// Tells the counts of the chosen profile, when it is this one or any will do.
    async fn notify_counts(&self, only: Option<&str>) {
        let told = async {
            let profile = self.context.profile_now().await?;
            if only.is_none_or(|only| only == profile.id) {
                // Taken before anything is read: what changes from here on is in the next notice.
                let Changed {
                    mut ids,
                    batches,
                    many,
                } = std::mem::take(&mut lock(&self.telling).changed);
                if !batches.is_empty() {
                    let entries = self.context.store.entries_of_batches(batches).await?;
                    ids.extend(entries);
                }
                let overview = self.overviews.of(&profile.id).await?;
                self.context.notify(Notice::OutboxChanged {
                    summary: overview.open.outbox.clone(),
                    changed: (!many).then(|| ids.into_iter().collect()),
                });
                self.context.notify(Notice::OverviewChanged {
                    profile_id: profile.id,
                    overview,
                });
                if let Some(subscribers) = self.context.subscribers() {
                    subscribers.counts_told().await?;
                }
            }
            Ok::<(), Error>(())
        };
        if let Err(error) = told.await {
            tracing::debug!(%error, "the counts could not be told");
            lock(&self.telling).changed.add(Change::Many);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_four_times_a_second_and_the_last_ones_always() {
        let mut telling = Telling::default();
        let mut told = 0;
        let mut due = None;
        for millis in 0..=1_000 {
            let now = Duration::from_millis(millis);
            if due.is_some_and(|due| due <= now) {
                telling.told(now);
                due = None;
                told += 1;
            }
            match telling.moved(now) {
                Some(Duration::ZERO) => told += 1,
                Some(wait) => due = Some(now + wait),
                None => {}
            }
        }
        assert_eq!(told, 5, "at 0, 250, 500, 750 and 1000 ms");
        assert!(due.is_some(), "what moved last is still told");
    }
}
