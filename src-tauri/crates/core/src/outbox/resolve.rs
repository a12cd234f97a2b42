//! Applies what a person decides about a case.
//!
//! Owns that a decision is applied only where the state machine allows it, in one transaction with
//! its journal line.

use warranty_api::{ContractId, Error as ApiError, NotSent};

use super::classify::Created;
use super::confirmation::{self, Finding};
use super::queries::ANEW;
use super::settle::Decision;
use super::state::State;
use super::{CaseReason, CaseView, Outbox, Resolution, ResolutionKind, replay_window};
use crate::contracts::entry_check::{PlanFindings, refuse_open, second_contract_error};
use crate::contracts::{Confirmed, EntryDraft, QuestionKind, sale, validation};
use crate::{Error, Field, Operation, Result};
use warranty_model::one_line;
use warranty_runtime::notifications::Change;
use warranty_store::submissions::Earlier;

/// Maximum length of a reference, in characters.
const MAX_REFERENCE_LENGTH: usize = 200;

impl Outbox {
    /// Applies a decision, if it is allowed now. When it replaces the entry, the answer is the case
    /// of the new entry. A decision that sends the sale again is refused while another entry may
    /// have sold it, unless the person confirmed that entry.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the current state does not allow it; [`Error::ProfileMoved`] when a new
    /// entry would be sold for another store than this one;
    /// [`Error::ContractDoesNotMatch`] when the contract found at the provider is not the one that
    /// was sent; [`Error::Input`] and [`Error::Questions`] as when registering;
    /// [`Error::Service`] when the lookup failed; [`Error::Store`].
    pub async fn resolve(&self, submission_id: &str, resolution: Resolution) -> Result<CaseView> {
        self.context.writable()?;
        // Read at once: another person may begin to sell while this is checked.
        let user = self.context.who();
        let case = self.kept_case(submission_id).await?;
        let profile = self.profile_of(&case).await.ok_or(Error::NotAllowed)?;
        if case.store != profile.store() && ANEW.contains(&resolution.kind()) {
            return Err(Error::ProfileMoved);
        }
        let allowed = self.resolutions(&profile, &case).await;
        Error::ensure_allowed(allowed.contains(&resolution.kind()))?;
        let decision = Decision {
            outbox: self,
            profile: &profile,
            case: &case,
            user,
        };
        let shown = match resolution {
            Resolution::GiveContractId { contract_id } => {
                decision.give_contract_id(&contract_id).await?
            }
            Resolution::ProviderHasNone {
                reference,
                confirmed,
            } => decision.provider_has_none(&reference, &confirmed).await?,
            Resolution::ReplayOnce { confirmed } => decision.replay_once(&confirmed).await?,
            Resolution::Edit { draft, confirmed } => decision.edit(&draft, &confirmed).await?,
            Resolution::SendNow { confirmed } => decision.send_now(&confirmed).await?,
            Resolution::Cancel => decision.cancel().await?,
            Resolution::DuplicateChecked { reference } => {
                decision.duplicate_checked(&reference).await?
            }
        };
        // It may have been the last to wait for the key; the next try of another tells.
        self.overviews.clear_key_lost(&profile.id);
        self.context.work.wake();
        self.notifications.publish(Change::Many).await;
        self.case(&shown).await
    }
}

