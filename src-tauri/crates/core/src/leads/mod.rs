//! Leads: a customer who declined today and may join later. Part 4.7.
//!
//! Guarantees that a lead with an unknown outcome is never repeated automatically.

mod follow_up;
mod send;

use crate::encryption::{AssociatedData, Encryption, KeyUnavailable};
use crate::known_codes::CodeLookup;
use crate::profile::{Profile, Profiles};
use std::sync::Arc;
use warranty_model::outbox::circuit_breaker::LeadAttempt;
use warranty_runtime::context::Context;
use warranty_runtime::high_water::HighWater;
use warranty_runtime::notifications::{Change, Notifications};

use warranty_api::LeadRequest;

use crate::{Error, Field, FieldProblem, Result};
use warranty_store::journal::PROGRAM;
use warranty_store::leads::{Entered, KeptLead, LeadOutcome, NewLead};

pub use warranty_model::leads::{
    EarlierLead, LeadDraft, LeadMismatch, LeadState, LeadView, OpenLeads,
};
pub(crate) use warranty_model::leads::{differences, may_help, mismatch, validation};

/// Creates, sends and lists leads.
#[derive(Debug, Clone)]
pub struct Leads {
    pub(crate) context: Arc<Context>,
    pub(crate) encryption: Encryption,
    pub(crate) high_water: HighWater,
    pub(crate) notifications: Notifications,
    pub(crate) profiles: Profiles,
    pub(crate) codes: CodeLookup,
}

impl Leads {
    /// Creates a lead. `id` is the caller's UUID of this entry: equal calls with the same id create
    /// one lead, and the second call returns the first one. The lead is stored before anything is sent,
    /// so a lead that could not be sent is returned as `Queued` and is not an error. `beside` names
    /// the earlier lead for the same transaction and product beside which a person wants another;
    /// `profile_id` is the profile that the caller means.
    ///
    /// # Errors
    /// [`Error::SecondLead`] when there is an earlier one that `beside` does not name;
    /// [`Error::AlreadyRegistered`] when a lead with this id was entered with other data;
    /// [`Error::Input`] and [`Error::NoProfile`]; [`Error::ProfileMoved`] when the chosen profile is
    /// another one, or was removed meanwhile; [`Error::Vault`] and [`Error::KeyLost`] when it cannot
    /// be bound to its store; then nothing is stored. [`Error::Store`] when it cannot be stored: then
    /// nothing is sent.
    pub async fn create(
        &self,
        profile_id: &str,
        id: &str,
        draft: &LeadDraft,
        beside: Option<&str>,
    ) -> Result<LeadView> {
        self.context.writable()?;
        // Read at once: another person may begin to sell while this is checked.
        let user = self.context.who();
        let id = validation::id(id).map_err(|problem| Error::Input(vec![problem]))?;
        let profile = self.context.expect_profile(profile_id).await?;
        if let Some(kept) = self.context.store.lead(&id).await? {
            return Box::pin(self.same_lead(&profile, kept, draft)).await;
        }
        self.context.open_for_sales(&profile)?;
        self.high_water.compare_with_keychain(&profile).await?;
        let guard = self.context.work.begin_lead(&id, &profile.id).map(Arc::new);
        let request = self.read(&profile, draft).await.map_err(Error::Input)?;
        let line = self.context.journal_line("lead.entered", id.as_str(), None);
        let line = line.by(&user);
        // Bound to its profile and store under a key that is not in the file.
        let key = self.encryption.key_for(&profile).await?;
        let place = AssociatedData::Lead(profile.place(&id));
        let entered_for = key.encrypt(place, b"")?;
        let new = NewLead {
            id: id.clone(),
            profile: profile.clone(),
            store_profiles: self.context.store.profiles_of_store(&profile).await?,
            request,
            entered_for,
            beside: beside.map(str::to_owned),
            line,
        };
        let entered = match self.context.store.enter_lead(new).await? {
            Entered::Earlier(earlier) => return Err(Error::SecondLead(earlier)),
            Entered::Yes => true,
            Entered::SameId => false,
            Entered::ProfileMoved => return Err(Error::ProfileMoved),
        };
        if !entered {
            let kept = self.kept_lead(&id).await?;
            Box::pin(self.same_lead(&profile, kept, draft)).await?;
        }
        if guard.is_none() {
            // A concurrent call with the same id sends it.
            return self.lead(&id).await;
        }
        let sent = self.send_lead(&id, LeadState::Queued, guard.clone(), user);
        match sent.await {
            Ok(view) => Ok(view),
            Err(error) => {
                let view = self.lead(&id).await?;
                if view.state != LeadState::Queued {
                    return if entered { Err(error) } else { Ok(view) };
                }
                tracing::warn!(%error, "a lead waits");
                self.changed(&id).await;
                Ok(view)
            }
        }
    }

