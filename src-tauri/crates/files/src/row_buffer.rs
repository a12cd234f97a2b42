//! The cells of one row.
//!
//! Stores all cells in one text instead of one allocation each, because a file can have a million
//! rows.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// The cells of a row, as written, in the order of the columns.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct Cells {
    text: String,
    ends: Vec<usize>,
}

/// Prints no cell, because it may name a customer.
impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cells", self.len())
    }
}

impl Cells {
    /// Cells that lie one after the other in a text and end at these places.
    pub(super) fn of(text: &str, ends: &[usize]) -> Self {
        Self {
            text: text.to_owned(),
            ends: ends.to_vec(),
        }
    }

    /// An empty row with room for this number of cells and of bytes in all.
    pub(super) fn with_room(cells: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(cells),
        }
    }

    pub(super) fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    pub fn truncate(&mut self, cells: usize) {
        self.ends.truncate(cells);
        self.text
            .truncate(self.ends.last().copied().unwrap_or_default());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The cell of a column, if the row has it.
    pub fn get(&self, column: usize) -> Option<&str> {
        let end = *self.ends.get(column)?;
        let start = column
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        self.text.get(start.copied().unwrap_or_default()..end)
    }

    /// Whether any cell has an ASCII character.
    pub(super) fn hold(&self, character: u8) -> bool {
        memchr::memchr(character, self.text.as_bytes()).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|column| self.get(column))
    }

    pub fn to_vec(&self) -> Vec<String> {
        self.iter().map(str::to_owned).collect()
    }
}

impl Serialize for Cells {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl From<Vec<String>> for Cells {
    fn from(cells: Vec<String>) -> Self {
        cells.iter().collect()
    }
}

impl<T: AsRef<str>> FromIterator<T> for Cells {
    fn from_iter<I: IntoIterator<Item = T>>(cells: I) -> Self {
        let mut all = Self::default();
        for cell in cells {
            all.push(cell.as_ref());
        }
        all
    }
}
