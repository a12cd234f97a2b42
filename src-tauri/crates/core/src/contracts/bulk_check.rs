//! Checks many rows: each may be entered, was entered before, or needs a person.
//!
//! Owns the verdict on a row and the lookups of its product and plan. Stores no rows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::StreamExt as _;
use warranty_api::{ContractItem, PlanId, ProductReference};

use super::entry_check::{Outage, PlanFindings, PlanLookup};
use super::equal_rows::{DuplicateDetector, Standing};
use super::{Contracts, EntryCheck, new_entry, sale, unsold};
use crate::encryption::DataKey;
use crate::known_codes::{MAX_CONCURRENT_REQUESTS, codes_of};
use crate::profile::{BulkFact, Profile};
use crate::{Field, FieldProblem, Problem, Result};
pub(crate) use warranty_model::contracts::bulk_verdict::{Good, Row, Verdict};
use warranty_model::contracts::bulk_verdict::{ValidRow, is_known, read, sales};
use warranty_model::contracts::preflight::{self, PlanSeen, with_lost};
use warranty_runtime::work::lock;
use warranty_store::submissions::{NewSubmissions, Unsold};

/// Most cached plan lookups; beyond this the cache is cleared.
const MAX_CACHED: usize = 10_000;
/// How long rows are accepted unchecked after the service failed.
const RETRY_AFTER: Duration = Duration::from_secs(30);

pub(super) type Pair = (ProductReference, PlanId);

/// The service's answers about pairs of product and plan, each asked for once.
#[derive(Debug, Default)]
pub(crate) struct PlanLookups {
    seen: Mutex<HashMap<Pair, PlanSeen>>,
    outage: Outage,
    /// When the outage was seen, on the monotonic clock.
    since: Mutex<Option<Duration>>,
}

impl PlanLookups {
    /// Ends an outage after a while, so that the service is asked again.
    fn begin(&self, now: Duration) {
        let mut since = lock(&self.since);
        if self.outage.plans.is_outage() {
            let at = *since.get_or_insert(now);
            if now.saturating_sub(at) >= RETRY_AFTER {
                *since = None;
                self.outage.set(false);
            }
        } else {
            *since = None;
        }
    }
}

