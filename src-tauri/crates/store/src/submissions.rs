//! Entries at rest: made with their frozen batches in one transaction, and counted.

use std::collections::HashMap;

use rusqlite::{Connection, Params, params};
use uuid::Uuid;
use warranty_model::interface::ContractItem;

use super::journal::{self, Line};
use super::{Store, StoreError, batches, profiles, recovery_reports, sql_types};
use crate::query::{Query as _, Read};
use warranty_model::bulk::RunSent;
pub use warranty_model::contracts::sale::{Earlier, Sale, as_typed, in_question};
use warranty_model::contracts::sale::{is_alike, search_form};
use warranty_model::encrypted::Encrypted;
use warranty_model::outbox::state::State;
use warranty_model::outbox::{OutboxSummary, SubmissionState};
use warranty_model::profile::ServiceStore;

#[derive(Debug, Clone)]
pub struct NewEntry {
    /// The caller's UUID.
    pub id: String,
    /// What is to be created; its customer is kept encrypted alone.
    pub item: ContractItem,
    pub customer: Encrypted,
    pub product_title: Option<String>,
    pub plan_title: Option<String>,
    /// Whether the plan's price was compared with the service's, or a person said yes to it.
    pub price_checked: bool,
    /// The entry this one is made in place of.
    pub replaces: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewBatch {
    pub id: String,
    pub key: Uuid,
    /// The state it is kept in, with its entries.
    pub state: State,
    /// Its exact body, encrypted.
    pub body: Encrypted,
    /// Its entries, in the order of the body.
    pub entry_ids: Vec<String>,
}

/// Entries with their batches: kept whole or not at all.
#[derive(Debug, Clone)]
pub struct NewSubmissions {
    pub profile_id: String,
    /// The run that they are of, by its number.
    pub run: Option<i64>,
    /// Where they will be sent.
    pub base_url: String,
    /// The store they are sold for.
    pub store: ServiceStore,
    pub user: String,
    /// Now, in milliseconds since 1970 UTC.
    pub at: i64,
    /// The entries, each in one of the batches.
    pub entries: Vec<NewEntry>,
    pub batches: Vec<NewBatch>,
    pub lines: Vec<Line>,
}

/// Whether entries could be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frozen {
    /// All of them are.
    Done,
    /// An entry of that id exists already: nothing was kept.
    SameId,
    /// Sales that must not be entered again were entered meanwhile: nothing was kept.
    SoldMeanwhile(Vec<Earlier>),
    /// The profile was removed or its address moved meanwhile: nothing was kept.
    ProfileMoved,
}

/// A sale that must not be entered a second time, but beside earlier entries a person was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsold {
    pub store: ServiceStore,
    pub sale: Sale,
    /// Ids of the entries beside which a person wants another one; `None` for what was lost with a
    /// damaged file.
    pub beside: Vec<Option<String>>,
    /// An entry of the sale that does not count: the one that is decided about.
    pub except: Option<String>,
}

/// Entries of these sales other than a person was shown; empty when the sales may be entered.
pub(crate) fn sold_meanwhile(connection: &Connection, unsold: &[Unsold]) -> Read<Vec<Earlier>> {
    let mut found = Vec::new();
    for one in unsold {
        let earlier = earlier(connection, &one.store, &one.sale, one.except.as_deref())?;
        let unseen = |earlier: &&Earlier| !one.beside.contains(&earlier.id);
        found.extend(in_question(&earlier).filter(unseen).cloned());
    }
    Ok(found)
}

/// What must not have been sold by another entry when a batch is sent by a person's decision.
pub(crate) fn unsold_of_batch(
    connection: &Connection,
    batch_id: &str,
    beside: &[Option<String>],
) -> Read<Vec<Unsold>> {
    connection.list(
        "SELECT origin, store_id, transaction_id, product_reference_id, plan_id, id
         FROM submission WHERE batch_id = ?1 ORDER BY position",
        [batch_id],
        |row| {
            Ok(Unsold {
                store: ServiceStore {
                    origin: row.get(0)?,
                    store_id: row.get(1)?,
                },
                sale: (row.get(2)?, row.get(3)?, row.get(4)?),
                beside: beside.to_vec(),
                except: Some(row.get(5)?),
            })
        },
    )
}

