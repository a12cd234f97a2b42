//! A file read whole by the reader that takes one row at a time, for tests that hold all its rows
//! against something. Several test binaries include it by path.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::path::Path;

use warranty_files::export::{Cell, Writer};
use warranty_files::layout::{Layout, NumberedRow};
use warranty_files::private_file::Existing;
use warranty_files::{
    Detected, Encoding, FileError, FileRow, Format, Mapping, ReadOptions, RunKind, Source,
    WriteError, open,
};
use warranty_model::contracts::EntryDraft;
use warranty_model::products::ProductDraft;

/// A file as read: what was detected, and its rows with their line numbers.
#[derive(Debug)]
pub struct Table {
    pub detected: Detected,
    pub rows: Vec<FileRow>,
}

impl Table {
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Self, FileError> {
        Self::of(open(path, options)?)
    }

    pub fn parse(bytes: &[u8], encoding: Encoding) -> Result<Self, FileError> {
        let options = ReadOptions {
            encoding,
            ..ReadOptions::default()
        };
        Self::of(Source::of_bytes(bytes, &options)?)
    }

    fn of(mut source: Source) -> Result<Self, FileError> {
        let rows = source.rows()?.collect::<Result<_, _>>()?;
        let detected = source.detected().clone();
        Ok(Self { detected, rows })
    }

    /// The rows as contracts to enter, read as a run reads them; columns by their names.
    pub fn contract_entries(&self) -> Result<Vec<EntryDraft>, FileError> {
        let (layout, rows) = self.rows_of(RunKind::Contracts)?;
        let judged = |row| layout.judged(row, Vec::new()).texts.to_draft();
        Ok(rows.iter().map(judged).collect())
    }

    /// The rows as products to register or update; columns by their names.
    pub fn product_drafts(&self) -> Result<Vec<ProductDraft>, FileError> {
        let (layout, rows) = self.rows_of(RunKind::Products)?;
        Ok(rows.iter().map(|row| layout.product(&row.cells)).collect())
    }

    pub fn rows_of(&self, kind: RunKind) -> Result<(Layout, Vec<NumberedRow>), FileError> {
        let mapping = self.detected.guess(kind).with(kind, &Mapping::default())?;
        let layout = Layout::of_file(kind, None, &self.detected, &mapping)?;
        let row = |(number, row): (u32, &FileRow)| {
            let row = layout.taken(self.detected.kind, row.clone());
            row.numbered(number)
        };
        let rows = (1..).zip(&self.rows).map(row).collect();
        Ok((layout, rows))
    }
}

/// Writes a new file of headers and rows; returns the number of rows.
pub fn write<H: AsRef<str>>(
    path: &Path,
    format: Format,
    headers: &[H],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Result<u64, WriteError> {
    let mut writer = Writer::create(path, format, Existing::Refuse, headers)?;
    for row in rows {
        writer.row(&row)?;
    }
    writer.finish()
}
