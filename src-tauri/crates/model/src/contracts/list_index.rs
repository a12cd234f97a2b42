//! Keeps the entries of a profile in memory, to search and sort by data that is encrypted in the
//! file.
//!
//! Owns matching, order and sums. Knows neither the file nor a key; wipes customer data on drop.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use memchr::memmem::Finder;
use zeroize::Zeroizing;

use super::EntrySort;
use crate::encrypted::Encrypted;
use crate::search_text::name_key;
use crate::submission_state::SubmissionState;

#[derive(Debug, Clone)]
pub struct IndexedEntry {
    /// Its number; a later entry has a higher one.
    pub number: i64,
    pub id: String,
    pub state: SubmissionState,
    /// It may exist more than once at the provider, and no person has recorded asking.
    pub duplicate_possible: bool,
    /// When it was sold, in milliseconds since 1970 UTC.
    pub transaction_date: i64,
    /// When it was entered, in milliseconds since 1970 UTC.
    pub entered_at: i64,
    /// The staff code, or the user of the computer.
    pub entered_by: String,
    pub plan_purchase_price: i64,
    pub transaction_id: String,
    /// Reference and title of the product and of the plan.
    pub product: [Option<String>; 4],
    /// Given by the service.
    pub contract_id: Option<String>,
    /// Given by the service.
    pub inquiry_code: Option<String>,
    pub customer: Option<Encrypted>,
}

/// A filter and an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Only these states; empty means all, unless possible duplicates are wanted.
    pub states: Vec<SubmissionState>,
    /// Also entries of any other state but `NeedsPerson` that may exist more than once at the
    /// provider.
    pub possible_duplicates: bool,
    /// Texts normalised by [`name_key`]; the entry must contain each of them.
    pub keys: Vec<String>,
    /// Sold at this moment or later, in milliseconds since 1970 UTC.
    pub from: i64,
    /// Sold before this moment.
    pub before: i64,
    pub sort: EntrySort,
    pub ascending: bool,
}

#[derive(Debug, Default)]
pub struct Selected {
    /// Numbers of the entries, in order.
    pub numbers: Vec<i64>,
    /// The sum of their warranty fees, without those of refused and cancelled entries.
    pub fees: i128,
    /// How many of them are refused or cancelled.
    pub not_sold: usize,
}

#[derive(Default)]
pub struct ListIndex {
    rows: Vec<IndexRow>,
    /// The position of each number in the rows.
    places: HashMap<i64, usize>,
    products: Products,
    /// Everyone who entered something, each stored once.
    staff: HashSet<Arc<str>>,
    by_name: TextOrder,
    by_transaction: TextOrder,
    /// The last selection, as long as no entry has changed since.
    last: Option<(Wanted, Arc<Selected>)>,
}

struct IndexRow {
    number: i64,
    entered_at: i64,
    entered_by: Arc<str>,
    transaction_date: i64,
    fee: i64,
    product: usize,
    state: SubmissionState,
    duplicate_possible: bool,
    /// The searched texts of this entry alone, one a line; the customer's are last.
    text: Zeroizing<Box<str>>,
    /// Start and end of the customer's name in `text`; equal while the name is not known.
    name: (u32, u32),
    /// End of the transaction id in `text`.
    transaction_id: u32,
}

impl ListIndex {
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Adds or replaces an entry; `customer` is the name and the e-mail, as far as they can be
    /// read.
    pub fn put(&mut self, entry: IndexedEntry, customer: Option<(&str, &str)>) {
        self.last = None;
        let staff = self.staff.get(entry.entered_by.as_str()).cloned();
        let staff = staff.unwrap_or_else(|| Arc::from(entry.entered_by.as_str()));
        self.staff.insert(Arc::clone(&staff));
        let row = IndexRow::new(entry, staff, customer, &mut self.products);
        let Some(place) = self.places.get(&row.number) else {
            self.places.insert(row.number, self.rows.len());
            self.by_name.add(self.rows.len());
            self.by_transaction.add(self.rows.len());
            self.rows.push(row);
            return;
        };
        let before = std::mem::replace(&mut self.rows[*place], row);
        let row = &self.rows[*place];
        self.by_name.sorted &= before.name() == row.name();
        self.by_transaction.sorted &= before.transaction_id() == row.transaction_id();
    }

