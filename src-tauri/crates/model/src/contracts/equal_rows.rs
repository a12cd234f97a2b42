//! Equal rows: rows of the same transaction, product and plan that are judged together, in whatever
//! form these are written.
//!
//! Owns which earlier entry each row represents, and when a person's answer makes a row one more
//! contract. Of a row without equals only a digest is kept in memory, so that the customers of a long
//! file are not.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use crate::Field;
use crate::interface::{ContractItem, Timestamp};
use sha2::{Digest as _, Sha256};

use super::sale::{self, Sale, codes_differ, differences};
use super::{Confirmed, CustomerState, Question, SubmissionView};

/// A digest of a sale, the same for every form in which its product and plan are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SaleKey([u8; 16]);

impl SaleKey {
    pub fn of([transaction, product, plan]: [&str; 3]) -> Self {
        let (product, plan) = sale::typed(product, plan);
        let mut digest = Sha256::new();
        for part in [transaction, &product, &plan] {
            digest.update(part.len().to_le_bytes());
            digest.update(part.as_bytes());
        }
        let mut short = [0; 16];
        short.copy_from_slice(&digest.finalize()[..16]);
        Self(short)
    }
}

/// The place of a row among the rows of one sale: those that represent an earlier entry come first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub nth: u32,
    /// Line of another row of the sale; of the row before this one, if there is one.
    pub line: u32,
}

impl Place {
    /// This place, or a later one that a person confirmed: a confirmation may count rows that are not
    /// judged together with this one.
    pub fn or_shown(self, confirmed: &[Confirmed]) -> Self {
        let shown = confirmed.iter().find_map(|yes| {
            let Confirmed::RepeatedRow { line, nth } = *yes else {
                return None;
            };
            Some(Self { nth, line })
        });
        shown.filter(|shown| shown.nth >= self.nth).unwrap_or(self)
    }

    /// The question whether a row at this place is one more contract, unless it is answered. The
    /// answer counts once as many rows of the sale are entered or may be entered as come before it.
    pub fn question(self, confirmed: &[Confirmed], standing: u32) -> Option<Question> {
        let Self { nth, line } = self;
        let question = Question::RepeatedRow { line, nth };
        let answered = question.is_answered_by(confirmed) && standing + 1 == nth;
        (nth > 1 && !answered).then_some(question)
    }
}

/// A row of a sale as it is compared.
pub struct Stated<'a> {
    pub sale: SaleKey,
    pub line: u32,
    pub item: &'a ContractItem,
    /// Whether it has a date of its own.
    pub dated: bool,
    pub confirmed: &'a [Confirmed],
}

/// An earlier entry that a row may represent.
pub struct Standing {
    pub entry: SubmissionView,
    /// Whether a row that is not judged with these represents it.
    pub taken: Taken,
    /// Whether it is of another store: then only a row with the same contents, date and customer
    /// included, represents it.
    pub other_store: bool,
}

/// Whether a row that is not judged with the others represents an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    No,
    /// A row with other contents; a row with the same contents takes precedence.
    Differing,
    /// A row with the same contents, or the row that it was made from.
    Same,
}

/// The rows seen so far.
#[derive(Default)]
pub struct DuplicateDetector {
    sales: HashMap<SaleKey, First>,
    /// The sales of several rows.
    equal: HashMap<SaleKey, Vec<Equal>>,
    /// The lines of these rows.
    equal_lines: HashSet<u32>,
    /// Entries, by id, that are represented by rows not judged together with these.
    elsewhere: HashMap<String, Taken>,
    hasher: RandomState,
}

/// The first row of a sale. Kept for each row of a file, so it takes as little room as it can.
#[derive(Debug, Clone, Copy)]
#[repr(Rust, packed)]
struct First {
    line: u32,
    found: Found,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Found {
    #[default]
    NotYet,
    /// It represents this entry, by a digest of its id.
    For([u8; 8]),
    /// There is no entry for it.
    New,
    /// The same, and it may be entered.
    Good,
}

struct Equal {
    line: u32,
    found: Found,
    /// Its contents, until it is settled.
    said: Option<Box<Said>>,
}

/// The contents of a row.
struct Said {
    item: ContractItem,
    /// Whether it has a date of its own.
    dated: bool,
    beside: Vec<Option<String>>,
}

impl DuplicateDetector {
    /// For rows that are judged without the other rows of their run, which represent these entries.
    pub fn beside(elsewhere: impl Iterator<Item = (String, Taken)>) -> Self {
        Self {
            elsewhere: elsewhere.collect(),
            ..Self::default()
        }
    }

