//! The verdict about one row of many.

use chrono::{DateTime, Utc};

use super::equal_rows::{DuplicateDetector, SaleKey, Stated, Taken, count};
use super::preflight::{PlanFindings, PlanSeen};
use super::sale::{self, Earlier, Sale};
use super::validation::{KnownCodes, ValidEntry};
use super::{Confirmed, EntryCheck, EntryTexts, Question, Warning};
use crate::interface::ContractItem;
use crate::submission_state::SubmissionState;
use crate::time_zone::Zone;
use crate::{Field, FieldProblem, Problem};

pub struct Row<'a> {
    /// Line of the file it begins on.
    pub line: u32,
    /// As written.
    pub texts: EntryTexts<'a>,
    pub confirmed: Vec<Confirmed>,
    /// The questions that reading the row raised.
    pub asks: Vec<Question>,
    /// Why none of its fields can be trusted.
    pub broken: Option<FieldProblem>,
    /// Whether it has no date and must have one.
    pub undated: bool,
    /// Whether it is of an exported list in which its sale was registered or cancelled.
    pub exported: bool,
}

impl<'a> Row<'a> {
    /// The questions about its cells that have no answer yet.
    pub fn open_questions(&self) -> impl Iterator<Item = &Question> {
        let asks = self.asks.iter();
        asks.filter(|ask| !ask.is_answered_by(&self.confirmed))
    }

    /// The check of a row that has these problems. Whether a transaction is meant as it is read only
    /// the person knows; product and plan are asked about once the service was.
    pub fn failed(&self, problems: Vec<FieldProblem>) -> EntryCheck {
        let of = Field::TransactionId;
        let is_valid = problems.iter().all(|problem| problem.field != of);
        let asks = self.open_questions().filter(|ask| {
            is_valid && matches!(ask, Question::CellText { field, .. } if *field == of)
        });
        EntryCheck {
            questions: asks.cloned().collect(),
            ..EntryCheck::failed(problems)
        }
    }

    fn sound(
        &'a self,
        handed_in: DateTime<Utc>,
        zone: Zone,
        known: &KnownCodes,
    ) -> Result<ValidEntry<'a>, Vec<FieldProblem>> {
        if let Some(broken) = self.broken {
            return Err(vec![broken]);
        }
        let sound = ValidEntry::of(self.texts, handed_in, zone, known);
        if self.undated {
            let mut problems = sound.err().unwrap_or_default();
            problems.push(FieldProblem::new(Field::TransactionDate, Problem::Missing));
            return Err(problems);
        }
        sound
    }
}

#[derive(Clone)]
pub struct Good {
    pub item: ContractItem,
    pub warnings: Vec<Warning>,
    /// The earlier entries of its sale, beside which it may be another one.
    pub beside: Vec<Option<String>>,
    /// What was found out about its product and plan.
    pub findings: PlanFindings,
}

pub enum Verdict {
    Good(Box<Good>),
    /// Its sale was entered before.
    Already {
        submission_id: String,
        state: SubmissionState,
        /// In what the row differs from it.
        fields: Vec<Field>,
    },
    /// It cannot be used, or a person must answer first.
    Bad(EntryCheck),
}

impl Good {
    /// Whether the service could not be asked about its product and plan.
    pub fn is_unchecked(&self) -> bool {
        self.warnings.contains(&Warning::NotChecked)
    }
}

/// A row whose fields are sound.
pub struct ValidRow<'a> {
    pub item: ContractItem,
    pub sale: Sale,
    pub key: SaleKey,
    pub row: &'a Row<'a>,
    /// The earlier entries of the same sale, the newest first.
    pub earlier: Vec<Earlier>,
}

impl ValidRow<'_> {
    pub fn dated(&self) -> bool {
        !self.row.texts.transaction_date.trim().is_empty()
    }

    /// Its contents, to be compared with other rows.
    pub fn stated(&self) -> Stated<'_> {
        Stated {
            sale: self.key,
            line: self.row.line,
            item: &self.item,
            dated: self.dated(),
            confirmed: &self.row.confirmed,
        }
    }

    /// The earlier entries that rows of this sale may represent, newest first.
    pub fn open(&self) -> impl DoubleEndedIterator<Item = (&str, &Earlier)> {
        let standing = self.earlier.iter().filter(|entry| !entry.is_unknown());
        standing.filter_map(|entry| Some((entry.id.as_deref()?, entry)))
    }

    /// How many of them are represented by rows that are not judged together with this one.
    pub fn elsewhere(&self, seen: &DuplicateDetector) -> u32 {
        let taken = |(id, _): &(&str, _)| {
            seen.taken_elsewhere(id) != Taken::No && !seen.is_taken(self.key, id)
        };
        count(self.open().filter(taken))
    }

    /// The earlier entries about which a person is asked whether this row, which represents no entry,
    /// is another sale: entries of unknown outcome, and the entry it would represent if codes that are
    /// written differently, the stores, or day and customer were the same.
    pub fn in_question(&self, seen: &DuplicateDetector) -> Vec<&Earlier> {
        let beside = sale::beside(&self.row.confirmed);
        let free = |id: &str| seen.taken_elsewhere(id) == Taken::No && !seen.is_taken(self.key, id);
        let newest = |other_store| {
            let open = self
                .open()
                .filter(|(_, one)| one.other_store == other_store);
            let mut open = open.take_while(|(_, entry)| !beside.contains(&entry.id));
            open.find(|(id, _)| free(id))
        };
        let others = [false, true].into_iter().filter_map(newest);
        sale::unknown(&self.earlier)
            .chain(others.map(|(_, entry)| entry))
            .collect()
    }
}

/// Rows whose fields are sound, and what is wrong with the others.
pub fn read<'a>(
    rows: &'a [Row<'a>],
    handed_in: DateTime<Utc>,
    zone: Zone,
    known: &KnownCodes,
) -> impl Iterator<Item = Result<ValidRow<'a>, Vec<FieldProblem>>> {
    rows.iter().map(move |row| {
        let sound = row.sound(handed_in, zone, known)?;
        let key = key(&sound);
        let item = sound.into_item()?;
        Ok(ValidRow {
            key,
            sale: sale::of(&item),
            item,
            row,
            earlier: Vec::new(),
        })
    })
}

/// The sales of rows whose fields are sound, with their lines.
pub fn sales(
    rows: &[Row<'_>],
    handed_in: DateTime<Utc>,
    zone: Zone,
    known: &KnownCodes,
) -> impl Iterator<Item = (SaleKey, u32)> {
    rows.iter().filter_map(move |row| {
        let sound = row.sound(handed_in, zone, known).ok()?;
        Some((key(&sound), row.line))
    })
}

/// Sales whose transactions differ only in capitals are judged together.
fn key(entry: &ValidEntry<'_>) -> SaleKey {
    let [transaction, product, plan] = entry.sale();
    SaleKey::of([&transaction.to_ascii_lowercase(), product, plan])
}

/// Whether the service has answered a question: it has a product and a plan of just these codes.
pub fn is_known(question: &Question, plan: &PlanSeen) -> bool {
    let of_service = matches!(
        question,
        Question::CellText {
            field: Field::ProductReferenceId | Field::PlanId,
            ..
        }
    );
    of_service && matches!(plan, PlanSeen::Fits(_))
}
