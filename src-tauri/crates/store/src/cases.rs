//! Single entries: after their batch was accepted, and when a person decides.

use rusqlite::{Connection, Row, Savepoint, params};
use warranty_model::interface::{ContractId, ItemPlan};

use super::batches::{self, Batch, Move};
use super::journal::{self, Line};
use super::submission_queries::{self, KeptEntry};
use super::submissions::{self, Earlier, NewSubmissions, Unsold};
use crate::query::{Query as _, Read};
use crate::{Result, Store, sql_types};
use warranty_model::contracts::sale::SaleAtRest;
use warranty_model::outbox::classify::Created;
use warranty_model::outbox::state::State;
use warranty_model::outbox::{AttemptView, CaseReason, ResolutionKind};
use warranty_model::profile::ServiceStore;

/// An entry with the batch it was frozen into.
#[derive(Debug, Clone)]
pub struct Case {
    pub id: String,
    pub profile_id: String,
    pub state: State,
    /// Its place in the batch.
    pub position: usize,
    pub batch: Batch,
    /// The store that it was entered for.
    pub store: ServiceStore,
    /// What was sold, all but the customer.
    pub sale: SaleAtRest,
    /// Whether the plan's price was compared with the service's, or a person said yes to it.
    pub price_checked: bool,
    /// Whether the provider may have it more than once, and no person has recorded asking it.
    pub duplicate_possible: bool,
    /// Given by the service once accepted.
    pub contract_id: Option<ContractId>,
    /// In milliseconds since 1970 UTC.
    pub accepted_at: Option<i64>,
    pub lookups: u32,
    /// The entry it was made in place of.
    pub replaces: Option<String>,
    pub replaced_by: Option<String>,
    /// The staff code, or the user of the computer.
    pub entered_by: String,
    /// Whether the run of its batch is paused: until it is resumed, nothing of it is sent for the first
    /// time.
    pub paused: bool,
}

/// What becomes of one entry, taken whole or not at all.
#[derive(Debug, Clone)]
pub struct Settlement {
    pub id: String,
    pub from: State,
    /// The revision its batch was read with.
    pub revision: i64,
    pub to: State,
    /// Now, in milliseconds since 1970 UTC.
    pub at: i64,
    pub contract: Option<Created>,
    /// The store that the service has the contract under, where it is another one.
    pub store_id: Option<String>,
    /// The contract's status as the service said it.
    pub status: Option<String>,
    /// What the service reports against the contract, which a person settles all the same.
    pub reported: Option<CaseReason>,
    /// Whether the provider may have more than one contract of it.
    pub duplicate_possible: bool,
    /// The resolution a person chose, with the reference given.
    pub resolved: Option<(ResolutionKind, Option<String>)>,
    /// Whether its batch, of which the service did nothing, is cancelled with it.
    pub dissolve: bool,
    /// What is stored in the same transaction: an entry that replaces it, or the rest of its batch.
    pub anew: Vec<NewSubmissions>,
    /// Its sales, each with the other entries that a person was shown; no others may have sold it.
    pub unsold: Vec<Unsold>,
    pub lines: Vec<Line>,
}

/// What a lookup of an accepted entry came to.
#[derive(Debug, Clone)]
pub struct LookedUp {
    pub id: String,
    /// The revision its batch was read with.
    pub revision: i64,
    pub to: State,
    /// The contract's status as the service said it.
    pub status: Option<String>,
    /// When it is looked up next.
    pub next_lookup_at: Option<i64>,
}

/// Whether a decision about an entry could be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    Done,
    /// The entry or its profile has another state than was read: nothing has changed.
    Moved,
    /// Another entry has the contract already: nothing has changed.
    Claimed,
    /// Other entries may have sold what would be sent, and a person was not asked about them:
    /// nothing has changed.
    Sold(Vec<Earlier>),
}

impl Store {
    /// An entry with its batch; `None` when there is none of that id or it is no longer whole.
    pub async fn case(&self, id: &str) -> Result<Option<Case>> {
        self.call_for(id, load).await
    }

    /// The same for many, in one look at the file: each batch is read once.
    pub async fn cases(&self, ids: Vec<String>) -> Result<Vec<Case>> {
        self.call(move |connection| {
            let connection = &*connection.unchecked_transaction()?;
            let mut last = None;
            ids.iter()
                .filter_map(|id| load_beside(connection, id, &mut last).transpose())
                .collect()
        })
        .await
    }

    /// The entry of a case as it is listed, and every attempt to send its batch, oldest first.
    pub async fn case_history(&self, case: &Case) -> Result<(Option<KeptEntry>, Vec<AttemptView>)> {
        let (id, batch_id) = (case.id.clone(), case.batch.id.clone());
        self.call(move |connection| {
            Ok((
                submission_queries::one(connection, &id)?,
                attempts(connection, &batch_id)?,
            ))
        })
        .await
    }