    /// Notes a sale; `true` when it was seen before.
    pub fn again(&mut self, sale: &Sale) -> bool {
        let found = Found::New;
        let first = First { line: 0, found };
        self.sales
            .insert(SaleKey::of([&sale.0, &sale.1, &sale.2]), first)
            .is_some()
    }

    pub fn note(&mut self, sale: SaleKey, line: u32) {
        let found = Found::NotYet;
        let first = *self.sales.entry(sale).or_insert(First { line, found });
        if first.line == line {
            return;
        }
        let rows = self.equal.entry(sale).or_insert_with(|| {
            vec![Equal {
                line: first.line,
                found: first.found,
                said: None,
            }]
        });
        if let Err(at) = rows.binary_search_by_key(&line, |row| row.line) {
            let said = None;
            rows.insert(at, Equal { line, found, said });
            self.equal_lines.extend([first.line, line]);
        }
    }

    pub fn has_equal(&self) -> bool {
        !self.equal.is_empty()
    }

    pub fn is_equal(&self, line: u32) -> bool {
        self.equal_lines.contains(&line)
    }

    /// Records the contents of a row whose line is recorded; keeps nothing of a row without equals.
    pub fn note_said(&mut self, row: &Stated<'_>) {
        let rows = self.equal.get_mut(&row.sale);
        let found = rows.and_then(|rows| at_line(rows, row.line));
        let is_new = |equal: &&mut Equal| equal.found == Found::NotYet && equal.said.is_none();
        if let Some(equal) = found.filter(is_new) {
            equal.said = Some(Box::new(Said::of(row)));
        }
    }

    /// Whether it is known which entry this row represents, if any.
    pub fn is_settled(&self, sale: SaleKey, line: u32) -> bool {
        self.found(sale, line) != Found::NotYet
    }

    /// Decides which entries, oldest first, this row and its equal rows represent. First each row
    /// takes an entry with the same contents; then each row that is left takes, in order, an entry whose
    /// codes are written the same way, in the same store, unless it is another sale of that number.
    pub fn settle(&mut self, row: &Stated<'_>, standing: &[Standing]) {
        let mut lone = vec![Equal {
            line: row.line,
            found: Found::NotYet,
            said: Some(Box::new(Said::of(row))),
        }];
        let rows = self.equal.get_mut(&row.sale).unwrap_or(&mut lone);
        settle(&self.hasher, rows, standing);
        if let (Some(first), Some(settled)) = (self.sales.get_mut(&row.sale), rows.first()) {
            first.found = settled.found;
        }
    }

    pub fn is_for(&self, sale: SaleKey, line: u32, id: &str) -> bool {
        self.found(sale, line) == self.found_for(id)
    }

    /// Whether a row of this sale represents this entry.
    pub fn is_taken(&self, sale: SaleKey, id: &str) -> bool {
        let found = self.found_for(id);
        self.all(sale).any(|(_, row)| row == found)
    }

    /// How many rows of the sale represent an entry, or may be entered.
    pub fn standing(&self, sale: SaleKey) -> u32 {
        count(self.all(sale).filter(|(_, found)| match found {
            Found::For(_) | Found::Good => true,
            Found::NotYet | Found::New => false,
        }))
    }

    /// Whether a row that is not judged with these represents this entry.
    pub fn taken_elsewhere(&self, id: &str) -> Taken {
        self.elsewhere.get(id).copied().unwrap_or(Taken::No)
    }

    /// The place of a row without an entry, where `elsewhere` entries are represented by rows that are
    /// not judged together with it.
    pub fn place(&self, sale: SaleKey, line: u32, elsewhere: u32) -> Place {
        let is_entry = |found: Found| matches!(found, Found::For(_));
        let entries = count(self.all(sale).filter(|(_, found)| is_entry(*found)));
        let rows = || self.all(sale);
        let before = rows().filter(|(other, found)| *other < line && !is_entry(*found));
        let last = rows().filter(|(other, _)| *other < line).last();
        let behind = || rows().find(|(other, found)| *other > line && is_entry(*found));
        Place {
            nth: elsewhere + entries + count(before) + 1,
            line: last.or_else(behind).map_or(0, |(line, _)| line),
        }
    }

    pub fn note_good(&mut self, sale: SaleKey, line: u32) {
        let first = self.sales.get_mut(&sale).filter(|first| first.line == line);
        if let Some(first) = first {
            first.found = Found::Good;
        }
        let rows = self.equal.get_mut(&sale);
        if let Some(row) = rows.and_then(|rows| at_line(rows, line)) {
            row.found = Found::Good;
        }
    }

