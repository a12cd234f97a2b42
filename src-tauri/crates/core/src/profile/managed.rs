//! The profiles that the organization set, and what it forbids.

use warranty_model::policy::store_id::{Closed, ClosedReason, store_id};
use warranty_runtime::overview::DraftCounts;
use warranty_runtime::policy::{self, ClosedProfile, ManagedProfile, PolicySource};
use warranty_runtime::work::lock;

use super::manage::live;
use super::{Profile, ProfileKind, Profiles, validation};
use crate::{Error, Result};

impl Profiles {
    /// Sets up the managed profiles as the policy has them. One whose store cannot be told is left as
    /// it is, and nothing is sold under it; one with unfinished contracts, imports or leads, or with
    /// something half-typed for it, keeps its address and store until they are done: what was typed
    /// for one store is not sold for another.
    pub(crate) async fn set_up_managed(&self) -> Result<()> {
        let store = &self.context.store;
        for wanted in self.managed_here().await? {
            let known = store.profile(&wanted.id).await?;
            if known.as_ref() == Some(&wanted) {
                continue;
            }
            let (new, old) = (wanted.store(), known.as_ref().map(Profile::store));
            let moves = old.as_ref().is_some_and(|old| *old != new);
            let mut typed = self.overviews.draft_counts(&wanted.id).await?;
            // A follow-up is sent nowhere.
            typed.follow_ups = 0;
            if old.is_some_and(|old| old.origin == new.origin) {
                // A product is the same for all stores of a server.
                typed.products = 0;
            }
            if moves && typed != DraftCounts::default() {
                tracing::warn!("a managed profile is changed once what is typed under it is done");
                continue;
            }
            if moves && store.unfinished_count(&wanted.id).await? > 0 {
                tracing::warn!("a managed profile is changed once its work is finished");
                continue;
            }
            self.free_name(&wanted).await?;
            match self.keep_profile(wanted, false, "profile.managed").await {
                Ok(kept) if moves => self.context.cache.forget_profile(&kept.id).await,
                Ok(_) => {}
                Err(Error::ProfileHasOpenContracts(_)) => {
                    tracing::warn!("a managed profile is changed once its work is finished");
                }
                Err(error) => return Err(error),
            }
        }
        let current = store.current_profile().await?;
        if current.is_none_or(|current| self.context.refuse_profile(&current).is_err()) {
            self.choose_managed().await?;
        }
        Ok(())
    }

    /// Selects the first managed profile that is set up. Returns it; `None` when there is none.
    pub(super) async fn choose_managed(&self) -> Result<Option<Profile>> {
        let store = &self.context.store;
        for managed in self.context.managed_profiles() {
            if store.profile(&managed.id()).await?.is_some() {
                return self.choose(&managed.id()).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Adds a number to the name of another profile that has the name of a managed one: while
    /// profiles are locked, staff could not rename it.
    async fn free_name(&self, managed: &Profile) -> Result<()> {
        let store = &self.context.store;
        let Some(mut other) = store.profile_of_same_name(managed).await? else {
            return Ok(());
        };
        let former = other.name.clone();
        for number in 2.. {
            other.name = format!("{former} ({number})");
            if store.profile_of_same_name(&other).await?.is_none() {
                break;
            }
        }
        let named = other.name.clone();
        self.keep_profile(other, false, "profile.changed").await?;
        tracing::warn!("a profile was renamed because a managed one has its name");
        let context = &self.context;
        let line = context.journal_write("profile.renamed", &named, Some(&former));
        line.await
    }

    /// Refuses to change or remove a managed profile, or any while they are locked.
    pub(super) fn refuse_managed(&self, profile: &Profile) -> Result<()> {
        if self.context.is_managed(&profile.id) {
            return Err(Error::Managed("profiles"));
        }
        match profile.kind {
            ProfileKind::Live => self.context.refuse_when("profilesLocked", true),
            ProfileKind::Practice => Ok(()),
        }
    }

    /// The managed profiles as the policy has them now. The others are closed: nothing is sold under
    /// them by this process.
    pub(crate) async fn managed_here(&self) -> Result<Vec<Profile>> {
        let context = &self.context;
        let mut found = Vec::new();
        for managed in context.managed_profiles() {
            let Closed { reason, finding } = match wanted(&managed, &*context.policies) {
                Ok(wanted) => {
                    found.push(wanted);
                    continue;
                }
                Err(closed) => closed,
            };
            tracing::warn!(?reason, "nothing is sold under a managed profile");
            let closed = ClosedProfile {
                name: managed.name.clone(),
                reason,
                finding,
            };
            lock(&context.closed_profiles).insert(managed.id(), closed);
        }
        Ok(found)
    }

    /// The names of managed profiles that the policy, as it is now, has at another address or store
    /// than they sell for: they move at a start without unfinished work.
    pub(crate) async fn moved(&self) -> Result<Vec<String>> {
        let context = &self.context;
        let anew = context.data_dir.as_ref();
        let anew = anew.map(|folder| policy::load(&*context.policies, folder, false));
        let policy = anew.as_ref().unwrap_or(&context.policy);
        let profiles: Vec<ManagedProfile> = policy.value("profiles").unwrap_or_default();
        let mut moved = Vec::new();
        let profiles = profiles.iter();
        for wanted in profiles.flat_map(|one| wanted(one, &*context.policies)) {
            let known = context.store.profile(&wanted.id).await?;
            moved.extend(known.filter(|known| {
                (&known.base_url, &known.store_id) != (&wanted.base_url, &wanted.store_id)
            }));
        }
        Ok(moved.into_iter().map(|profile| profile.name).collect())
    }
}

fn wanted(managed: &ManagedProfile, policies: &dyn PolicySource) -> Result<Profile, Closed> {
    let mut draft = managed.draft().ok_or(ClosedReason::Unusable)?;
    draft.store_id = store_id(managed, policies, &policy::host_name())?;
    let sound = validation::check(&draft).map_err(|_| ClosedReason::NoStore)?;
    Ok(live(managed.id(), sound))
}
