//! Exports rows as CSV with a byte order mark or as a workbook.
//!
//! Guarantees that every text reads back unchanged when the file is imported here again, that no
//! text runs as a formula in a spreadsheet, and that the file is readable by this user only and
//! either complete or absent.

use std::io::{self, Write as _};
use std::path::Path;

use rust_xlsxwriter::{Format as CellFormat, Workbook, Worksheet, XlsxError};

use super::column_aliases::key;
use super::encoding::UTF8_BOM;
use super::formula_escape::neutralised;
use super::private_file::{Existing, PrivateFile};
use super::{Cells, Format, WriteError};

/// Name of the column that says why a row was rejected.
pub const REASON: &str = "reason";

/// Most rows of a workbook below its headers.
const MOST_ROWS: u32 = 1_048_575;

/// Largest integer of which a spreadsheet keeps all digits.
const MOST_EXACT: u64 = 999_999_999_999_999;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// A text or a code: never taken for a formula or a number, so leading zeros are kept.
    Text(String),
    /// An amount or a count; a number in a workbook, so that it can be summed.
    Number(i64),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

/// A file that is written row by row with bounded memory. If it is dropped before
/// [`Writer::finish`], no file remains.
pub struct Writer {
    rows: u64,
    sheet: Sheet,
}

enum Sheet {
    Csv(Box<csv::Writer<PrivateFile>>),
    Xlsx {
        workbook: Box<Workbook>,
        text: Box<CellFormat>,
        file: PrivateFile,
    },
}

impl Writer {
    /// Creates a file and writes its headers.
    pub fn create<H: AsRef<str>>(
        path: &Path,
        format: Format,
        existing: Existing,
        headers: &[H],
    ) -> Result<Self, WriteError> {
        let mut file = PrivateFile::create(path, existing)?;
        let sheet = match format {
            Format::Csv => {
                file.write_all(UTF8_BOM)?;
                // Every cell is quoted, so that a tab in one is never taken for a separator, and a
                // line end in one never for a quote that was not closed.
                let mut writer = csv::WriterBuilder::new()
                    .flexible(true)
                    .quote_style(csv::QuoteStyle::Always)
                    .terminator(csv::Terminator::CRLF)
                    .from_writer(file);
                let headers = headers.iter().map(|header| neutralised(header.as_ref()));
                writer
                    .write_record(headers.map(|header| header.into_owned().into_bytes()))
                    .map_err(io::Error::from)?;
                Sheet::Csv(Box::new(writer))
            }
            Format::Xlsx => {
                let mut workbook = Workbook::new();
                // The workbook library spools large sheets to an unnamed temporary file beside the
                // target.
                if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
                    workbook.set_tempdir(folder)?;
                }
                let sheet = workbook.add_worksheet_with_constant_memory()?;
                begin(sheet, headers)?;
                Sheet::Xlsx {
                    workbook: Box::new(workbook),
                    text: Box::new(CellFormat::new().set_num_format("@")),
                    file,
                }
            }
        };
        Ok(Self { rows: 0, sheet })
    }

    pub fn row(&mut self, cells: &[Cell]) -> Result<(), WriteError> {
        self.rows += 1;
        match &mut self.sheet {
            Sheet::Csv(writer) => {
                let cells = cells.iter().map(|cell| match cell {
                    Cell::Text(text) => neutralised(text),
                    Cell::Number(number) => number.to_string().into(),
                });
                writer
                    .write_record(cells.map(|cell| cell.into_owned().into_bytes()))
                    .map_err(io::Error::from)?;
            }
            Sheet::Xlsx { workbook, text, .. } => {
                let row = u32::try_from(self.rows).unwrap_or(u32::MAX);
                if row > MOST_ROWS {
                    return Err(WriteError::TooManyRows);
                }
                let sheet = workbook.worksheet_from_index(0)?;
                for (column, cell) in (0_u16..).zip(cells) {
                    fill(sheet, row, column, cell, text)?;
                }
            }
        }
        Ok(())
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Moves the complete file to the target path; returns the number of rows.
    pub fn finish(self) -> Result<u64, WriteError> {
        match self.sheet {
            Sheet::Csv(writer) => {
                let file = writer.into_inner().map_err(|error| error.into_error())?;
                file.finish()?;
            }
            Sheet::Xlsx {
                mut workbook,
                mut file,
                ..
            } => {
                workbook.save_to_writer(&mut file)?;
                file.finish()?;
            }
        }
        Ok(self.rows)
    }
}

fn begin<H: AsRef<str>>(sheet: &mut Worksheet, headers: &[H]) -> Result<(), XlsxError> {
    let bold = CellFormat::new().set_bold().set_num_format("@");
    sheet.set_freeze_panes(1, 0)?;
    for (column, header) in (0_u16..).zip(headers) {
        sheet.set_column_width(column, 20)?;
        sheet.write_string_with_format(0, column, header.as_ref(), &bold)?;
    }
    Ok(())
}

fn fill(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: &Cell,
    text: &CellFormat,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Text(empty) if empty.is_empty() => {}
        Cell::Text(written) => {
            sheet.write_string_with_format(row, column, written, text)?;
        }
        Cell::Number(number) if number.unsigned_abs() <= MOST_EXACT => {
            sheet.write_number(row, column, *number as f64)?;
        }
        Cell::Number(number) => {
            sheet.write_string_with_format(row, column, number.to_string(), text)?;
        }
    }
    Ok(())
}

impl From<XlsxError> for WriteError {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "most of its kinds are about charts, tables and pictures"
    )]
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(error) => Self::Io(error),
            XlsxError::RowColumnLimitError => Self::TooManyRows,
            XlsxError::MaxStringLengthExceeded => Self::TooLong,
            error => Self::Workbook(error.to_string()),
        }
    }
}

/// Rejected rows that are exported for correction: their original columns and the reasons.
///
/// An existing `reason` column is overwritten, so that a corrected file can be imported and
/// rejected again.
#[derive(Debug, Clone)]
pub struct Returned {
    headers: Vec<String>,
    /// The number of original columns.
    width: usize,
    reason: usize,
}

impl Returned {
    pub fn of(headers: &[String]) -> Self {
        let width = headers.len();
        let named = |header: &String| key(header) == REASON;
        let found = headers.iter().position(named);
        let mut headers = headers.to_vec();
        if found.is_none() {
            headers.push(REASON.to_owned());
        }
        Self {
            headers,
            width,
            reason: found.unwrap_or(width),
        }
    }

    pub fn headers(&self) -> &[String] {
        &self.headers
    }

    /// A row of the exported file. Cells beyond the headers, which only a shifted row has, come
    /// last.
    pub fn row(&self, cells: &Cells, reason: &str) -> Vec<Cell> {
        let known = |at: usize| cells.get(at).unwrap_or_default();
        let own = (0..self.headers.len()).map(|at| match at {
            at if at == self.reason => reason.into(),
            at if at < self.width => known(at).into(),
            _ => "".into(),
        });
        let mut row: Vec<Cell> = own.collect();
        row.extend(cells.iter().skip(self.width).map(Into::into));
        row
    }
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
