//! Entering contracts: one at the counter, or many rows of a file.
//!
//! Owns that an entry is checked, frozen and committed before anything is shown as done, and that
//! the same entry, asked for twice, is one contract.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use futures::StreamExt as _;
use uuid::Uuid;
use warranty_api::{ContractItem, Personal, PlanId, ProductReference};

use super::check::{self, PlanSeen};
use super::{
    Confirmed, DifferingRow, EnterMode, EnterReport, EntryDraft, Question, RejectedRow,
    SubmissionView, validation,
};
use crate::profile::{BulkFact, Profile};
use crate::seal::SealKey;
use crate::store::submissions::{self, Earlier, Freeze, Frozen, NewEntry, Sale};
use crate::{Desk, Error, Field, FieldProblem, Problem};

/// Plans asked about at once.
const ASKED_AT_ONCE: usize = 4;

/// A row whose fields are sound.
struct Row {
    index: u32,
    item: ContractItem,
    /// Whether the row itself says when.
    dated: bool,
    /// An earlier entry of the same sale, given up in doubt.
    doubt: Option<Earlier>,
}

/// A row that may be entered.
struct Good {
    item: ContractItem,
    /// Whether the service was asked about its product and plan.
    checked: bool,
    titles: check::Titles,
}

impl Desk {
    /// Registers one contract: checked, frozen and committed before it returns. `id` is the
    /// caller's UUID of this entry: the same id twice is one contract.
    ///
    /// # Errors
    /// [`Error::Input`] with every field that cannot be used; [`Error::Questions`] with what a
    /// person has not said yes to; [`Error::NotKnown`] when `id` is no UUID; [`Error::InUse`];
    /// [`Error::NoProfile`]; [`Error::ProfileMoved`]; [`Error::Vault`] and [`Error::KeyLost`] when
    /// the customer cannot be sealed; [`Error::Store`]: then nothing was kept and nothing is sent.
    pub async fn contract_register(
        &self,
        id: &str,
        draft: &EntryDraft,
        confirmed: &[Confirmed],
    ) -> Result<SubmissionView, Error> {
        self.writable()?;
        let id = Uuid::parse_str(id)
            .map_err(|_| Error::NotKnown(id.to_owned()))?
            .to_string();
        if let Some(known) = self.known_submission(&id).await? {
            return Ok(known);
        }
        let profile = self.profile_now().await?;
        let now = self.inner.clock.now();
        let item =
            validation::entry(draft, now, profile.utc_offset_minutes).map_err(Error::Input)?;
        let (check, (product_title, plan_title)) =
            self.check_item(&profile, &item, Some(&id)).await?;
        if !check.problems.is_empty() {
            return Err(Error::Input(check.problems));
        }
        let open: Vec<Question> = check
            .questions
            .into_iter()
            .filter(|question| !question.is_answered_by(confirmed))
            .collect();
        if !open.is_empty() {
            return Err(Error::Questions(open));
        }
        let seal = self.sealing_key(&profile).await?;
        let sale = check::sale(&item);
        let freeze = Freeze {
            batches: self.cut_and_freeze(
                &seal,
                std::slice::from_ref(&id),
                std::slice::from_ref(&item),
                &[],
            )?,
            entries: vec![NewEntry {
                id: id.clone(),
                customer: seal.seal_customer(&id, &item)?,
                item,
                product_title,
                plan_title,
                replaces: None,
            }],
            lines: vec![self.journal_line("contract.registered", &id, None)],
            ..self.freeze_for(&profile)
        };
        // A second entry of the same sale may have come in while the service was asked.
        let unless = if confirmed.contains(&Confirmed::SecondContract) {
            Vec::new()
        } else {
            vec![sale.clone()]
        };
        match self.freeze(freeze, unless).await? {
            Frozen::Done | Frozen::SameId => {}
            Frozen::SoldMeanwhile => {
                let earlier = self.earlier(&profile, vec![sale], None).await?;
                let questions = earlier.into_iter().flatten().map(check::second).collect();
                return Err(Error::Questions(questions));
            }
            Frozen::ProfileMoved => return Err(Error::ProfileMoved),
        }
        self.publish(&profile.id).await;
        self.submission(&id).await
    }