    /// Sorts the entries in advance in the orders that take long, so that the first list is quick.
    pub fn prepare(&mut self) {
        self.by_name.sort(&self.rows, IndexRow::name);
        self.by_transaction
            .sort(&self.rows, IndexRow::transaction_id);
    }

    /// The entries that match, in order.
    pub fn select(&mut self, wanted: &Wanted) -> Arc<Selected> {
        if let Some((last, selected)) = &self.last
            && last == wanted
        {
            return Arc::clone(selected);
        }
        if let EntrySort::Customer | EntrySort::TransactionId = wanted.sort {
            self.prepare();
        }
        let rows = self.ordered(wanted);
        let sold = || rows.iter().filter(|row| row.state.may_be_sold());
        let selected = Arc::new(Selected {
            numbers: rows.iter().map(|row| row.number).collect(),
            fees: sold().map(|row| i128::from(row.fee)).sum(),
            not_sold: rows.len() - sold().count(),
        });
        self.last = Some((wanted.clone(), Arc::clone(&selected)));
        selected
    }

    fn ordered(&self, wanted: &Wanted) -> Vec<&IndexRow> {
        let up = wanted.ascending;
        let all = || self.matching(wanted, self.rows.iter());
        match wanted.sort {
            EntrySort::EnteredAt => by(all(), up, |row| row.entered_at),
            EntrySort::TransactionDate => by(all(), up, |row| row.transaction_date),
            EntrySort::PlanPurchasePrice => by(all(), up, |row| row.fee),
            EntrySort::State => by(all(), up, |row| row.state as i64),
            EntrySort::Product => {
                let ranks = self.products.ranks();
                by(all(), up, |row| ranks[row.product])
            }
            EntrySort::EnteredBy => by(all(), up, |row| row.entered_by.clone()),
            EntrySort::TransactionId => turned(
                self.matching(wanted, self.by_transaction.of_rows(&self.rows)),
                up,
            ),
            EntrySort::Customer => {
                let rows = turned(self.matching(wanted, self.by_name.of_rows(&self.rows)), up);
                // Unknown customers come last in both directions.
                let known = |row: &&IndexRow| !row.name().is_empty();
                let (mut rows, unknown): (Vec<_>, Vec<_>) = rows.into_iter().partition(known);
                rows.extend(unknown);
                rows
            }
        }
    }

    /// The rows that match the filter.
    fn matching<'a>(
        &'a self,
        wanted: &Wanted,
        rows: impl Iterator<Item = &'a IndexRow>,
    ) -> Vec<&'a IndexRow> {
        let words: Vec<(Finder<'_>, Vec<bool>)> = wanted
            .keys
            .iter()
            .map(|key| {
                let finder = Finder::new(key.as_bytes());
                let products = self.products.containing(&finder);
                (finder, products)
            })
            .collect();
        let in_state = |row: &IndexRow| {
            (wanted.states.is_empty() && !wanted.possible_duplicates)
                || wanted.states.contains(&row.state)
                || (wanted.possible_duplicates
                    && row.duplicate_possible
                    && row.state != SubmissionState::NeedsPerson)
        };
        rows.filter(|row| {
            (wanted.from..wanted.before).contains(&row.transaction_date)
                && in_state(row)
                && words.iter().all(|(word, products)| {
                    products[row.product] || word.find(row.text.as_bytes()).is_some()
                })
        })
        .collect()
    }
}

/// The positions of all rows, ordered by a text, then by number. Sorting again after a change is
/// quick, because most rows are in order already.
#[derive(Default)]
struct TextOrder {
    places: Vec<usize>,
    sorted: bool,
}

impl TextOrder {
    fn add(&mut self, place: usize) {
        self.places.push(place);
        self.sorted = false;
    }

    fn sort(&mut self, rows: &[IndexRow], text: fn(&IndexRow) -> &str) {
        if self.sorted {
            return;
        }
        let key = |place: usize| (text(&rows[place]), rows[place].number);
        self.places
            .sort_by(|one, other| key(*one).cmp(&key(*other)));
        self.sorted = true;
    }

    fn of_rows<'a>(&'a self, rows: &'a [IndexRow]) -> impl Iterator<Item = &'a IndexRow> {
        self.places.iter().map(|place| &rows[*place])
    }
}

