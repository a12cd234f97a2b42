//! Many rows parted into those that may be entered, those entered before and those for a person.
//!
//! Owns the verdict on a row and what the service was asked about its product and plan. Keeps
//! nothing of a row itself.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::StreamExt as _;
use warranty_api::{ContractItem, PlanId, ProductReference};

use super::Contracts;
use super::Warning;
use super::equal_rows::{DuplicateDetector, Standing};
use super::preflight::Away;
use super::sale;
use crate::Error;
use crate::encryption::{AssociatedData, DataKey};
use crate::known_codes::MAX_CONCURRENT_REQUESTS;
use crate::known_codes::codes_of;
use crate::profile::{BulkFact, Profile};
pub(crate) use warranty_model::contracts::bulk_verdict::{Good, Row, Verdict};
use warranty_model::contracts::bulk_verdict::{Sound, bad, differences, is_known, read};
use warranty_model::contracts::preflight::{self, PlanSeen, with_lost};
use warranty_store::submissions::{NewEntry, NewSubmissions, Unsold};

/// Answers about plans kept at once; beyond that they are asked for anew.
const MOST_KEPT: usize = 10_000;
/// After the service could not be asked, rows are taken unchecked for so long.
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// A product and a plan of it.
type Pair = (ProductReference, PlanId);

/// What the service said of pairs of product and plan, each asked for once.
#[derive(Debug, Default)]
pub(crate) struct PlanLookups {
    seen: Mutex<HashMap<Pair, PlanSeen>>,
    away: Away,
    /// When it became unreachable, on the monotonic clock.
    since: Mutex<Option<Duration>>,
}

impl PlanLookups {
    fn seen(&self) -> MutexGuard<'_, HashMap<Pair, PlanSeen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the service be asked again, a while after it could not be.
    fn begin(&self, now: Duration) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if self.away.plans.load(Ordering::Relaxed) {
            let at = *since.get_or_insert(now);
            if now.saturating_sub(at) >= ASK_AGAIN {
                *since = None;
                self.away.set(false);
            }
        }
    }
}

