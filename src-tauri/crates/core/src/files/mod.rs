//! Files handed in: CSV in its usual disguises.
//!
//! Owns bytes to rows: encoding, separator, columns. What a row means is for the subject it is for.

use thiserror::Error;

use crate::contracts::EntryDraft;
use crate::products::ProductDraft;

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
    /// Columns that must be there are not.
    #[error("columns are missing: {}", .0.join(", "))]
    MissingColumns(Vec<String>),
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Headers as written.
    pub headers: Vec<String>,
    /// Cells as written.
    pub rows: Vec<Vec<String>>,
    /// Line from 1 on which each row begins.
    pub lines: Vec<u64>,
    /// The encoding found.
    pub encoding: Encoding,
}

#[allow(clippy::todo, unused_variables)]
impl Table {
    /// Reads a file whole.
    pub fn read(path: &std::path::Path, encoding: Encoding) -> Result<Self, FileError> {
        todo!()
    }
    /// Reads bytes.
    pub fn parse(bytes: &[u8], encoding: Encoding) -> Result<Self, FileError> {
        todo!()
    }
    /// Rows as contracts to enter; columns by the names of wdesk.
    pub fn contract_entries(&self) -> Result<Vec<EntryDraft>, FileError> {
        todo!()
    }
    /// Rows as products to put.
    pub fn product_drafts(&self) -> Result<Vec<ProductDraft>, FileError> {
        todo!()
    }
    /// The rows at these indexes with one more column, `reason`, as CSV in UTF-8 with BOM.
    pub fn with_reasons(&self, reasons: &[(u32, String)]) -> Vec<u8> {
        todo!()
    }
}
