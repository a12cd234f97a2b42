//! Applies what a person decides about a case.
//!
//! Owns that a decision is applied only where the state machine allows it, in one transaction with
//! its journal line.

use warranty_api::{ContractId, Error as ApiError, NotSent};

use super::classify::Created;
use super::confirmation::{self, Finding};
use super::state::State;
use super::{CaseView, Outbox, Resolution, ResolutionKind, replay_window};
use crate::contracts::entry_check::{PlanFindings, refuse_open, second_contract_error};
use crate::contracts::{Confirmed, EntryDraft, QuestionKind, sale, validation};
use crate::profile::Profile;
use crate::{Error, Field, Operation, Problem, Result};
use warranty_runtime::notifications::Change;
use warranty_store::cases::Case;
use warranty_store::submissions::Earlier;

/// Maximum length of a reference, in characters.
const MAX_REFERENCE_LENGTH: usize = 200;

impl Outbox {
    /// Applies a decision, if it is allowed now. When it replaces the entry, the answer is the case
    /// of the new entry. A decision that sends the sale again is refused while another entry may
    /// have sold it, unless the person confirmed that entry.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the current state does not allow it;
    /// [`Error::ContractDoesNotMatch`] when the contract found at the provider is not the one that
    /// was sent; [`Error::Input`] and [`Error::Questions`] as when registering;
    /// [`Error::Service`] when the lookup failed; [`Error::Store`].
    pub async fn resolve(&self, submission_id: &str, resolution: Resolution) -> Result<CaseView> {
        self.context.writable()?;
        let case = self.kept_case(submission_id).await?;
        let profile = self.profile_of(&case).await.ok_or(Error::NotAllowed)?;
        let allowed = self.resolutions(&profile, &case).await;
        Error::ensure_allowed(allowed.contains(&resolution.kind()))?;
        let shown = match resolution {
            Resolution::GiveContractId { contract_id } => {
                self.give_contract_id(&profile, &case, &contract_id).await?
            }
            Resolution::ProviderHasNone {
                reference,
                confirmed,
            } => {
                self.provider_has_none(&profile, &case, &reference, &confirmed)
                    .await?
            }
            Resolution::ReplayOnce { confirmed } => {
                self.replay_once(&profile, &case, &confirmed).await?
            }
            Resolution::Edit { draft, confirmed } => {
                self.edit(&profile, &case, &draft, &confirmed).await?
            }
            Resolution::SendNow { confirmed } => self.send_now(&profile, &case, &confirmed).await?,
            Resolution::Cancel => self.cancel(&profile, &case).await?,
            Resolution::DuplicateChecked { reference } => {
                self.duplicate_checked(&case, &reference).await?
            }
        };
        self.context.work.wake();
        self.notifications.publish(&profile.id, Change::Many).await;
        self.case(&shown).await
    }

    async fn give_contract_id(
        &self,
        profile: &Profile,
        case: &Case,
        contract_id: &str,
    ) -> Result<String> {
        let contract_id = ContractId::new(contract_id.trim())
            .map_err(|error| Error::input(Field::ContractId, validation::id_problem(error)))?;
        let lookup_error = Error::service(Operation::GetContract);
        let endpoint = self
            .resolver
            .reach(self, profile)
            .await?
            .ok_or(lookup_error(ApiError::NotSent(NotSent::NoToken)))?;
        let found = endpoint
            .service
            .get_contract(&contract_id)
            .await
            .map_err(|error| {
                // The service of a test is no observed client, so the rate limit is recorded here.
                self.context.keep_rate_limit(&profile.id, &error, 1);
                lookup_error(error)
            })?
            .value;
        let other_store = case.state == State::NeedsPerson(super::CaseReason::OtherStore);
        let store_id = (!other_store).then_some(profile.store_id.as_str());
        let finding = match self.item(case).await? {
            Some(sent) => confirmation::compare(&contract_id, &sent, store_id, &found),
            None => confirmation::compare_sale(&contract_id, &case.sale, store_id, &found),
        };
        let mut settlement = self.settlement(case, ResolutionKind::GiveContractId)?;
        match finding {
            Finding::Matches => {}
            // The person already saw that this contract is reported.
            Finding::Reported(reason) if case.state == State::NeedsPerson(reason) => {}
            Finding::Reported(reason) => {
                settlement.to = State::NeedsPerson(reason);
                settlement.resolved = None;
            }
            Finding::NotYet | Finding::Contradicts => return Err(Error::ContractDoesNotMatch),
        }
        settlement.contract = Some(Created::of(&found));
        settlement.status = found.status.shown();
        if other_store && settlement.to == State::Confirmed {
            // It is that store's own entry, once the profile is corrected or another one has it.
            settlement.store_id = found.store.and_then(|store| store.id);
        }
        settlement.duplicate_possible = replay_window::made_more_than_once(
            case.state,
            &case.batch.record,
            &profile.facts,
            self.context.instant(),
        );
        let given = Some(contract_id.as_str());
        self.settle(profile, settlement, "outbox.contractGiven", given)
            .await?;
        Ok(case.id.clone())
    }

