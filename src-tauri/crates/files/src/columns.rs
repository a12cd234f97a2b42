//! Which column of a file is which field.

use serde::{Deserialize, Serialize};

use super::RunKind;
use super::column_aliases::{Column, columns, key};
use super::{Detected, FileError, FileRow, Format};
use warranty_model::Field;
use warranty_model::contracts::EntryFields;
use warranty_model::products::ProductDraft;

/// One field and the column it is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct MappedColumn {
    /// A field of the kind of rows.
    pub field: Field,
    /// Index of the column, from 0.
    pub column: u32,
}

/// The columns of a file by field; at most one for each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Mapping {
    /// In no particular order.
    pub columns: Vec<MappedColumn>,
}

impl Mapping {
    /// The column of a field, from 0.
    #[must_use]
    pub fn column(&self, field: Field) -> Option<u32> {
        let of_field = |mapped: &&MappedColumn| mapped.field == field;
        Some(self.columns.iter().find(of_field)?.column)
    }

    /// Reads a field from this column from now on, or from none.
    pub fn set(&mut self, field: Field, column: Option<u32>) {
        self.columns.retain(|mapped| mapped.field != field);
        let mapped = column.map(|column| MappedColumn { field, column });
        self.columns.extend(mapped);
    }

    /// The cells of a row: a code counts as the text that a person sees, as far as that is known.
    pub fn shown(&self, row: &FileRow) -> Vec<String> {
        let mut cells = row.cells.to_vec();
        for number in &row.numbers {
            if let Some(shown) = &number.shown
                && self.has_code_at(number.column)
                && let Some(cell) = cells.get_mut(number.column)
            {
                cell.clone_from(shown);
            }
        }
        cells
    }

    fn has_code_at(&self, column: usize) -> bool {
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

/// What headers say of themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Guess {
    /// The fields that are named once.
    pub mapping: Mapping,
    /// Fields that must be there and are not.
    pub missing: Vec<Field>,
    /// Fields that more than one column is named after: which counts is for a person to say.
    pub repeated: Vec<Field>,
}

/// Reads headers by the interface's names and by the words of tills. Case, width and white space do
/// not matter.
#[must_use]
pub fn guess(headers: &[String], kind: RunKind) -> Guess {
    guess_beside(headers, kind, &[])
}

impl Detected {
    /// What its headers say of themselves. Where a column that is hidden names a field best and
    /// another names it too, the person may mean the one that is seen.
    pub fn guess(&self, kind: RunKind) -> Guess {
        guess_beside(&self.headers, kind, &self.hidden_columns)
    }
}

fn guess_beside(headers: &[String], kind: RunKind, hidden: &[(u32, u32)]) -> Guess {
    let keys: Vec<String> = headers.iter().map(|header| key(header)).collect();
    let mut guess = Guess::default();
    for column in columns(kind) {
        match surest(&keys, column, hidden) {
            Surest::None if column.optional => {}
            // Without names the one column of references is the first.
            Surest::None if is_bare(&keys, kind) => guess.mapping.set(column.field, Some(0)),
            Surest::None => guess.missing.push(column.field),
            Surest::One(at) => guess.mapping.set(column.field, Some(at)),
            Surest::Several => guess.repeated.push(column.field),
        }
    }
    guess
}

fn is_bare(keys: &[String], kind: RunKind) -> bool {
    kind == RunKind::ProductReferences
        && !keys.is_empty()
        && (keys.len() == 1 || keys.iter().all(String::is_empty))
}

enum Surest {
    None,
    One(u32),
    Several,
}

/// The column whose header names a field best.
fn surest(keys: &[String], column: &Column, hidden: &[(u32, u32)]) -> Surest {
    let ranked = (0_u32..).zip(keys);
    let ranked: Vec<(usize, u32)> = ranked
        .filter_map(|(at, key)| Some((column.rank(key)?, at)))
        .collect();
    let Some((best, at)) = ranked.iter().min().copied() else {
        return Surest::None;
    };
    let is_hidden = hidden
        .iter()
        .any(|(first, last)| (first..=last).contains(&&at));
    let alike = |(rank, _): &&(usize, u32)| *rank == best || is_hidden;
    if ranked.iter().filter(alike).count() == 1 {
        Surest::One(at)
    } else {
        Surest::Several
    }
}

/// A mapping made fit to read rows with.
#[derive(Debug, Clone)]
pub struct Columns {
    at: Vec<(Field, usize)>,
    /// How many cells a row may fill; none for a workbook, whose cells cannot slip.
    width: Option<usize>,
    headers: usize,
    mapping: Mapping,
}

impl Columns {
    /// Takes a mapping for rows of this kind of a file.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`] with the interface's names of fields that must be there and
    /// are not mapped to a column of the file.
    pub fn new(kind: RunKind, mapping: &Mapping, file: &Detected) -> Result<Self, FileError> {
        let mut missing = Vec::new();
        let mut at = Vec::new();
        for column in columns(kind) {
            let index = mapping.column(column.field);
            match index.and_then(|index| usize::try_from(index).ok()) {
                Some(index) if index < file.headers.len() => at.push((column.field, index)),
                Some(_) | None if column.optional => {}
                Some(_) | None => missing.push(column.name.to_owned()),
            }
        }
        if !missing.is_empty() {
            return Err(FileError::MissingColumns(missing));
        }
        Ok(Self {
            at,
            mapping: mapping.clone(),
            headers: file.headers.len(),
            width: match file.kind {
                Format::Csv => Some(file.headers.len()),
                Format::Xlsx => None,
            },
        })
    }

