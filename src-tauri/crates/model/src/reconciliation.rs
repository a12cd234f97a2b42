//! Compares the point of sale's list of warranties with the entries registered here.
//!
//! Owns which row belongs to which sale and what differs. Compares only the columns that the list
//! has.

mod registered;

use std::collections::{BTreeSet, HashSet};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::bulk::LeftOut;
use crate::contracts::bulk_verdict::Row;
use crate::contracts::sale::plain_number;
use crate::contracts::validation;
use crate::contracts::{EntryDraft, Question};
use crate::day::Date;
use crate::interface::Amount;
use crate::search_text::{hyphened, plain_width};
use crate::time_zone::Zone;
use crate::{Field, FieldProblem, Problem, Problems};
use registered::Registered;

pub use registered::RegisteredSale;

/// A row of the list, with the values that could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ListedSale {
    /// Line of the file, from 1.
    pub line: u32,
    pub draft: EntryDraft,
    /// The day of the sale on the store's clock; `None` if the list has no date.
    #[serde(skip)]
    pub date: Option<Date>,
    /// Whether its cell in a column of dates is blank.
    #[serde(skip)]
    undated: bool,
    /// Fields with a cell that may be displayed differently.
    #[serde(skip)]
    unclear: Vec<Field>,
    /// Whether it is of an exported list in which its sale was registered or cancelled.
    #[serde(skip)]
    exported: bool,
    #[serde(skip)]
    amounts: [Option<Amount>; 3],
}

/// A row that cannot be compared, or that must not be entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreadableRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// Its transaction as far as it can be read: of such a sale it cannot be said that the list lacks it.
    #[serde(skip)]
    transaction: String,
    pub problems: Vec<FieldProblem>,
}

/// A row without a registered entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MissingSale {
    pub listed: ListedSale,
    /// An entry of the same sale that the service refused or that was cancelled.
    pub not_sold: Option<RegisteredSale>,
}

/// A row and its registered sale, which differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DifferentSale {
    pub listed: ListedSale,
    pub registered: RegisteredSale,
    pub fields: Vec<Field>,
}

/// The result of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Reconciliation {
    /// Whether the list and the registered sales are the same, and the service has accepted them all.
    pub agrees: bool,
    /// The first and the last compared day, on the store's clock; `None` when the list says no day.
    pub days: Option<(Date, Date)>,
    /// Rows that are registered here with the same data.
    pub matched: u32,
    /// Of these and of the different ones, those that are not accepted yet and need no person.
    pub unfinished: u32,
    /// Ids of the profiles that those were entered under.
    #[serde(skip)]
    pub unfinished_under: BTreeSet<String>,
    /// Rows of other days, which were not compared.
    pub other_days: u32,
    pub missing: Vec<MissingSale>,
    /// Sales registered here on these days that are not in the list, not even in a row that cannot be read.
    pub extra: Vec<RegisteredSale>,
    /// Sales in both, with other amounts, another product, another plan, dates more than a day apart, or other
    /// zeros in front of the transaction or capitals in it.
    pub different: Vec<DifferentSale>,
    /// Sales in both with the same data, of which it is not known whether they were sold.
    pub attention: Vec<DifferentSale>,
    pub unreadable: Vec<UnreadableRow>,
    #[serde(flatten)]
    pub left_out: LeftOut,
}

/// The amounts of a row in the order of [`ListedSale::amounts`].
const AMOUNTS: [Field; 3] = [
    Field::TransactionTotal,
    Field::ProductPurchasePrice,
    Field::PlanPurchasePrice,
];

/// The date of a row with a blank one in a column of dates: no form takes it.
const UNKNOWN_DATE: &str = "?";

