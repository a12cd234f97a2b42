//! Links a plan to a reference of the store and verifies the link. Part 4.4.
//!
//! Owns the order: read, compare, write, read again. Setting the same reference twice changes
//! nothing, so a write with an unknown outcome is repeated unless a newer change waits.

use std::borrow::Cow;

use warranty_api::{
    Client, Error as ApiError, PlanId, PlanUpdate, PlanWithProduct, Stated, bounded,
};

use super::{LinkReport, Plans, read_plan};
use crate::change_order::{in_order, may_be_made};
use crate::profile::Profile;
use crate::{Error, Field, Operation, Problem, Result};
use warranty_model::contracts::validation::code;
use warranty_runtime::keyed_lock::{KeyGuard, LockKey};
use warranty_runtime::repeats::Outcome;

const MAX_WRITES: u32 = 3;

impl Plans {
    /// Links a plan: reads it, stops if its reference is not `expected`, writes, reads again. Does
    /// not write when the plan already has the reference.
    ///
    /// # Errors
    /// [`Error::ProfileMoved`] when the desk uses another profile than the one meant, and then nothing
    /// was written; [`Error::Input`] for the reference, also when the one that the plan has is not
    /// understood, and then nothing was written; [`Error::ChangedMeanwhile`] when someone else
    /// set another one, and then nothing was written; [`Error::NotProven`] when reading again does not
    /// show the reference; [`Error::NotReadAgain`] when the update succeeded and reading again failed;
    /// [`Error::Service`], where a failed read means that nothing was written, and a failed update
    /// with an unknown outcome that reading again failed too.
    pub async fn link(
        &self,
        profile_id: &str,
        id: &PlanId,
        store_reference_id: &str,
        expected: Option<&str>,
    ) -> Result<LinkReport> {
        let user = self.context.who();
        self.context.writable()?;
        let profile = self.context.expect_profile(profile_id).await?;
        self.context.refuse_profile(&profile)?;
        self.link_for(&profile, id, store_reference_id, expected, &user, None)
            .await
    }

    /// As [`Plans::link`], for a given profile and person, and for a row of `run`: such a row is not written
    /// over a newer link.
    pub(crate) async fn link_for(
        &self,
        profile: &Profile,
        id: &PlanId,
        store_reference_id: &str,
        expected: Option<&str>,
        user: &str,
        run: Option<i64>,
    ) -> Result<LinkReport> {
        // The reference that the plan already has is used exactly as the service returned it.
        let typed = store_reference_id.trim();
        let wanted = match expected {
            Some(expected) if expected == typed => typed.to_owned(),
            Some(_) | None => code(typed)
                .map(Cow::into_owned)
                .map_err(|problem| Error::input(Field::StoreReferenceId, problem))?,
        };
        let key = LockKey::Plan(profile.store(), id.as_str().to_owned());
        let guard = self.locks.lock(key).await;
        let (client, _) = self.profiles.client_for(profile).await?;
        let link = Link {
            plans: self,
            profile,
            client: &client,
            guard: &guard,
            id,
            user,
        };
        let code = (Field::PlanId, id.as_str());
        let set = Box::pin(link.set(&wanted, expected));
        let (before, after) = in_order(&self.context, profile.store(), code, run, set).await?;
        let mut also_used_by = self.context.cache.used_by(&profile.id, &wanted).await;
        also_used_by.retain(|other| other != id);
        Ok(LinkReport {
            plan: after.plan,
            previous: before,
            also_used_by,
        })
    }
}

/// The link of one plan, while its lock is held.
struct Link<'a> {
    plans: &'a Plans,
    profile: &'a Profile,
    client: &'a Client,
    guard: &'a KeyGuard,
    id: &'a PlanId,
    user: &'a str,
}

impl Link<'_> {
    async fn read(&self) -> Result<PlanWithProduct> {
        let read = read_plan(self.client, self.id)
            .await
            .map_err(Error::service(Operation::GetPlan))?;
        self.plans.learn(self.profile, &read).await;
        Ok(read)
    }

    /// Sets the reference where the plan has the expected one; returns it, and the plan as it is then.
    async fn set(
        &self,
        wanted: &str,
        expected: Option<&str>,
    ) -> Result<(Option<String>, PlanWithProduct)> {
        let (context, id) = (&self.plans.context, self.id.as_str());
        let read = self.read().await?.plan;
        let before = read.store_reference();
        if before.as_deref() == Some(wanted) {
            let after = self.read().await?;
            return Ok((before, after));
        }
        // Nobody can have expected a reference that is not understood.
        if let Stated::NotUnderstood(_) = read.store_reference_id {
            let problem = Problem::ReplacesNotUnderstood;
            return Err(Error::input(Field::StoreReferenceId, problem));
        }
        if compared(before.as_deref()) != compared(expected) {
            return Err(Error::ChangedMeanwhile { current: before });
        }
        let detail = match &before {
            Some(before) => format!("{wanted} <- {}", bounded(before)),
            None => wanted.to_owned(),
        };
        let line = |action| {
            let line = context.journal_line(action, id, Some(&detail));
            context.store.append_to_journal(line.by(self.user))
        };
        line("plan.linking").await?;
        let written = self.write(wanted, before.as_deref()).await;
        let action = match &written {
            Ok(_) => "plan.linked",
            Err(error) if may_be_made(error) => "plan.linkUnknown",
            Err(_) => "plan.notLinked",
        };
        if let Err(error) = line(action).await {
            // For the caller the outcome of the link is more important than this error.
            tracing::warn!(%error, "the outcome of a link is missing in the journal");
        }
        Ok((before, written?))
    }

    /// Writes until a read shows the wanted reference or another one, or until it is certain that
    /// nothing was written.
    async fn write(&self, wanted: &str, before: Option<&str>) -> Result<PlanWithProduct> {
        let update = PlanUpdate {
            store_reference_id: wanted.to_owned(),
        };
        let update_error = Error::service(Operation::UpdatePlan);
        // The error of the last write whose outcome is unknown.
        let mut unknown: Option<ApiError> = None;
        let mut repeats = 0;
        loop {
            let mut may_repeat = false;
            match self.client.update_plan(self.id, &update).await {
                Ok(_) => unknown = None,
                Err(error) if Outcome::of(&error) == Outcome::Unknown => {
                    unknown = Some(error);
                    may_repeat = repeats + 1 < MAX_WRITES;
                }
                Err(error) if unknown.is_none() => return Err(update_error(error)),
                // This write had no effect, but the one before may have succeeded.
                Err(_) => {}
            }
            let after = match read_plan(self.client, self.id).await {
                Ok(after) => after,
                // The outcome of the write is reported before the error of the read.
                Err(error) => return Err(unknown.map_or(Error::NotReadAgain(error), update_error)),
            };
            self.plans.learn(self.profile, &after).await;
            if after.plan.store_reference().as_deref() == Some(wanted) {
                return Ok(after);
            }
            let current = after.plan.shown_store_reference();
            // At a third value the service changed it, or someone else wrote another one.
            may_repeat &= current.as_deref() == before;
            let context = &self.plans.context;
            let repeatable = |error: &&ApiError| {
                may_repeat && self.guard.is_newest() && context.may_repeat(error)
            };
            let Some(error) = unknown.as_ref().filter(repeatable) else {
                let answer = unknown;
                return Err(Error::NotProven { current, answer });
            };
            context.pause(repeats, error).await;
            repeats += 1;
        }
    }
}

/// A reference without the white space that the service may have kept around it.
fn compared(reference: Option<&str>) -> Option<&str> {
    reference.map(str::trim).filter(|text| !text.is_empty())
}