    fn found_for(&self, id: &str) -> Found {
        Found::For(self.hasher.hash_one(id).to_ne_bytes())
    }

    fn found(&self, sale: SaleKey, line: u32) -> Found {
        let first = self.sales.get(&sale).map(|first| first.found);
        let Some(rows) = self.equal.get(&sale) else {
            return first.unwrap_or_default();
        };
        let at = rows.binary_search_by_key(&line, |row| row.line);
        at.map_or(Found::NotYet, |at| rows[at].found)
    }

    /// The rows of a sale by their lines, with their findings.
    fn all(&self, sale: SaleKey) -> impl Iterator<Item = (u32, Found)> {
        let equal = self.equal.get(&sale);
        let first = self.sales.get(&sale).filter(|_| equal.is_none());
        let equal = equal.into_iter().flatten();
        first
            .map(|row| (row.line, row.found))
            .into_iter()
            .chain(equal.map(|row| (row.line, row.found)))
    }
}

fn at_line(rows: &mut [Equal], line: u32) -> Option<&mut Equal> {
    let at = rows.binary_search_by_key(&line, |row| row.line);
    at.ok().map(|at| &mut rows[at])
}

/// Settles the rows that are not yet.
fn settle(hasher: &RandomState, rows: &mut [Equal], standing: &[Standing]) {
    let ids: Vec<[u8; 8]> = standing
        .iter()
        .map(|one| hasher.hash_one(one.entry.id.as_str()).to_ne_bytes())
        .collect();
    let mut free: Vec<bool> = ids
        .iter()
        .map(|id| rows.iter().all(|row| row.found != Found::For(*id)))
        .collect();
    for (same, other_store) in [(true, false), (true, true), (false, false)] {
        for row in rows.iter_mut().filter(|row| row.found == Found::NotYet) {
            let Some(said) = &row.said else { continue };
            let mut open = standing.iter().zip(&free).enumerate();
            let fitting = open.find(|(at, (one, free))| {
                **free
                    && one.other_store == other_store
                    && !said.is_beside(&standing[*at..], other_store)
                    && if same {
                        one.taken != Taken::Same && said.is_same(one)
                    } else {
                        one.taken == Taken::No
                            && codes_differ(&said.item, &one.entry).is_empty()
                            && !said.is_other_sale(&one.entry)
                    }
            });
            if let Some((at, _)) = fitting {
                free[at] = false;
                row.found = Found::For(ids[at]);
            }
        }
    }
    for row in rows.iter_mut().filter(|row| row.said.is_some()) {
        if row.found == Found::NotYet {
            row.found = Found::New;
        }
        row.said = None;
    }
}

impl Said {
    fn of(row: &Stated<'_>) -> Self {
        Self {
            item: row.item.clone(),
            dated: row.dated,
            beside: sale::beside(row.confirmed),
        }
    }

    /// Whether a person confirmed it beside one of these entries, of this store or of others: confirming
    /// one also covers those before it.
    fn is_beside(&self, newer: &[Standing], other_store: bool) -> bool {
        newer.iter().any(|one| {
            let mut beside = self.beside.iter().flatten();
            one.other_store == other_store && beside.any(|id| *id == one.entry.id)
        })
    }

    /// Whether an entry has the same contents, by the rule of the check of many rows. Without a date, one
    /// whose customer was deleted is not; one of another store is only when date and customer can be compared.
    fn is_same(&self, one: &Standing) -> bool {
        let entry = &one.entry;
        if !self.dated && entry.customer == CustomerState::Forgotten
            || one.other_store && !(self.dated && entry.customer_name.is_some())
        {
            return false;
        }
        codes_differ(&self.item, entry).is_empty()
            && differences(&self.item, self.dated, entry).is_empty()
    }

    /// Whether an entry of these codes is of another day, another name, and another e-mail or other amounts, as far
    /// as they can be read: numbers of transactions may start again, and a shop may have one e-mail for all.
    /// Without a date, only an entry whose customer was deleted may be one.
    fn is_other_sale(&self, entry: &SubmissionView) -> bool {
        if !self.dated {
            return entry.customer == CustomerState::Forgotten;
        }
        let day = |date: Timestamp| date.get().date_naive();
        let beside_date = differences(&self.item, false, entry);
        let is_other_customer = entry.customer_name.is_none()
            || beside_date.contains(&Field::CustomerName) && beside_date.len() > 1;
        day(self.item.transaction_date) != day(entry.transaction_date) && is_other_customer
    }
}

pub(super) fn count(rows: impl Iterator) -> u32 {
    u32::try_from(rows.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "equal_rows_tests.rs"]
mod tests;
