//! Cases as the user interfaces show them: an entry, its evidence, and the allowed resolutions.

use super::send::route;
use super::state::{self, Route, State};
use super::{CaseView, Outbox, OutboxSummary, ResolutionKind};
use crate::profile::Profile;
use crate::{Error, Result};
use warranty_model::interface::Timestamp;
use warranty_store::cases::Case;

/// What a person decides that makes a new entry: it would be sold for the store that the profile has now.
pub(super) const ANEW: [ResolutionKind; 2] =
    [ResolutionKind::Edit, ResolutionKind::ProviderHasNone];

impl Outbox {
    /// Counts of the current profile.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn summary(&self) -> Result<OutboxSummary> {
        let profile = self.context.profile_now().await?;
        Ok(self.context.store.outbox_summary(&profile.id).await?)
    }

    /// When an entry of the current profile that waits, or has no known outcome, is tried next.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn next_try(&self) -> Result<Option<Timestamp>> {
        let profile = self.context.profile_now().await?;
        let now = self.context.clock.now().timestamp_millis();
        Ok(self.context.store.next_try(&profile.id, now).await?)
    }

    /// Whether a batch of any profile is being sent, or was when a process ended.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn any_in_flight(&self) -> Result<bool> {
        Ok(!self.context.store.batches_in_flight().await?.is_empty())
    }

    /// A case with its evidence.
    ///
    /// # Errors
    /// [`Error::NotKnown`] when there is no entry of that id; [`Error::Store`].
    pub async fn case(&self, submission_id: &str) -> Result<CaseView> {
        let case = self.kept_case(submission_id).await?;
        let resolutions = match self.profile_of(&case).await {
            Some(profile) => self.resolutions(&profile, &case).await,
            None => Vec::new(),
        };
        let (submission, attempts) = self.context.store.case_history(&case).await?;
        let kept = submission.into_iter().collect();
        let submission = self.contracts.shown(kept).await?.pop();
        let submission = submission.ok_or_else(|| Error::NotKnown(submission_id.to_owned()))?;
        Ok(CaseView {
            profile_id: case.profile_id,
            paused: submission.paused,
            submission,
            batch_id: Some(case.batch.id),
            batch_size: case.batch.record.size,
            attempts,
            resolutions,
            replaces: case.replaces,
            replaced_by: case.replaced_by,
        })
    }

    pub(crate) async fn kept_case(&self, submission_id: &str) -> Result<Case> {
        let found = self.context.store.case(submission_id).await?;
        found.ok_or_else(|| Error::NotKnown(submission_id.to_owned()))
    }

    /// The profile of an entry; `None` when it was removed.
    pub(super) async fn profile_of(&self, case: &Case) -> Option<Profile> {
        self.context.profile_by_id(&case.profile_id).await.ok()
    }

    pub(super) async fn resolutions(&self, profile: &Profile, case: &Case) -> Vec<ResolutionKind> {
        let mut resolutions = state::resolutions(case.state, &case.batch.record, Route::Same);
        let waits_for_its_run = case.paused && case.state != State::Unknown;
        resolutions.retain(|kind| *kind != ResolutionKind::SendNow || !waits_for_its_run);
        if resolutions.contains(&ResolutionKind::ReplayOnce) {
            let endpoint = self.endpoint(profile).await;
            let route = route(&case.batch, endpoint.as_ref());
            resolutions = state::resolutions(case.state, &case.batch.record, route);
        }
        if case.store != profile.store() {
            resolutions.retain(|kind| !ANEW.contains(kind));
        }
        if case.duplicate_possible {
            resolutions.push(ResolutionKind::DuplicateChecked);
        }
        resolutions
    }
}