impl IndexRow {
    fn new(
        entry: IndexedEntry,
        entered_by: Arc<str>,
        customer: Option<(&str, &str)>,
        products: &mut Products,
    ) -> Self {
        let mut text = Zeroizing::new(name_key(&entry.transaction_id));
        let transaction_id = place(&text);
        for given in [&entry.contract_id, &entry.inquiry_code]
            .into_iter()
            .flatten()
        {
            text.push('\n');
            text.push_str(&name_key(given));
        }
        let mut name = (0, 0);
        if let Some((known, email)) = customer {
            // Allocated at full size: when a text is reallocated, its old memory is not wiped.
            let known = Zeroizing::new(name_key(known));
            let email = Zeroizing::new(name_key(email));
            text.reserve_exact(known.len() + email.len() + 2);
            text.push('\n');
            let begin = place(&text);
            text.push_str(&known);
            name = (begin, place(&text));
            text.push('\n');
            text.push_str(&email);
        }
        Self {
            number: entry.number,
            entered_at: entry.entered_at,
            entered_by,
            transaction_date: entry.transaction_date,
            fee: entry.plan_purchase_price,
            product: products.place(entry.product),
            state: entry.state,
            duplicate_possible: entry.duplicate_possible,
            text: Zeroizing::new(text.as_str().into()),
            name,
            transaction_id,
        }
    }

    fn name(&self) -> &str {
        let (begin, end) = self.name;
        self.text
            .get(begin as usize..end as usize)
            .unwrap_or_default()
    }

    fn transaction_id(&self) -> &str {
        self.text
            .get(..self.transaction_id as usize)
            .unwrap_or_default()
    }
}

/// The length of a text as `u32`; no text is that long.
fn place(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// Products and plans, each stored once.
#[derive(Default)]
struct Products {
    places: HashMap<[Option<String>; 4], usize>,
    /// The searched text, and the displayed product name in its sorting form.
    texts: Vec<(Box<str>, Box<str>)>,
}

impl Products {
    fn place(&mut self, product: [Option<String>; 4]) -> usize {
        if let Some(place) = self.places.get(&product) {
            return *place;
        }
        let [reference, title, _, _] = &product;
        let shown = title.as_ref().or(reference.as_ref());
        let sorted = shown.map(|shown| name_key(shown)).unwrap_or_default();
        let searched: Vec<String> = product
            .iter()
            .flatten()
            .map(|text| name_key(text))
            .collect();
        self.texts.push((searched.join("\n").into(), sorted.into()));
        self.places.insert(product, self.texts.len() - 1);
        self.texts.len() - 1
    }

    fn containing(&self, word: &Finder<'_>) -> Vec<bool> {
        let contains = |(text, _): &(Box<str>, _)| word.find(text.as_bytes()).is_some();
        self.texts.iter().map(contains).collect()
    }

    /// The rank of each product in sorted order; equal ones have the same rank.
    fn ranks(&self) -> Vec<usize> {
        let names = || self.texts.iter().map(|(_, name)| &**name);
        let mut sorted: Vec<&str> = names().collect();
        sorted.sort_unstable();
        let rank = |name| sorted.partition_point(|other| *other < name);
        names().map(rank).collect()
    }
}

/// Sorted by a key, then by number.
fn by<K: Ord>(
    mut rows: Vec<&IndexRow>,
    ascending: bool,
    key: impl Fn(&IndexRow) -> K,
) -> Vec<&IndexRow> {
    rows.sort_by_cached_key(|row| (key(row), row.number));
    turned(rows, ascending)
}

/// Reverses rows in ascending order if a descending order is wanted.
fn turned(mut rows: Vec<&IndexRow>, ascending: bool) -> Vec<&IndexRow> {
    if !ascending {
        rows.reverse();
    }
    rows
}

#[cfg(feature = "samples")]
impl ListIndex {
    /// Approximate memory use, in bytes.
    pub fn size(&self) -> usize {
        let texts: usize = self.rows.iter().map(|row| row.text.len() + 16).sum();
        self.rows.capacity() * size_of::<IndexRow>()
            + texts
            + self.places.capacity() * size_of::<(i64, usize)>()
            + 2 * self.by_name.places.capacity() * size_of::<usize>()
    }
}
