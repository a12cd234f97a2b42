//! What a process finds that died before it, and what it makes of it.
//!
//! Owns that nothing of it is sent before the doubt is written down. Whether it may be repeated is
//! decided where every repeat is.

use std::time::Duration;

use super::Outbox;
use super::replay_window::{Repeat, repeat};
use super::state::{Event, Route, step};
use super::{SubmissionState, backoff};
use crate::Error;
use crate::profile::ProviderFacts;
use crate::work::millis;
use warranty_store::batches::{Batch, Move};

impl Outbox {
    /// Says of every batch that was on its way when a process ended that nobody knows, and lets a
    /// person have at once what may not be repeated any more.
    pub(crate) async fn recover(&self) -> Result<(), Error> {
        let stranded = self.context.store.batches_in_flight().await?;
        for batch in stranded {
            let wait = backoff::after_a_death(batch.record.sends, self.context.ids.fraction());
            self.mark_unknown(batch, wait).await?;
        }
        self.decide_what_is_over().await
    }

    /// Says of a batch in flight that nobody knows what became of it; it waits so long.
    pub(super) async fn mark_unknown(&self, batch: Batch, wait: Duration) -> Result<(), Error> {
        let now = self.context.instant();
        let facts = ProviderFacts::default();
        if let Ok(next) = step(batch.state, &batch.record, Event::ProcessDied, &facts, now) {
            self.take(Move {
                next_at: Some(self.steady_now().saturating_add(millis(wait))),
                ..batch.step(next, now.wall)
            })
            .await?;
        }
        Ok(())
    }

    /// Lets what is in doubt and may not be repeated any more be decided about now, whatever wait it
    /// was left with.
    async fn decide_what_is_over(&self) -> Result<(), Error> {
        let now = self.context.instant();
        let mut over = Vec::new();
        for id in self.context.store.profiles_with_work().await? {
            let facts = self.context.profile_by_id(&id).await?.facts;
            for batch in self
                .context
                .store
                .batches_of(&id, SubmissionState::Unknown)
                .await?
            {
                if let Repeat::Never = repeat(&batch.record, Route::Same, &facts, now) {
                    over.push(batch.id);
                }
            }
        }
        if over.is_empty() {
            return Ok(());
        }
        Ok(self.context.store.decide_unknown_now(over).await?)
    }
}
