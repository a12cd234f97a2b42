//! Applies what a person decides about a case.
//!
//! Owns that a decision is applied only where the state machine allows it, in one transaction with
//! its journal line.

use warranty_api::{ContractId, ContractItem, Error as ApiError, NotSent};

use super::Outbox;
use super::classify::Created;
use super::confirmation::{self, Finding};
use super::replay_window;
use super::state::{self, Event, State, step};
use super::{CaseView, Resolution, ResolutionKind};
use crate::contracts::preflight::{self, PlanFindings};
use crate::contracts::sale;
use crate::contracts::{Confirmed, EntryDraft, QuestionKind, validation};
use crate::encryption::{AssociatedData, DataKey, Decrypted};
use crate::notifications::Change;
use crate::profile::Profile;
use crate::{Error, Field, FieldProblem, Operation, Problem};
use warranty_store::batches::Move;
use warranty_store::cases::{Case, Settled, Settlement};
use warranty_store::submissions::{NewEntry, NewSubmissions, Unsold};

/// Maximum length of a reference, in characters.
const MAX_REFERENCE_LENGTH: usize = 200;

impl Outbox {
    /// Applies a decision, if it is allowed now. When it replaces the entry, the answer is the case
    /// of the new entry. A decision that sends the sale again is refused while another entry may
    /// have sold it, unless the person confirmed that entry.
    ///
    /// # Errors
    /// [`Error::NotLawful`] when the current state does not allow it;
    /// [`Error::ContractDoesNotMatch`] when the contract found at the provider is not the one that
    /// was sent; [`Error::Input`] and [`Error::Questions`] as when registering;
    /// [`Error::Service`] when the lookup failed; [`Error::Store`].
    pub async fn resolve(
        &self,
        submission_id: &str,
        resolution: Resolution,
    ) -> Result<CaseView, Error> {
        self.context.writable()?;
        let case = self.kept_case(submission_id).await?;
        let profile = self.profile_of(&case).await.ok_or(Error::NotLawful)?;
        if !self
            .resolutions(&profile, &case)
            .await
            .contains(&kind(&resolution))
        {
            return Err(Error::NotLawful);
        }
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
    ) -> Result<String, Error> {
        let contract_id = ContractId::new(contract_id.trim())
            .map_err(|error| input(Field::ContractId, validation::id_problem(error)))?;
        let lookup_error = |source| Error::Service {
            operation: Operation::GetContract,
            source,
        };
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
                self.context.keep_rate_limit(&profile.id, &error);
                lookup_error(error)
            })?
            .value;
        let finding = match self.item(case).await? {
            Some(sent) => confirmation::compare(&contract_id, &sent, &found),
            None => confirmation::compare_sale(&contract_id, &case.sale, &found),
        };
        let mut settlement = self.settlement(case, ResolutionKind::GiveContractId)?;
        settlement.resolved = Some(("giveContractId".to_owned(), None));
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
        settlement.status = found.status.shown();
        settlement.duplicate_possible = replay_window::made_more_than_once(
            case.state,
            &case.batch.record,
            &profile.facts,
            self.context.instant(),
        );
        settlement.contract = Some(Created {
            contract_id: contract_id.clone(),
            contradicts: false,
            inquiry_code: found.inquiry_code,
            product_title: found.product.title,
            plan_title: found.plan.title,
        });
        settlement.lines = vec![self.context.journal_line(
            "outbox.contractGiven",
            &case.id,
            Some(contract_id.as_str()),
        )];
        self.settle(profile, settlement).await?;
        Ok(case.id.clone())
    }

    async fn provider_has_none(
        &self,
        profile: &Profile,
        case: &Case,
        reference: &str,
        confirmed: &[Confirmed],
    ) -> Result<String, Error> {
        let reference = checked_reference(reference)?;
        let mut settlement = self.settlement(case, ResolutionKind::ProviderHasNone)?;
        settlement.resolved = Some(("providerHasNone".to_owned(), Some(reference)));
        let id = match self.item(case).await? {
            Some(item) => {
                let key = self.encryption.key_for(profile).await?;
                settlement.unsold = vec![unsold(profile, case, &item, confirmed)];
                let findings = PlanFindings {
                    price_checked: case.price_checked,
                    ..PlanFindings::default()
                };
                let anew = self.replacement_for(&key, profile, case, item, findings)?;
                let id = first_id(&anew)?;
                settlement.anew = vec![anew];
                id
            }
            // The customer can no longer be read, so a person must enter the sale again.
            None => case.id.clone(),
        };
        settlement.lines =
            vec![
                self.context
                    .journal_line("outbox.providerHasNone", &case.id, Some(&id)),
            ];
        self.settle(profile, settlement).await?;
        Ok(id)
    }

    async fn replay_once(
        &self,
        profile: &Profile,
        case: &Case,
        confirmed: &[Confirmed],
    ) -> Result<String, Error> {
        if case.contract_id.is_some() {
            return Err(Error::NotLawful);
        }
        let line = self
            .context
            .journal_line("outbox.replayed", &case.id, Some(&case.batch.id));
        self.move_batch(profile, case, ResolutionKind::ReplayOnce, confirmed, line)
            .await
    }

    async fn send_now(
        &self,
        profile: &Profile,
        case: &Case,
        confirmed: &[Confirmed],
    ) -> Result<String, Error> {
        let line = self
            .context
            .journal_line("outbox.sentNow", &case.id, Some(&case.batch.id));
        let id = self
            .move_batch(profile, case, ResolutionKind::SendNow, confirmed, line)
            .await?;
        // A held batch blocks the others. Sending this one now lets all try, even if the service asked
        // to wait.
        self.context.work.drop_breaker(&profile.id);
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
    ) -> Result<String, Error> {
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
        if !check.problems.is_empty() {
            return Err(Error::Input(check.problems));
        }
        // A price that was checked or confirmed before needs no new question.
        let price_stays = case.price_checked && corrected.plan == case.sale.plan;
        findings.price_checked |= price_stays;
        let questions: Vec<_> = check
            .questions
            .into_iter()
            .filter(|question| !question.is_answered_by(confirmed))
            .filter(|question| !(price_stays && question.kind() == QuestionKind::ChangedPrice))
            .collect();
        if !questions.is_empty() {
            return Err(Error::Questions(questions));
        }
        let key = self.encryption.key_for(profile).await?;
        let mut settlement = self.settlement(case, ResolutionKind::Edit)?;
        settlement.unsold = vec![unsold(profile, case, &corrected, confirmed)];
        let anew = self.replacement_for(&key, profile, case, corrected, findings)?;
        let id = first_id(&anew)?;
        settlement.resolved = Some(("edit".to_owned(), None));
        settlement.anew = vec![anew];
        settlement.lines = vec![
            self.context
                .journal_line("outbox.edited", &case.id, Some(&id)),
        ];
        self.dissolve_batch(profile, case, &mut settlement).await?;
        self.settle(profile, settlement).await?;
        Ok(id)
    }

    /// Records the reference of a person who asked the provider whether it has a duplicate.
    async fn duplicate_checked(&self, case: &Case, reference: &str) -> Result<String, Error> {
        let reference = checked_reference(reference)?;
        let line = self
            .context
            .journal_line("outbox.duplicateChecked", &case.id, Some(&reference));
        let store = &self.context.store;
        match store
            .note_duplicate_checked(&case.id, &reference, line)
            .await?
        {
            true => Ok(case.id.clone()),
            false => Err(Error::NotLawful),
        }
    }

    async fn cancel(&self, profile: &Profile, case: &Case) -> Result<String, Error> {
        let mut settlement = self.settlement(case, ResolutionKind::Cancel)?;
        settlement.resolved = Some(("cancel".to_owned(), None));
        settlement.lines = vec![
            self.context
                .journal_line("outbox.cancelled", &case.id, None),
        ];
        self.dissolve_batch(profile, case, &mut settlement).await?;
        self.settle(profile, settlement).await?;
        Ok(case.id.clone())
    }

    /// Dissolves a batch that was not sent yet, because an entry leaves it. Its other entries are
    /// frozen in new batches with new idempotency keys.
    async fn dissolve_batch(
        &self,
        profile: &Profile,
        case: &Case,
        settlement: &mut Settlement,
    ) -> Result<(), Error> {
        match case.state {
            State::Draft | State::Queued | State::Held(_) => {}
            State::InFlight
            | State::Unknown
            | State::Accepted
            | State::Confirmed
            | State::Rejected
            | State::NeedsPerson(_)
            | State::Cancelled => return Ok(()),
        }
        settlement.dissolve = true;
        let ids = self
            .context
            .store
            .entry_ids_of_batch(&case.batch.id)
            .await?;
        if ids.iter().any(|id| *id != case.id) {
            let (ids, items): (Vec<String>, Vec<ContractItem>) = ids
                .into_iter()
                .zip(self.items(case).await?.ok_or(Error::KeyLost)?)
                .filter(|(id, _)| *id != case.id)
                .unzip();
            let key = self.encryption.key_for(profile).await?;
            let mut batches = self
                .contracts
                .build_batches(&key, profile, &ids, &items, &[])?;
            for batch in &mut batches {
                // The new batches wait for the same reason as the old one.
                batch.state = case.state;
            }
            settlement.anew.push(NewSubmissions {
                batches,
                ..self.contracts.new_submissions(profile)
            });
        }
        Ok(())
    }

    /// A new entry that replaces a case, in its own batch.
    fn replacement_for(
        &self,
        key: &DataKey,
        profile: &Profile,
        case: &Case,
        item: ContractItem,
        findings: PlanFindings,
    ) -> Result<NewSubmissions, Error> {
        let id = self.context.ids.uuid().to_string();
        let batches = self.contracts.build_batches(
            key,
            profile,
            std::slice::from_ref(&id),
            std::slice::from_ref(&item),
            &[],
        )?;
        Ok(NewSubmissions {
            entries: vec![NewEntry {
                customer: key.encrypt_json(
                    AssociatedData::Customer(&id),
                    &(&item.customer.name, &item.customer.email),
                )?,
                id,
                item,
                product_title: findings.product_title,
                plan_title: findings.plan_title,
                price_checked: findings.price_checked,
                replaces: Some(case.id.clone()),
            }],
            batches,
            ..self.contracts.new_submissions(profile)
        })
    }

    /// The items of an entry's batch; `None` when they can no longer be read.
    async fn items(&self, case: &Case) -> Result<Option<Vec<ContractItem>>, Error> {
        match self.encryption.body_of(&case.batch).await? {
            Decrypted::Known(body) => Ok(Some(body.items)),
            Decrypted::Locked(error) => Err(error.into()),
            Decrypted::Deleted | Decrypted::Lost => Ok(None),
        }
    }

    /// The frozen item of an entry; `None` when it can no longer be read.
    async fn item(&self, case: &Case) -> Result<Option<ContractItem>, Error> {
        let items = self.items(case).await?;
        Ok(items.and_then(|items| items.into_iter().nth(case.position)))
    }

    fn settlement(&self, case: &Case, kind: ResolutionKind) -> Result<Settlement, Error> {
        let facts = crate::profile::ProviderFacts::default();
        let next = step(
            case.state,
            &case.batch.record,
            Event::Person(kind),
            &facts,
            self.context.instant(),
        )
        .map_err(|state::InvalidTransition| Error::NotLawful)?;
        Ok(Settlement {
            id: case.id.clone(),
            from: case.state,
            revision: case.batch.revision,
            to: next.to,
            at: self.context.instant().wall,
            contract: None,
            status: None,
            duplicate_possible: false,
            next_lookup_at: None,
            resolved: None,
            dissolve: false,
            anew: Vec::new(),
            unsold: Vec::new(),
            lines: Vec::new(),
        })
    }

    async fn settle(&self, profile: &Profile, settlement: Settlement) -> Result<(), Error> {
        settled_result(profile, self.context.store.settle_case(settlement).await?)
    }

    async fn move_batch(
        &self,
        profile: &Profile,
        case: &Case,
        kind: ResolutionKind,
        confirmed: &[Confirmed],
        line: warranty_store::journal::Line,
    ) -> Result<String, Error> {
        let batch = &case.batch;
        let now = self.context.instant();
        let next = step(
            batch.state,
            &batch.record,
            Event::Person(kind),
            &profile.facts,
            now,
        )
        .map_err(|state::InvalidTransition| Error::NotLawful)?;
        let step = Move {
            failures: 0,
            lines: vec![line],
            ..batch.step(next, now.wall)
        };
        let beside = sale::beside(confirmed);
        settled_result(profile, self.context.store.send_case(step, beside).await?)?;
        Ok(case.id.clone())
    }
}

