//! Maps the cells of a row to fields. Pure.
//!
//! Owns the columns each kind of run requires and how cells become a draft.

use rust_xlsxwriter::utility::column_number_to_name;
use serde::{Deserialize, Serialize};

use warranty_model::bulk::{LeftOut, RunKind};
use warranty_model::contracts::bulk_verdict::Row;
use warranty_model::contracts::{Confirmed, EntryDraft, EntryTexts, Question};
use warranty_model::products::ProductDraft;
use warranty_model::{Field, FieldProblem, Problem};

use crate::changed_code::may_be_changed;
use crate::column_aliases::{Column, fields, names};
use crate::export::REASON;
use crate::{Cells, Detected, FileError, FileRow, Format, MappedColumn, Mapping};

/// The fields by which a person recognises a row.
const RECOGNISED_BY: [Field; 7] = [
    Field::TransactionId,
    Field::ProductReferenceId,
    Field::Title,
    Field::PlanId,
    Field::StoreReferenceId,
    Field::PlanPurchasePrice,
    Field::Price,
];
/// Characters shown of each.
const MOST_CHARACTERS: usize = 60;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// Headers as written; exported again with rejected rows.
    pub headers: Vec<String>,
    #[serde(flatten)]
    pub mapping: Mapping,
    /// Whether each row must say its date. A blank cell of a file may be merged, or a formula
    /// without its value; a typed row without a date is sold when it is submitted.
    pub dated: bool,
    /// To be named until the run is started.
    pub left_out: LeftOut,
}

/// A row of a run: its cells in the order of the headers. Has no `Debug`: it names a customer.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedRow {
    /// Its number, from 1; 0 before it is given.
    #[serde(rename = "n")]
    pub number: u32,
    /// First line of the row in the file, from 1; the row's number when it is in no file.
    #[serde(rename = "l")]
    pub line: u32,
    #[serde(rename = "c")]
    pub cells: Cells,
    /// Columns, from 0, of cells with a code of which the displayed text is not known.
    #[serde(rename = "u", default, skip_serializing_if = "Vec::is_empty")]
    pub unclear: Vec<u32>,
    /// The questions that the user confirmed for this row.
    #[serde(rename = "y", default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<Confirmed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SheetRow {
    pub draft: EntryDraft,
    /// The questions that the user confirmed for this row.
    pub confirmed: Vec<Confirmed>,
}

impl Layout {
    /// The columns of rows written from drafts, with the interface's names of the fields.
    pub fn plain(kind: RunKind) -> Self {
        let columns = (0..).zip(fields(kind));
        let columns = columns.map(|(column, (field, ..))| MappedColumn { field, column });
        Self {
            headers: fields(kind).map(|(_, name, _)| name.to_owned()).collect(),
            mapping: Mapping {
                columns: columns.collect(),
            },
            dated: false,
            left_out: LeftOut::default(),
        }
    }

    /// The columns of a file with their mapping. Required are these fields; with `None`, all that the
    /// kind requires.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`] and [`FileError::RepeatedColumns`] with the interface's names of
    /// required fields that are mapped to no column of the file, or to several.
    pub fn of_file(
        kind: RunKind,
        required: Option<&[Field]>,
        file: &Detected,
        mapping: &Mapping,
    ) -> Result<Self, FileError> {
        let required = |column: &Column, found: fn(usize) -> bool| {
            let is_required =
                required.map_or(!column.optional, |fields| fields.contains(&column.field));
            let is_of = |one: &&MappedColumn| {
                one.field == column.field && (one.column as usize) < file.headers.len()
            };
            is_required && found(mapping.columns.iter().filter(is_of).count())
        };
        let missing = names(kind, |column| required(column, |found| found == 0));
        if !missing.is_empty() {
            return Err(FileError::MissingColumns(missing));
        }
        let repeated = names(kind, |column| required(column, |found| found > 1));
        if !repeated.is_empty() {
            return Err(FileError::RepeatedColumns(repeated));
        }
        Ok(Self {
            headers: file.headers.clone(),
            mapping: mapping.clone(),
            dated: mapping.column(Field::TransactionDate).is_some(),
            left_out: LeftOut::default(),
        })
    }

    /// A row of a file of this format as a run stores it, without a number. A code is stored as the text
    /// that a person sees.
    pub fn taken(&self, format: Format, row: FileRow) -> NumberedRow {
        let line = u32::try_from(row.line).unwrap_or(u32::MAX);
        let unclear = row
            .numbers
            .iter()
            .filter(|number| number.shown.is_none() && self.mapping.has_code_at(number.column));
        let unclear = unclear.filter_map(|number| u32::try_from(number.column).ok());
        let mut unclear: Vec<u32> = unclear.collect();
        let mut cells = self.mapping.shown(row);
        // A surplus cell shows that a row of a text file is shifted, also where the row was rejected and
        // saved as a workbook.
        if format == Format::Xlsx && !self.headers.iter().any(|header| header == REASON) {
            cells.truncate(self.width());
        }
        let codes = self.mapping.columns.iter();
        let codes = codes.filter(|one| one.field.is_code() && may_be_changed(one.cell(&cells)));
        unclear.extend(codes.map(|one| one.column));
        NumberedRow {
            line,
            cells,
            unclear,
            ..NumberedRow::default()
        }
    }