impl Store {
    /// Keeps entries and batches, each on the step from draft to queued, unless one of `unsold` was
    /// entered before.
    pub async fn freeze_submissions(
        &self,
        new: NewSubmissions,
        unsold: Vec<Unsold>,
    ) -> Result<Frozen, StoreError> {
        self.write(move |transaction| freeze(transaction, &new, &unsold))
            .await
    }

    /// For each sale (transaction, product, plan) the earlier entries at this service that may have
    /// become a contract, newest first, under whatever profile and without `except`; product and plan
    /// may be written differently, the transaction may have more or fewer zeros in front or other
    /// capitals, and the store may be another one. An entry that was corrected to other codes is listed
    /// as it is now. Those cancelled while their outcome was unknown may have, unless the provider said
    /// that it has none; they come last, and behind them what a damaged file knew of the sale.
    pub async fn earlier_entries(
        &self,
        store: ServiceStore,
        sales: Vec<Sale>,
        except: Option<&str>,
    ) -> Result<Vec<Vec<Earlier>>, StoreError> {
        let except = except.map(str::to_owned);
        self.call(move |connection| {
            // One look at the file for all of them.
            let connection = &*connection.unchecked_transaction()?;
            let of_sale = |sale| earlier(connection, &store, sale, except.as_deref());
            sales.iter().map(of_sale).collect()
        })
        .await
    }
}

/// See [`Store::freeze_submissions`].
pub(crate) fn freeze(
    transaction: &Connection,
    freeze: &NewSubmissions,
    unsold: &[Unsold],
) -> Read<Frozen> {
    for entry in &freeze.entries {
        let sql = "SELECT EXISTS (SELECT 1 FROM submission WHERE id = ?1)";
        let taken: bool = transaction.value(sql, [&entry.id])?;
        if taken {
            return Ok(Frozen::SameId);
        }
    }
    let sold = sold_meanwhile(transaction, unsold)?;
    if !sold.is_empty() {
        return Ok(Frozen::SoldMeanwhile(sold));
    }
    if !freeze_in(transaction, freeze)? {
        return Ok(Frozen::ProfileMoved);
    }
    Ok(Frozen::Done)
}

/// The same inside a transaction. `false`: the profile is gone or its address or store is another
/// one, and nothing was kept.
pub(crate) fn freeze_in(transaction: &Connection, freeze: &NewSubmissions) -> Read<bool> {
    let store_id = &freeze.store.store_id;
    if !profiles::is_current(transaction, &freeze.profile_id, &freeze.base_url, store_id)? {
        return Ok(false);
    }
    for batch in &freeze.batches {
        insert_batch(transaction, freeze, batch)?;
    }
    // Each new entry is written once, in its batch.
    let mut places = HashMap::new();
    for batch in &freeze.batches {
        for (position, id) in (0_i64..).zip(&batch.entry_ids) {
            places.insert(id.as_str(), (batch, position));
        }
    }
    for entry in &freeze.entries {
        let place = places.remove(entry.id.as_str());
        insert(transaction, freeze, entry, place)?;
    }
    for (id, (batch, position)) in places {
        transaction.change(
            "UPDATE submission SET batch_id = ?1, position = ?2, state = ?3 WHERE id = ?4",
            params![
                batch.id,
                position,
                sql_types::text_of(&batch.state.word())?,
                id
            ],
        )?;
    }
    for line in &freeze.lines {
        journal::append(transaction, line)?;
    }
    Ok(true)
}

fn insert_batch(transaction: &Connection, freeze: &NewSubmissions, batch: &NewBatch) -> Read<()> {
    let state = sql_types::text_of(&batch.state.word())?;
    let (hold, _) = batches::beside(batch.state)?;
    // What is left of a batch stays with its run, and waits as long as the batch was asked to.
    // A batch of new entries takes over neither.
    let rest = freeze.entries.is_empty().then(|| batch.entry_ids.first());
    transaction.change(
        "INSERT INTO batch
             (id, profile_id, state, body, idempotency_key, size, base_url, frozen_at,
              body_key, run, next_at, hold)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
             COALESCE(?10, (SELECT run FROM submission WHERE id = ?11)),
             (SELECT b.next_at FROM submission s JOIN batch b ON b.id = s.batch_id
                 WHERE s.id = ?11), ?12)",
        params![
            batch.id,
            freeze.profile_id,
            state,
            batch.body.bytes,
            batch.key.to_string(),
            i64::try_from(batch.entry_ids.len()).unwrap_or(i64::MAX),
            freeze.base_url,
            freeze.at,
            batch.body.key_id,
            freeze.run,
            rest,
            hold,
        ],
    )?;
    // It keeps the attempts that its entries were part of.
    if rest.is_some() {
        transaction.change(
            "INSERT INTO attempt (batch_id, number, started_at, base_url, token_fingerprint,
                 finished_at, class, status, request_id, code, detail)
             SELECT ?1, number, started_at, base_url, token_fingerprint,
                 finished_at, class, status, request_id, code, detail
             FROM attempt WHERE batch_id = (SELECT batch_id FROM submission WHERE id = ?2)",
            params![batch.id, rest],
        )?;
    }
    Ok(())
}