/// Maps the result of the store to an error.
fn settled_result(profile: &Profile, settled: Settled) -> Result<(), Error> {
    match settled {
        Settled::Done => Ok(()),
        Settled::Moved => Err(Error::NotLawful),
        Settled::Claimed => Err(Error::ContractDoesNotMatch),
        Settled::Sold(earlier) => Err(preflight::second_contract_error(earlier, profile)),
    }
}

/// The sale that no other entry may contain when this item replaces the case.
fn unsold(profile: &Profile, case: &Case, item: &ContractItem, confirmed: &[Confirmed]) -> Unsold {
    Unsold {
        store: profile.store(),
        sale: sale::of(item),
        beside: sale::beside(confirmed),
        except: Some(case.id.clone()),
    }
}

fn first_id(freeze: &NewSubmissions) -> Result<String, Error> {
    freeze
        .entries
        .first()
        .map(|entry| entry.id.clone())
        .ok_or(Error::NotLawful)
}

/// Validates a reference to a statement of the provider.
fn checked_reference(reference: &str) -> Result<String, Error> {
    let reference = reference.trim();
    if reference.is_empty() {
        return Err(input(Field::Reference, Problem::Missing));
    }
    if reference.chars().any(char::is_control) {
        return Err(input(Field::Reference, Problem::BadCharacters));
    }
    if reference.chars().count() > MAX_REFERENCE_LENGTH {
        return Err(input(Field::Reference, Problem::TooLong));
    }
    Ok(reference.to_owned())
}

fn input(field: Field, problem: Problem) -> Error {
    Error::Input(vec![FieldProblem { field, problem }])
}

fn kind(resolution: &Resolution) -> ResolutionKind {
    match resolution {
        Resolution::GiveContractId { .. } => ResolutionKind::GiveContractId,
        Resolution::ProviderHasNone { .. } => ResolutionKind::ProviderHasNone,
        Resolution::ReplayOnce { .. } => ResolutionKind::ReplayOnce,
        Resolution::Edit { .. } => ResolutionKind::Edit,
        Resolution::SendNow { .. } => ResolutionKind::SendNow,
        Resolution::Cancel => ResolutionKind::Cancel,
        Resolution::DuplicateChecked { .. } => ResolutionKind::DuplicateChecked,
    }
}
