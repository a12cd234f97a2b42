//! Reads the rows of an xlsx workbook, one at a time.
//!
//! Lists the sheets. A workbook stores the texts of all cells in one table, which is held in memory
//! while the rows stream.

use std::io::BufReader;
use std::iter::Peekable;

use calamine::{DataRef, Reader, SheetType, SheetVisible, Style, Xlsx, XlsxCellReader, XlsxError};

use super::cell;
use super::input::{Bytes, Origin};
use super::number_format::NumberFormat;
use super::{FileError, FileRow, MAX_BYTES_IN_ROW, MAX_CELLS_IN_ROW, NumberCell, workbook_limits};

pub(super) type Book = Xlsx<BufReader<Bytes>>;

/// Opens a workbook; fails for an archive of another kind or one that would fill the memory.
pub(super) fn open(origin: &Origin) -> Result<Book, FileError> {
    workbook_limits::check(BufReader::new(origin.open()?))?;
    Xlsx::new(BufReader::new(origin.open()?)).map_err(meaning)
}

/// The worksheets, visible ones before hidden ones, each in the order of the workbook.
pub(super) fn sheets(book: &Book) -> (Vec<String>, Vec<String>) {
    let (mut visible, mut hidden) = (Vec::new(), Vec::new());
    for sheet in book.sheets_metadata() {
        if matches!(sheet.typ, SheetType::WorkSheet) {
            let of = match sheet.visible {
                SheetVisible::Visible => &mut visible,
                SheetVisible::Hidden | SheetVisible::VeryHidden => &mut hidden,
            };
            of.push(sheet.name.clone());
        }
    }
    (visible, hidden)
}

pub(super) struct SheetRows<'a> {
    cells: Peekable<Cells<'a>>,
    last: Option<u32>,
}

/// The cells of a sheet that contain something.
struct Cells<'a> {
    reader: XlsxCellReader<'a, BufReader<Bytes>>,
    /// Number formats by the style of a cell.
    formats: Vec<NumberFormat>,
}

/// A cell that contains something.
struct Cell {
    row: u32,
    column: u32,
    text: String,
    /// For a number that is displayed differently from `text`: the displayed text, if known.
    shown: Option<Option<String>>,
}

impl<'a> SheetRows<'a> {
    /// The rows of a sheet. With `conditional`, what numbers display is unknown, whatever their
    /// format.
    pub(super) fn of(
        book: &'a mut Book,
        sheet: &str,
        conditional: bool,
    ) -> Result<Self, FileError> {
        let reader = book.worksheet_cells_reader(sheet).map_err(meaning)?;
        let format = |style: &Style| match &style.number_format {
            _ if conditional => NumberFormat::Unknown,
            Some(format) => NumberFormat::of(&format.format_code, format.format_id),
            None => NumberFormat::General,
        };
        let formats = reader.styles().iter().map(format).collect();
        Ok(Self {
            cells: Cells { reader, formats }.peekable(),
            last: None,
        })
    }

    /// The next row that contains something; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<FileRow>, FileError> {
        let Some(first) = self.cells.next().transpose()? else {
            return Ok(None);
        };
        let row = first.row;
        // Rows must ascend: a row out of order would get a wrong line number.
        if self.last.is_some_and(|last| last >= row) {
            return Err(FileError::BadWorkbook);
        }
        self.last = Some(row);
        let line = u64::from(row) + 1;
        let (mut cells, mut numbers) = (Vec::new(), Vec::new());
        let mut put = |cell: Cell| {
            let column = usize::try_from(cell.column).unwrap_or(usize::MAX);
            if column >= MAX_CELLS_IN_ROW {
                return Err(FileError::BadRow { line });
            }
            if column >= cells.len() {
                cells.resize(column + 1, String::new());
            }
            cells[column] = cell.text;
            numbers.extend(cell.shown.map(|shown| NumberCell { column, shown }));
            Ok(())
        };
        let mut bytes = first.text.len();
        put(first)?;
        while let Some(Ok(cell)) = self
            .cells
            .next_if(|next| matches!(next, Ok(cell) if cell.row == row))
        {
            // A text that many cells refer to is there once in the file.
            bytes += cell.text.len();
            if bytes > MAX_BYTES_IN_ROW {
                return Err(FileError::BadRow { line });
            }
            put(cell)?;
        }
        Ok(Some(FileRow {
            line,
            cells: cells.iter().collect(),
            numbers,
        }))
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<Cell, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.reader.next_cell_with_style_id() {
                Ok(None) => return None,
                Err(error) => return Some(Err(meaning(error))),
                Ok(Some((found, style))) => {
                    let (row, column) = found.get_position();
                    let text = cell::text(found.get_value());
                    if !text.is_empty() {
                        let shown = self.shown(found.get_value(), style);
                        return Some(Ok(Cell {
                            row,
                            column,
                            shown: shown.filter(|shown| shown.as_ref() != Some(&text)),
                            text,
                        }));
                    }
                }
            }
        }
    }
}

impl Cells<'_> {
    /// The displayed text of a number cell, if known; `None` for every other cell.
    fn shown(&self, value: &DataRef<'_>, style: usize) -> Option<Option<String>> {
        let number = match value {
            DataRef::Int(number) => *number as f64,
            DataRef::Float(number) => *number,
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
                return Some(None);
            }
            DataRef::Empty
            | DataRef::String(_)
            | DataRef::SharedString(_)
            | DataRef::Bool(_)
            | DataRef::Error(_) => return None,
        };
        let format = match self.formats.get(style) {
            Some(format) => format,
            // A workbook without styles displays all numbers in the general format.
            None if self.formats.is_empty() && style == 0 => &NumberFormat::General,
            None => &NumberFormat::Unknown,
        };
        Some(format.shown(number))
    }
}

fn meaning(error: XlsxError) -> FileError {
    // Only which error: the rest may hold a cell or the name of a sheet.
    let kind = format!("{error:?}");
    let kind = kind.split(['(', ' ', '{']).next().unwrap_or_default();
    tracing::info!(%kind, "a workbook cannot be read");
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else is wrong inside it, the workbook is damaged"
    )]
    match error {
        XlsxError::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => {
            FileError::Unreadable(error)
        }
        XlsxError::Password => FileError::OtherWorkbook,
        _ => FileError::BadWorkbook,
    }
}
