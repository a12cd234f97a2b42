//! Files handed in: CSV in its usual disguises.
//!
//! Owns bytes to rows: encoding, separator, columns. What a row means is for the subject it is for.

mod columns;
mod decode;
mod lines;

use std::io::Read;

use thiserror::Error;

use lines::Lines;

use crate::contracts::EntryDraft;
use crate::products::ProductDraft;

/// Largest file read, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Most rows read.
const MAX_ROWS: usize = 1_000_000;

/// Most cells in one row.
const MAX_CELLS_IN_ROW: usize = 256;

/// Most cells in all: a file of separators alone must not fill the memory.
const MAX_CELLS: usize = 20_000_000;

/// Stands behind the last row while a file is read. A file without NUL cannot hold it, so when it
/// does not come back as a row of its own, a quote was never closed.
const END: &str = "\u{0}";

/// Name of the column that says why a row was rejected.
const REASON: &str = "reason";

/// How a file's bytes are to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A byte order mark, else strict UTF-8, else CP932.
    #[default]
    Detect,
    /// UTF-8.
    Utf8,
    /// CP932 (Shift_JIS as Windows writes it).
    Cp932,
}

/// Why a file cannot be read at all.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be opened.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
    /// Larger than 256 MiB.
    #[error("the file is larger than 256 MiB")]
    TooLarge,
    /// Not text in any encoding known here.
    #[error("the file is not text in UTF-8 or CP932")]
    NotText,
    /// UTF-16, by its mark; Excel calls it Unicode text.
    #[error("the file is text in UTF-16 (Excel's \"Unicode text\"): save it as CSV UTF-8")]
    Utf16,
    /// A workbook or another archive, whatever its name.
    #[error("the file is a workbook or an archive: save the sheet as CSV UTF-8")]
    Archive,
    /// Columns that must be there are not.
    #[error("columns are missing: {}", .0.join(", "))]
    MissingColumns(Vec<String>),
    /// Columns that are there more than once: which of them counts is not to be guessed.
    #[error("columns are there more than once: {}", .0.join(", "))]
    RepeatedColumns(Vec<String>),
    /// A row with more cells than there are headers, and not only blank ones: after a separator in
    /// the text of a cell that is not quoted, every cell behind it stands in the wrong column.
    #[error("line {line} has more cells than there are columns; quote cells that hold a separator")]
    ExtraCells {
        /// Line from 1.
        line: u64,
    },
    /// A row that is no CSV.
    #[error("line {line} cannot be read as CSV")]
    BadRow {
        /// Line from 1.
        line: u64,
    },
    /// No rows under the headers.
    #[error("the file holds no rows")]
    Empty,
    /// More rows than 1,000,000.
    #[error("the file holds more than 1,000,000 rows")]
    TooManyRows,
}

/// A table as read: headers and rows of text, with the line each row began on.
///
/// Rows whose cells are all blank, as spreadsheets leave them below the data, are passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Headers as written.
    pub headers: Vec<String>,
    /// Cells as written; a row may be shorter or longer than the headers.
    pub rows: Vec<Vec<String>>,
    /// Line from 1 on which each row begins.
    pub lines: Vec<u64>,
    /// The encoding found.
    pub encoding: Encoding,
}

impl Table {
    /// Reads a file whole.
    ///
    /// # Errors
    /// [`FileError`] when it cannot be opened, is too large, or as [`Table::parse`] says.
    pub fn read(path: &std::path::Path, encoding: Encoding) -> Result<Self, FileError> {
        let file = std::fs::File::open(path).map_err(FileError::Unreadable)?;
        let mut bytes = Vec::new();
        // One byte beyond the bound tells a file of exactly the bound from a larger one.
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(FileError::Unreadable)?;
        Self::parse(&bytes, encoding)
    }