    /// The row as the draft of a contract, with the confirmed questions.
    pub fn judged<'a>(&self, row: &'a NumberedRow, confirmed: Vec<Confirmed>) -> Row<'a> {
        let cell = |field| self.cell(&row.cells, field);
        let texts = EntryTexts {
            transaction_id: cell(Field::TransactionId),
            transaction_total: cell(Field::TransactionTotal),
            transaction_date: cell(Field::TransactionDate),
            customer_name: cell(Field::CustomerName),
            customer_email: cell(Field::CustomerEmail),
            product_reference_id: cell(Field::ProductReferenceId),
            product_purchase_price: cell(Field::ProductPurchasePrice),
            plan_id: cell(Field::PlanId),
            plan_purchase_price: cell(Field::PlanPurchasePrice),
        };
        Row {
            line: row.line,
            undated: self.dated && texts.transaction_date.trim().is_empty(),
            texts,
            confirmed,
            asks: self.asks(row),
            broken: self.broken(RunKind::Contracts, row),
            exported: self.is_exported(&row.cells),
        }
    }

    /// Whether a row of an exported list says that its sale was registered or cancelled, by any of the
    /// columns that are left of it. A sale that was refused may be corrected and entered.
    fn is_exported(&self, cells: &Cells) -> bool {
        if self.headers.len() == self.mapping.columns.len() {
            return false;
        }
        let cell = |header: &str| {
            let column = self.headers.iter().position(|one| one.trim() == header)?;
            Some(cells.get(column).unwrap_or_default().trim())
        };
        let mut ids = ["contractId", "inquiryCode"].into_iter().filter_map(cell);
        let Some(first) = ids.next() else {
            return false;
        };
        // Other lists have a column of this name too.
        let state = cell("state").unwrap_or_default();
        !first.is_empty() || ids.any(|id| !id.is_empty()) || !matches!(state, "" | "rejected")
    }

    /// The row as a product to register or update.
    pub fn product(&self, cells: &Cells) -> ProductDraft {
        let cell = |field| self.cell(cells, field).to_owned();
        ProductDraft {
            reference_id: cell(Field::ProductReferenceId),
            title: cell(Field::Title),
            price: cell(Field::Price),
            image_url: cell(Field::ImageUrl),
            category: cell(Field::Category),
        }
    }

    /// The questions that reading the row raises.
    pub fn asks(&self, row: &NumberedRow) -> Vec<Question> {
        let ask = |one: &MappedColumn| Question::CellText {
            field: one.field,
            cell: cell_name(one.column, row.line),
            text: self.cell(&row.cells, one.field).to_owned(),
        };
        let columns = self.mapping.columns.iter();
        columns
            .filter(|one| row.unclear.contains(&one.column))
            .map(ask)
            .collect()
    }

    /// The cells of a row that goes back to be corrected. A cell with an open question what it shows
    /// is empty: its text, which may not be the code, would come back and not be asked about, unless it
    /// has a form that is.
    pub fn to_correct(&self, cells: &Cells, open: &[Question]) -> Cells {
        let asks = |of: Field| {
            let is_of =
                |one: &Question| matches!(one, Question::CellText { field, .. } if *field == of);
            open.iter().any(is_of)
        };
        let is_open = |column: usize| {
            let mut columns = self.mapping.columns.iter();
            columns.any(|one| usize::try_from(one.column) == Ok(column) && asks(one.field))
        };
        let cells = cells.iter().enumerate();
        cells
            .map(|(column, cell)| {
                if is_open(column) && !may_be_changed(cell) {
                    ""
                } else {
                    cell
                }
            })
            .collect()
    }

    /// The problem of a row that was not read as it is meant. It has more cells than the file has
    /// columns: a separator in an unquoted cell shifts all cells after it. Or the quotes of a cell stand
    /// behind a blank, and so are part of its text.
    pub fn broken(&self, kind: RunKind, row: &NumberedRow) -> Option<FieldProblem> {
        let mut beyond = row.cells.iter().enumerate().skip(self.width());
        let is_reason = |at| self.headers.get(at).is_some_and(|header| header == REASON);
        if beyond.any(|(at, cell)| !cell.trim().is_empty() && !is_reason(at)) {
            return Some(FieldProblem::new(kind.key(), Problem::ExtraCells));
        }
        if !row.cells.hold(b'"') {
            return None;
        }
        let mut columns = self.mapping.columns.iter();
        let quoted = columns.find(|one| is_quoted_behind_blank(one.cell(&row.cells)));
        quoted.map(|one| FieldProblem::new(one.field, Problem::StrayQuotes))
    }

    /// How many columns the file has: nameless ones at its end, which a separator behind each line makes, count
    /// only if a field is read from them. The reasons of rejected rows may stand behind them.
    fn width(&self) -> usize {
        let named = |header: &String| !header.trim().is_empty() && header != REASON;
        match self.headers.iter().rposition(named) {
            Some(last) if last + 1 < self.headers.len() => {
                let mapped = self.mapping.columns.iter();
                let mapped = mapped.map(|one| one.column as usize + 1).max();
                mapped.unwrap_or(0).max(last + 1)
            }
            Some(_) | None => self.headers.len(),
        }
    }

    /// The texts by which a person recognises the row, truncated; nothing personal.
    pub fn recognised_by(&self, cells: &Cells) -> Vec<String> {
        let text = |field: &Field| self.cell(cells, *field).trim();
        RECOGNISED_BY
            .iter()
            .map(text)
            .filter(|text| !text.is_empty())
            .map(|text| text.chars().take(MOST_CHARACTERS).collect())
            .collect()
    }

    /// The cell of a field; empty if there is none.
    pub fn cell<'a>(&self, cells: &'a Cells, field: Field) -> &'a str {
        let mut columns = self.mapping.columns.iter();
        let of_field = columns.find(|one| one.field == field);
        of_field.map_or("", |one| one.cell(cells))
    }
}

