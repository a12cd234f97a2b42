//! Linking a plan to a reference of the store, and proving it. Part 4.4.
//!
//! Owns the order: read, compare, write, read again. Setting the same reference twice changes
//! nothing, so a write in doubt is repeated while nobody wants anything else.

use warranty_api::{Client, Error as ApiError, Plan, PlanId, PlanUpdate, PlanWithProduct};

use super::{LinkReport, Plans, getting};
use crate::keyed_lock::{LaneKey, Turn};
use crate::profile::Profile;
use crate::repeats::Outcome;
use crate::{Error, Field, FieldProblem, Operation};
use warranty_model::contracts::validation::code;

/// Most writes for one link.
const WRITES: u32 = 3;

impl Plans {
    /// Links a plan: reads it, stops if its reference is not `expected`, writes, reads again. A
    /// plan that carries the reference already is left as it is.
    ///
    /// # Errors
    /// [`Error::Input`] for the reference; [`Error::ChangedMeanwhile`] when someone else set
    /// another one: nothing was written then. [`Error::NotProven`] when reading again does not show
    /// it, [`Error::NotReadAgain`] when it was taken and cannot be read; [`Error::Service`], which
    /// for the reading of the plan says that nothing was written yet, and for the update, with an
    /// unknown outcome, that the plan could not be read after it.
    pub async fn link(
        &self,
        id: &PlanId,
        store_reference_id: &str,
        expected: Option<&str>,
    ) -> Result<LinkReport, Error> {
        self.context.writable()?;
        let profile = self.context.profile_now().await?;
        self.link_under(&profile, id, store_reference_id, expected)
            .await
    }

    /// The same under a profile.
    pub(crate) async fn link_under(
        &self,
        profile: &Profile,
        id: &PlanId,
        store_reference_id: &str,
        expected: Option<&str>,
    ) -> Result<LinkReport, Error> {
        // What the plan has already is used as the service gave it.
        let typed = store_reference_id.trim();
        let wanted = match expected {
            Some(expected) if expected == typed => typed.to_owned(),
            Some(_) | None => code(typed).map_err(|problem| {
                Error::Input(vec![FieldProblem {
                    field: Field::StoreReferenceId,
                    problem,
                }])
            })?,
        };
        let turn = self
            .lanes
            .enter(LaneKey::Plan(profile.id.clone(), id.as_str().to_owned()))
            .await;
        let (client, _) = self.profiles.client_for(profile).await?;
        let link = Link {
            plans: self,
            profile,
            client: &client,
            turn: &turn,
            id,
        };

        let before = reference_of(&link.read().await?.plan);
        let after = if before.as_deref() == Some(wanted.as_str()) {
            link.read().await?
        } else if before.as_deref() == expected.map(str::trim).filter(|text| !text.is_empty()) {
            self.context
                .journal_write("plan.linking", id.as_str(), Some(&wanted))
                .await?;
            let written = link.write(&wanted, before.as_deref()).await;
            let line = self
                .context
                .journal_write(ended(&written), id.as_str(), Some(&wanted));
            if let Err(error) = line.await {
                // What became of the plan is what the person must hear.
                tracing::warn!(%error, "the outcome of a link is missing in the journal");
            }
            written?
        } else {
            return Err(Error::ChangedMeanwhile { current: before });
        };
        let mut also_used_by = self.context.cache.used_by(&profile.id, &wanted).await;
        also_used_by.retain(|other| other != id);
        Ok(LinkReport {
            plan: after.plan,
            previous: before,
            also_used_by,
        })
    }
}

/// One plan being linked, in its turn.
struct Link<'a> {
    plans: &'a Plans,
    profile: &'a Profile,
    client: &'a Client,
    turn: &'a Turn,
    id: &'a PlanId,
}

impl Link<'_> {
    /// Reads the plan and remembers it.
    async fn read(&self) -> Result<PlanWithProduct, Error> {
        let read = self.client.get_plan(self.id).await.map_err(getting)?.value;
        self.plans.learn(self.profile, &read).await;
        Ok(read)
    }

    /// Writes until reading shows what is wanted, or something else, or it is certain that nothing
    /// was written. While the outcome of a write is unknown the plan itself says what it is now.
    async fn write(&self, wanted: &str, before: Option<&str>) -> Result<PlanWithProduct, Error> {
        let update = PlanUpdate {
            store_reference_id: wanted.to_owned(),
        };
        // The answer of the last write whose outcome is unknown.
        let mut unknown: Option<ApiError> = None;
        let mut repeats = 0;
        loop {
            let mut may_repeat = false;
            match self.client.update_plan(self.id, &update).await {
                Ok(_) => unknown = None,
                Err(error) if Outcome::of(&error) == Outcome::Unknown => {
                    unknown = Some(error);
                    may_repeat = repeats + 1 < WRITES;
                }
                Err(error) if unknown.is_none() => return Err(updating(error)),
                // Nothing was done this time; the write before it may have been.
                Err(_) => {}
            }
            let after = match self.client.get_plan(self.id).await {
                Ok(answer) => answer.value,
                // What cannot be read says nothing of the write before it: that is what counts.
                Err(error) => return Err(unknown.map_or(Error::NotReadAgain(error), updating)),
            };
            self.plans.learn(self.profile, &after).await;
            let current = reference_of(&after.plan);
            if current.as_deref() == Some(wanted) {
                return Ok(after);
            }
            if current.as_deref() != before {
                // Kept otherwise than it was sent, or written over since.
                let answer = unknown;
                return Err(Error::NotProven { current, answer });
            }
            if !(may_repeat && self.turn.is_newest() && self.plans.context.may_repeat()) {
                let answer = unknown;
                return Err(Error::NotProven { current, answer });
            }
            self.plans.context.pause(repeats).await;
            repeats += 1;
        }
    }
}

fn updating(source: ApiError) -> Error {
    Error::Service {
        operation: Operation::UpdatePlan,
        source,
    }
}

/// What the journal calls the outcome of a write.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the desk's other failures come before anything was written"
)]
fn ended(written: &Result<PlanWithProduct, Error>) -> &'static str {
    match written {
        Ok(_) => "plan.linked",
        Err(Error::NotProven { .. } | Error::NotReadAgain(_)) => "plan.linkUnknown",
        Err(Error::Service { source, .. }) => match Outcome::of(source) {
            Outcome::Unknown => "plan.linkUnknown",
            Outcome::NotSent | Outcome::Declined(_) | Outcome::Rejected => "plan.notLinked",
        },
        Err(_) => "plan.notLinked",
    }
}

/// A plan's reference; an empty one is none.
fn reference_of(plan: &Plan) -> Option<String> {
    plan.store_reference_id
        .clone()
        .filter(|reference| !reference.is_empty())
}
