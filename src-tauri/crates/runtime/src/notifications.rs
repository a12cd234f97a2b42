//! Notices about contracts and leads: the counts, and which of them changed.
//!
//! Owns the throttle: counting many entries is slow, so notices are limited in rate.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use warranty_model::interface::MAX_CONTRACTS_PER_REQUEST;

use crate::Error;
use crate::context::Context;
use crate::notice::Notice;
use crate::overview::Overviews;
use crate::work::lock;

/// Shortest time between two notices; the last change is always sent.
const MIN_INTERVAL: Duration = Duration::from_millis(250);

/// Most IDs in one notice; when more changed, receivers read everything again.
const MAX_IDS: usize = 100;

#[derive(Debug, Clone, Copy)]
pub enum Change<'a> {
    /// An entry or a lead, by its id.
    One(&'a str),
    /// The entries of a batch, by its id.
    Batch(&'a str),
    /// Too many to name.
    Many,
    /// Rows of a bulk job, but no entry and no lead.
    Rows,
}

/// What changed since the last notice.
#[derive(Debug, Default)]
struct Changed {
    ids: BTreeSet<String>,
    batches: BTreeSet<String>,
    many: bool,
}

impl Changed {
    fn add(&mut self, change: Change<'_>) {
        match change {
            Change::One(id) => self.ids.extend([id.to_owned()]),
            Change::Batch(id) => self.batches.extend([id.to_owned()]),
            Change::Many => self.many = true,
            Change::Rows => {}
        }
        if self.many || self.ids.len() + self.batches.len() * MAX_CONTRACTS_PER_REQUEST > MAX_IDS {
            *self = Self {
                many: true,
                ..Self::default()
            };
        }
    }
}

/// When a notice was sent, whether one is scheduled, and what changed.
#[derive(Debug, Default)]
struct Throttle {
    changed: Changed,
    /// When the last notice was sent, on the monotonic clock.
    last: Option<Duration>,
    /// A task waits to send the next one.
    scheduled: bool,
}

impl Throttle {
    /// Something changed: how long to wait before the notice; `None` when one is scheduled.
    fn on_change(&mut self, now: Duration) -> Option<Duration> {
        if self.scheduled {
            return None;
        }
        let due = self.last.map(|last| last.saturating_add(MIN_INTERVAL));
        let wait = due.unwrap_or_default().saturating_sub(now);
        if wait.is_zero() {
            self.last = Some(now);
        } else {
            self.scheduled = true;
        }
        Some(wait)
    }

    fn on_sent(&mut self, now: Duration) {
        self.last = Some(now);
        self.scheduled = false;
    }
}

/// Sends the counts of the outbox.
#[derive(Debug, Clone)]
pub struct Notifications {
    context: Arc<Context>,
    overviews: Overviews,
    throttle: Arc<Mutex<Throttle>>,
}

impl Notifications {
    pub fn new(context: Arc<Context>, overviews: Overviews) -> Self {
        Self {
            context,
            overviews,
            throttle: Arc::default(),
        }
    }

    /// Wakes the outbox and sends a notice of what changed.
    pub async fn publish(&self, change: Change<'_>) {
        self.context.work.bump();
        self.notify_soon(change).await;
    }

    /// Sends what changed and the counts: at once, or after the shortest interval. Does not wake the
    /// outbox: the end of a task does.
    pub async fn notify_soon(&self, change: Change<'_>) {
        let now = self.context.clock.monotonic();
        let wait = {
            let mut throttle = lock(&self.throttle);
            throttle.changed.add(change);
            throttle.on_change(now)
        };
        match wait {
            None => {}
            Some(Duration::ZERO) => self.notify_counts().await,
            Some(wait) => {
                let this = self.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    let now = this.context.clock.monotonic();
                    lock(&this.throttle).on_sent(now);
                    this.notify_counts().await;
                });
            }
        }
    }

    /// Sends the counts of the chosen profile: they say too whether another has something left.
    async fn notify_counts(&self) {
        if !self.context.is_listened_to() {
            // Nobody counts along, so nothing is counted.
            lock(&self.throttle).changed = Changed::default();
            self.context.backups.back_up_soon();
            return;
        }
        let sent = async {
            let Some(profile) = self.context.current_profile().await? else {
                return Ok(());
            };
            // Taken before reading: later changes are in the next notice.
            let mut changed = std::mem::take(&mut lock(&self.throttle).changed);
            if !changed.batches.is_empty() {
                let entries = self.context.store.entries_of_batches(changed.batches);
                changed.ids.extend(entries.await?);
            }
            let overview = self.overviews.of(&profile.id).await?;
            self.context.notify(Notice::OutboxChanged {
                changed: (!changed.many).then(|| changed.ids.into_iter().collect()),
            });
            self.context.notify(Notice::OverviewChanged {
                profile_id: profile.id,
                overview,
            });
            if let Some(subscribers) = self.context.subscribers() {
                subscribers.counts_sent().await?;
            }
            Ok::<(), Error>(())
        };
        if let Err(error) = sent.await {
            tracing::debug!(%error, "the counts could not be sent");
            self.context.notify(Notice::OverviewLost);
            lock(&self.throttle).changed.add(Change::Many);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_four_times_a_second_and_the_last_ones_always() {
        let mut throttle = Throttle::default();
        let mut sent = 0;
        let mut due = None;
        for millis in 0..=1_000 {
            let now = Duration::from_millis(millis);
            if due.is_some_and(|due| due <= now) {
                throttle.on_sent(now);
                due = None;
                sent += 1;
            }
            match throttle.on_change(now) {
                Some(Duration::ZERO) => sent += 1,
                Some(wait) => due = Some(now + wait),
                None => {}
            }
        }
        assert_eq!(sent, 5, "at 0, 250, 500, 750 and 1000 ms");
        assert!(due.is_some(), "the last change is still sent");
    }
}
