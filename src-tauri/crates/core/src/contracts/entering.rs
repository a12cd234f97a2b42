//! Entering contracts: one at the counter, or many rows of a file.
//!
//! Owns that an entry is checked, frozen and committed before anything is shown as done, and that
//! the same entry, asked for twice, is one contract.

use std::sync::atomic::{AtomicU32, Ordering};

use uuid::Uuid;
use warranty_api::ContractItem;

use super::check;
use super::equal::Seen;
use super::sifting::{self, Asked, Good, Row, Verdict};
use super::{
    Confirmed, DifferingRow, EnterMode, EnterReport, EntryDraft, Question, QuestionKind,
    RejectedRow, SubmissionView,
};
use crate::profile::Profile;
use crate::store::submissions::{self, Freeze, Frozen, NewEntry, Unsold};
use crate::{Desk, Error, FieldProblem};

impl Desk {
    /// Registers one contract: checked, frozen and committed before it returns. `id` is the
    /// caller's UUID of this entry: the same id twice is one contract.
    ///
    /// # Errors
    /// [`Error::AlreadyRegistered`] when an entry of this id was registered with other data;
    /// [`Error::KeptUnread`] when it was kept and could not be read back; [`Error::Input`] with every
    /// field that cannot be used; [`Error::Questions`] with what a person has not said yes to; [`Error::NotKnown`] when `id` is no UUID; [`Error::InUse`];
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
        let profile = self.profile_now().await?;
        self.compare_with_keychain(&profile).await?;
        let now = self.inner.clock.now();
        let read = self.read_entry(&profile, draft, now).await;
        if let Some(known) = self.known_submission(&id).await? {
            return same_entry(known, draft, read);
        }
        let item = read.map_err(Error::Input)?;
        let (check, learned) = self.check_item(&profile, &item, Some(&id)).await?;
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
                &profile,
                std::slice::from_ref(&id),
                std::slice::from_ref(&item),
                &[],
            )?,
            entries: vec![NewEntry {
                id: id.clone(),
                customer: seal.seal_customer(&id, &item)?,
                item,
                product_title: learned.product_title,
                plan_title: learned.plan_title,
                price_checked: learned.price_checked,
                replaces: None,
            }],
            lines: vec![self.journal_line("contract.registered", &id, None)],
            ..self.freeze_for(&profile)
        };
        // A second entry of the same sale may have come in while the service was asked.
        let unsold = Unsold {
            store: profile.store(),
            sale,
            beside: check::beside(confirmed),
            except: None,
        };
        match self.freeze(freeze, vec![unsold]).await? {
            Frozen::Done => {}
            // Registered by another call meanwhile.
            Frozen::SameId => {
                let known = self.submission(&id).await?;
                let read = self.read_entry(&profile, draft, now).await;
                return same_entry(known, draft, read);
            }
            Frozen::SoldMeanwhile(earlier) => {
                return Err(check::asked_about(earlier, &profile));
            }
            Frozen::ProfileMoved => return Err(Error::ProfileMoved),
        }
        self.publish(&profile.id).await;
        let kept = self.submission(&id).await;
        kept.map_err(|source| Error::KeptUnread {
            submission_id: id,
            source: Box::new(source),
        })
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
        let profile = self.profile_now().await?;
        match mode {
            EnterMode::DryRun => {}
            EnterMode::AllOrNothing | EnterMode::GoodRows => {
                self.writable()?;
                // The same file may have been entered and sent after the copy was taken.
                self.nothing_unseen(&profile).await?;
            }
        }
        // Before the long part: without a key nothing could be kept at its end.
        let seal = match mode {
            EnterMode::DryRun => None,
            EnterMode::AllOrNothing | EnterMode::GoodRows => {
                Some(self.sealing_key(&profile).await?)
            }
        };
        loop {
            let (mut report, good) = self.part(&profile, rows, progress).await?;
            let keep = match mode {
                EnterMode::DryRun => false,
                EnterMode::AllOrNothing => report.rejected.is_empty(),
                EnterMode::GoodRows => true,
            };
            let Some(seal) = seal.as_deref().filter(|_| keep && !good.is_empty()) else {
                return Ok(report);
            };
            let (mut freeze, sales) = self.freeze_rows(seal, &profile, good)?;
            let detail = format!("{} contracts", freeze.entries.len());
            freeze.lines =
                vec![self.journal_line("contracts.entered", &profile.name, Some(&detail))];
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
                Frozen::SameId | Frozen::SoldMeanwhile(_) => {}
                Frozen::ProfileMoved => return Err(Error::ProfileMoved),
            }
        }
    }

    /// Parts rows into those that may be entered and those that may not.
    async fn part(
        &self,
        profile: &Profile,
        rows: &[EntryDraft],
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<(EnterReport, Vec<Good>), Error> {
        let total = count(rows.len());
        let mut report = EnterReport {
            rows: total,
            ..EnterReport::default()
        };
        let looked_at: Vec<Row> = (1..)
            .zip(rows)
            .map(|(line, draft)| Row {
                line,
                draft: draft.clone(),
                confirmed: Vec::new(),
                asks: Vec::new(),
                broken: None,
            })
            .collect();
        let (mut seen, done) = (Seen::default(), AtomicU32::new(0));
        let verdicts = self
            .sift(
                profile,
                &looked_at,
                self.inner.clock.now(),
                &Asked::default(),
                &mut seen,
                &|more| progress(done.fetch_add(more, Ordering::Relaxed) + more, total),
            )
            .await?;
        let mut good = Vec::new();
        for (index, verdict) in (0_u32..).zip(verdicts) {
            match verdict {
                Verdict::Good(row) => {
                    report.unchecked += u32::from(!row.checked);
                    good.push(*row);
                }
                Verdict::Already {
                    submission_id,
                    state,
                    fields,
                } => {
                    if !fields.is_empty() {
                        report.differing.push(DifferingRow {
                            index,
                            submission_id: submission_id.clone(),
                            state,
                            fields,
                        });
                    }
                    report.already_submission_ids.push(submission_id);
                }
                Verdict::Bad {
                    problems,
                    questions,
                    ..
                } => report.rejected.push(RejectedRow {
                    index,
                    problems,
                    questions,
                }),
            }
        }
        report.already_entered = count(report.already_submission_ids.len());
        Ok((report, good))
    }

    async fn freeze(&self, freeze: Freeze, unsold: Vec<Unsold>) -> Result<Frozen, Error> {
        Ok(self
            .inner
            .store
            .write(move |transaction| submissions::freeze(transaction, &freeze, &unsold))
            .await?)
    }
}

