//! Reads and writes files of rows: CSV in its usual dialects, and xlsx workbooks.
//!
//! Owns the conversion between bytes and rows: encoding, separator, sheet, headers, columns. Knows
//! nothing of what a row means.

pub mod archive;
mod cell;
mod changed_code;
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
mod workbook;
mod workbook_limits;
pub mod writer;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use columns::{Guess, MappedColumn, Mapping, guess};
pub use error::{FileError, WriteError};
pub use reader::{Rows, Source, open};
pub use row_buffer::Cells;
pub use separator::Separator;
pub use warranty_model::bulk::RunKind;

/// Largest file read, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

const MAX_ROWS: usize = 1_000_000;

const MAX_CELLS_IN_ROW: usize = 256;

/// Maximum size of one row, in bytes of UTF-8: a quote that is never closed must not fill the
/// memory.
const MAX_BYTES_IN_ROW: usize = 8 * 1024 * 1024;

/// Maximum number of hidden rows that are reported with their line.
const HIDDEN_NAMED: usize = 20;

/// How a text file's bytes are to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Encoding {
    /// A byte order mark, else strict UTF-8, else CP932; what is rather EUC-JP is refused.
    #[default]
    Detect,
    Utf8,
    /// CP932 (Shift_JIS as Windows writes it).
    Cp932,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Text with separated cells.
    #[default]
    Csv,
    Xlsx,
}

impl Format {
    /// The format that the ending of the file name indicates, if any.
    pub fn named(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        let is = |format: &Self| ending.eq_ignore_ascii_case(format.ending());
        [Self::Csv, Self::Xlsx].into_iter().find(is)
    }

    /// The file name extension, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// Choices of the user that override the detection; the default detects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadOptions {
    pub encoding: Encoding,
    pub separator: Option<Separator>,
    pub sheet: Option<String>,
    /// Without a chosen sheet, the one that was found when the file was looked at; a file in which it is
    /// another one has changed since.
    pub found_sheet: Option<String>,
    /// The header line, from 1; 0 means that there are no headers and the first line is a row.
    pub header_line: Option<u32>,
    /// The kind of rows: it helps to distinguish headers from titles above them.
    pub kind: Option<RunKind>,
    /// Whether to read the rows that a workbook hides, by a filter or by hand.
    pub include_hidden: bool,
    /// The headers on which a mapping was chosen; a file with others has changed since.
    pub headers: Option<Vec<String>>,
}

/// What was detected about a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Detected {
    /// Detected from the content, not from the name.
    pub kind: Format,
    /// Encoding of a text file; never [`Encoding::Detect`].
    pub encoding: Option<Encoding>,
    pub separator: Option<Separator>,
    /// Worksheets of a workbook, hidden ones last.
    pub sheets: Vec<String>,
    /// The worksheet that is read.
    pub sheet: Option<String>,
    /// Other visible worksheets with rows of data; none when a sheet was chosen.
    pub other_sheets: Vec<String>,
    /// The header line, from 1, the lower one of two; `None` if there are no headers.
    pub header_line: Option<u32>,
    /// Headers as written. Without headers: an empty text for each cell of the first row.
    pub headers: Vec<String>,
    /// How many rows below the headers the workbook hides.
    pub hidden_rows: u32,
    /// The lines of the first hidden rows.
    pub hidden_lines: Vec<u32>,
    /// Hidden columns of the workbook, from 0: the first and the last of each range.
    #[serde(skip)]
    pub(crate) hidden_columns: Vec<(u32, u32)>,
}

/// One row as read. Rows with only blank cells, which spreadsheets leave below the data, are
/// skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// First line of the row, from 1, as an editor or a spreadsheet counts.
    pub line: u64,
    /// Cells as written; there may be fewer or more than headers.
    pub cells: Cells,
    /// Number cells that a spreadsheet displays differently from the text here, and text cells that
    /// contain a formula.
    pub numbers: Vec<NumberCell>,
}

/// A cell with a number that its format displays differently or in an unknown form, or a formula in
/// a text file.
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

// So that `whole_file`, which other crates include by its path, finds this one by its name.
#[cfg(test)]
extern crate self as warranty_files;
#[cfg(test)]
mod fixtures_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "../tests/whole_file/mod.rs"]
mod whole_file;
#[cfg(test)]
mod workbook_tests;
