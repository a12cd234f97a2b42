//! Recovers batches that were in flight when an earlier process ended.
//!
//! Owns that such a batch is marked as unknown before it is sent again. Does not decide whether it
//! may be repeated.

use std::time::Duration;

use super::replay_window::{Repeat, repeat};
use super::state::{Event, Route, step};
use super::{Outbox, SubmissionState, backoff};
use crate::Result;
use crate::profile::ProviderFacts;
use warranty_runtime::work::millis;
use warranty_store::batches::{Batch, Move};

impl Outbox {
    /// Marks batches in flight as unknown, and makes unknown batches that may no longer be repeated
    /// due now, so that a person sees them at once.
    pub(crate) async fn recover(&self) -> Result<()> {
        let in_flight = self.context.store.batches_in_flight().await?;
        for batch in in_flight {
            let wait = backoff::after_a_death(batch.record.sends, self.context.ids.fraction());
            self.mark_unknown(batch, wait).await?;
        }
        let (now, store) = (self.context.instant(), &self.context.store);
        let mut expired = Vec::new();
        for id in store.profiles_with_work().await? {
            let facts = self.context.profile_by_id(&id).await?.facts;
            for batch in store.batches_of(&id, SubmissionState::Unknown).await? {
                if let Repeat::Never = repeat(&batch.record, Route::Same, &facts, now) {
                    expired.push(batch.id);
                }
            }
        }
        if !expired.is_empty() {
            store.decide_unknown_now(expired).await?;
        }
        Ok(())
    }

    /// Marks a batch in flight as unknown; it is due again after `wait`.
    pub(super) async fn mark_unknown(&self, batch: Batch, wait: Duration) -> Result<()> {
        let now = self.context.instant();
        let facts = ProviderFacts::default();
        if let Ok(next) = step(batch.state, &batch.record, Event::ProcessDied, &facts, now) {
            self.apply(Move {
                next_at: Some(self.steady_now().saturating_add(millis(wait))),
                ..batch.step(next, now.wall)
            })
            .await?;
        }
        Ok(())
    }
}
