//! A row of many and what is to become of it.

use chrono::{DateTime, Utc};

use super::equal_rows::{DuplicateDetector, Stated, Taken};
use super::preflight::{PlanFindings, PlanSeen};
use super::sale::{self, Earlier, Sale};
use super::validation::{self, KnownCodes};
use super::{Confirmed, EntryDraft, Question, SubmissionView, Warning};
use crate::interface::{ContractItem, Personal};
use crate::submission_state::SubmissionState;
use crate::time_zone::Zone;
use crate::{Field, FieldProblem};

/// A row to be judged.
#[derive(Debug)]
pub struct Row {
    /// Line of the file it begins on.
    pub line: u32,
    /// As written.
    pub draft: EntryDraft,
    /// What a person said yes to.
    pub confirmed: Vec<Confirmed>,
    /// What reading the row left open.
    pub asks: Vec<Question>,
    /// Why none of its fields can be trusted.
    pub broken: Option<FieldProblem>,
}

/// A row that may be entered.
#[derive(Clone)]
pub struct Good {
    /// What is to be created.
    pub item: ContractItem,
    /// Whether the service was asked about its product and plan.
    pub checked: bool,
    /// What is odd but legal.
    pub warnings: Vec<Warning>,
    /// The earlier entries of its sale, beside which it may be another one.
    pub beside: Vec<Option<String>>,
    /// What was found out about its product and plan.
    pub findings: PlanFindings,
}

/// What is to become of a row.
pub enum Verdict {
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
        /// What is odd but legal.
        warnings: Vec<Warning>,
    },
}

/// A row whose fields are sound.
pub struct ValidRow<'a> {
    /// What it would create.
    pub item: ContractItem,
    /// Its sale.
    pub sale: Sale,
    /// The row itself.
    pub row: &'a Row,
    /// The earlier entries of the same sale, the newest first.
    pub earlier: Vec<Earlier>,
}

impl ValidRow<'_> {
    /// Whether the row itself says when.
    pub fn dated(&self) -> bool {
        !self.row.draft.transaction_date.trim().is_empty()
    }

    /// What it says, to be compared with other rows.
    pub fn stated(&self) -> Stated<'_> {
        Stated {
            line: self.row.line,
            item: &self.item,
            dated: self.dated(),
            confirmed: &self.row.confirmed,
        }
    }

    /// The earlier entries that rows of this sale stand for, the newest first.
    pub fn open(&self) -> impl DoubleEndedIterator<Item = (&str, &Earlier)> {
        let standing = self.earlier.iter().filter(|entry| !entry.is_unknown());
        standing.filter_map(|entry| Some((entry.id.as_deref()?, entry)))
    }

    /// Of how many of them rows are made or entered before that are not judged with this one.
    pub fn elsewhere(&self, seen: &DuplicateDetector) -> u32 {
        let taken = |(id, _): &(&str, _)| {
            seen.taken_elsewhere(id) != Taken::No && !seen.is_taken(&self.sale, id)
        };
        count(self.open().filter(taken).count())
    }

    /// The earlier entries of which a person must say that the row, for which there is no entry, is
    /// another sale: those of which it is not known whether they were sold, and the one it would stand
    /// for if what is written in another way were the same.
    pub fn in_question(&self, seen: &DuplicateDetector) -> Vec<&Earlier> {
        let beside = sale::beside(&self.row.confirmed);
        let free =
            |id: &str| seen.taken_elsewhere(id) == Taken::No && !seen.is_taken(&self.sale, id);
        let mut open = self
            .open()
            .take_while(|(_, entry)| !beside.contains(&entry.id));
        let alike = open.find(|(id, entry)| entry.alike && free(id));
        let doubts = self.earlier.iter().filter(|entry| entry.is_unknown());
        doubts.chain(alike.map(|(_, entry)| entry)).collect()
    }
}

/// Rows whose fields are sound, and what is wrong with the others.
pub fn read<'a>(
    rows: &'a [Row],
    handed_in: DateTime<Utc>,
    zone: Zone,
    known: &KnownCodes,
) -> impl Iterator<Item = Result<ValidRow<'a>, Vec<FieldProblem>>> {
    rows.iter().map(move |row| {
        if let Some(broken) = row.broken {
            return Err(vec![broken]);
        }
        let item = validation::entry(&row.draft, handed_in, zone, known)?;
        Ok(ValidRow {
            sale: sale::of(&item),
            item,
            row,
            earlier: Vec::new(),
        })
    })
}

/// In which of the codes that make a sale an item is another one than an entry.
pub fn codes_differ(item: &ContractItem, before: &SubmissionView) -> Vec<Field> {
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
pub fn differences(item: &ContractItem, dated: bool, before: &SubmissionView) -> Vec<Field> {
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

/// A row that cannot be used.
pub fn bad(problems: Vec<FieldProblem>) -> Verdict {
    Verdict::Bad {
        problems,
        questions: Vec::new(),
        warnings: Vec::new(),
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
