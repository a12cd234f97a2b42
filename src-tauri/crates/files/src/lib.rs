//! Import and export: CSV in its usual dialects, and workbooks.
//!
//! Owns bytes to rows and rows to bytes: encoding, separator, sheet, headers, columns. What a row
//! means is for the subject it is for.

#![warn(missing_docs)]

mod cell;
pub mod column_aliases;
mod columns;
mod delimited;
mod encoding;
mod error;
pub mod export;
mod formula_escape;
mod header;
mod input;
pub mod layout;
mod number_format;
pub mod private_file;
mod reader;
mod row_buffer;
mod separator;
mod sheet_marks;
#[cfg(any(test, feature = "samples"))]
mod table;
mod workbook;
pub mod writer;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use columns::{Columns, Guess, MappedColumn, Mapping, guess};
pub use error::{FileError, WriteError};
pub use reader::{Rows, Source, open};
pub use row_buffer::Cells;
pub use separator::Separator;
#[cfg(any(test, feature = "samples"))]
pub use table::Table;
pub use warranty_model::bulk::RunKind;

/// Largest file read, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Most rows read.
const MAX_ROWS: usize = 1_000_000;

/// Most cells in one row.
const MAX_CELLS_IN_ROW: usize = 256;

/// Lines of hidden rows that are named.
const HIDDEN_NAMED: usize = 20;

/// How a text file's bytes are to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Encoding {
    /// A byte order mark, else strict UTF-8, else CP932.
    #[default]
    Detect,
    /// UTF-8.
    Utf8,
    /// CP932 (Shift_JIS as Windows writes it).
    Cp932,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Text, cells parted by a separator.
    Csv,
    /// An xlsx workbook.
    Xlsx,
}

impl Format {
    /// The form a file has by the ending of its name, where that says.
    #[must_use]
    pub fn named(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        let is = |format: &Self| ending.eq_ignore_ascii_case(format.ending());
        [Self::Csv, Self::Xlsx].into_iter().find(is)
    }

    /// What the name of such a file ends with, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// What a person knows better than the detection; the default leaves all to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase", default)]
pub struct ReadOptions {
    /// Of a text file.
    pub encoding: Encoding,
    /// Of a text file.
    pub separator: Option<Separator>,
    /// Of a workbook, by its name.
    pub sheet: Option<String>,
    /// The line from 1 that holds the headers; 0: there are none, and the first line is a row.
    pub header_line: Option<u32>,
    /// What the rows are for: it distinguishes headers from titles above them.
    pub kind: Option<RunKind>,
    /// Whether rows that a workbook hides, by a filter or by hand, are read as well.
    pub include_hidden: bool,
}

/// What a file was found to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Detected {
    /// Whatever its name says.
    pub kind: Format,
    /// Of a text file; never [`Encoding::Detect`].
    pub encoding: Option<Encoding>,
    /// Of a text file.
    pub separator: Option<Separator>,
    /// Of a workbook: its sheets of cells, hidden ones last.
    pub sheets: Vec<String>,
    /// Of a workbook: the sheet that is read.
    pub sheet: Option<String>,
    /// The line from 1 with the headers, the lower one of two; `None`: there are none.
    pub header_line: Option<u32>,
    /// As written. Without headers: an empty text for each cell of the first row.
    pub headers: Vec<String>,
    /// How many rows below the headers the workbook hides.
    pub hidden_rows: u32,
    /// The lines of the first of these.
    pub hidden_lines: Vec<u32>,
    /// Columns from 0 that the workbook hides: the first of each range and the last.
    #[serde(skip)]
    pub(crate) hidden_columns: Vec<(u32, u32)>,
}

/// One row as read. Rows whose cells are all blank, as spreadsheets leave them below the data, are
/// passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Line from 1 on which the row begins, as an editor or a spreadsheet counts.
    pub line: u64,
    /// Cells as written; there may be fewer or more than headers.
    pub cells: Cells,
    /// Cells of a workbook with a number that is not shown as it is written here, and cells of text
    /// with a formula.
    pub numbers: Vec<NumberCell>,
}

/// A cell with a number that its format shows differently, or in a form that is not known; a formula
/// in a text file is one too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberCell {
    /// Index of its column, from 0.
    pub column: usize,
    /// The text that a person sees in it; `None` when that is not known.
    pub shown: Option<String>,
}

impl FileRow {
    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

#[cfg(test)]
mod fixtures_tests;
#[cfg(test)]
mod tests;
