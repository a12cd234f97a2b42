//! The search index of plans: their texts in memory, by product and in the order in which plans are
//! shown, so that the cost of a keystroke depends on what is shown and not on what is cached.
//!
//! Owns how words are found. Reads nothing: the caller passes a function that reads a product's plans.

use std::collections::{BTreeMap, HashMap};

use memchr::memmem::Finder;

use warranty_model::search_text::{fold, is_dash};

/// The plans of a profile by product; each product is read when a search first reaches it.
#[derive(Debug, Default)]
pub(super) struct SearchIndex {
    by_product: BTreeMap<Product, Option<ProductPlans>>,
    kinds: Kinds,
}

/// A product by its reference, in the order shown: plans without a product come last.
type Product = (bool, String);

fn product(reference: String) -> Product {
    (reference.is_empty(), reference)
}

#[derive(Debug)]
pub(super) struct ProductPlans {
    /// The product's own, then one for each plan: what it shares with no other.
    texts: Texts,
    plans: Vec<Kept>,
}

/// A plan by its number in the cache.
#[derive(Debug, Clone, Copy)]
struct Kept {
    number: i64,
    kind: usize,
}

/// Texts one behind the other, so that all are looked through at once.
#[derive(Debug, Default)]
struct Texts {
    all: String,
    ends: Vec<usize>,
}

/// What plans say of themselves, each once, folded; numbered by how it was written.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    folded: Vec<String>,
    numbers: HashMap<String, usize>,
}

/// A normalised word during a search.
struct Word<'a> {
    finder: Finder<'a>,
    /// Whether a kind contains it, for the kinds checked so far.
    kinds: Vec<bool>,
    /// The first text of the product, from the current position on, that contains it.
    next: Option<usize>,
}

/// A folded text with every dash as a hyphen.
fn with_hyphens(folded: &str) -> String {
    folded.replace(is_dash, "-")
}

/// The position of the product's own text, which counts for all of its plans.
const OF_PRODUCT: usize = 0;

impl SearchIndex {
    /// An index of these products, none of them read yet; an empty reference means no product.
    pub(super) fn of(references: impl IntoIterator<Item = String>) -> Self {
        let by_product = references.into_iter().map(|one| (product(one), None));
        Self {
            by_product: by_product.collect(),
            kinds: Kinds::default(),
        }
    }

    /// Makes the next search that reaches a product read it again.
    pub(super) fn touch(&mut self, reference: String) {
        self.by_product.insert(product(reference), None);
    }

    pub(super) fn kinds(&self) -> usize {
        self.kinds.folded.len()
    }

    /// Whether most of the stored kinds belong to plans that no longer exist.
    pub(super) fn is_littered(&self) -> bool {
        let products = self.by_product.values().flatten();
        let plans: usize = products.map(|product| product.plans.len()).sum();
        self.kinds() > 2 * plans
    }

    /// The numbers of the first plans that contain all of these normalised words, in the order
    /// shown: by product and id.
    pub(super) fn find<E>(
        &mut self,
        words: &[String],
        limit: usize,
        mut read: impl FnMut(&str, &mut Kinds) -> Result<ProductPlans, E>,
    ) -> Result<Vec<i64>, E> {
        let words: Vec<String> = words.iter().map(|word| with_hyphens(word)).collect();
        let mut words: Vec<Word<'_>> = words.iter().map(|word| Word::new(word)).collect();
        let mut found = Vec::new();
        for ((_, reference), known) in &mut self.by_product {
            if found.len() >= limit {
                break;
            }
            let known = match known {
                Some(known) => known,
                None => known.insert(read(reference, &mut self.kinds)?),
            };
            let plans = known.holding(&mut words, &self.kinds);
            found.extend(plans.take(limit - found.len()));
        }
        Ok(found)
    }