    /// Takes the step of a batch that a person wants sent, unless another entry than those a person
    /// was shown may have sold what is in it.
    pub async fn send_case(&self, step: Move, beside: Vec<Option<String>>) -> Result<Settled> {
        self.write(move |transaction| {
            let unsold = submissions::unsold_of_batch(transaction, &step.batch_id, &beside)?;
            let sold = submissions::sold_meanwhile(transaction, &unsold)?;
            if !sold.is_empty() {
                return Ok(Settled::Sold(sold));
            }
            let taken = batches::take(transaction, &step)?;
            Ok(if taken { Settled::Done } else { Settled::Moved })
        })
        .await
    }

    /// Records that a person asked the provider whether it has an entry's contract more than once.
    /// `false`: the entry is no possible duplicate.
    pub async fn note_duplicate_checked(
        &self,
        id: &str,
        reference: &str,
        line: Line,
    ) -> Result<bool> {
        let (id, reference) = (id.to_owned(), reference.to_owned());
        self.write(move |transaction| {
            let changed = transaction.change(
                "UPDATE submission SET duplicate_reference = ?2
                 WHERE id = ?1 AND duplicate_possible = 1 AND duplicate_reference IS NULL",
                [id, reference],
            )?;
            if changed == 1 {
                journal::append(transaction, &line)?;
            }
            Ok(changed == 1)
        })
        .await
    }

    /// Keeps what lookups came to, in one commit. An entry that has another state than was read, or
    /// whose batch has taken a step, stays as it is.
    pub async fn keep_lookups(&self, found: Vec<LookedUp>, at: i64) -> Result<()> {
        self.write(move |transaction| {
            for one in &found {
                looked_up(transaction, one, at)?;
            }
            Ok(())
        })
        .await
    }

    /// Settles one entry. A person's decision counts as a step of the batch, so that none taken
    /// about it from an earlier reading is taken beside it.
    pub async fn settle_case(&self, settlement: Settlement) -> Result<Settled> {
        self.write_savepoint(move |transaction| settle(transaction, &settlement))
            .await
    }
}

pub(super) fn load(connection: &Connection, id: &str) -> Read<Option<Case>> {
    load_beside(connection, id, &mut None)
}

/// A case read beside another one: `last` is the batch that was read last.
fn load_beside(connection: &Connection, id: &str, last: &mut Option<Batch>) -> Read<Option<Case>> {
    let found = connection.find(
        "SELECT s.state, b.hold, s.case_reason, s.id, s.profile_id, s.position, s.batch_id,
             s.contract_id, s.accepted_at, s.lookups, s.replaces,
             (SELECT r.id FROM submission r WHERE r.replaces = s.id
                 ORDER BY r.number DESC LIMIT 1),
             s.transaction_id, s.transaction_total, s.product_reference_id,
             s.product_purchase_price, s.plan_id, s.plan_purchase_price, s.price_checked,
             s.duplicate_possible = 1 AND s.duplicate_reference IS NULL,
             EXISTS (SELECT 1 FROM run WHERE number = b.run AND state = 'paused'),
             s.origin, s.store_id, s.entered_by
         FROM submission s JOIN batch b ON b.id = s.batch_id WHERE s.id = ?1",
        [id],
        |row| {
            let batch_id: String = row.get(6)?;
            if last.as_ref().is_none_or(|last| last.id != batch_id) {
                *last = batches::load(connection, &batch_id)?;
            }
            last.clone().map(|batch| case(row, batch)).transpose()
        },
    )?;
    Ok(found.flatten())
}

fn case(row: &Row<'_>, batch: Batch) -> Read<Case> {
    let position: u32 = row.get(5)?;
    Ok(Case {
        id: row.get(3)?,
        profile_id: row.get(4)?,
        state: batches::state(row, 0)?,
        position: usize::try_from(position).unwrap_or(usize::MAX),
        batch,
        store: ServiceStore {
            origin: row.get(21)?,
            store_id: row.get(22)?,
        },
        sale: SaleAtRest {
            transaction_id: row.get(12)?,
            transaction_total: sql_types::whole(row, 13)?,
            product: sql_types::word(row, 14)?,
            product_price: sql_types::whole(row, 15)?,
            plan: ItemPlan {
                plan_id: sql_types::word(row, 16)?,
                purchase_price: sql_types::whole(row, 17)?,
            },
        },
        price_checked: row.get(18)?,
        duplicate_possible: row.get(19)?,
        contract_id: sql_types::word_or_none(row, 7)?,
        accepted_at: row.get(8)?,
        lookups: row.get(9)?,
        replaces: row.get(10)?,
        replaced_by: row.get(11)?,
        paused: row.get(20)?,
        entered_by: row.get(23)?,
    })
}

/// Whether another entry of the same profile or store has this contract of its service already.
fn is_claimed(connection: &Connection, contract_id: &ContractId, entry: &str) -> Read<bool> {
    connection.value(
        "SELECT EXISTS (SELECT 1 FROM submission other JOIN submission this
             ON other.origin = this.origin
                 AND (other.profile_id = this.profile_id OR other.store_id = this.store_id)
                 AND other.id <> this.id
             WHERE this.id = ?1 AND other.contract_id = ?2 AND other.state <> 'cancelled')",
        params![entry, contract_id.as_str()],
    )
}