impl ListedSale {
    /// Reads a row. An empty cell is not compared.
    pub fn read(row: &Row<'_>, now: DateTime<Utc>, zone: Zone) -> Result<Self, UnreadableRow> {
        let (line, draft) = (row.line, row.texts.to_draft());
        let unreadable = |problems| UnreadableRow {
            line,
            transaction: number(&draft.transaction_id),
            problems,
        };
        if let Some(problem) = row.broken {
            return Err(unreadable(vec![problem]));
        }
        let mut problems = Problems::default();
        let transaction = validation::typed_code(&draft.transaction_id);
        problems.value(Field::TransactionId, transaction);
        let cells = [
            &draft.transaction_total,
            &draft.product_purchase_price,
            &draft.plan_purchase_price,
        ];
        let mut amounts = [None; 3];
        for ((amount, field), cell) in amounts.iter_mut().zip(AMOUNTS).zip(cells) {
            if !cell.trim().is_empty() {
                *amount = problems.value(field, validation::amount(cell));
            }
        }
        let mut date = None;
        if !draft.transaction_date.trim().is_empty() {
            let moment = validation::moment(&draft.transaction_date, now, zone);
            let moment = problems.value(Field::TransactionDate, moment);
            date = moment.map(|moment| Date::of(moment.get().to_utc(), zone));
        }
        let problems = problems.0;
        if !problems.is_empty() {
            return Err(unreadable(problems));
        }
        let field = |ask: &Question| {
            let Question::CellText { field, .. } = ask else {
                return None;
            };
            Some(*field)
        };
        Ok(Self {
            line,
            draft,
            date,
            undated: row.undated,
            unclear: row.asks.iter().filter_map(field).collect(),
            exported: row.exported,
            amounts,
        })
    }

    /// The row as it may be entered: uncertain codes are cleared, and a blank date, which would be
    /// today's, becomes one that has to be corrected.
    fn enterable(mut self) -> Self {
        let draft = &mut self.draft;
        if self.undated {
            draft.transaction_date = UNKNOWN_DATE.to_owned();
        }
        for (field, code) in [
            (Field::TransactionId, &mut draft.transaction_id),
            (Field::ProductReferenceId, &mut draft.product_reference_id),
            (Field::PlanId, &mut draft.plan_id),
        ] {
            if self.unclear.contains(&field) {
                code.clear();
            }
        }
        self
    }

    /// The fields in which a registered sale of the same transaction differs from the row, as far
    /// as the row has them. The transaction itself may differ in zeros in front or in capitals.
    fn differences(&self, sale: &RegisteredSale) -> Vec<Field> {
        let mut fields = Vec::new();
        let transaction = (&self.draft.transaction_id, &sale.transaction_id);
        let product = (&self.draft.product_reference_id, &sale.product_reference_id);
        let plan = (&self.draft.plan_id, &sale.plan_id);
        for (field, (listed, registered)) in [
            (Field::TransactionId, transaction),
            (Field::ProductReferenceId, product),
            (Field::PlanId, plan),
        ] {
            if !listed.trim().is_empty() && code(listed) != code(registered) {
                fields.push(field);
            }
        }
        let amounts = [
            sale.transaction_total,
            sale.product_purchase_price,
            sale.plan_purchase_price,
        ];
        for ((field, listed), registered) in AMOUNTS.into_iter().zip(self.amounts).zip(amounts) {
            if listed.is_some_and(|listed| listed != registered) {
                fields.push(field);
            }
        }
        if self.date.is_some_and(|date| !is_near(date, sale.date)) {
            fields.push(Field::TransactionDate);
        }
        fields
    }
}

/// Whether two clocks and midnight may lie between two days.
fn is_near(one: Date, other: Date) -> bool {
    one == other || one.before(1) == other || other.before(1) == one
}