    /// Takes what the headers say of themselves.
    ///
    /// # Errors
    /// As [`Columns::with`].
    pub fn guessed(kind: RunKind, file: &Detected) -> Result<Self, FileError> {
        Self::with(kind, &Mapping::default(), file)
    }

    /// Takes what the headers say of themselves, but for what was chosen.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; [`FileError::RepeatedColumns`].
    pub fn with(kind: RunKind, chosen: &Mapping, file: &Detected) -> Result<Self, FileError> {
        let Guess {
            mut mapping,
            repeated,
            ..
        } = file.guess(kind);
        for mapped in &chosen.columns {
            mapping.set(mapped.field, Some(mapped.column));
        }
        let unclear = |column: &&Column| {
            repeated.contains(&column.field) && mapping.column(column.field).is_none()
        };
        let names = |wanted: &dyn Fn(&&Column) -> bool| -> Vec<String> {
            let columns = columns(kind).iter().filter(wanted);
            columns.map(|column| column.name.to_owned()).collect()
        };
        let missing = names(&|column| {
            !column.optional && !unclear(column) && mapping.column(column.field).is_none()
        });
        if !missing.is_empty() {
            return Err(FileError::MissingColumns(missing));
        }
        let unclear = names(&unclear);
        if !unclear.is_empty() {
            return Err(FileError::RepeatedColumns(unclear));
        }
        Self::new(kind, &mapping, file)
    }

    /// A row as a contract to enter.
    ///
    /// # Errors
    /// [`FileError::ExtraCells`], of every kind of row.
    pub fn entry<'a>(&self, row: &'a FileRow) -> Result<EntryFields<'a>, FileError> {
        self.fits(row)?;
        Ok(EntryFields {
            transaction_id: self.cell(row, Field::TransactionId),
            transaction_total: self.cell(row, Field::TransactionTotal),
            transaction_date: self.cell(row, Field::TransactionDate),
            customer_name: self.cell(row, Field::CustomerName),
            customer_email: self.cell(row, Field::CustomerEmail),
            product_reference_id: self.cell(row, Field::ProductReferenceId),
            product_purchase_price: self.cell(row, Field::ProductPurchasePrice),
            plan_id: self.cell(row, Field::PlanId),
            plan_purchase_price: self.cell(row, Field::PlanPurchasePrice),
        })
    }

    /// A row as a product to put.
    ///
    /// # Errors
    /// As [`Columns::entry`].
    pub fn product(&self, row: &FileRow) -> Result<ProductDraft, FileError> {
        self.fits(row)?;
        Ok(ProductDraft {
            reference_id: self.cell(row, Field::ProductReferenceId).to_owned(),
            title: self.cell(row, Field::Title).to_owned(),
            price: self.cell(row, Field::Price).to_owned(),
            image_url: self.cell(row, Field::ImageUrl).to_owned(),
            category: self.cell(row, Field::Category).to_owned(),
        })
    }

    /// The cell of one field, empty when the file has no such column.
    ///
    /// # Errors
    /// As [`Columns::entry`].
    pub fn text(&self, row: &FileRow, field: Field) -> Result<String, FileError> {
        self.fits(row)?;
        Ok(self.cell(row, field).to_owned())
    }

    fn cell<'a>(&self, row: &'a FileRow, field: Field) -> &'a str {
        let at = self.at.iter().find(|(of, _)| *of == field);
        at.and_then(|(_, index)| row.cells.get(*index))
            .unwrap_or_default()
    }

    /// The cells of a row as a run keeps them, and which of them hold a code that is not known:
    /// a code counts as the text that a person sees.
    pub fn taken(&self, row: &FileRow) -> (Vec<String>, Vec<u32>) {
        let mut cells = self.mapping.shown(row);
        if self.width.is_none() {
            cells.truncate(self.headers);
        }
        let unclear = row
            .numbers
            .iter()
            .filter(|number| number.shown.is_none() && self.mapping.has_code_at(number.column));
        let unclear = unclear.filter_map(|number| u32::try_from(number.column).ok());
        (cells, unclear.collect())
    }

    /// Whether the row has no cell that belongs to no column.
    ///
    /// # Errors
    /// [`FileError::ExtraCells`].
    pub fn fits(&self, row: &FileRow) -> Result<(), FileError> {
        let beyond = row.cells.iter().skip(self.width.unwrap_or(usize::MAX));
        if beyond.into_iter().any(|cell| !cell.trim().is_empty()) {
            return Err(FileError::ExtraCells { line: row.line });
        }
        Ok(())
    }
}