/// Every attempt to send a batch, oldest first.
pub(super) fn attempts(connection: &Connection, batch_id: &str) -> Read<Vec<AttemptView>> {
    connection.list(
        "SELECT number, started_at, finished_at, class, status, request_id, code, detail
         FROM attempt WHERE batch_id = ?1 ORDER BY number",
        [batch_id],
        |row| {
            Ok(AttemptView {
                number: row.get(0)?,
                started_at: sql_types::instant(row, 1)?,
                finished_at: sql_types::instant_or_none(row, 2)?,
                class: sql_types::word_or_none(row, 3)?,
                status: row.get(4)?,
                request_id: row.get(5)?,
                code: row.get(6)?,
                detail: row.get(7)?,
            })
        },
    )
}

/// Keeps what a lookup came to. `false`: the entry or its batch has another state than was read.
pub(super) fn looked_up(transaction: &Connection, found: &LookedUp, at: i64) -> Read<bool> {
    let (_, reason) = batches::beside(found.to)?;
    let changed = transaction.change(
        "UPDATE submission SET state = ?1, case_reason = ?2, lookups = lookups + 1,
             confirmed_at = COALESCE(?3, confirmed_at), next_lookup_at = ?4,
             status = COALESCE(?5, status)
         WHERE id = ?6 AND state = 'accepted' AND EXISTS (
             SELECT 1 FROM batch b WHERE b.id = batch_id AND b.revision = ?7)",
        params![
            sql_types::text_of(&found.to.word())?,
            reason,
            (found.to == State::Confirmed).then_some(at),
            found.next_lookup_at,
            found.status,
            found.id,
            found.revision,
        ],
    )?;
    Ok(changed == 1)
}

pub(super) fn settle(transaction: Savepoint<'_>, settlement: &Settlement) -> Read<Settled> {
    if let Some(contract) = &settlement.contract
        && is_claimed(&transaction, &contract.contract_id, &settlement.id)?
    {
        return Ok(Settled::Claimed);
    }
    let sold = submissions::sold_meanwhile(&transaction, &settlement.unsold)?;
    if !sold.is_empty() {
        return Ok(Settled::Sold(sold));
    }
    let (_, reason) = batches::beside(settlement.to)?;
    let reported = settlement.reported.as_ref().map(sql_types::text_of);
    let reason = reason.or(reported.transpose()?);
    let contract = settlement.contract.as_ref();
    let confirmed_at = (settlement.to == State::Confirmed).then_some(settlement.at);
    let (kind, reference) = settlement.resolved.clone().unzip();
    let changed = transaction.change(
        "UPDATE submission SET state = ?1, case_reason = ?2,
             contract_id = COALESCE(?3, contract_id),
             inquiry_code = COALESCE(?4, inquiry_code),
             product_title = COALESCE(?5, product_title),
             plan_title = COALESCE(?6, plan_title),
             confirmed_at = COALESCE(?7, confirmed_at), next_lookup_at = NULL,
             finished_at = NULL, resolved_with = COALESCE(?8, resolved_with),
             resolved_reference = COALESCE(?9, resolved_reference),
             status = COALESCE(?10, status),
             duplicate_possible = (duplicate_possible OR ?11) AND ?8 IS NOT 'providerHasNone',
             store_id = COALESCE(?15, store_id)
         WHERE id = ?12 AND state = ?13 AND EXISTS (
             SELECT 1 FROM batch b WHERE b.id = batch_id AND b.revision = ?14)",
        params![
            sql_types::text_of(&settlement.to.word())?,
            reason,
            contract.map(|contract| contract.contract_id.as_str()),
            contract.and_then(|contract| contract.inquiry_code.as_deref()),
            contract.and_then(|contract| contract.product_title.as_deref()),
            contract.and_then(|contract| contract.plan_title.as_deref()),
            confirmed_at,
            kind.as_ref().map(sql_types::text_of).transpose()?,
            reference.flatten(),
            settlement.status,
            settlement.duplicate_possible,
            settlement.id,
            sql_types::text_of(&settlement.from.word())?,
            settlement.revision,
            settlement.store_id,
        ],
    )?;
    if changed != 1 {
        return Ok(Settled::Moved);
    }
    let step = if settlement.dissolve {
        "UPDATE batch SET state = 'cancelled', hold = NULL, revision = revision + 1
         WHERE id = (SELECT batch_id FROM submission WHERE id = ?1)
           AND state IN ('queued', 'held') AND unknown_before = 0"
    } else {
        "UPDATE batch SET revision = revision + 1
         WHERE id = (SELECT batch_id FROM submission WHERE id = ?1)"
    };
    if transaction.change(step, [&settlement.id])? != 1 {
        return Ok(Settled::Moved);
    }
    for freeze in &settlement.anew {
        if !submissions::freeze_in(&transaction, freeze)? {
            return Ok(Settled::Moved);
        }
    }
    for line in &settlement.lines {
        journal::append(&transaction, line)?;
    }
    transaction.commit()?;
    Ok(Settled::Done)
}

#[cfg(test)]
#[path = "cases_tests.rs"]
mod tests;
