//! Cases: an entry with its evidence, and what a person decides about it.
//!
//! Owns that a decision is taken only where the table of states allows it, whole, with its line in
//! the journal.

use warranty_api::{ContractId, ContractItem, Error as ApiError, NotSent};

use super::Outbox;
use super::classify::Created;
use super::confirmation::{self, Finding};
use super::replay_window;
use super::state::{self, Event, State, step};
use super::{CaseView, Resolution, Way};
use crate::contracts::preflight::{self, Learned};
use crate::contracts::sale;
use crate::contracts::{Confirmed, EntryDraft, QuestionKind, validation};
use crate::encryption::{AssociatedData, DataKey, Opened};
use crate::notifications::Change;
use crate::profile::Profile;
use crate::{Error, Field, FieldProblem, Operation, Problem};
use warranty_store::batches::Move;
use warranty_store::cases::{Case, Settled, Settlement};
use warranty_store::submissions::{NewEntry, NewSubmissions, Unsold};

/// Longest reference a person can record, in characters.
const MOST_IN_REFERENCE: usize = 200;

impl Outbox {
    /// Does what a person decided, if it is lawful now. Where a new entry is made in place of the
    /// old one, the answer is the new entry's case. Whatever sends the sale once more is taken only
    /// while no other entry may have sold it, or a person said yes to that entry.
    ///
    /// # Errors
    /// [`Error::NotLawful`] when the state the case is in now does not allow it;
    /// [`Error::ContractDoesNotMatch`] when the contract found at the provider is not the one that
    /// was sent; [`Error::Input`] and [`Error::Questions`] as when registering;
    /// [`Error::Service`] when the lookup did not succeed; [`Error::Store`].
    pub async fn resolve(
        &self,
        submission_id: &str,
        resolution: Resolution,
    ) -> Result<CaseView, Error> {
        self.context.writable()?;
        let case = self.kept_case(submission_id).await?;
        let profile = self.profile_of(&case).await.ok_or(Error::NotLawful)?;
        if !self.ways(&profile, &case).await.contains(&way(&resolution)) {
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
        let looking = |source| Error::Service {
            operation: Operation::GetContract,
            source,
        };
        let endpoint = self
            .resolver
            .reach(self, profile)
            .await?
            .ok_or(looking(ApiError::NotSent(NotSent::NoToken)))?;
        let found = endpoint
            .service
            .get_contract(&contract_id)
            .await
            .map_err(|error| {
                // As for every request of the outbox, whose service need not be an observed client.
                self.context.keep_rate_limit(&profile.id, &error);
                looking(error)
            })?
            .value;
        let finding = match self.item(case).await? {
            Some(sent) => confirmation::compare(&contract_id, &sent, &found),
            None => confirmation::compare_sale(&contract_id, &case.sale, &found),
        };
        let mut settlement = self.settlement(case, Way::GiveContractId)?;
        settlement.resolved = Some(("giveContractId".to_owned(), None));
        match finding {
            Finding::Matches => {}
            // Whoever gives the id of a contract that is shown as reported has asked about it.
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
        let reference = said_by(reference)?;
        let mut settlement = self.settlement(case, Way::ProviderHasNone)?;
        settlement.resolved = Some(("providerHasNone".to_owned(), Some(reference)));
        let id = match self.item(case).await? {
            Some(item) => {
                let seal = self.encryption.key_for(profile).await?;
                settlement.unsold = vec![unsold(profile, case, &item, confirmed)];
                let learned = Learned {
                    price_checked: case.price_checked,
                    ..Learned::default()
                };
                let anew = self.in_place_of(&seal, profile, case, item, learned)?;
                let id = first_id(&anew)?;
                settlement.anew = vec![anew];
                id
            }
            // Whom it was for cannot be read any more: a person enters it anew.
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
        self.move_batch(profile, case, Way::ReplayOnce, confirmed, line)
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
            .move_batch(profile, case, Way::SendNow, confirmed, line)
            .await?;
        // One that is held holds the others; a person who wants this one sent lets all try, whatever
        // the service asked for.
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
        let mended = self
            .codes
            .read_entry(profile, draft, now)
            .await
            .map_err(Error::Input)?;
        let (check, mut learned) = self
            .contracts
            .check_item(profile, &mended, Some(&case.id))
            .await?;
        if !check.problems.is_empty() {
            return Err(Error::Input(check.problems));
        }
        // A price that was checked or confirmed before is not asked about again.
        let price_stays = case.price_checked && mended.plan == case.sale.plan;
        learned.price_checked |= price_stays;
        let questions: Vec<_> = check
            .questions
            .into_iter()
            .filter(|question| !question.is_answered_by(confirmed))
            .filter(|question| !(price_stays && question.kind() == QuestionKind::ChangedPrice))
            .collect();
        if !questions.is_empty() {
            return Err(Error::Questions(questions));
        }
        let seal = self.encryption.key_for(profile).await?;
        let mut settlement = self.settlement(case, Way::Edit)?;
        settlement.unsold = vec![unsold(profile, case, &mended, confirmed)];
        let anew = self.in_place_of(&seal, profile, case, mended, learned)?;
        let id = first_id(&anew)?;
        settlement.resolved = Some(("edit".to_owned(), None));
        settlement.anew = vec![anew];
        settlement.lines = vec![
            self.context
                .journal_line("outbox.edited", &case.id, Some(&id)),
        ];
        self.give_up_batch(profile, case, &mut settlement).await?;
        self.settle(profile, settlement).await?;
        Ok(id)
    }

    /// Keeps what a person heard when the provider was asked whether it has the contract once.
    async fn duplicate_checked(&self, case: &Case, reference: &str) -> Result<String, Error> {
        let reference = said_by(reference)?;
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
        let mut settlement = self.settlement(case, Way::Cancel)?;
        settlement.resolved = Some(("cancel".to_owned(), None));
        settlement.lines = vec![
            self.context
                .journal_line("outbox.cancelled", &case.id, None),
        ];
        self.give_up_batch(profile, case, &mut settlement).await?;
        self.settle(profile, settlement).await?;
        Ok(case.id.clone())
    }

    /// An entry that leaves a batch before anything was done with it takes the batch apart: the
    /// others are frozen anew, under a new key.
    async fn give_up_batch(
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
            let seal = self.encryption.key_for(profile).await?;
            let mut batches = self
                .contracts
                .cut_and_freeze(&seal, profile, &ids, &items, &[])?;
            for batch in &mut batches {
                // What the batch waited for is waited for still.
                batch.state = case.state;
            }
            settlement.anew.push(NewSubmissions {
                batches,
                ..self.contracts.freeze_for(profile)
            });
        }
        Ok(())
    }

    /// A new entry in place of an old one, in a batch of its own.
    fn in_place_of(
        &self,
        seal: &DataKey,
        profile: &Profile,
        case: &Case,
        item: ContractItem,
        learned: Learned,
    ) -> Result<NewSubmissions, Error> {
        let id = self.context.ids.uuid().to_string();
        let batches = self.contracts.cut_and_freeze(
            seal,
            profile,
            std::slice::from_ref(&id),
            std::slice::from_ref(&item),
            &[],
        )?;
        Ok(NewSubmissions {
            entries: vec![NewEntry {
                customer: seal.encrypt_json(
                    AssociatedData::Customer(&id),
                    &(&item.customer.name, &item.customer.email),
                )?,
                id,
                item,
                product_title: learned.product_title,
                plan_title: learned.plan_title,
                price_checked: learned.price_checked,
                replaces: Some(case.id.clone()),
            }],
            batches,
            ..self.contracts.freeze_for(profile)
        })
    }

    /// The items of an entry's batch; `None` when they cannot be read any more.
    async fn items(&self, case: &Case) -> Result<Option<Vec<ContractItem>>, Error> {
        match self.encryption.body_of(&case.batch).await? {
            Opened::Known(body) => Ok(Some(body.items)),
            Opened::Locked(error) => Err(error.into()),
            Opened::Forgotten | Opened::Lost => Ok(None),
        }
    }

    /// The item an entry was frozen as; `None` when it cannot be read any more.
    async fn item(&self, case: &Case) -> Result<Option<ContractItem>, Error> {
        let items = self.items(case).await?;
        Ok(items.and_then(|items| items.into_iter().nth(case.position)))
    }

    fn settlement(&self, case: &Case, way: Way) -> Result<Settlement, Error> {
        let facts = crate::profile::ProviderFacts::default();
        let next = step(
            case.state,
            &case.batch.record,
            Event::Person(way),
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
        done(profile, self.context.store.settle_case(settlement).await?)
    }

    async fn move_batch(
        &self,
        profile: &Profile,
        case: &Case,
        way: Way,
        confirmed: &[Confirmed],
        line: warranty_store::journal::Line,
    ) -> Result<String, Error> {
        let batch = &case.batch;
        let now = self.context.instant();
        let next = step(
            batch.state,
            &batch.record,
            Event::Person(way),
            &profile.facts,
            now,
        )
        .map_err(|state::InvalidTransition| Error::NotLawful)?;
        let step = Move {
            setbacks: 0,
            lines: vec![line],
            ..batch.step(next, now.wall)
        };
        let beside = sale::beside(confirmed);
        done(profile, self.context.store.send_case(step, beside).await?)?;
        Ok(case.id.clone())
    }
}

/// The answer to a person whose decision was tried.
fn done(profile: &Profile, settled: Settled) -> Result<(), Error> {
    match settled {
        Settled::Done => Ok(()),
        Settled::Moved => Err(Error::NotLawful),
        Settled::Claimed => Err(Error::ContractDoesNotMatch),
        Settled::Sold(earlier) => Err(preflight::asked_about(earlier, profile)),
    }
}

/// What no other entry may have sold when this item is sent in place of the case.
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

/// Who at the provider said so, fit to be kept.
fn said_by(reference: &str) -> Result<String, Error> {
    let reference = reference.trim();
    if reference.is_empty() {
        return Err(input(Field::Reference, Problem::Missing));
    }
    if reference.chars().any(char::is_control) {
        return Err(input(Field::Reference, Problem::BadCharacters));
    }
    if reference.chars().count() > MOST_IN_REFERENCE {
        return Err(input(Field::Reference, Problem::TooLong));
    }
    Ok(reference.to_owned())
}

fn input(field: Field, problem: Problem) -> Error {
    Error::Input(vec![FieldProblem { field, problem }])
}

fn way(resolution: &Resolution) -> Way {
    match resolution {
        Resolution::GiveContractId { .. } => Way::GiveContractId,
        Resolution::ProviderHasNone { .. } => Way::ProviderHasNone,
        Resolution::ReplayOnce { .. } => Way::ReplayOnce,
        Resolution::Edit { .. } => Way::Edit,
        Resolution::SendNow { .. } => Way::SendNow,
        Resolution::Cancel => Way::Cancel,
        Resolution::DuplicateChecked { .. } => Way::DuplicateChecked,
    }
}
