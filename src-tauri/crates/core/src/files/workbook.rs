//! Rows of an xlsx workbook, one at a time.
//!
//! Owns what an archive may unpack to and which sheets there are. A workbook keeps the texts of all
//! its cells in one table, which is held in memory while its rows stream; that table is bounded.

use std::io::{BufReader, Read, Seek};
use std::iter::Peekable;

use calamine::{Reader, SheetType, SheetVisible, Xlsx, XlsxCellReader, XlsxError};
use zip::ZipArchive;

use super::cell;
use super::origin::{Bytes, Origin};
use super::{FileError, FileRow, MAX_CELLS_IN_ROW};

/// Most bytes a sheet may unpack to; it is streamed.
const MOST_IN_SHEET: u64 = 512 * 1024 * 1024;

/// Most bytes any other part that is read may unpack to; it is held.
const MOST_IN_PART: u64 = 128 * 1024 * 1024;

/// An open workbook.
pub(super) type Book = Xlsx<BufReader<Bytes>>;

/// Opens a workbook, unless it is an archive of another kind or one that would fill the memory.
pub(super) fn open(origin: &Origin) -> Result<Book, FileError> {
    examine(BufReader::new(origin.open()?))?;
    Xlsx::new(BufReader::new(origin.open()?)).map_err(meaning)
}

/// The sheets of cells: those that can be seen, then hidden ones, each in the workbook's order.
pub(super) fn sheets(book: &Book) -> Vec<String> {
    let cells = book.sheets_metadata().iter();
    let cells = cells.filter(|sheet| matches!(sheet.typ, SheetType::WorkSheet));
    let (seen, hidden): (Vec<_>, Vec<_>) =
        cells.partition(|sheet| matches!(sheet.visible, SheetVisible::Visible));
    let all = seen.into_iter().chain(hidden);
    all.map(|sheet| sheet.name.clone()).collect()
}

/// Looks at the archive's table of contents. The sizes it names are held to while it is unpacked.
fn examine<R: Read + Seek>(file: R) -> Result<(), FileError> {
    let mut archive = ZipArchive::new(file).map_err(|_| FileError::BadWorkbook)?;
    let (mut types, mut book, mut other, mut large) = (false, false, false, false);
    for index in 0..archive.len() {
        let part = archive
            .by_index_raw(index)
            .map_err(|_| FileError::BadWorkbook)?;
        let name = part.name().map_err(|_| FileError::BadWorkbook)?;
        types |= name == "[Content_Types].xml";
        book |= name.starts_with("xl/");
        other |= matches!(&*name, "mimetype" | "xl/workbook.bin");
        large |= part.size()
            > if name.contains("/worksheets/") {
                MOST_IN_SHEET
            } else {
                MOST_IN_PART
            };
    }
    match (other, types && book, large) {
        (true, ..) => Err(FileError::OtherWorkbook),
        (false, false, _) => Err(FileError::Archive),
        (false, true, true) => Err(FileError::TooLarge),
        (false, true, false) => Ok(()),
    }
}

/// The rows of a sheet from its top.
pub(super) struct SheetRows<'a> {
    cells: Peekable<Cells<'a>>,
    last: Option<u32>,
}

/// The cells of a sheet that hold something.
struct Cells<'a>(XlsxCellReader<'a, BufReader<Bytes>>);

impl<'a> SheetRows<'a> {
    pub(super) fn of(book: &'a mut Book, sheet: &str) -> Result<Self, FileError> {
        let cells = book.worksheet_cells_reader(sheet).map_err(meaning)?;
        Ok(Self {
            cells: Cells(cells).peekable(),
            last: None,
        })
    }

    /// The next row with a cell that holds something; `None` behind the last.
    pub(super) fn next(&mut self) -> Result<Option<FileRow>, FileError> {
        let Some(first) = self.cells.next() else {
            return Ok(None);
        };
        let (row, column, text) = first?;
        // Rows that go back would be read as later ones.
        if self.last.is_some_and(|last| last >= row) {
            return Err(FileError::BadWorkbook);
        }
        self.last = Some(row);
        let line = u64::from(row) + 1;
        let mut cells = Vec::new();
        put(&mut cells, column, text, line)?;
        while let Some(Ok((_, column, text))) = self
            .cells
            .next_if(|next| matches!(next, Ok((at, ..)) if *at == row))
        {
            put(&mut cells, column, text, line)?;
        }
        Ok(Some(FileRow {
            line,
            cells: cells.iter().collect(),
        }))
    }
}

fn put(cells: &mut Vec<String>, column: u32, text: String, line: u64) -> Result<(), FileError> {
    let at = usize::try_from(column).unwrap_or(usize::MAX);
    if at >= MAX_CELLS_IN_ROW {
        return Err(FileError::BadRow { line });
    }
    if at >= cells.len() {
        cells.resize(at + 1, String::new());
    }
    if let Some(cell) = cells.get_mut(at) {
        *cell = text;
    }
    Ok(())
}

impl Iterator for Cells<'_> {
    type Item = Result<(u32, u32, String), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.0.next_cell() {
                Ok(None) => return None,
                Err(error) => return Some(Err(meaning(error))),
                Ok(Some(found)) => {
                    let (row, column) = found.get_position();
                    let text = cell::text(found.get_value());
                    if !text.is_empty() {
                        return Some(Ok((row, column, text)));
                    }
                }
            }
        }
    }
}

fn meaning(error: XlsxError) -> FileError {
    tracing::info!(%error, "a workbook cannot be read");
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else is wrong inside it, the workbook is damaged"
    )]
    match error {
        XlsxError::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => {
            FileError::Unreadable(error)
        }
        XlsxError::Password => FileError::OtherWorkbook,
        XlsxError::WorksheetNotFound(name) => FileError::NoSuchSheet(name),
        _ => FileError::BadWorkbook,
    }
}