    /// The lead that was entered under this id, if the draft is equal to it.
    async fn same_lead(
        &self,
        profile: &Profile,
        kept: KeptLead,
        draft: &LeadDraft,
    ) -> Result<LeadView> {
        let dated = !draft.transaction_date.trim().is_empty();
        let fields = match self.read(profile, draft).await {
            Ok(request) => differences(&request, dated, &kept.view.request()),
            Err(problems) => problems.iter().map(|problem| problem.field).collect(),
        };
        if fields.is_empty() {
            return self.shown(kept).await;
        }
        Err(Error::AlreadyRegistered {
            submission_id: kept.view.id,
            fields,
        })
    }

    /// The request of a draft, or all problems of its fields.
    async fn read(
        &self,
        profile: &Profile,
        draft: &LeadDraft,
    ) -> Result<LeadRequest, Vec<FieldProblem>> {
        let reference = draft.product_reference_id.as_str();
        let code = (Field::ProductReferenceId, reference);
        let known = self.codes.known_codes(profile, &[code]).await;
        let now = self.context.clock.now();
        validation::check(draft, now, profile.zone(), &known)
    }

    /// The newest leads of this profile, and all others that are not finished or have a day on which
    /// to contact their customer; newest first.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn recent(&self, newest: u32) -> Result<Vec<LeadView>> {
        let profile = self.context.profile_now().await?;
        let store = &self.context.store;
        let mut found = Vec::new();
        for kept in store.listed_leads(&profile.id, newest).await? {
            found.push(self.shown(kept).await?);
        }
        Ok(found)
    }

    /// A profile's leads below a number, each with its own, newest first.
    pub(crate) async fn below(
        &self,
        profile: &Profile,
        number: i64,
        limit: u32,
    ) -> Result<Vec<(i64, LeadView)>> {
        let store = &self.context.store;
        let mut found = Vec::new();
        for (number, kept) in store.leads_below(&profile.id, number, limit).await? {
            found.push((number, self.shown(kept).await?));
        }
        Ok(found)
    }

    /// Numbers of this profile's unfinished leads.
    ///
    /// # Errors
    /// As [`Leads::recent`].
    pub async fn open_leads(&self) -> Result<OpenLeads> {
        let profile = self.context.profile_now().await?;
        let mut open = OpenLeads::default();
        let store = &self.context.store;
        for kept in store.listed_leads(&profile.id, 0).await? {
            let counted = match kept.view.state {
                LeadState::Queued => match self.expect_bound(&kept, &profile).await {
                    Ok(()) | Err(Error::Vault(_)) => &mut open.sendable,
                    Err(Error::ProfileMoved | Error::NotOpened) => &mut open.stuck,
                    Err(error) => return Err(error),
                },
                LeadState::Unknown => &mut open.unanswered,
                LeadState::InFlight
                | LeadState::Created
                | LeadState::Rejected
                | LeadState::Cancelled => continue,
            };
            *counted += 1;
        }
        Ok(open)
    }

    /// Whether a lead of this profile is being sent, or was when a process ended.
    ///
    /// # Errors
    /// As [`Leads::recent`].
    pub async fn any_in_flight(&self) -> Result<bool> {
        let profile = self.context.profile_now().await?;
        let store = &self.context.store;
        Ok(!store.leads_in_flight(&profile.id).await?.is_empty())
    }

    /// Sends an unknown, queued or refused lead once more, because a person decided so. An unknown
    /// lead stays unknown unless it is created now: the earlier request may have created one. `beside`
    /// names the other lead for the transaction and product of a refused one beside which a person
    /// wants it.
    ///
    /// # Errors
    /// [`Error::SecondLead`] when there is one that `beside` does not name, and then nothing is sent;
    /// [`Error::NotKnown`]; [`Error::NotAllowed`] in another state; [`Error::ProfileMoved`] when it
    /// was entered for another profile, address or store; [`Error::Vault`], [`Error::NotOpened`]
    /// and [`Error::PracticeNotRunning`]; then nothing is sent. [`Error::Service`] when an unknown or refused
    /// lead could not be sent, or the service declined to look at it; then it stays as it was.
    pub async fn send_again(&self, id: &str, beside: Option<&str>) -> Result<LeadView> {
        self.context.writable()?;
        let user = self.context.who();
        let kept = self.kept_lead(id).await?;
        let guard = self.context.work.begin_lead(id, &kept.profile_id);
        let guard = guard.ok_or(Error::NotAllowed)?;
        // Read again: the task that was sending it may have changed its state.
        let view = self.kept_lead(id).await?.view;
        let state = view.state;
        Error::ensure_allowed(is_for_a_person(state))?;
        if state == LeadState::Rejected {
            // It did not count when another was entered.
            let profile = self.context.profile_by_id(&kept.profile_id).await?;
            let store = &self.context.store;
            let profiles = store.profiles_of_store(&profile).await?;
            if let Some(earlier) = store.earlier_lead(profiles, &view).await?
                && beside != Some(earlier.id.as_str())
            {
                return Err(Error::SecondLead(earlier));
            }
        }
        let line = self.context.journal_write("lead.sentAgain", id, None);
        line.await?;
        let sent = self.send_lead(id, state, Some(Arc::new(guard)), user);
        let view = sent.await?;
        self.shown(KeptLead { view, ..kept }).await
    }

    /// Cancels a lead, because a person decided so.
    ///
    /// # Errors
    /// [`Error::NotKnown`]; [`Error::NotAllowed`] for one that is being sent, created or cancelled.
    pub async fn cancel(&self, id: &str) -> Result<LeadView> {
        self.context.writable()?;
        let view = self.kept_lead(id).await?.view;
        Error::ensure_allowed(is_for_a_person(view.state))?;
        let outcome = LeadOutcome {
            status: view.status,
            request_id: view.request_id,
            refusal: view.refusal,
            ..LeadOutcome::of(LeadState::Cancelled)
        };
        let line = self.context.journal_line("lead.cancelled", id, None);
        let store = &self.context.store;
        let cancelled = store.step_lead(id, view.state, outcome, Some(line)).await?;
        Error::ensure_allowed(cancelled)?;
        self.changed(id).await;
        self.lead(id).await
    }

    async fn changed(&self, id: &str) {
        self.notifications.notify_soon(Change::One(id)).await;
    }

    /// Sends a queued lead in the background.
    pub(crate) async fn send_due(&self, id: &str) -> Result<LeadAttempt> {
        // The task of the outbox is already registered for this lead.
        let sent = self.send_lead(id, LeadState::Queued, None, PROGRAM.to_owned());
        let state = match sent.await {
            Ok(view) => view.state,
            Err(error @ Error::Store(_)) => return Err(error),
            Err(error) => {
                tracing::info!(%error, "a lead waits");
                if matches!(error, Error::NotOpened | Error::ProfileMoved) {
                    return Ok(LeadAttempt::Stuck);
                }
                self.kept_lead(id).await?.view.state
            }
        };
        Ok(if state == LeadState::Queued {
            LeadAttempt::Waits
        } else {
            LeadAttempt::Over
        })
    }

    /// Refuses a lead that was entered for another profile, address or store than the current one, or
    /// whose binding can no longer be read.
    async fn expect_bound(&self, kept: &KeptLead, profile: &Profile) -> Result<()> {
        let sealed = kept.entered_for.as_ref().ok_or(Error::ProfileMoved)?;
        let key = match self.encryption.key(&sealed.key_id).await? {
            Ok(key) => key,
            Err(KeyUnavailable::Keychain(error)) => return Err(error.into()),
            Err(KeyUnavailable::Lost) => return Err(Error::NotOpened),
        };
        let place = AssociatedData::Lead(profile.place(&kept.view.id));
        let bound = key.decrypt(place, &sealed.bytes);
        bound.map(drop).ok_or(Error::ProfileMoved)
    }

    /// A lead, with its token and note still encrypted.
    async fn kept_lead(&self, id: &str) -> Result<KeptLead> {
        let kept = self.context.store.lead(id).await?;
        kept.ok_or_else(|| Error::NotKnown(id.to_owned()))
    }

    /// A lead, with its token and note if they can be decrypted now.
    ///
    /// # Errors
    /// [`Error::NotKnown`]; [`Error::Store`] when the desk's own file cannot be read.
    pub async fn lead(&self, id: &str) -> Result<LeadView> {
        self.shown(self.kept_lead(id).await?).await
    }
}

/// Whether a person may send a lead in this state again, or cancel it.
fn is_for_a_person(state: LeadState) -> bool {
    match state {
        LeadState::Queued | LeadState::Unknown | LeadState::Rejected => true,
        LeadState::InFlight | LeadState::Created | LeadState::Cancelled => false,
    }
}
