//! Reads a whole file into memory, for callers that need all rows at once.

use std::path::Path;

use super::layout::{Layout, NumberedRow};
use super::{
    Columns, Detected, Encoding, FileError, FileRow, Mapping, ReadOptions, RunKind, Source, open,
};
use warranty_model::contracts::EntryDraft;
use warranty_model::products::ProductDraft;

/// Maximum number of cells: a file of separators alone must not fill the memory.
const MAX_CELLS: usize = 20_000_000;

/// A file as read: what was detected, and its rows with their line numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What the file was found to be.
    pub detected: Detected,
    /// At least one row.
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

    /// Reads a file from bytes in memory.
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

    /// The rows as contracts to enter, read as a run reads them; columns by their names.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; only `transactionDate` may be absent.
    /// [`FileError::RepeatedColumns`].
    pub fn contract_entries(&self) -> Result<Vec<EntryDraft>, FileError> {
        let (layout, rows) = self.rows_of(RunKind::Contracts)?;
        let judged = |row| layout.judged(row, Vec::new()).texts.to_draft();
        Ok(rows.iter().map(judged).collect())
    }

    /// The rows as products to register or update; columns by their names.
    ///
    /// # Errors
    /// [`FileError::MissingColumns`]; [`FileError::RepeatedColumns`].
    pub fn product_drafts(&self) -> Result<Vec<ProductDraft>, FileError> {
        let (layout, rows) = self.rows_of(RunKind::Products)?;
        Ok(rows.iter().map(|row| layout.product(&row.cells)).collect())
    }

    pub(crate) fn rows_of(&self, kind: RunKind) -> Result<(Layout, Vec<NumberedRow>), FileError> {
        let mapping = self.detected.guess(kind).with(kind, &Mapping::default())?;
        let columns = Columns::new(kind, &mapping, &self.detected)?;
        let rows = self.rows.iter().map(|row| {
            let (cells, unclear) = columns.taken(row.clone());
            let line = u32::try_from(row.line).unwrap_or(u32::MAX);
            NumberedRow {
                number: line,
                line,
                cells,
                unclear,
                confirmed: Vec::new(),
            }
        });
        let layout = Layout::of_file(&self.detected.headers, &mapping);
        Ok((layout, rows.collect()))
    }
}

fn options(encoding: Encoding) -> ReadOptions {
    ReadOptions {
        encoding,
        ..ReadOptions::default()
    }
}