impl NumberedRow {
    /// A contract as a row of [`Layout::plain`], without a number.
    pub fn of_entry(draft: &EntryDraft, confirmed: &[Confirmed]) -> Self {
        // The row had no place when it was confirmed, so its cell has another name now.
        let is_said = |code: &str| {
            let is_of =
                |yes: &Confirmed| matches!(yes, Confirmed::CellText { text, .. } if text == code);
            confirmed.iter().any(is_of)
        };
        let open = changed_codes(draft).filter(|(.., code)| !is_said(code));
        let columns = || (0..).zip(fields(RunKind::Contracts));
        let unclear = open.filter_map(|(of, ..)| {
            let (column, _) = columns().find(|(_, (field, ..))| *field == of)?;
            Some(column)
        });
        Self {
            cells: Cells::from_iter([
                &draft.transaction_id,
                &draft.transaction_total,
                &draft.transaction_date,
                &draft.customer_name,
                &draft.customer_email,
                &draft.product_reference_id,
                &draft.product_purchase_price,
                &draft.plan_id,
                &draft.plan_purchase_price,
            ]),
            unclear: unclear.collect(),
            confirmed: confirmed.to_vec(),
            ..Self::default()
        }
    }

    /// Gives the row its number.
    pub fn numbered(mut self, number: u32) -> Self {
        self.number = number;
        if self.line == 0 {
            self.line = number;
        }
        self
    }
}

fn is_quoted_behind_blank(cell: &str) -> bool {
    let text = cell.trim();
    cell.starts_with(char::is_whitespace) && text.starts_with('"') && text.ends_with('"')
}

/// The questions that an entry in no file raises. Its cells are named by their fields.
pub fn asks_of(draft: &EntryDraft) -> Vec<Question> {
    let ask = |(field, name, code): (Field, &str, &str)| Question::CellText {
        field,
        cell: name.to_owned(),
        text: code.to_owned(),
    };
    changed_codes(draft).map(ask).collect()
}

/// The codes of an entry that may have been changed, with their fields and the names of these.
fn changed_codes(draft: &EntryDraft) -> impl Iterator<Item = (Field, &'static str, &str)> {
    let product = draft.product_reference_id.as_str();
    let codes = [
        (
            Field::TransactionId,
            "transactionId",
            draft.transaction_id.as_str(),
        ),
        (Field::ProductReferenceId, "productReferenceId", product),
        (Field::PlanId, "planId", draft.plan_id.as_str()),
    ];
    codes.into_iter().filter(|(.., code)| may_be_changed(code))
}

/// The name of a cell in a spreadsheet, from its column (from 0) and its line (from 1).
fn cell_name(column: u32, line: u32) -> String {
    let column = u16::try_from(column).map(column_number_to_name);
    format!("{}{line}", column.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_a_spreadsheet_names_them() {
        for (column, line, name) in [(0, 2, "A2"), (25, 3, "Z3"), (26, 4, "AA4"), (255, 5, "IV5")] {
            assert_eq!(cell_name(column, line), name);
        }
    }
}
