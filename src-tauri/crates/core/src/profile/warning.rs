//! Warnings before a profile is added or removed; they never block the change.

use serde::{Deserialize, Serialize};

use super::{Profile, ProfileDraft, Profiles, validation};
use crate::Result;
use crate::overview::DraftCounts;

/// Days in which sales count as recent, because their files may be entered again.
const RECENT_DAYS: u32 = 30;

/// A warning about a profile to be added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind")]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProfileWarning {
    /// Another profile is, or was, for the same store of the same service. Sales entered under
    /// either are compared with each other.
    SameStore {
        /// Name of the other profile.
        profile: String,
        removed: bool,
    },
    /// Sales were entered under the profile recently. After it is removed they are still compared
    /// with new sales, but not listed.
    RecentSales {
        count: u32,
        /// In this number of days.
        days: u32,
    },
    /// What was typed and not submitted is deleted with the profile.
    Drafts(DraftCounts),
    /// Leads have a customer still to be contacted, or a token that no person has seen; after the profile
    /// is removed they are not listed.
    Leads { count: u32 },
}

impl Profiles {
    /// Warnings about the live profile that this draft would create; none for an invalid draft.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn add_warnings(&self, draft: &ProfileDraft) -> Result<Vec<ProfileWarning>> {
        let Ok((base_url, store_id)) = validation::service(draft) else {
            return Ok(Vec::new());
        };
        let store = Profile::store_at(base_url.as_str(), store_id.as_str());
        let known = self.context.store.profiles_with_removed().await?;
        Ok(known
            .into_iter()
            .filter(|(profile, _)| profile.store() == store)
            .map(|(profile, removed)| ProfileWarning::SameStore {
                profile: profile.name,
                removed,
            })
            .collect())
    }

    /// Warnings about removing a profile.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`]; [`Error::Store`].
    pub async fn remove_warnings(&self, id_or_name: &str) -> Result<Vec<ProfileWarning>> {
        let id = self.context.find_profile(id_or_name).await?.id;
        let days = i64::from(RECENT_DAYS) * 24 * 60 * 60 * 1000;
        let since = self.context.instant().wall.saturating_sub(days);
        let mut warnings = Vec::new();
        let drafts = self.overviews.draft_counts(&id).await?;
        if drafts != DraftCounts::default() {
            warnings.push(ProfileWarning::Drafts(drafts));
        }
        let count = self.context.store.leads_in_use(&id).await?;
        if count > 0 {
            warnings.push(ProfileWarning::Leads { count });
        }
        let count = self.context.store.sales_since(&id, since).await?;
        if count > 0 {
            let days = RECENT_DAYS;
            warnings.push(ProfileWarning::RecentSales { count, days });
        }
        Ok(warnings)
    }
}
