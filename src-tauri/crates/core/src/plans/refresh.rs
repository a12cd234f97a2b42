//! Refreshes the plans of every known product, with progress and cancellation.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use futures::{StreamExt, stream};
use warranty_api::{Error as ApiError, PlanFilter, ProductReference, Unreadable};

use super::Plans;
use crate::profile::Profile;
use crate::{Error, Operation, Result};
use warranty_model::outbox::recovery::fails;
use warranty_runtime::notice::Notice;
use warranty_runtime::repeats::{Hold, Outcome};
use warranty_runtime::work::lock;

const MAX_CONCURRENT_REQUESTS: usize = 3;

/// Number of consecutive products at which the service cannot be reached or fails, after which the refresh
/// ends.
const ENDS_AFTER: u32 = 3;

#[derive(Debug, Default)]
pub(crate) struct RefreshState {
    /// By profile; locked while one runs.
    running: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    cancellations: AtomicU64,
}

impl Plans {
    /// Refreshes the plans of every known product, those of the filter and those that may be offered,
    /// and sends progress notices. A second call for the same profile while one runs does nothing.
    /// Failed products are counted; it ends early when the service is unreachable or fails, and with the
    /// first answer that it was asked too often. While the service asks to be left alone it is asked nothing.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Service`] when it ended early, or nothing was refreshed.
    pub async fn refresh_all(&self, filter: PlanFilter) -> Result<()> {
        let profile = self.context.profile_now().await?;
        let running = lock(&self.refresh.running)
            .entry(profile.id.clone())
            .or_default()
            .clone();
        let Ok(_running) = running.try_lock() else {
            return Ok(());
        };
        let cancellations = || self.refresh.cancellations.load(Ordering::SeqCst);
        let before = cancellations();
        let references = self.context.store.product_references(&profile.id).await?;
        let total = u32::try_from(references.len()).unwrap_or(u32::MAX);
        let progress = |done, failed, finished| {
            self.context.notify(Notice::RefreshProgress {
                profile_id: profile.id.clone(),
                done,
                total,
                failed,
                finished,
            });
        };
        progress(0, 0, false);

        let (mut done, mut failed, mut in_a_row) = (0, 0, 0);
        let (mut first, mut ended_by) = (None, None);
        let profile = &profile;
        let mut answers = stream::iter(references)
            .take_while(|_| std::future::ready(cancellations() == before))
            .map(|reference| async move {
                self.refuse_while_asked_to_wait(profile)?;
                self.refresh_with_offered(profile, &reference, filter).await
            })
            .buffer_unordered(MAX_CONCURRENT_REQUESTS);
        while let Some(answer) = answers.next().await {
            done += 1;
            in_a_row = match &answer {
                Err(Error::Service { source, .. })
                    if matches!(source, ApiError::NotSent(_)) || fails(source) =>
                {
                    in_a_row + 1
                }
                Ok(()) | Err(_) => 0,
            };
            if let Err(error) = answer {
                failed += 1;
                let too_often = matches!(&error, Error::Service { source, .. }
                    if Outcome::of(source) == Outcome::Declined(Hold::Rate));
                if in_a_row == ENDS_AFTER || too_often {
                    ended_by = Some(error);
                    break;
                }
                first.get_or_insert(error);
            }
            progress(done, failed, false);
        }
        drop(answers);
        progress(done, failed, true);
        let ended_by = ended_by.or(first.filter(|_| failed == done && cancellations() == before));
        ended_by.map_or(Ok(()), Err)
    }

    /// Lists a product's plans by a filter, and those that may be offered: without a network the
    /// counter and the sheet have these alone.
    pub(crate) async fn refresh_with_offered(
        &self,
        profile: &Profile,
        product: &ProductReference,
        filter: PlanFilter,
    ) -> Result<()> {
        self.refresh_for(profile, product, filter).await?;
        if filter != PlanFilter::Live {
            self.refresh_for(profile, product, PlanFilter::Live).await?;
        }
        Ok(())
    }

    /// While the service asks to be left alone, the error of the answer that said so.
    fn refuse_while_asked_to_wait(&self, profile: &Profile) -> Result<()> {
        let Some(wait) = self.context.asked_to_wait(&profile.id) else {
            return Ok(());
        };
        let source = ApiError::Unreadable {
            status: 429,
            reason: Unreadable::NotJson,
            retry_after: Some(wait),
        };
        Err(Error::service(Operation::ListPlans)(source))
    }

    /// Stops refreshing all, of every profile; plans that were refreshed stay.
    pub fn cancel_refresh(&self) {
        self.refresh.cancellations.fetch_add(1, Ordering::SeqCst);
    }
}
