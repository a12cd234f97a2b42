//! A file read whole, for those who need all of its rows at once.

use std::path::Path;

use super::{Columns, Detected, Encoding, FileError, FileRow, ReadOptions, RunKind, Source, open};
use warranty_model::contracts::EntryDraft;
use warranty_model::products::ProductDraft;

/// Most cells in all: a file of separators alone must not fill the memory.
const MAX_CELLS: usize = 20_000_000;

/// A table as read: what the file is, and rows of text with the line each began on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What the file was found to be.
    pub detected: Detected,
    /// At least one.
    pub rows: Vec<FileRow>,
}

impl Table {
    /// Reads a file whole.
    ///
    /// # Errors
    /// [`FileError`], as [`open`] and [`Source::rows`] say.
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Self, FileError> {
        Self::of(open(path, options)?)
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn parse(bytes: &[u8], encoding: Encoding) -> Result<Self, FileError> {
        Self::of(Source::of_bytes(bytes, &options(encoding))?)
    }

    fn of(mut source: Source) -> Result<Self, FileError> {
        let mut cells = 0;
        let mut rows = Vec::new();
        for row in source.rows()? {
            let row = row?;
            cells += row.cells.len();
            if cells > MAX_CELLS {
                return Err(FileError::TooManyRows);
            }
            rows.push(row);
        }
        Ok(Self {
            detected: source.detected().clone(),
            rows,
        })
    }

    /// Rows as contracts to enter; columns by their names, in any order and case.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; only `transactionDate` may be absent.
    /// [`FileError::RepeatedColumns`]; [`FileError::ExtraCells`].
    pub fn contract_entries(&self) -> Result<Vec<EntryDraft>, FileError> {
        let columns = Columns::guessed(RunKind::Contracts, &self.detected)?;
        let entry = |row| columns.entry(row).map(EntryDraft::from);
        self.rows.iter().map(entry).collect()
    }

    /// Rows as products to put; columns by their names.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; [`FileError::RepeatedColumns`]; [`FileError::ExtraCells`].
    pub fn product_drafts(&self) -> Result<Vec<ProductDraft>, FileError> {
        let columns = Columns::guessed(RunKind::Products, &self.detected)?;
        self.rows.iter().map(|row| columns.product(row)).collect()
    }
}

fn options(encoding: Encoding) -> ReadOptions {
    ReadOptions {
        encoding,
        ..ReadOptions::default()
    }
}
