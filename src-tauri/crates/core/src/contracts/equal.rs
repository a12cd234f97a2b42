//! Equal rows: those of one transaction, product and plan among rows that are judged together, in
//! whatever way product and plan are written.
//!
//! Owns which of them a row is, and when a yes makes it one more contract.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::{Confirmed, Question};
use crate::store::submissions::{Sale, as_typed};

/// Where a row stands among the rows of one sale.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// From 1.
    pub nth: u32,
    /// Line of the row of the sale before it.
    pub line: u32,
}

impl Place {
    /// Where a row stands that was found to stand here: rows before it that are not judged with it are
    /// known by what a person said yes to.
    pub(super) fn or_shown(self, confirmed: &[Confirmed]) -> Self {
        let shown = confirmed.iter().find_map(|yes| match yes {
            Confirmed::RepeatedRow { line, nth } => Some(Self {
                nth: *nth,
                line: *line,
            }),
            Confirmed::ChangedPrice { .. }
            | Confirmed::PriceNotUnderstood { .. }
            | Confirmed::SecondContract { .. }
            | Confirmed::CellText { .. } => None,
        });
        shown.filter(|shown| shown.nth > self.nth).unwrap_or(self)
    }

    /// How many rows of the sale are before it.
    pub(super) fn before(self) -> usize {
        usize::try_from(self.nth).map_or(usize::MAX, |nth| nth.saturating_sub(1))
    }

    /// The question whether a row that stands here is one more contract, unless it is answered. A yes to
    /// it counts once so many of its sale stand as there are rows before it.
    pub(super) fn question(self, confirmed: &[Confirmed], standing: u32) -> Option<Question> {
        let Self { nth, line } = self;
        let question = Question::RepeatedRow { line, nth };
        let answered = question.is_answered_by(confirmed) && standing + 1 == nth;
        (nth > 1 && !answered).then_some(question)
    }
}

/// Sales seen so far, by a digest each: a long file's customers are not held in memory.
#[derive(Default)]
pub(crate) struct Seen(HashMap<[u8; 16], Rows>);

/// The rows of one sale.
#[derive(Default)]
struct Rows {
    /// The last of them.
    last: Place,
    /// How many of them may be entered.
    good: u32,
}

impl Seen {
    /// Notes a sale; `true` when it was seen before.
    pub(crate) fn again(&mut self, sale: &Sale) -> bool {
        self.note(sale, 0).nth > 1
    }

    /// Notes a row of a sale.
    pub(super) fn note(&mut self, sale: &Sale, line: u32) -> Place {
        let last = &mut self.rows(sale).last;
        let place = Place {
            nth: last.nth + 1,
            ..*last
        };
        *last = Place { line, ..place };
        place
    }

    /// How many rows of a sale may be entered.
    pub(super) fn good(&mut self, sale: &Sale) -> &mut u32 {
        &mut self.rows(sale).good
    }

    fn rows(&mut self, sale: &Sale) -> &mut Rows {
        let (product, plan) = as_typed(sale);
        let mut digest = Sha256::new();
        for part in [sale.0.as_str(), &product, &plan] {
            digest.update(part.len().to_le_bytes());
            digest.update(part.as_bytes());
        }
        let mut short = [0; 16];
        short.copy_from_slice(&digest.finalize()[..16]);
        self.0.entry(short).or_default()
    }
}
