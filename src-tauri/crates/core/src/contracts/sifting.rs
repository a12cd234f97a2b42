//! Many rows parted into those that may be entered, those entered before and those for a person.
//!
//! Owns the verdict on a row and what the service was asked about its product and plan. Keeps
//! nothing of a row itself.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::StreamExt as _;
use sha2::{Digest as _, Sha256};
use warranty_api::{ContractItem, Personal, PlanId, ProductReference};

use super::check::{self, PlanSeen};
use super::known::codes_of;
use super::{Confirmed, EntryDraft, Question, SubmissionView, validation};
use crate::outbox::SubmissionState;
use crate::profile::{BulkFact, Profile};
use crate::seal::SealKey;
use crate::store::submissions::{Earlier, Freeze, NewEntry, Sale, Unsold};
use crate::{Desk, Error, Field, FieldProblem, Problem};

/// Plans asked about at once.
const ASKED_AT_ONCE: usize = 4;
/// Answers about plans kept at once; beyond that they are asked for anew.
const MOST_KEPT: usize = 10_000;
/// After the service could not be asked, rows are taken unchecked for so long.
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// A product and a plan of it.
type Pair = (ProductReference, PlanId);

/// A row to be judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// As written.
    pub draft: &'a EntryDraft,
    /// What a person said yes to.
    pub confirmed: &'a [Confirmed],
    /// What reading the row left open.
    pub asks: &'a [Question],
    /// Why none of its fields can be trusted.
    pub broken: Option<FieldProblem>,
}

/// A row that may be entered.
#[derive(Clone)]
pub(crate) struct Good {
    /// What is to be created.
    pub item: ContractItem,
    /// Whether the service was asked about its product and plan.
    pub checked: bool,
    /// The earlier entries beside which a person wants a second contract of its sale.
    pub beside: Vec<Option<String>>,
    learned: check::Learned,
}

/// What is to become of a row.
pub(crate) enum Verdict {
    /// It may be entered.
    Good(Box<Good>),
    /// Its sale was entered before.
    Already {
        /// The earlier entry.
        submission_id: String,
        /// Where that stands.
        state: SubmissionState,
        /// In what the row differs from it.
        fields: Vec<Field>,
    },
    /// It cannot be used, or a person must answer first.
    Bad {
        /// What is wrong.
        problems: Vec<FieldProblem>,
        /// What a person would have to answer.
        questions: Vec<Question>,
    },
}

/// A row whose fields are sound.
struct Sound<'a> {
    item: ContractItem,
    /// Whether the row itself says when.
    dated: bool,
    confirmed: &'a [Confirmed],
    asks: &'a [Question],
    /// An earlier entry of the same sale, given up in doubt.
    doubt: Option<Earlier>,
}

/// What the service said of pairs of product and plan, each asked for once.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    seen: Mutex<HashMap<Pair, PlanSeen>>,
    unreachable: AtomicBool,
    /// When it became unreachable, on the monotonic clock.
    since: Mutex<Option<Duration>>,
}

/// Sales seen so far, by a digest each: a long file's customers are not held in memory.
#[derive(Default)]
pub(crate) struct Seen(HashSet<[u8; 16]>);

impl Seen {
    /// Notes a sale; `true` when it was seen before.
    pub(crate) fn again(&mut self, (transaction_id, product, plan): &Sale) -> bool {
        let mut digest = Sha256::new();
        for part in [transaction_id, product, plan] {
            digest.update(part.len().to_le_bytes());
            digest.update(part.as_bytes());
        }
        let mut short = [0; 16];
        short.copy_from_slice(&digest.finalize()[..16]);
        !self.0.insert(short)
    }
}

impl Asked {
    fn seen(&self) -> MutexGuard<'_, HashMap<Pair, PlanSeen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the service be asked again, a while after it could not be.
    fn begin(&self, now: Duration) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if self.unreachable.load(Ordering::Relaxed) {
            let at = *since.get_or_insert(now);
            if now.saturating_sub(at) >= ASK_AGAIN {
                *since = None;
                self.unreachable.store(false, Ordering::Relaxed);
            }
        }
    }
}