impl Reconciliation {
    /// Compares the rows of a list with what is registered. `day` leaves out the rows of other days, and
    /// those without a day that are sales of another; without it the days are those of the rows. When no row has a day either, nothing is extra.
    /// `registered` may hold sales of other days: a row is the same sale whatever day it was
    /// registered for. As numbers of transactions may start again, one of its own day goes before any other.
    pub fn of(
        rows: Vec<Result<ListedSale, UnreadableRow>>,
        registered: Vec<RegisteredSale>,
        day: Option<Date>,
    ) -> Self {
        let mut this = Self::default();
        let mut open: Vec<ListedSale> = Vec::new();
        let mut of_other_days: Vec<ListedSale> = Vec::new();
        for row in rows {
            match row {
                Ok(row) if day.is_some() && row.date.is_some() && row.date != day => {
                    this.other_days += 1;
                    of_other_days.push(row);
                }
                Ok(row) => open.push(row),
                Err(row) => this.unreadable.push(row),
            }
        }
        let dates = || open.iter().filter_map(|row| row.date);
        this.days = day.or(dates().min()).zip(day.or(dates().max()));

        let mut left = Registered::new(registered);
        let same =
            |_: &ListedSale, differences: &[Field], _: &RegisteredSale| differences.is_empty();
        let of_its_day = |row: &ListedSale, differences: &[Field], sale: &RegisteredSale| {
            // The list is of the chosen day, whatever its rows leave unsaid.
            let own = row.date.or(day);
            differences.is_empty() && own.is_none_or(|own| own == sale.date)
        };
        open = left.pair(open, of_its_day, |row, sale| {
            this.count_same(row, sale, day)
        });
        of_other_days = left.pair(of_other_days, of_its_day, |_, _| {});
        open = left.pair(open, same, |row, sale| this.count_same(row, sale, day));
        // All exact pairs are removed before the rest is paired by common fields: those of one transaction before
        // those that write it in another way, and of these those of about the same day first.
        for rewritten in [false, true] {
            for (other_day, most) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                let alike = |_: &ListedSale, differences: &[Field], _: &RegisteredSale| {
                    let differs = |field: &Field| differences.contains(field);
                    let codes = [Field::ProductReferenceId, Field::PlanId];
                    codes.into_iter().filter(differs).count() <= most
                        && differs(&Field::TransactionDate) == other_day
                        && differs(&Field::TransactionId) == rewritten
                };
                open = left.pair(open, alike, |listed, registered| {
                    if !registered.needs_attention() {
                        this.count_unfinished(&registered);
                    }
                    this.different.push(DifferentSale {
                        fields: listed.differences(&registered),
                        listed,
                        registered,
                    });
                });
            }
        }
        // The list does have what a row of another day is.
        left.pair(of_other_days, same, |_, _| {});
        for row in open {
            // Perhaps it is registered at another computer: it must not be entered here.
            if row.exported {
                let field = Field::TransactionId;
                this.unreadable.push(UnreadableRow {
                    line: row.line,
                    transaction: number(&row.draft.transaction_id),
                    problems: vec![FieldProblem::new(field, Problem::FromExportedList)],
                });
                continue;
            }
            let not_sold = left.not_sold(&row);
            let listed = row.enterable();
            this.missing.push(MissingSale { listed, not_sold });
        }
        if let Some((from, until)) = this.days {
            let unreadable = this.unreadable.iter();
            let listed: HashSet<&str> = unreadable.map(|row| row.transaction.as_str()).collect();
            let sold = left.sales.into_iter().flatten().filter(|sale| {
                sale.state.may_be_sold()
                    && (from..=until).contains(&sale.date)
                    && !listed.contains(number(&sale.transaction_id).as_str())
            });
            this.extra = sold.collect();
        }
        this.different.sort_by_key(|one| one.listed.line);
        this.unreadable.sort_by_key(|one| one.line);
        this.agrees = !this.differs() && this.unfinished == 0;
        this
    }

    /// Counts a row that is this sale; one without a date may be of another day than the chosen one.
    fn count_same(&mut self, listed: ListedSale, registered: RegisteredSale, day: Option<Date>) {
        if registered.needs_attention() {
            self.attention.push(DifferentSale {
                listed,
                registered,
                fields: Vec::new(),
            });
            return;
        }
        if listed.date.is_some() || day.is_none_or(|day| registered.date == day) {
            self.matched += 1;
        } else {
            self.other_days += 1;
        }
        self.count_unfinished(&registered);
    }

    fn count_unfinished(&mut self, sale: &RegisteredSale) {
        if !sale.is_finished() {
            self.unfinished += 1;
            self.unfinished_under.insert(sale.profile_id.clone());
        }
    }

    /// Whether the list and the registered sales are not the same, or one needs attention.
    pub fn differs(&self) -> bool {
        !(self.missing.is_empty()
            && self.extra.is_empty()
            && self.different.is_empty()
            && self.attention.is_empty()
            && self.unreadable.is_empty())
    }
}

/// A transaction by which rows and sales are found that may be one: without zeros in front, in small letters.
fn number(transaction: &str) -> String {
    plain_number(transaction).to_ascii_lowercase()
}

/// A code normalised for comparison: plain width and hyphens, no white space around it.
fn code(text: &str) -> String {
    hyphened(plain_width(text)).into_owned()
}

#[cfg(test)]
#[path = "reconciliation_tests.rs"]
mod tests;
