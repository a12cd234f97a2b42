//! Writes a decision about a case: the entry's new state, the batches that replace its old one, and
//! the journal line, in one transaction.

use warranty_api::ContractItem;

use super::state::{self, Event, Instant, State, Step, step};
use super::{Outbox, ResolutionKind};
use crate::Error;
use crate::contracts::entry_check::{self, PlanFindings};
use crate::contracts::{Confirmed, sale, unsold};
use crate::encryption::Decrypted;
use crate::profile::{Profile, ProviderFacts};
use warranty_store::batches::Move;
use warranty_store::cases::{Case, Settled, Settlement};
use warranty_store::submissions::{NewSubmissions, Unsold};

impl Outbox {
    /// Dissolves a batch that was not sent yet, because an entry leaves it. Its other entries are
    /// frozen in new batches with new idempotency keys.
    pub(super) async fn dissolve_batch(
        &self,
        profile: &Profile,
        case: &Case,
        settlement: &mut Settlement,
    ) -> Result<(), Error> {
        let (State::Draft | State::Queued | State::Held(_)) = case.state else {
            return Ok(());
        };
        settlement.dissolve = true;
        let store = &self.context.store;
        let ids = store.entry_ids_of_batch(&case.batch.id).await?;
        if ids.iter().any(|id| *id != case.id) {
            let (ids, items): (Vec<String>, Vec<ContractItem>) = ids
                .into_iter()
                .zip(self.items(case).await?.ok_or(Error::KeyLost)?)
                .filter(|(id, _)| *id != case.id)
                .unzip();
            let key = self.encryption.key_for(profile).await?;
            let contracts = &self.contracts;
            let mut batches = contracts.build_batches(&key, profile, &ids, &items, &[])?;
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

    /// Replaces a case by a new entry in its own batch, unless the sale was entered elsewhere. Returns
    /// the id of the new entry.
    pub(super) async fn replace(
        &self,
        settlement: &mut Settlement,
        profile: &Profile,
        case: &Case,
        (item, findings): (ContractItem, PlanFindings),
        confirmed: &[Confirmed],
    ) -> Result<String, Error> {
        let key = self.encryption.key_for(profile).await?;
        settlement.unsold = vec![Unsold {
            except: Some(case.id.clone()),
            ..unsold(profile, &item, sale::beside(confirmed))
        }];
        let id = self.context.ordered_id();
        let contracts = &self.contracts;
        let mut anew = contracts.new_submission(&key, profile, id.clone(), item, findings)?;
        for entry in &mut anew.entries {
            entry.replaces = Some(case.id.clone());
        }
        settlement.anew = vec![anew];
        Ok(id)
    }

    /// The items of an entry's batch; `None` when they can no longer be read.
    pub(super) async fn items(&self, case: &Case) -> Result<Option<Vec<ContractItem>>, Error> {
        match self.encryption.body_of(&case.batch).await? {
            Decrypted::Known(body) => Ok(Some(body.items)),
            Decrypted::Locked(error) => Err(error.into()),
            Decrypted::Deleted | Decrypted::Lost => Ok(None),
        }
    }

    /// The frozen item of an entry; `None` when it can no longer be read.
    pub(super) async fn item(&self, case: &Case) -> Result<Option<ContractItem>, Error> {
        let items = self.items(case).await?;
        Ok(items.and_then(|items| items.into_iter().nth(case.position)))
    }

    pub(super) fn settlement(
        &self,
        case: &Case,
        kind: ResolutionKind,
    ) -> Result<Settlement, Error> {
        let now = self.context.instant();
        let next = decided(case.state, case, kind, &ProviderFacts::default(), now)?;
        Ok(Settlement {
            id: case.id.clone(),
            from: case.state,
            revision: case.batch.revision,
            to: next.to,
            at: now.wall,
            contract: None,
            store_id: None,
            status: None,
            duplicate_possible: false,
            resolved: Some((kind, None)),
            dissolve: false,
            anew: Vec::new(),
            unsold: Vec::new(),
            lines: Vec::new(),
        })
    }

    /// Stores a settlement with its journal line.
    pub(super) async fn settle(
        &self,
        profile: &Profile,
        mut settlement: Settlement,
        action: &'static str,
        detail: Option<&str>,
    ) -> Result<(), Error> {
        let line = self.context.journal_line(action, &settlement.id, detail);
        settlement.lines = vec![line];
        settled_result(profile, self.context.store.settle_case(settlement).await?)
    }

    pub(super) async fn move_batch(
        &self,
        profile: &Profile,
        case: &Case,
        kind: ResolutionKind,
        confirmed: &[Confirmed],
        action: &'static str,
    ) -> Result<String, Error> {
        let batch = &case.batch;
        let now = self.context.instant();
        let next = decided(batch.state, case, kind, &profile.facts, now)?;
        let line = self.context.journal_line(action, &case.id, Some(&batch.id));
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

/// The step that a person's decision takes from a state of an entry or its batch.
fn decided(
    from: State,
    case: &Case,
    kind: ResolutionKind,
    facts: &ProviderFacts,
    now: Instant,
) -> Result<Step, Error> {
    step(from, &case.batch.record, Event::Person(kind), facts, now)
        .map_err(|state::InvalidTransition| Error::NotAllowed)
}

fn settled_result(profile: &Profile, settled: Settled) -> Result<(), Error> {
    match settled {
        Settled::Done => Ok(()),
        Settled::Moved => Err(Error::NotAllowed),
        Settled::Claimed => Err(Error::ContractDoesNotMatch),
        Settled::Sold(earlier) => Err(entry_check::second_contract_error(earlier, profile)),
    }
}