    /// Reads bytes: encoding, then separator (`,`, `;` or tab, whichever the header line has most
    /// of), then rows. Quoted cells may hold separators and line breaks.
    ///
    /// # Errors
    /// [`FileError::NotText`], [`FileError::Utf16`], [`FileError::Archive`], [`FileError::Empty`], [`FileError::BadRow`] for a quote that is
    /// never closed or more than 256 cells, or one of the bounds.
    pub fn parse(bytes: &[u8], encoding: Encoding) -> Result<Self, FileError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        let (mut text, encoding) =
            decode::text(bytes, encoding).ok_or_else(|| decode::no_text(bytes))?;
        let separator = decode::separator(&text);
        text.push('\n');
        text.push_str(END);

        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(text.as_bytes());
        let mut count = Lines::of(&text);
        let mut table = Self {
            headers: Vec::new(),
            rows: Vec::new(),
            lines: Vec::new(),
            encoding,
        };
        let mut cells = 0;
        let mut ended = false;
        let mut line = 1;
        let mut record = csv::StringRecord::new();
        while reader
            .read_record(&mut record)
            .map_err(|error| FileError::BadRow {
                line: error.position().map_or(line, |at| count.up_to(at.byte())),
            })?
        {
            line = record.position().map_or(line, |at| count.up_to(at.byte()));
            if record.len() == 1 && record.get(0) == Some(END) {
                ended = true;
                continue;
            }
            cells += record.len();
            if record.len() > MAX_CELLS_IN_ROW {
                return Err(FileError::BadRow { line });
            }
            if table.rows.len() == MAX_ROWS || cells > MAX_CELLS {
                return Err(FileError::TooManyRows);
            }
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            let row = record.iter().map(str::to_owned).collect();
            if table.headers.is_empty() {
                table.headers = row;
            } else {
                table.rows.push(row);
                table.lines.push(line);
            }
        }
        if !ended {
            return Err(FileError::BadRow { line });
        }
        if table.rows.is_empty() {
            return Err(FileError::Empty);
        }
        Ok(table)
    }

    /// Rows as contracts to enter; columns by the names of wdesk, in any order and case.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; only `transactionDate` may be absent.
    /// [`FileError::RepeatedColumns`]; [`FileError::ExtraCells`].
    pub fn contract_entries(&self) -> Result<Vec<EntryDraft>, FileError> {
        columns::contract_entries(self)
    }

    /// Rows as products to put; columns by the names of part 4.3.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; [`FileError::RepeatedColumns`]; [`FileError::ExtraCells`].
    pub fn product_drafts(&self) -> Result<Vec<ProductDraft>, FileError> {
        columns::product_drafts(self)
    }

    /// The rows at these indexes with one more column, `reason`, as CSV in UTF-8 with BOM. A
    /// `reason` column that is there already is written anew, so that a corrected file can go
    /// round again. Every other cell comes back exactly as it was.
    #[must_use]
    pub fn with_reasons(&self, reasons: &[(u32, String)]) -> Vec<u8> {
        let chosen: Vec<(&Vec<String>, &str)> = reasons
            .iter()
            .filter_map(|(index, reason)| {
                let row = self.rows.get(usize::try_from(*index).ok()?)?;
                Some((row, reason.as_str()))
            })
            .collect();
        let width = chosen
            .iter()
            .map(|(row, _)| row.len())
            .chain([self.headers.len()])
            .max()
            .unwrap_or_default();
        let column = columns::position(&self.headers, REASON).unwrap_or(width);
        let line = |cells: &[String], reason: &str| {
            let mut line = cells.to_vec();
            line.resize(width.max(column + 1), String::new());
            if let Some(cell) = line.get_mut(column) {
                reason.clone_into(cell);
            }
            line
        };
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer(decode::UTF8_BOM.to_vec());
        let written = writer
            .write_record(line(&self.headers, REASON))
            .and_then(|()| {
                chosen
                    .iter()
                    .try_for_each(|(row, reason)| writer.write_record(line(row, reason)))
            });
        // Rows of one width written to memory: neither step has a way to fail.
        if let Err(error) = written {
            tracing::error!(%error, "rejected rows could not be written");
        }
        writer.into_inner().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