    /// Reads the first products that no search has reached yet, at most so many; `false` when there
    /// were none.
    pub(super) fn read_ahead<E>(
        &mut self,
        most: usize,
        mut read: impl FnMut(&str, &mut Kinds) -> Result<ProductPlans, E>,
    ) -> Result<bool, E> {
        let unread = self
            .by_product
            .iter_mut()
            .filter(|(_, known)| known.is_none());
        let mut any = false;
        for ((_, reference), known) in unread.take(most) {
            *known = Some(read(reference, &mut self.kinds)?);
            any = true;
        }
        Ok(any)
    }
}

impl ProductPlans {
    /// A product without any plans.
    pub(super) fn new(reference: &str, title: Option<&str>) -> Self {
        let mut texts = Texts::default();
        texts.push([Some(reference), title]);
        Self {
            texts,
            plans: Vec::new(),
        }
    }

    /// Appends a plan: its number, its own id and store reference, and its kind, which is its title,
    /// service type and protection type. Thousands of plans have the same kind.
    pub(super) fn put(
        &mut self,
        number: i64,
        own: [Option<&str>; 2],
        kind: [Option<&str>; 3],
        kinds: &mut Kinds,
    ) {
        self.texts.push(own);
        let kind = kinds.number(kind);
        self.plans.push(Kept { number, kind });
    }

    /// Nothing more will be put on it.
    pub(super) fn shrink(&mut self) {
        self.texts.all.shrink_to_fit();
        self.texts.ends.shrink_to_fit();
        self.plans.shrink_to_fit();
    }

    fn holding<'a>(
        &'a self,
        words: &'a mut [Word<'_>],
        kinds: &'a Kinds,
    ) -> impl Iterator<Item = i64> + 'a {
        for word in &mut *words {
            word.next = self.texts.holding(&word.finder, OF_PRODUCT);
        }
        let own = OF_PRODUCT + 1..;
        let plans = own.zip(&self.plans).filter(move |(at, plan)| {
            let mut words = words.iter_mut();
            words.all(|word| word.is_in(plan.kind, kinds) || word.is_at(*at, &self.texts))
        });
        plans.map(|(_, plan)| plan.number)
    }
}

impl Texts {
    /// Adds the text of these fields. Each ends with a line break, which no word contains, so that no
    /// match reaches across two fields.
    fn push(&mut self, fields: [Option<&str>; 2]) {
        for field in fields.into_iter().flatten() {
            self.all.push_str(&with_hyphens(&fold(field)));
            self.all.push('\n');
        }
        self.ends.push(self.all.len());
    }

    /// The first text, from this one on, that contains the word.
    fn holding(&self, word: &Finder<'_>, from: usize) -> Option<usize> {
        let start = match from.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        let at = start + word.find(self.all.as_bytes().get(start..)?)?;
        Some(from + self.ends.get(from..)?.partition_point(|end| *end <= at))
    }
}

impl Kinds {
    fn number(&mut self, fields: [Option<&str>; 3]) -> usize {
        let mut written = String::new();
        for field in fields.into_iter().flatten() {
            written.push_str(field);
            written.push('\n');
        }
        if let Some(number) = self.numbers.get(&written) {
            return *number;
        }
        let number = self.folded.len();
        self.folded.push(with_hyphens(&fold(&written)));
        self.numbers.insert(written, number);
        number
    }
}

impl<'a> Word<'a> {
    fn new(word: &'a str) -> Self {
        Self {
            finder: Finder::new(word),
            kinds: Vec::new(),
            next: None,
        }
    }

    fn is_in(&mut self, kind: usize, kinds: &Kinds) -> bool {
        let unasked = kinds.folded.get(self.kinds.len()..=kind);
        for text in unasked.unwrap_or_default() {
            self.kinds.push(self.finder.find(text.as_bytes()).is_some());
        }
        self.kinds.get(kind).is_some_and(|held| *held)
    }

    /// Whether the product or the plan at this place holds it; places come in rising order.
    fn is_at(&mut self, at: usize, texts: &Texts) -> bool {
        match self.next {
            Some(OF_PRODUCT) => return true,
            Some(next) if next < at => self.next = texts.holding(&self.finder, at),
            Some(_) | None => {}
        }
        self.next == Some(at)
    }
}