    /// Checks many rows and, unless it is a dry run, enters the good ones durably, in one
    /// transaction. Rows entered before are passed over and counted. Rows that a person would have
    /// to answer for are reported and not entered. While the service cannot be reached, rows are
    /// entered unchecked and wait.
    ///
    /// `progress` hears how many rows are done, of how many.
    ///
    /// # Errors
    /// [`Error::InUse`]; [`Error::NoProfile`]; [`Error::ProfileMoved`]; [`Error::RescueNotSeen`]
    /// unless it is a dry run; [`Error::Vault`] and [`Error::KeyLost`] when customers cannot be
    /// sealed; [`Error::Store`]: then nothing was kept.
    pub async fn contracts_enter(
        &self,
        rows: &[EntryDraft],
        mode: EnterMode,
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<EnterReport, Error> {
        match mode {
            EnterMode::DryRun => {}
            EnterMode::AllOrNothing | EnterMode::GoodRows => {
                self.writable()?;
                // The same file may have been entered and sent after the copy was taken.
                if self.rescue_summary().await?.is_some() {
                    return Err(Error::RescueNotSeen);
                }
            }
        }
        let profile = self.profile_now().await?;
        // Before the long part: without a key nothing could be kept at its end.
        let seal = match mode {
            EnterMode::DryRun => None,
            EnterMode::AllOrNothing | EnterMode::GoodRows => {
                Some(self.sealing_key(&profile).await?)
            }
        };
        loop {
            let (mut report, good) = self.sift(&profile, rows, progress).await?;
            let keep = match mode {
                EnterMode::DryRun => false,
                EnterMode::AllOrNothing => report.rejected.is_empty(),
                EnterMode::GoodRows => true,
            };
            let Some(seal) = seal.as_deref().filter(|_| keep && !good.is_empty()) else {
                return Ok(report);
            };
            let (freeze, sales) = self.freeze_rows(seal, &profile, good)?;
            let ids: Vec<String> = freeze
                .entries
                .iter()
                .map(|entry| entry.id.clone())
                .collect();
            match self.freeze(freeze, sales).await? {
                Frozen::Done => {
                    report.entered = count(ids.len());
                    report.submission_ids = ids;
                    self.publish(&profile.id).await;
                    return Ok(report);
                }
                // Entered at the counter while the file was checked: look again.
                Frozen::SameId | Frozen::SoldMeanwhile => {}
                Frozen::ProfileMoved => return Err(Error::ProfileMoved),
            }
        }
    }

    /// Parts rows into those that may be entered and those that may not.
    async fn sift(
        &self,
        profile: &Profile,
        rows: &[EntryDraft],
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<(EnterReport, Vec<Good>), Error> {
        let now = self.inner.clock.now();
        let total = count(rows.len());
        let mut report = EnterReport {
            rows: total,
            ..EnterReport::default()
        };
        let mut sound = Vec::new();
        let mut seen = HashSet::new();
        for (index, draft) in (0_u32..).zip(rows) {
            match validation::entry(draft, now, profile.utc_offset_minutes) {
                Err(problems) => report.rejected.push(rejected(index, problems)),
                Ok(item) if !seen.insert(check::sale(&item)) => {
                    report.rejected.push(rejected(
                        index,
                        vec![FieldProblem {
                            field: Field::TransactionId,
                            problem: Problem::RepeatedRow,
                        }],
                    ));
                }
                Ok(item) => sound.push(Row {
                    index,
                    item,
                    dated: !draft.transaction_date.trim().is_empty(),
                    doubt: None,
                }),
            }
        }
        let sales = sound.iter().map(|row| check::sale(&row.item)).collect();
        let earlier = self.earlier(profile, sales, None).await?;
        let mut fresh = Vec::new();
        for (row, earlier) in sound.into_iter().zip(earlier) {
            match earlier {
                // Whether it was sold is not known: a person answers for a second one.
                Some(earlier) if earlier.is_doubt() => fresh.push(Row {
                    doubt: Some(earlier),
                    ..row
                }),
                Some(Earlier { id: Some(id), .. }) => {
                    let before = self.submission(&id).await?;
                    let fields = differences(&row, &before);
                    if !fields.is_empty() {
                        report.differing.push(DifferingRow {
                            index: row.index,
                            submission_id: id.clone(),
                            state: before.state,
                            fields,
                        });
                    }
                    report.already_submission_ids.push(id);
                }
                Some(Earlier { id: None, .. }) | None => fresh.push(row),
            }
        }
        report.already_entered = count(report.already_submission_ids.len());
        let done = total.saturating_sub(count(fresh.len()));
        progress(done, total);
        let plans = self
            .ask_about_all(profile, &fresh, done, total, progress)
            .await;
        let mut good = Vec::new();
        for row in fresh {
            let plan = plans.get(&pair(&row.item)).unwrap_or(&PlanSeen::NotAsked);
            let mut check = check::judge(&row.item, plan, now);
            check.questions.extend(row.doubt.map(check::second));
            if check.problems.is_empty() && check.questions.is_empty() {
                report.unchecked += u32::from(matches!(plan, PlanSeen::NotAsked));
                good.push(Good {
                    item: row.item,
                    checked: !matches!(plan, PlanSeen::NotAsked),
                    titles: check::titles(plan),
                });
            } else {
                report.rejected.push(RejectedRow {
                    index: row.index,
                    problems: check.problems,
                    questions: check.questions,
                });
            }
        }
        report.rejected.sort_by_key(|row| row.index);
        Ok((report, good))
    }

    /// Asks the service about each pair of product and plan once, a few at a time.
    async fn ask_about_all(
        &self,
        profile: &Profile,
        rows: &[Row],
        done: u32,
        total: u32,
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> HashMap<(ProductReference, PlanId), PlanSeen> {
        let mut pairs: HashMap<_, u32> = HashMap::new();
        for row in rows {
            *pairs.entry(pair(&row.item)).or_default() += 1;
        }
        let client = self.client_to_check(profile).await;
        let (client, unreachable) = (client.as_ref(), &AtomicBool::new(false));
        let done = &AtomicU32::new(done);
        futures::stream::iter(pairs)
            .map(|((product, plan), rows)| async move {
                let seen = self
                    .ask_about(profile, client, &product, &plan, unreachable)
                    .await;
                progress(done.fetch_add(rows, Ordering::Relaxed) + rows, total);
                ((product, plan), seen)
            })
            .buffer_unordered(ASKED_AT_ONCE)
            .collect()
            .await
    }

    fn freeze_rows(
        &self,
        seal: &SealKey,
        profile: &Profile,
        good: Vec<Good>,
    ) -> Result<(Freeze, Vec<Sale>), Error> {
        let items: Vec<ContractItem> = good.iter().map(|row| row.item.clone()).collect();
        let ids: Vec<String> = good
            .iter()
            .map(|_| self.inner.ids.uuid().to_string())
            .collect();
        // An unchecked row that the service refuses would leave its whole batch to a person, unless
        // the provider is known to make all of a batch or nothing.
        let together = profile.facts.bulk == BulkFact::AllOrNothing;
        let alone: Vec<bool> = good.iter().map(|row| !row.checked && !together).collect();
        let sales = items.iter().map(check::sale).collect();
        let detail = format!("{} contracts", good.len());
        let freeze = Freeze {
            batches: self.cut_and_freeze(seal, &ids, &items, &alone)?,
            entries: ids
                .into_iter()
                .zip(good)
                .map(|(id, row)| {
                    Ok(NewEntry {
                        customer: seal.seal_customer(&id, &row.item)?,
                        id,
                        item: row.item,
                        product_title: row.titles.0,
                        plan_title: row.titles.1,
                        replaces: None,
                    })
                })
                .collect::<Result<_, Error>>()?,
            lines: vec![self.journal_line("contracts.entered", &profile.name, Some(&detail))],
            ..self.freeze_for(profile)
        };
        Ok((freeze, sales))
    }

    async fn freeze(&self, freeze: Freeze, unless_sold: Vec<Sale>) -> Result<Frozen, Error> {
        Ok(self
            .inner
            .store
            .write(move |transaction| submissions::freeze(transaction, &freeze, &unless_sold))
            .await?)
    }
}

impl Question {
    /// Whether a person has said yes to this kind of question.
    pub(crate) fn is_answered_by(&self, confirmed: &[Confirmed]) -> bool {
        let kind = match self {
            Self::ChangedPrice { .. } => Confirmed::ChangedPrice,
            Self::SecondContract { .. } => Confirmed::SecondContract,
        };
        confirmed.contains(&kind)
    }

    /// Whether it is about the plan's price.
    pub(crate) fn is_about_price(&self) -> bool {
        self.is_answered_by(&[Confirmed::ChangedPrice])
    }
}

/// What a row says otherwise than the entry of its sale; a row without a date says nothing of it.
fn differences(row: &Row, before: &SubmissionView) -> Vec<Field> {
    let item = &row.item;
    // A customer that cannot be read says nothing.
    let differs =
        |now: &Personal, then: &Option<Personal>| then.as_ref().is_some_and(|then| then != now);
    let date_differs = item.transaction_date.get() != before.transaction_date.get();
    [
        (
            Field::TransactionTotal,
            item.transaction_total != before.transaction_total,
        ),
        (Field::TransactionDate, row.dated && date_differs),
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

fn pair(item: &ContractItem) -> (ProductReference, PlanId) {
    (item.product.reference_id.clone(), item.plan.plan_id.clone())
}

fn rejected(index: u32, problems: Vec<FieldProblem>) -> RejectedRow {
    RejectedRow {
        index,
        problems,
        questions: Vec::new(),
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