impl Desk {
    /// Judges rows, in their order. A row that does not say when was sold when the rows were handed
    /// in, however much later its turn comes. `again` says of each sale whether it stood on an
    /// earlier row; `progress` hears how many rows more are done.
    pub(crate) async fn sift(
        &self,
        profile: &Profile,
        rows: &[Row<'_>],
        handed_in: DateTime<Utc>,
        asked: &Asked,
        again: &mut (dyn FnMut(&Sale) -> bool + Send),
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<Vec<Verdict>, Error> {
        let now = self.inner.clock.now();
        let codes: Vec<_> = rows.iter().flat_map(|row| codes_of(row.draft)).collect();
        let known = self.known_codes(profile, &codes).await;
        let mut verdicts: Vec<Option<Verdict>> = Vec::with_capacity(rows.len());
        let mut sound: Vec<(usize, Sound<'_>)> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            verdicts.push(row.broken.map(|broken| bad(vec![broken])));
            if row.broken.is_some() {
                continue;
            }
            match validation::entry(row.draft, handed_in, profile.zone(), &known) {
                Err(problems) => verdicts[index] = Some(bad(problems)),
                // No yes covers a row of the same rows: what a person was shown was entered before.
                Ok(item) if again(&check::sale(&item)) => verdicts[index] = Some(repeated()),
                Ok(item) => sound.push((
                    index,
                    Sound {
                        item,
                        dated: !row.draft.transaction_date.trim().is_empty(),
                        confirmed: row.confirmed,
                        asks: row.asks,
                        doubt: None,
                    },
                )),
            }
        }
        let sales = sound
            .iter()
            .map(|(_, row)| check::sale(&row.item))
            .collect();
        let earlier = self.earlier(profile, sales, None).await?;
        let gap = self.gap().await?;
        let mut fresh = Vec::new();
        for ((index, row), earlier) in sound.into_iter().zip(earlier) {
            let earlier = earlier.or_else(|| gap?.earlier(&row.item, row.dated, now));
            let beside = check::beside(row.confirmed);
            match earlier {
                // Whether it was sold is not known: a person answers for a second one.
                Some(earlier) if earlier.is_doubt() => fresh.push((
                    index,
                    Sound {
                        doubt: Some(earlier),
                        ..row
                    },
                )),
                Some(Earlier { id: Some(id), .. }) if !beside.contains(&Some(id.clone())) => {
                    let before = self.submission(&id).await?;
                    verdicts[index] = Some(Verdict::Already {
                        fields: differences(&row.item, row.dated, &before),
                        state: before.state,
                        submission_id: id,
                    });
                }
                Some(_) | None => fresh.push((index, row)),
            }
        }
        progress(count(rows.len() - fresh.len()));
        self.ask_about_all(profile, &fresh, asked, progress).await;
        for (index, row) in fresh {
            let pair = pair(&row.item);
            let plan = asked.seen().get(&pair).cloned();
            let plan = plan.unwrap_or(PlanSeen::NotAsked);
            let mut check = check::judge(&row.item, &plan, now);
            check
                .questions
                .extend(row.doubt.map(|doubt| check::second(doubt, profile)));
            let asks = row.asks.iter().filter(|ask| !is_known(ask, &plan));
            check.questions.extend(asks.cloned());
            check
                .questions
                .retain(|question| !question.is_answered_by(row.confirmed));
            verdicts[index] = Some(if check.problems.is_empty() && check.questions.is_empty() {
                Verdict::Good(Box::new(Good {
                    checked: plan.is_checked(),
                    beside: check::beside(row.confirmed),
                    learned: self.learned(profile, &row.item, &plan).await?,
                    item: row.item,
                }))
            } else {
                Verdict::Bad {
                    problems: check.problems,
                    questions: check.questions,
                }
            });
        }
        Ok(verdicts.into_iter().flatten().collect())
    }

    /// Asks the service about each pair of product and plan that it was not asked about yet, a few
    /// at a time.
    async fn ask_about_all(
        &self,
        profile: &Profile,
        rows: &[(usize, Sound<'_>)],
        asked: &Asked,
        progress: &(dyn Fn(u32) + Sync),
    ) {
        asked.begin(self.inner.clock.monotonic());
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
        let client = if asked.unreachable.load(Ordering::Relaxed) {
            None
        } else {
            self.client_to_check(profile).await
        };
        if client.is_none() {
            asked.unreachable.store(true, Ordering::Relaxed);
        }
        let client = client.as_ref();
        futures::stream::iter(pairs)
            .map(|((product, plan), rows)| async move {
                let seen = self
                    .ask_about(profile, client, &product, &plan, &asked.unreachable)
                    .await;
                progress(rows);
                ((product, plan), seen)
            })
            .buffer_unordered(ASKED_AT_ONCE)
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
        seal: &SealKey,
        profile: &Profile,
        good: Vec<Good>,
    ) -> Result<(Freeze, Vec<Unsold>), Error> {
        let items: Vec<ContractItem> = good.iter().map(|row| row.item.clone()).collect();
        let ids: Vec<String> = good
            .iter()
            .map(|_| self.inner.ids.uuid().to_string())
            .collect();
        // An unchecked row that the service refuses would leave its whole batch to a person, unless
        // the provider is known to make all of a batch or nothing.
        let together = profile.facts.bulk == BulkFact::AllOrNothing;
        let alone: Vec<bool> = good.iter().map(|row| !row.checked && !together).collect();
        let unsold = good
            .iter()
            .map(|row| Unsold {
                store: profile.store(),
                sale: check::sale(&row.item),
                beside: row.beside.clone(),
                except: None,
            })
            .collect();
        let freeze = Freeze {
            batches: self.cut_and_freeze(seal, profile, &ids, &items, &alone)?,
            entries: ids
                .into_iter()
                .zip(good)
                .map(|(id, row)| {
                    Ok(NewEntry {
                        customer: seal.seal_customer(&id, &row.item)?,
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

/// In which of the codes that make a sale an item is another one than an entry.
pub(super) fn codes_differ(item: &ContractItem, before: &SubmissionView) -> Vec<Field> {
    [
        (
            Field::TransactionId,
            item.transaction_id != before.transaction_id,
        ),
        (
            Field::ProductReferenceId,
            item.product.reference_id != before.product_reference_id,
        ),
        (Field::PlanId, item.plan.plan_id != before.plan_id),
    ]
    .into_iter()
    .filter_map(|(field, differs)| differs.then_some(field))
    .collect()
}

/// What an item says otherwise than an entry of the same sale; one that is not dated says nothing of
/// when it was sold.
pub(super) fn differences(item: &ContractItem, dated: bool, before: &SubmissionView) -> Vec<Field> {
    // A customer that cannot be read says nothing.
    let differs =
        |now: &Personal, then: &Option<Personal>| then.as_ref().is_some_and(|then| then != now);
    let date_differs = item.transaction_date.get() != before.transaction_date.get();
    [
        (
            Field::TransactionTotal,
            item.transaction_total != before.transaction_total,
        ),
        (Field::TransactionDate, dated && date_differs),
        (
            Field::CustomerName,
            differs(&item.customer.name, &before.customer_name),
        ),
        (
            Field::CustomerEmail,
            differs(&item.customer.email, &before.customer_email),
        ),
        (
            Field::ProductPurchasePrice,
            item.product.purchase_price != before.product_purchase_price,
        ),
        (
            Field::PlanPurchasePrice,
            item.plan.purchase_price != before.plan_purchase_price,
        ),
    ]
    .into_iter()
    .filter_map(|(field, differs)| differs.then_some(field))
    .collect()
}

/// Whether the service has answered a question: it has a product and a plan of just these codes.
fn is_known(question: &Question, plan: &PlanSeen) -> bool {
    let of_service = matches!(
        question,
        Question::CellText {
            field: Field::ProductReferenceId | Field::PlanId,
            ..
        }
    );
    of_service && matches!(plan, PlanSeen::Fits(_))
}

fn pair(item: &ContractItem) -> Pair {
    (item.product.reference_id.clone(), item.plan.plan_id.clone())
}

fn bad(problems: Vec<FieldProblem>) -> Verdict {
    Verdict::Bad {
        problems,
        questions: Vec::new(),
    }
}

/// The same sale stands on an earlier row.
pub(crate) fn repeated() -> Verdict {
    bad(vec![FieldProblem {
        field: Field::TransactionId,
        problem: Problem::RepeatedRow,
    }])
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