/// Inserts an entry in its place in a batch; without one it is a draft.
fn insert(
    transaction: &Connection,
    freeze: &NewSubmissions,
    entry: &NewEntry,
    place: Option<(&NewBatch, i64)>,
) -> Read<()> {
    let state = place.map_or(State::Draft, |(batch, _)| batch.state);
    let item = &entry.item;
    transaction.change(
        "INSERT INTO submission (id, profile_id, transaction_id, transaction_total,
             transaction_date, product_reference_id, product_title, product_purchase_price,
             plan_id, plan_title, plan_purchase_price, entered_at, entered_by, replaces,
             run, origin, store_id, price_checked, state, batch_id, position)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
             COALESCE(?15, (SELECT run FROM submission WHERE id = ?14)), ?16, ?17, ?18,
             ?19, ?20, ?21)",
        params![
            entry.id,
            freeze.profile_id,
            item.transaction_id,
            item.transaction_total.get(),
            item.transaction_date.to_string(),
            item.product.reference_id.as_str(),
            entry.product_title,
            item.product.purchase_price.get(),
            item.plan.plan_id.as_str(),
            entry.plan_title,
            item.plan.purchase_price.get(),
            freeze.at,
            freeze.user,
            entry.replaces,
            freeze.run,
            freeze.store.origin,
            freeze.store.store_id,
            entry.price_checked,
            sql_types::text_of(&state.word())?,
            place.map(|(batch, _)| &batch.id),
            place.map(|(_, position)| position),
        ],
    )?;
    let (key_id, encrypted) = (&entry.customer.key_id, &entry.customer.bytes);
    transaction.change(
        "INSERT INTO submission_customer (submission_id, key_id, encrypted) VALUES (?1, ?2, ?3)",
        params![entry.id, key_id, encrypted],
    )?;
    Ok(())
}

/// Whether a transaction may have been entered before at a service, and whether any file was rescued.
const MAY_BE_THERE: &str = "SELECT EXISTS (
         SELECT 1 FROM submission WHERE origin = ?1 AND lower(ltrim(transaction_id, '0')) = ?2),
     EXISTS (SELECT 1 FROM rescued_sale)";