/// Each gives the id of the entry to be shown.
impl Decision<'_> {
    async fn give_contract_id(&self, contract_id: &str) -> Result<String> {
        let (outbox, case) = (self.outbox, self.case);
        let contract_id = ContractId::new(contract_id.trim())
            .map_err(|error| Error::input(Field::ContractId, validation::id_problem(error)))?;
        let lookup_error = Error::service(Operation::GetContract);
        let endpoint = outbox.resolver.reach(outbox, self.profile).await?;
        let endpoint = endpoint.ok_or(lookup_error(ApiError::NotSent(NotSent::NoToken)))?;
        let found = endpoint.service.get_contract(&contract_id).await;
        let found = found
            .map_err(|error| {
                // The service of a test is no observed client, so the rate limit is recorded here.
                let context = &outbox.context;
                context.keep_rate_limit(&self.profile.id, &error, 1);
                lookup_error(error)
            })?
            .value;
        let other_store = case.state == State::NeedsPerson(CaseReason::OtherStore);
        let store_id = (!other_store).then_some(self.profile.store_id.as_str());
        // Who the customer is, the person has seen at the provider: a service may write an e-mail differently,
        // and codes.
        let finding = confirmation::compare_found(&contract_id, &case.sale, store_id, &found);
        let mut settlement = self.settlement(ResolutionKind::GiveContractId)?;
        match finding {
            Finding::Matches => {}
            // The person already saw that this contract is reported.
            Finding::Reported(reason) if case.state == State::NeedsPerson(reason) => {
                settlement.reported = Some(reason);
            }
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
            &self.profile.facts,
            outbox.context.instant(),
        );
        let given = Some(contract_id.as_str());
        self.settle(settlement, "outbox.contractGiven", given)
            .await?;
        Ok(case.id.clone())
    }

    async fn provider_has_none(&self, reference: &str, confirmed: &[Confirmed]) -> Result<String> {
        let (profile, case) = (self.profile, self.case);
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
        let mut settlement = self.settlement(ResolutionKind::ProviderHasNone)?;
        settlement.resolved = Some((ResolutionKind::ProviderHasNone, Some(reference)));
        let id = match self.item().await? {
            Some(item) => {
                let findings = PlanFindings {
                    price_checked: case.price_checked,
                    ..PlanFindings::default()
                };
                let contracts = &self.outbox.contracts;
                contracts.refuse_lost(profile, &item, confirmed).await?;
                // The same sale stays with the person who sold it, whoever asked the provider.
                let seller = case.entered_by.clone();
                self.replace(&mut settlement, item, findings, confirmed, seller)
                    .await?
            }
            // The customer can no longer be read: a person registers the sale again.
            None => case.id.clone(),
        };
        self.settle(settlement, "outbox.providerHasNone", Some(&id))
            .await?;
        Ok(id)
    }

    async fn replay_once(&self, confirmed: &[Confirmed]) -> Result<String> {
        if let Some(item) = self.item().await? {
            let contracts = &self.outbox.contracts;
            contracts
                .refuse_lost(self.profile, &item, confirmed)
                .await?;
        }
        self.move_batch(ResolutionKind::ReplayOnce, confirmed, "outbox.replayed")
            .await
    }

    async fn send_now(&self, confirmed: &[Confirmed]) -> Result<String> {
        let (outbox, profile) = (self.outbox, self.profile);
        let id = self
            .move_batch(ResolutionKind::SendNow, confirmed, "outbox.sentNow")
            .await?;
        // A held batch blocks the others. Sending this one now lets all try, even if the service asked
        // to wait.
        let work = &outbox.context.work;
        work.drop_breaker(&profile.id);
        if self.case.state != State::Unknown {
            let chosen = Some(self.case.batch.id.clone());
            work.change(&profile.id, |breaker| breaker.chosen = chosen);
        }
        for batch in outbox.held_batches(&profile.id).await? {
            outbox.release(profile, batch).await?;
        }
        Ok(id)
    }

    async fn edit(&self, draft: &EntryDraft, confirmed: &[Confirmed]) -> Result<String> {
        let (outbox, profile, case) = (self.outbox, self.profile, self.case);
        let now = outbox.context.clock.now();
        let corrected = outbox.codes.read_entry(profile, draft, now).await;
        let corrected = corrected.map_err(Error::Input)?;
        let contracts = &outbox.contracts;
        let (check, mut findings) = contracts
            .check_item(profile, &corrected, Some(&case.id))
            .await?;
        // A price that was checked or confirmed before needs no new question. A plan may have another price
        // for another product.
        let price_stays = case.price_checked
            && corrected.plan == case.sale.plan
            && corrected.product.reference_id == case.sale.product;
        findings.price_checked |= price_stays;
        refuse_open(check, |question| {
            question.is_answered_by(confirmed)
                || price_stays && question.kind() == QuestionKind::ChangedPrice
        })?;
        let mut settlement = self.settlement(ResolutionKind::Edit)?;
        let user = self.user.clone();
        let id = self
            .replace(&mut settlement, corrected, findings, confirmed, user)
            .await?;
        self.dissolve_batch(&mut settlement).await?;
        self.settle(settlement, "outbox.edited", Some(&id)).await?;
        Ok(id)
    }

    /// Records the reference of a person who asked the provider whether it has a duplicate.
    async fn duplicate_checked(&self, reference: &str) -> Result<String> {
        let (context, id) = (&self.outbox.context, &self.case.id);
        let reference = checked_reference(reference)?;
        let line = context.journal_line("outbox.duplicateChecked", id, Some(&reference));
        let store = &context.store;
        let noted = store.note_duplicate_checked(id, &reference, line).await?;
        Error::ensure_allowed(noted)?;
        Ok(id.clone())
    }

    async fn cancel(&self) -> Result<String> {
        let mut settlement = self.settlement(ResolutionKind::Cancel)?;
        self.dissolve_batch(&mut settlement).await?;
        self.settle(settlement, "outbox.cancelled", None).await?;
        Ok(self.case.id.clone())
    }
}

/// Validates a reference to a statement of the provider.
fn checked_reference(reference: &str) -> Result<String> {
    one_line(reference, MAX_REFERENCE_LENGTH)
        .map_err(|problem| Error::input(Field::Reference, problem))
}