impl Contracts {
    /// Checks rows, in their order. A row without a date counts as sold when the rows were
    /// submitted. `seen` holds the rows before these, and later rows as far as known; `progress`
    /// receives how many more rows are done.
    ///
    /// Each row of a sale first matches the earlier entry with equal content; remaining rows and
    /// entries match in order. Submitting a file again therefore matches its entries, even with
    /// equal rows. A further row becomes another contract only if a person confirms it beside all
    /// rows before it.
    pub(crate) async fn check_bulk(
        &self,
        profile: &Profile,
        rows: &[Row<'_>],
        submitted_at: DateTime<Utc>,
        asked: &PlanLookups,
        seen: &mut DuplicateDetector,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<Vec<Verdict>> {
        let now = self.context.clock.now();
        let codes: Vec<_> = rows.iter().flat_map(|row| codes_of(row.texts)).collect();
        let known = self.codes.known_codes_of_rows(profile, &codes).await;
        let mut verdicts: Vec<Option<Verdict>> = Vec::with_capacity(rows.len());
        let mut valid: Vec<(usize, ValidRow<'_>)> = Vec::new();
        for (index, read) in read(rows, submitted_at, profile.zone(), &known).enumerate() {
            match read {
                Err(problems) => verdicts.push(Some(Verdict::Bad(rows[index].failed(problems)))),
                Ok(row) => {
                    verdicts.push(None);
                    valid.push((index, row));
                }
            }
        }
        for (_, row) in &valid {
            seen.note(row.key, row.row.line);
        }
        for (_, row) in &valid {
            seen.note_said(&row.stated());
        }
        let sales = valid.iter().map(|(_, row)| row.sale.clone()).collect();
        let earlier = self.earlier(profile, sales, None).await?;
        let lost_until = self.lost_until().await?;
        let mut fresh = Vec::new();
        for ((index, mut row), earlier) in valid.into_iter().zip(earlier) {
            row.earlier = with_lost(earlier, lost_until, &row.item, row.dated(), now);
            match self.matching_entry(&row, seen).await? {
                Some(already) => verdicts[index] = Some(already),
                None => fresh.push((index, row)),
            }
        }
        let done = rows.len() - fresh.len();
        progress(u32::try_from(done).unwrap_or(u32::MAX));
        self.ask_about_all(profile, &fresh, asked, progress).await;
        // Many rows are of few products: what is stored with the entries of a pair is read once, apart
        // for rows of which the service was asked and those of which it was not.
        let mut findings: HashMap<(Pair, bool), PlanFindings> = HashMap::new();
        for (index, row) in fresh {
            let pair = pair(&row.item);
            let plan = lock(&asked.seen).get(&pair).cloned();
            let plan = plan.unwrap_or(PlanSeen::NotAsked);
            let EntryCheck {
                mut problems,
                warnings,
                mut questions,
            } = preflight::evaluate(&row.item, &plan, now);
            let exported = FieldProblem::new(Field::TransactionId, Problem::FromExportedList);
            problems.extend(row.row.exported.then_some(exported));
            let asked = row.in_question(seen).into_iter().cloned();
            questions.extend(asked.map(|entry| preflight::second_contract(entry, &profile.id)));
            let confirmed = &row.row.confirmed;
            questions.retain(|question| !question.is_answered_by(confirmed));
            let asks = row.row.open_questions().filter(|ask| !is_known(ask, &plan));
            questions.extend(asks.cloned());
            let elsewhere = row.elsewhere(seen);
            let place = seen.place(row.key, row.row.line, elsewhere);
            let standing = seen.standing(row.key) + elsewhere;
            questions.extend(place.or_shown(confirmed).question(confirmed, standing));
            verdicts[index] = Some(if problems.is_empty() && questions.is_empty() {
                seen.note_good(row.key, row.row.line);
                let mut beside = sale::beside(confirmed);
                beside.extend(row.earlier.iter().map(|entry| entry.id.clone()));
                let findings = match findings.entry((pair, plan.is_checked())) {
                    Entry::Occupied(read) => read.get().clone(),
                    Entry::Vacant(unread) => {
                        let read = self.plan_findings(profile, &row.item, &plan).await?;
                        unread.insert(read).clone()
                    }
                };
                Verdict::Good(Box::new(Good {
                    warnings,
                    beside,
                    findings,
                    item: row.item,
                }))
            } else {
                Verdict::Bad(EntryCheck {
                    problems,
                    warnings,
                    questions,
                })
            });
        }
        Ok(verdicts.into_iter().flatten().collect())
    }

    /// Adds the sales of rows to `seen`, so that earlier rows are checked together with them. A
    /// second pass `with_content` adds the content of rows whose sale has several.
    pub(crate) async fn record_rows(
        &self,
        profile: &Profile,
        rows: &[Row<'_>],
        submitted_at: DateTime<Utc>,
        seen: &mut DuplicateDetector,
        with_content: bool,
    ) {
        let codes: Vec<_> = rows.iter().flat_map(|row| codes_of(row.texts)).collect();
        let (known, ..) = self.codes.look_up_locally(profile, &codes).await;
        if with_content {
            for row in read(rows, submitted_at, profile.zone(), &known).flatten() {
                seen.note_said(&row.stated());
            }
        } else {
            for (sale, line) in sales(rows, submitted_at, profile.zone(), &known) {
                seen.note(sale, line);
            }
        }
    }

    async fn matching_entry(
        &self,
        row: &ValidRow<'_>,
        seen: &mut DuplicateDetector,
    ) -> Result<Option<Verdict>> {
        let line = row.row.line;
        let mut standing = Vec::new();
        if !seen.is_settled(row.key, line) {
            for (id, earlier) in row.open().rev() {
                standing.push(Standing {
                    taken: seen.taken_elsewhere(id),
                    other_store: earlier.other_store,
                    entry: self.submission(id).await?,
                });
            }
            seen.settle(&row.stated(), &standing);
        }
        let mut open = row.open();
        let Some((id, _)) = open.find(|(id, _)| seen.is_for(row.key, line, id)) else {
            return Ok(None);
        };
        let mut read = standing.into_iter().map(|one| one.entry);
        let entry = match read.find(|entry| entry.id == id) {
            Some(entry) => entry,
            None => self.submission(id).await?,
        };
        Ok(Some(Verdict::Already {
            fields: sale::differences(&row.item, row.dated(), &entry),
            state: entry.state,
            submission_id: entry.id,
        }))
    }

    /// Looks up each pair of product and plan that is not cached, a few at a time. None while the service
    /// asks to be left alone, as while it is unreachable.
    async fn ask_about_all(
        &self,
        profile: &Profile,
        rows: &[(usize, ValidRow<'_>)],
        asked: &PlanLookups,
        progress: &(dyn Fn(u32) + Sync),
    ) {
        asked.begin(self.context.clock.monotonic());
        let mut pairs: HashMap<Pair, u32> = HashMap::new();
        let mut known = 0;
        {
            let mut seen = lock(&asked.seen);
            if seen.len() > MAX_CACHED {
                seen.clear();
            }
            for (_, row) in rows {
                let pair = pair(&row.item);
                if seen.contains_key(&pair) {
                    known += 1;
                } else {
                    *pairs.entry(pair).or_default() += 1;
                }
            }
        }
        progress(known);
        if pairs.is_empty() {
            return;
        }
        let client = if asked.outage.is_complete() {
            None
        } else {
            self.codes.client_to_check(profile).await
        };
        if client.is_none() {
            asked.outage.set(true);
        }
        let client = client.as_ref();
        futures::stream::iter(pairs)
            .map(|(pair, rows)| async move {
                let client = client.filter(|_| self.context.asked_to_wait(&profile.id).is_none());
                let lookup = PlanLookup {
                    contracts: self,
                    profile,
                    client,
                    outage: &asked.outage,
                    product: &pair.0,
                    plan: &pair.1,
                };
                let seen = lookup.seen().await;
                progress(rows);
                (pair, seen)
            })
            .buffer_unordered(MAX_CONCURRENT_REQUESTS)
            .for_each(|(pair, seen)| {
                if !matches!(seen, PlanSeen::NotAsked) {
                    lock(&asked.seen).insert(pair, seen);
                }
                std::future::ready(())
            })
            .await;
    }

    /// Builds the submissions of rows, in their order, and the list of sales of which no other
    /// entry may have been made since the check.
    pub(crate) fn build_submissions(
        &self,
        data_key: &DataKey,
        profile: &Profile,
        good: Vec<Good>,
    ) -> Result<(NewSubmissions, Vec<Unsold>)> {
        let items: Vec<ContractItem> = good.iter().map(|row| row.item.clone()).collect();
        let ids: Vec<String> = good.iter().map(|_| self.context.ordered_id()).collect();
        // If the service refuses an unchecked row, a person must resolve its whole batch, unless the
        // provider is known to process a batch all or nothing.
        let together = profile.facts.bulk == BulkFact::AllOrNothing;
        let alone: Vec<bool> = good
            .iter()
            .map(|row| row.is_unchecked() && !together)
            .collect();
        let unsold = |row: &Good| unsold(profile, &row.item, row.beside.clone());
        let unsold = good.iter().map(unsold).collect();
        let freeze = NewSubmissions {
            batches: self.build_batches(data_key, profile, &ids, &items, &alone)?,
            entries: ids
                .into_iter()
                .zip(good)
                .map(|(id, row)| new_entry(data_key, id, row.item, row.findings))
                .collect::<Result<_>>()?,
            ..self.new_submissions(profile)
        };
        Ok((freeze, unsold))
    }
}

pub(super) fn pair(item: &ContractItem) -> Pair {
    (item.product.reference_id.clone(), item.plan.plan_id.clone())
}