/// See [`Store::earlier_entries`].
pub(crate) fn earlier(
    connection: &Connection,
    store: &ServiceStore,
    sale: &Sale,
    except: Option<&str>,
) -> Read<Vec<Earlier>> {
    const OF_SALE: &str =
        "WITH RECURSIVE of_sale (id, sold, product, plan, elsewhere, corrected) AS (
             SELECT id, transaction_id, product_reference_id, plan_id, store_id <> ?2, 0
             FROM submission
             WHERE origin = ?1 AND lower(ltrim(transaction_id, '0')) = ?3
               AND length(product_reference_id) = length(?4) AND length(plan_id) = length(?5)
             UNION
             SELECT r.id, sold, product, plan, elsewhere, 1
             FROM of_sale o JOIN submission r ON r.replaces = o.id)
         SELECT s.id, s.state, s.contract_id, s.profile_id, p.name, product, plan, elsewhere, corrected,
             sold
         FROM of_sale JOIN submission s USING (id) LEFT JOIN profile p ON p.id = s.profile_id
         WHERE s.id IS NOT ?6
           AND s.state <> 'rejected'
           AND (s.state <> 'cancelled'
                OR (s.resolved_with IS NOT 'providerHasNone'
                    AND (s.contract_id IS NOT NULL
                         OR EXISTS (SELECT 1 FROM batch b
                                    WHERE b.id = s.batch_id
                                      AND (b.unknown_before = 1 OR b.state = 'accepted')))))
         ORDER BY s.state = 'cancelled', corrected, s.number DESC";
    let ServiceStore { origin, store_id } = store;
    let (transaction, product, plan) = sale;
    let number = search_form(transaction);
    let mut entries: Vec<Earlier> = Vec::new();
    // Few transactions were entered before and few files rescued, and the other statements cost much more.
    let (is_entered, is_rescued) = connection
        .planned(MAY_BE_THERE)?
        .query_row([origin, &number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if is_entered {
        let mut statement = connection.planned(OF_SALE)?;
        let wanted = params![origin, store_id, number, product, plan, except];
        let mut found = statement.query(wanted)?;
        while let Some(row) = found.next()? {
            let id = row.get(0)?;
            let entered: Sale = (row.get(9)?, row.get(5)?, row.get(6)?);
            // Corrected to the codes that it had: it is an entry of the sale as it is.
            let is_there = entries.iter().any(|entry| entry.id == id);
            if !is_there && may_be_one(&entered, sale) {
                entries.push(Earlier {
                    id,
                    state: sql_types::word(row, 1)?,
                    contract_id: sql_types::word_or_none(row, 2)?,
                    profile: row.get::<_, Option<String>>(3)?.zip(row.get(4)?),
                    alike: entered != *sale,
                    other_store: row.get(7)?,
                    corrected: row.get(8)?,
                });
            }
        }
    }
    if is_rescued {
        entries.extend(recovery_reports::of_sale(connection, sale)?);
    }
    Ok(entries)
}

/// Whether two sales are one, however their codes are written.
fn may_be_one(one: &Sale, other: &Sale) -> bool {
    is_alike(&one.0, &other.0) && as_typed(one) == as_typed(other)
}

impl Store {
    /// A profile's entries, counted by what staff must know of them.
    pub async fn outbox_summary(&self, profile_id: &str) -> Result<OutboxSummary, StoreError> {
        self.call_for(profile_id, summary).await
    }
}

pub(super) fn summary(connection: &Connection, profile_id: &str) -> Read<OutboxSummary> {
    let mut states = RunSent::default();
    let sql = "SELECT state, COUNT(*) FROM submission WHERE profile_id = ?1 GROUP BY state";
    count_states(connection, sql, [profile_id], &mut states)?;
    Ok(OutboxSummary {
        waiting: states.waiting,
        held: states.held,
        held_for_token: match states.held {
            0 => 0,
            _ => connection.value(
                "SELECT COUNT(*) FROM submission s JOIN batch b ON b.id = s.batch_id
                 WHERE s.profile_id = ?1 AND s.state = 'held' AND b.hold = 'token'",
                [profile_id],
            )?,
        },
        unknown: states.unknown,
        accepted: states.accepted,
        confirmed: states.confirmed,
        rejected: states.rejected,
        needs_person: states.needs_person,
        possible_duplicates: connection.value(
            "SELECT COUNT(*) FROM submission WHERE profile_id = ?1 AND state <> 'needsPerson'
                 AND duplicate_possible = 1 AND duplicate_reference IS NULL",
            [profile_id],
        )?,
    })
}

/// Adds entries up by their states, from a statement that gives each state with its number.
pub(super) fn count_states(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    sent: &mut RunSent,
) -> Read<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = statement.query(values)?;
    while let Some(row) = found.next()? {
        let counter = match sql_types::word(row, 0)? {
            SubmissionState::Draft | SubmissionState::Queued | SubmissionState::InFlight => {
                &mut sent.waiting
            }
            SubmissionState::Held => &mut sent.held,
            SubmissionState::Unknown => &mut sent.unknown,
            SubmissionState::Accepted => &mut sent.accepted,
            SubmissionState::Confirmed => &mut sent.confirmed,
            SubmissionState::NeedsPerson => &mut sent.needs_person,
            SubmissionState::Rejected => &mut sent.rejected,
            SubmissionState::Cancelled => &mut sent.cancelled,
        };
        *counter = counter.saturating_add(row.get(1)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixtures::{query_plan, store};

    #[tokio::test]
    async fn whether_a_sale_may_have_been_entered_before_is_one_look_into_the_index_of_sales() {
        let (_folder, store) = store().await;
        let plan = query_plan(&store, MAY_BE_THERE, 2).await;
        let look = "SEARCH submission USING COVERING INDEX submission_sale (origin=? AND <expr>=?)";
        assert!(plan.iter().any(|step| step == look), "{plan:#?}");
    }
}