impl Contracts {
    /// Judges rows, in their order. A row that does not say when was sold when the rows were handed
    /// in, however much later its turn comes. `seen` has the rows before these, and those behind them
    /// as far as they are known; `progress` hears how many rows more are done.
    ///
    /// Of the rows of one sale each stands for the entry of it that says the same, and of what is left
    /// the first for the first: a file that was entered stands for its entries, however many rows of it
    /// are equal. A row beyond those is one more contract only with a yes, and only beside all rows
    /// before it.
    pub(crate) async fn check_bulk(
        &self,
        profile: &Profile,
        rows: &[Row],
        handed_in: DateTime<Utc>,
        asked: &PlanLookups,
        seen: &mut DuplicateDetector,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<Vec<Verdict>, Error> {
        let now = self.context.clock.now();
        let codes: Vec<_> = rows.iter().flat_map(|row| codes_of(&row.draft)).collect();
        let known = self.codes.known_codes(profile, &codes).await;
        let mut verdicts: Vec<Option<Verdict>> = Vec::with_capacity(rows.len());
        let mut sound: Vec<(usize, Sound<'_>)> = Vec::new();
        for (index, read) in read(rows, handed_in, profile.zone(), &known).enumerate() {
            match read {
                Err(problems) => verdicts.push(Some(bad(problems))),
                Ok(row) => {
                    verdicts.push(None);
                    sound.push((index, row));
                }
            }
        }
        for (_, row) in &sound {
            seen.note(&row.sale, row.row.line);
        }
        for (_, row) in &sound {
            seen.note_said(&row.stated());
        }
        let sales = sound.iter().map(|(_, row)| row.sale.clone()).collect();
        let earlier = self.earlier(profile, sales, None).await?;
        let gap = self.gap().await?;
        let mut fresh = Vec::new();
        for ((index, mut row), earlier) in sound.into_iter().zip(earlier) {
            row.earlier = with_lost(earlier, gap, &row.item, row.dated(), now);
            match self.stands_for(&row, seen).await? {
                Some(already) => verdicts[index] = Some(already),
                None => fresh.push((index, row)),
            }
        }
        progress(count(rows.len() - fresh.len()));
        self.ask_about_all(profile, &fresh, asked, progress).await;
        for (index, row) in fresh {
            let pair = pair(&row.item);
            let plan = asked.seen().get(&pair).cloned();
            let plan = plan.unwrap_or(PlanSeen::NotAsked);
            let mut check = preflight::judge(&row.item, &plan, now);
            // Counted by itself: it says nothing of the row.
            check
                .warnings
                .retain(|warning| *warning != Warning::NotChecked);
            let asked = row.in_question(seen).into_iter().cloned();
            check
                .questions
                .extend(asked.map(|entry| preflight::second(entry, &profile.id)));
            let asks = row.row.asks.iter().filter(|ask| !is_known(ask, &plan));
            check.questions.extend(asks.cloned());
            check
                .questions
                .retain(|question| !question.is_answered_by(&row.row.confirmed));
            let confirmed = &row.row.confirmed;
            let elsewhere = row.elsewhere(seen);
            let place = seen.place(&row.sale, row.row.line, elsewhere);
            let standing = seen.standing(&row.sale) + elsewhere;
            let again = place.or_shown(confirmed).question(confirmed, standing);
            check.questions.extend(again);
            verdicts[index] = Some(if check.problems.is_empty() && check.questions.is_empty() {
                seen.note_good(&row.sale, row.row.line);
                let mut beside = sale::beside(confirmed);
                beside.extend(row.earlier.iter().map(|entry| entry.id.clone()));
                Verdict::Good(Box::new(Good {
                    checked: plan.is_checked(),
                    warnings: check.warnings,
                    beside,
                    learned: self.learned(profile, &row.item, &plan).await?,
                    item: row.item,
                }))
            } else {
                Verdict::Bad {
                    problems: check.problems,
                    questions: check.questions,
                    warnings: check.warnings,
                }
            });
        }
        Ok(verdicts.into_iter().flatten().collect())
    }

    /// Notes which sales rows are of, so that those before them are judged with them; once all are
    /// noted, with `said`, what the rows of each sale of several say.
    pub(crate) async fn note_rows(
        &self,
        profile: &Profile,
        rows: &[Row],
        handed_in: DateTime<Utc>,
        seen: &mut DuplicateDetector,
        said: bool,
    ) {
        let codes: Vec<_> = rows.iter().flat_map(|row| codes_of(&row.draft)).collect();
        let known = self.codes.known_codes_locally(profile, &codes).await;
        for row in read(rows, handed_in, profile.zone(), &known).flatten() {
            if said {
                seen.note_said(&row.stated());
            } else {
                seen.note(&row.sale, row.row.line);
            }
        }
    }

    /// The entry that a row stands for, when there is one for it.
    async fn stands_for(
        &self,
        row: &Sound<'_>,
        seen: &mut DuplicateDetector,
    ) -> Result<Option<Verdict>, Error> {
        let line = row.row.line;
        let mut standing = Vec::new();
        if !seen.is_settled(&row.sale, line) {
            for (id, _) in row.open().rev() {
                standing.push(Standing {
                    taken: seen.taken_elsewhere(id),
                    entry: self.submission(id).await?,
                });
            }
            seen.settle(&row.stated(), &standing);
        }
        let mut open = row.open();
        let Some((id, _)) = open.find(|(id, _)| seen.is_for(&row.sale, line, id)) else {
            return Ok(None);
        };
        let mut read = standing.into_iter().map(|one| one.entry);
        let entry = match read.find(|entry| entry.id == id) {
            Some(entry) => entry,
            None => self.submission(id).await?,
        };
        Ok(Some(Verdict::Already {
            fields: differences(&row.item, row.dated(), &entry),
            state: entry.state,
            submission_id: entry.id,
        }))
    }

    /// Asks the service about each pair of product and plan that it was not asked about yet, a few
    /// at a time.
    async fn ask_about_all(
        &self,
        profile: &Profile,
        rows: &[(usize, Sound<'_>)],
        asked: &PlanLookups,
        progress: &(dyn Fn(u32) + Sync),
    ) {
        asked.begin(self.context.clock.monotonic());
        let mut pairs: HashMap<Pair, u32> = HashMap::new();
        let mut known = 0;
        {
            let mut seen = asked.seen();
            if seen.len() > MOST_KEPT {
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
        let client = if asked.away.is_whole() {
            None
        } else {
            self.codes.client_to_check(profile).await
        };
        if client.is_none() {
            asked.away.set(true);
        }
        let client = client.as_ref();
        futures::stream::iter(pairs)
            .map(|((product, plan), rows)| async move {
                let seen = self
                    .ask_about(profile, client, &product, &plan, &asked.away)
                    .await;
                progress(rows);
                ((product, plan), seen)
            })
            .buffer_unordered(MAX_CONCURRENT_REQUESTS)
            .for_each(|(pair, seen)| {
                if !matches!(seen, PlanSeen::NotAsked) {
                    asked.seen().insert(pair, seen);
                }
                std::future::ready(())
            })
            .await;
    }

    /// Good rows frozen, in their order, with the sales that must not have been entered meanwhile.
    pub(crate) fn freeze_rows(
        &self,
        seal: &DataKey,
        profile: &Profile,
        good: Vec<Good>,
    ) -> Result<(NewSubmissions, Vec<Unsold>), Error> {
        let items: Vec<ContractItem> = good.iter().map(|row| row.item.clone()).collect();
        let ids: Vec<String> = good
            .iter()
            .map(|_| self.context.ids.uuid().to_string())
            .collect();
        // An unchecked row that the service refuses would leave its whole batch to a person, unless
        // the provider is known to make all of a batch or nothing.
        let together = profile.facts.bulk == BulkFact::AllOrNothing;
        let alone: Vec<bool> = good.iter().map(|row| !row.checked && !together).collect();
        let unsold = good
            .iter()
            .map(|row| Unsold {
                store: profile.store(),
                sale: sale::of(&row.item),
                beside: row.beside.clone(),
                except: None,
            })
            .collect();
        let freeze = NewSubmissions {
            batches: self.cut_and_freeze(seal, profile, &ids, &items, &alone)?,
            entries: ids
                .into_iter()
                .zip(good)
                .map(|(id, row)| {
                    Ok(NewEntry {
                        customer: seal.encrypt_json(
                            AssociatedData::Customer(&id),
                            &(&row.item.customer.name, &row.item.customer.email),
                        )?,
                        id,
                        item: row.item,
                        product_title: row.learned.product_title,
                        plan_title: row.learned.plan_title,
                        price_checked: row.learned.price_checked,
                        replaces: None,
                    })
                })
                .collect::<Result<_, Error>>()?,
            ..self.freeze_for(profile)
        };
        Ok((freeze, unsold))
    }
}

fn pair(item: &ContractItem) -> Pair {
    (item.product.reference_id.clone(), item.plan.plan_id.clone())
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