/// The entry that was registered under an id before, when it says the same.
fn same_entry(
    known: SubmissionView,
    draft: &EntryDraft,
    read: Result<ContractItem, Vec<FieldProblem>>,
) -> Result<SubmissionView, Error> {
    let fields = match read {
        Ok(item) => {
            let dated = !draft.transaction_date.trim().is_empty();
            let mut fields = sifting::codes_differ(&item, &known);
            fields.extend(sifting::differences(&item, dated, &known));
            fields
        }
        Err(problems) => problems.iter().map(|problem| problem.field).collect(),
    };
    if fields.is_empty() {
        Ok(known)
    } else {
        Err(Error::AlreadyRegistered {
            submission_id: known.id,
            fields,
        })
    }
}

impl Question {
    /// What kind of question it is.
    #[must_use]
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::ChangedPrice { .. } => QuestionKind::ChangedPrice,
            Self::PriceNotUnderstood { .. } => QuestionKind::PriceNotUnderstood,
            Self::SecondContract { .. } => QuestionKind::SecondContract,
            Self::RepeatedRow { .. } => QuestionKind::RepeatedRow,
            Self::CellText { .. } => QuestionKind::CellText,
        }
    }

    /// A person's yes to it.
    #[must_use]
    pub fn yes(&self) -> Confirmed {
        match self {
            Self::ChangedPrice { current, .. } => Confirmed::ChangedPrice { current: *current },
            Self::PriceNotUnderstood { current, .. } => Confirmed::PriceNotUnderstood {
                current: current.clone(),
            },
            Self::SecondContract { submission_id, .. } => Confirmed::SecondContract {
                submission_id: submission_id.clone(),
            },
            Self::RepeatedRow { line, nth } => Confirmed::RepeatedRow {
                line: *line,
                nth: *nth,
            },
            Self::CellText { cell, text, .. } => Confirmed::CellText {
                cell: cell.clone(),
                text: text.clone(),
            },
        }
    }

    /// Whether a person has said yes to just this.
    pub(crate) fn is_answered_by(&self, confirmed: &[Confirmed]) -> bool {
        confirmed.contains(&self.yes())
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
