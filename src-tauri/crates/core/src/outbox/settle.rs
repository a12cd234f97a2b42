//! Writes a decision about a case: the entry's new state, the batches that replace its old one, and
//! the journal line, in one transaction.

use warranty_api::ContractItem;

use super::state::{self, Event, State, Step, step};
use super::{Outbox, ResolutionKind};
use crate::Error;
use crate::contracts::entry_check::{self, PlanFindings};
use crate::contracts::{Confirmed, sale, unsold};
use crate::encryption::Decrypted;
use crate::profile::Profile;
use warranty_store::batches::Move;
use warranty_store::cases::{Case, Settled, Settlement};
use warranty_store::journal::Line;
use warranty_store::submissions::{NewSubmissions, Unsold};

/// What a person decides about one case.
pub(super) struct Decision<'a> {
    pub outbox: &'a Outbox,
    pub profile: &'a Profile,
    pub case: &'a Case,
    /// Who decides.
    pub user: String,
}

impl Decision<'_> {
    /// Dissolves a batch that was not sent yet, because an entry leaves it. Its other entries are
    /// frozen in new batches with new idempotency keys.
    pub(super) async fn dissolve_batch(&self, settlement: &mut Settlement) -> Result<(), Error> {
        let (outbox, case) = (self.outbox, self.case);
        let (State::Draft | State::Queued | State::Held(_)) = case.state else {
            return Ok(());
        };
        settlement.dissolve = true;
        let store = &outbox.context.store;
        let ids = store.entries_of_batches([case.batch.id.clone()]).await?;
        if ids.iter().any(|id| *id != case.id) {
            let (ids, items): (Vec<String>, Vec<ContractItem>) = ids
                .into_iter()
                .zip(self.items().await?.ok_or(Error::KeyLost)?)
                .filter(|(id, _)| *id != case.id)
                .unzip();
            let key = outbox.encryption.key_for(self.profile).await?;
            let contracts = &outbox.contracts;
            let mut batches = contracts.build_batches(&key, self.profile, &ids, &items, &[])?;
            for batch in &mut batches {
                // The new batches wait for the same reason as the old one.
                batch.state = case.state;
            }
            settlement.anew.push(NewSubmissions {
                batches,
                ..contracts.new_submissions(self.profile)
            });
        }
        Ok(())
    }

    /// Replaces the case by a new entry of `user` in its own batch, unless the sale was entered elsewhere.
    /// Returns the id of the new entry.
    pub(super) async fn replace(
        &self,
        settlement: &mut Settlement,
        item: ContractItem,
        findings: PlanFindings,
        confirmed: &[Confirmed],
        user: String,
    ) -> Result<String, Error> {
        let (outbox, profile) = (self.outbox, self.profile);
        let key = outbox.encryption.key_for(profile).await?;
        settlement.unsold = vec![Unsold {
            except: Some(self.case.id.clone()),
            ..unsold(profile, &item, sale::beside(confirmed))
        }];
        let id = outbox.context.ordered_id();
        let contracts = &outbox.contracts;
        let mut anew = contracts.new_submission(&key, profile, id.clone(), item, findings)?;
        anew.user = user;
        for entry in &mut anew.entries {
            entry.replaces = Some(self.case.id.clone());
        }
        settlement.anew = vec![anew];
        Ok(id)
    }

    /// The items of the entry's batch; `None` when they can no longer be read.
    async fn items(&self) -> Result<Option<Vec<ContractItem>>, Error> {
        let (encryption, batch) = (&self.outbox.encryption, &self.case.batch);
        match encryption.body_of(batch).await? {
            Decrypted::Known(body) => Ok(Some(body.items)),
            Decrypted::Locked(error) => Err(error.into()),
            Decrypted::Lost if encryption.waits_for_key(&batch.body).await? => Err(Error::KeyLost),
            Decrypted::Deleted | Decrypted::Lost => Ok(None),
        }
    }

    /// The item of the entry; `None` when it can no longer be read. A body is deleted with the first of
    /// its customers; that of an open case is kept beside its row.
    pub(super) async fn item(&self) -> Result<Option<ContractItem>, Error> {
        let (outbox, case) = (self.outbox, self.case);
        if case.batch.body.is_none() {
            let (Some(entry), _) = outbox.context.store.case_history(case).await? else {
                return Ok(None);
            };
            return outbox.contracts.item_of(entry).await;
        }
        let items = self.items().await?;
        Ok(items.and_then(|items| items.into_iter().nth(case.position)))
    }

    pub(super) fn settlement(&self, kind: ResolutionKind) -> Result<Settlement, Error> {
        let case = self.case;
        let (next, at) = self.decided(case.state, kind)?;
        Ok(Settlement {
            id: case.id.clone(),
            from: case.state,
            revision: case.batch.revision,
            to: next.to,
            at,
            contract: None,
            store_id: None,
            status: None,
            reported: None,
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
        mut settlement: Settlement,
        action: &'static str,
        detail: Option<&str>,
    ) -> Result<(), Error> {
        settlement.lines = vec![self.journal_line(action, detail)];
        let context = &self.outbox.context;
        self.expect_done(context.store.settle_case(settlement).await?)
    }

    pub(super) async fn move_batch(
        &self,
        kind: ResolutionKind,
        confirmed: &[Confirmed],
        action: &'static str,
    ) -> Result<String, Error> {
        let (context, case) = (&self.outbox.context, self.case);
        let (next, at) = self.decided(case.batch.state, kind)?;
        let step = Move {
            failures: 0,
            lines: vec![self.journal_line(action, Some(&case.batch.id))],
            ..case.batch.step(next, at)
        };
        let beside = sale::beside(confirmed);
        self.expect_done(context.store.send_case(step, beside).await?)?;
        Ok(case.id.clone())
    }

    /// A line about the case, of the person who decides.
    fn journal_line(&self, action: &'static str, detail: Option<&str>) -> Line {
        let context = &self.outbox.context;
        let line = context.journal_line(action, &self.case.id, detail);
        line.by(&self.user)
    }

    /// The step that the decision takes from a state of the entry or its batch, and now, in
    /// milliseconds since 1970 UTC.
    fn decided(&self, from: State, kind: ResolutionKind) -> Result<(Step, i64), Error> {
        let now = self.outbox.context.instant();
        let (record, facts) = (&self.case.batch.record, &self.profile.facts);
        match step(from, record, Event::Person(kind), facts, now) {
            Ok(next) => Ok((next, now.wall)),
            Err(state::InvalidTransition) => Err(Error::NotAllowed),
        }
    }

    fn expect_done(&self, settled: Settled) -> Result<(), Error> {
        match settled {
            Settled::Done => Ok(()),
            Settled::Moved => Err(Error::NotAllowed),
            Settled::Claimed => Err(Error::ContractDoesNotMatch),
            Settled::Sold(earlier) => {
                Err(entry_check::second_contract_error(earlier, self.profile))
            }
        }
    }
}