    async fn provider_has_none(
        &self,
        profile: &Profile,
        case: &Case,
        reference: &str,
        confirmed: &[Confirmed],
    ) -> Result<String> {
        let reference = checked_reference(reference)?;
        // Whoever says so against a contract that the service named is shown that one first.
        let told = sale::beside(confirmed).contains(&Some(case.id.clone()));
        if case.contract_id.is_some() && !told {
            let named = Earlier {
                id: Some(case.id.clone()),
                state: case.state.word(),
                contract_id: case.contract_id.clone(),
                profile: Some((profile.id.clone(), profile.name.clone())),
                alike: false,
                other_store: false,
                corrected: false,
            };
            return Err(second_contract_error(vec![named], profile));
        }
        let mut settlement = self.settlement(case, ResolutionKind::ProviderHasNone)?;
        settlement.resolved = Some((ResolutionKind::ProviderHasNone, Some(reference)));
        let id = match self.item(case).await? {
            Some(item) => {
                let findings = PlanFindings {
                    price_checked: case.price_checked,
                    ..PlanFindings::default()
                };
                self.contracts
                    .refuse_lost(profile, &item, confirmed)
                    .await?;
                let anew = (item, findings);
                self.replace(&mut settlement, profile, case, anew, confirmed)
                    .await?
            }
            // The customer can no longer be read: a person registers the sale again.
            None => case.id.clone(),
        };
        self.settle(profile, settlement, "outbox.providerHasNone", Some(&id))
            .await?;
        Ok(id)
    }

    async fn replay_once(
        &self,
        profile: &Profile,
        case: &Case,
        confirmed: &[Confirmed],
    ) -> Result<String> {
        if let Some(item) = self.item(case).await? {
            self.contracts
                .refuse_lost(profile, &item, confirmed)
                .await?;
        }
        let (kind, action) = (ResolutionKind::ReplayOnce, "outbox.replayed");
        self.move_batch(profile, case, kind, confirmed, action)
            .await
    }

    async fn send_now(
        &self,
        profile: &Profile,
        case: &Case,
        confirmed: &[Confirmed],
    ) -> Result<String> {
        let (kind, action) = (ResolutionKind::SendNow, "outbox.sentNow");
        let id = self
            .move_batch(profile, case, kind, confirmed, action)
            .await?;
        // A held batch blocks the others. Sending this one now lets all try, even if the service asked
        // to wait.
        let work = &self.context.work;
        work.drop_breaker(&profile.id);
        if case.state != State::Unknown {
            let chosen = Some(case.batch.id.clone());
            work.change(&profile.id, |breaker| breaker.chosen = chosen);
        }
        for batch in self.held_batches(&profile.id).await? {
            self.release(profile, batch).await?;
        }
        Ok(id)
    }

    async fn edit(
        &self,
        profile: &Profile,
        case: &Case,
        draft: &EntryDraft,
        confirmed: &[Confirmed],
    ) -> Result<String> {
        let now = self.context.clock.now();
        let corrected = self
            .codes
            .read_entry(profile, draft, now)
            .await
            .map_err(Error::Input)?;
        let (check, mut findings) = self
            .contracts
            .check_item(profile, &corrected, Some(&case.id))
            .await?;
        // A price that was checked or confirmed before needs no new question.
        let price_stays = case.price_checked && corrected.plan == case.sale.plan;
        findings.price_checked |= price_stays;
        refuse_open(check, |question| {
            question.is_answered_by(confirmed)
                || price_stays && question.kind() == QuestionKind::ChangedPrice
        })?;
        let mut settlement = self.settlement(case, ResolutionKind::Edit)?;
        let anew = (corrected, findings);
        let id = self
            .replace(&mut settlement, profile, case, anew, confirmed)
            .await?;
        self.dissolve_batch(profile, case, &mut settlement).await?;
        self.settle(profile, settlement, "outbox.edited", Some(&id))
            .await?;
        Ok(id)
    }

    /// Records the reference of a person who asked the provider whether it has a duplicate.
    async fn duplicate_checked(&self, case: &Case, reference: &str) -> Result<String> {
        let reference = checked_reference(reference)?;
        let line = self
            .context
            .journal_line("outbox.duplicateChecked", &case.id, Some(&reference));
        let store = &self.context.store;
        let noted = store
            .note_duplicate_checked(&case.id, &reference, line)
            .await?;
        Error::ensure_allowed(noted)?;
        Ok(case.id.clone())
    }

    async fn cancel(&self, profile: &Profile, case: &Case) -> Result<String> {
        let mut settlement = self.settlement(case, ResolutionKind::Cancel)?;
        self.dissolve_batch(profile, case, &mut settlement).await?;
        self.settle(profile, settlement, "outbox.cancelled", None)
            .await?;
        Ok(case.id.clone())
    }
}

/// Validates a reference to a statement of the provider.
fn checked_reference(reference: &str) -> Result<String> {
    let reference = reference.trim();
    if reference.is_empty() {
        return Err(Error::input(Field::Reference, Problem::Missing));
    }
    if reference.chars().any(char::is_control) {
        return Err(Error::input(Field::Reference, Problem::BadCharacters));
    }
    if reference.chars().count() > MAX_REFERENCE_LENGTH {
        return Err(Error::input(Field::Reference, Problem::TooLong));
    }
    Ok(reference.to_owned())
}
