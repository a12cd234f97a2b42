//! Maps the columns of a file to fields.

use serde::{Deserialize, Serialize};

use super::RunKind;
use super::column_aliases::{Column, columns, key, names};
use super::{Cells, Detected, FileError, FileRow};
use warranty_model::Field;

/// One field and the column it is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MappedColumn {
    pub field: Field,
    /// Index of the column, from 0.
    pub column: u32,
}

impl MappedColumn {
    /// Its cell of a row; empty if there is none.
    pub(crate) fn cell<'a>(&self, cells: &'a Cells) -> &'a str {
        let column = usize::try_from(self.column).ok();
        let cell = column.and_then(|column| cells.get(column));
        cell.unwrap_or_default()
    }
}

/// The columns of a file by field; at most one for each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Mapping {
    /// In no particular order.
    pub columns: Vec<MappedColumn>,
}

impl Mapping {
    /// The column of a field, from 0.
    pub fn column(&self, field: Field) -> Option<u32> {
        let of_field = |mapped: &&MappedColumn| mapped.field == field;
        Some(self.columns.iter().find(of_field)?.column)
    }

    pub fn set(&mut self, field: Field, column: Option<u32>) {
        self.columns.retain(|mapped| mapped.field != field);
        let mapped = column.map(|column| MappedColumn { field, column });
        self.columns.extend(mapped);
    }

    /// These columns, with those of another mapping in their place.
    pub fn with(&self, chosen: &Self) -> Self {
        let mut mapping = self.clone();
        for one in &chosen.columns {
            mapping.set(one.field, Some(one.column));
        }
        mapping
    }

    /// The cells of a row. A code is returned as the text that a person sees, where that is known.
    pub fn shown(&self, row: FileRow) -> Cells {
        let shown = |column| {
            let mut numbers = row.numbers.iter().rev();
            let shown = numbers
                .find_map(|number| number.shown.as_deref().filter(|_| number.column == column));
            shown.filter(|_| self.has_code_at(column))
        };
        if row.numbers.is_empty() {
            return row.cells;
        }
        let cells = row.cells.iter().enumerate();
        cells
            .map(|(column, cell)| shown(column).unwrap_or(cell))
            .collect()
    }

    pub(crate) fn has_code_at(&self, column: usize) -> bool {
        let here = |mapped: &MappedColumn| usize::try_from(mapped.column) == Ok(column);
        let mut columns = self.columns.iter();
        columns.any(|mapped| here(mapped) && mapped.field.is_code())
    }

    /// Whether both read every field from the same column.
    pub fn same_as(&self, other: &Self) -> bool {
        let within = |one: &Self, other: &Self| {
            let mut columns = one.columns.iter();
            columns.all(|mapped| other.column(mapped.field) == Some(mapped.column))
        };
        within(self, other) && within(other, self)
    }
}

/// The fields that headers name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Guess {
    /// The fields that exactly one column names.
    pub mapping: Mapping,
    /// Required fields that no column names.
    pub missing: Vec<Field>,
    /// Fields that more than one column names equally well, the transaction and amounts by any of their
    /// names, a customer by "name" and another; the user must choose.
    pub repeated: Vec<Field>,
}

impl Guess {
    /// The guessed mapping, overridden by the columns that the user chose.
    ///
    /// # Errors
    /// [`FileError::RepeatedColumns`] with the interface's names of the fields that more than one
    /// column names and for which none was chosen.
    pub fn with(&self, kind: RunKind, chosen: &Mapping) -> Result<Mapping, FileError> {
        let mapping = self.mapping.with(chosen);
        let unclear = names(kind, |column| {
            self.repeated.contains(&column.field) && mapping.column(column.field).is_none()
        });
        if unclear.is_empty() {
            return Ok(mapping);
        }
        Err(FileError::RepeatedColumns(unclear))
    }
}

/// Recognises headers by the interface's names and by the names that tills use. Ignores case, width
/// and white space.
pub fn guess(headers: &[String], kind: RunKind) -> Guess {
    guess_beside(headers, kind, &[])
}

impl Detected {
    /// The fields that its headers name. If the best match is a hidden column and another column
    /// matches too, the field is reported as repeated, because the user may mean the visible one.
    pub fn guess(&self, kind: RunKind) -> Guess {
        guess_beside(&self.headers, kind, &self.hidden_columns)
    }
}

fn guess_beside(headers: &[String], kind: RunKind, hidden: &[(u32, u32)]) -> Guess {
    let keys: Vec<String> = headers.iter().map(|header| key(header)).collect();
    let mut guess = Guess::default();
    for column in columns(kind) {
        match surest(&keys, column, hidden)[..] {
            [] if column.optional => {}
            // A file of product references without headers has one column.
            [] if kind == RunKind::ProductReferences && keys.len() == 1 => {
                guess.mapping.set(column.field, Some(0));
            }
            [] => guess.missing.push(column.field),
            [at] => guess.mapping.set(column.field, Some(at)),
            [..] => guess.repeated.push(column.field),
        }
    }
    guess
}

/// The columns with the headers that match a field best.
fn surest(keys: &[String], column: &Column, hidden: &[(u32, u32)]) -> Vec<u32> {
    let ranked = (0_u32..).zip(keys);
    let ranked: Vec<(usize, u32, &String)> = ranked
        .filter_map(|(at, key)| Some((column.rank(key)?, at, key)))
        .collect();
    let Some((best, at, name)) = ranked.iter().min().copied() else {
        return Vec::new();
    };
    let is_hidden = hidden
        .iter()
        .any(|(first, last)| (first..=last).contains(&&at));
    // A list price is no price paid, a sale is known by its transaction, and a bare name may be the
    // product's: a second name of these is a question, unless one is the interface's own.
    let may_be_another = column.is_amount()
        || column.field == Field::TransactionId
        || (column.field == Field::CustomerName && name == "name");
    let is_unsure = is_hidden || (best > 0 && may_be_another);
    let alike = ranked
        .iter()
        .filter(|(rank, ..)| *rank == best || is_unsure);
    alike.map(|(_, at, _)| *at).collect()
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
