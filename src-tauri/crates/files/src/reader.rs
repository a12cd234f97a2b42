//! Opens a file and reads its rows, as often as needed.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use super::delimited::Delimited;
use super::header::{self, Head};
use super::input::Origin;
use super::sheet_marks::{self, Marks};
use super::workbook::{self, Book, SheetRows};
use super::{
    Detected, Encoding, FileError, FileRow, Format, HIDDEN_NAMED, MAX_BYTES, MAX_ROWS, ReadOptions,
    Separator, encoding, separator,
};
use warranty_model::bulk::LeftOut;
use warranty_model::contracts::validation;

/// Most sheets named when there is none of the wanted name.
const SHEETS_NAMED: usize = 20;

/// The first bytes of a ZIP archive, and so of every xlsx.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// The first bytes of an xls, and of an xlsx that is protected by a password.
const OLD_WORKBOOK: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Opens a file and detects its form; keeps only its first rows in memory.
///
/// # Errors
/// [`FileError`] when it cannot be opened or read, has no row, or has other headers than expected.
pub fn open(path: &Path, options: &ReadOptions) -> Result<Source, FileError> {
    Source::new(Origin::file(path.to_owned())?, options)
}

pub struct Source {
    origin: Origin,
    detected: Detected,
    body: Body,
}

enum Body {
    Text(Encoding, Separator),
    Book {
        book: Box<Book>,
        sheet: String,
        marks: Marks,
        include_hidden: bool,
    },
}

/// The rows of a file, one at a time, from the first below the headers.
///
/// An error ends the iteration.
pub struct Rows<'a> {
    origin: &'a Origin,
    from: Reading<'a>,
    /// Rows up to this line are skipped: they are the headers and the lines above them.
    below: u64,
    /// Lines of hidden rows to skip.
    hidden: &'a [u32],
    count: usize,
    over: bool,
}

enum Reading<'a> {
    Text(Box<Delimited>),
    Sheet(Box<SheetRows<'a>>),
}

impl Source {
    /// As [`open`], for bytes in memory.
    pub fn of_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Self, FileError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(FileError::TooLarge);
        }
        Self::new(Origin::Memory(Arc::from(bytes)), options)
    }

    fn new(origin: Origin, options: &ReadOptions) -> Result<Self, FileError> {
        let start = encoding::head(&origin)?;
        let mut source = if start.starts_with(ARCHIVE) {
            Self::of_book(origin, options)?
        } else if start.starts_with(OLD_WORKBOOK) {
            return Err(FileError::OtherWorkbook);
        } else {
            Self::of_text(origin, options)?
        };
        source.find_headers(options)?;
        Ok(source)
    }

    fn of_text(origin: Origin, options: &ReadOptions) -> Result<Self, FileError> {
        let encoding = encoding::encoding(&origin, options.encoding)?;
        let separator = match options.separator {
            Some(separator) => separator,
            None => separator::of_file(&origin, encoding)?,
        };
        Ok(Self {
            origin,
            detected: Detected {
                kind: Format::Csv,
                encoding: Some(encoding),
                separator: Some(separator),
                ..Detected::default()
            },
            body: Body::Text(encoding, separator),
        })
    }

    fn of_book(origin: Origin, options: &ReadOptions) -> Result<Self, FileError> {
        let mut book = workbook::open(&origin).map_err(|error| origin.or_changed(error))?;
        let (visible, hidden) = workbook::sheets(&book);
        let (sheet, other_sheets) = match &options.sheet {
            Some(wanted) if visible.contains(wanted) || hidden.contains(wanted) => {
                (wanted.clone(), Vec::new())
            }
            Some(wanted) => {
                let mut sheets = [visible, hidden].concat();
                if sheets.len() > SHEETS_NAMED {
                    sheets.truncate(SHEETS_NAMED);
                    sheets.push("…".to_owned());
                }
                return Err(FileError::NoSuchSheet {
                    name: wanted.clone(),
                    sheets,
                });
            }
            None => match sheets_of_rows(&mut book, &visible, options)? {
                Some((sheet, _))
                    if options
                        .found_sheet
                        .as_ref()
                        .is_some_and(|found| *found != sheet) =>
                {
                    return Err(FileError::Changed);
                }
                Some(found) => found,
                None => match sheets_of_rows(&mut book, &hidden, options)? {
                    Some((sheet, _)) => return Err(FileError::HiddenSheet(sheet)),
                    None => return Err(FileError::Empty),
                },
            },
        };
        let marks = sheet_marks::read(&origin, &sheet).map_err(|error| origin.or_changed(error))?;
        Ok(Self {
            origin,
            detected: Detected {
                kind: Format::Xlsx,
                sheets: [visible, hidden].concat(),
                sheet: Some(sheet.clone()),
                other_sheets,
                hidden_columns: marks.hidden_columns.clone(),
                ..Detected::default()
            },
            body: Body::Book {
                book: Box::new(book),
                sheet,
                marks,
                include_hidden: options.include_hidden,
            },
        })
    }

    pub fn detected(&self) -> &Detected {
        &self.detected
    }

    /// The rows and sheets of its workbook that are not read.
    pub fn left_out(&self) -> LeftOut {
        let reads_hidden = match &self.body {
            Body::Text(..) => true,
            Body::Book { include_hidden, .. } => *include_hidden,
        };
        let mut left_out = LeftOut {
            other_sheets: self.detected.other_sheets.clone(),
            ..LeftOut::default()
        };
        if !reads_hidden {
            left_out.hidden_rows = self.detected.hidden_rows;
            left_out.hidden_lines = self.detected.hidden_lines.clone();
        }
        left_out
    }

    /// The rows from the first one. Each call reads the file again and returns the same rows, or
    /// [`FileError::Changed`], at the latest after the last row.
    ///
    /// # Errors
    /// [`FileError::Changed`]; [`FileError::Unreadable`].
    pub fn rows(&mut self) -> Result<Rows<'_>, FileError> {
        let below = self.detected.header_line.map_or(0, u64::from);
        self.rows_below(below, true)
    }

    /// The rows below a line, without the hidden ones if they are to be left out.
    fn rows_below(&mut self, below: u64, leave_out: bool) -> Result<Rows<'_>, FileError> {
        self.origin.unchanged()?;
        let mut hidden: &[u32] = &[];
        let from = match &mut self.body {
            Body::Text(encoding, separator) => {
                let rows = Delimited::of(&self.origin, *encoding, *separator)?;
                Reading::Text(Box::new(rows))
            }
            Body::Book {
                book,
                sheet,
                marks,
                include_hidden,
            } => {
                if leave_out && !*include_hidden {
                    hidden = &marks.hidden;
                }
                Reading::Sheet(Box::new(SheetRows::of(book, sheet, marks.conditional)?))
            }
        };
        Ok(Rows {
            origin: &self.origin,
            from,
            below,
            hidden,
            count: 0,
            over: false,
        })
    }

    /// Finds the headers and checks that there is a row below them.
    fn find_headers(&mut self, options: &ReadOptions) -> Result<(), FileError> {
        let rows = self.rows_below(0, false)?.take(header::LOOKED_AT);
        let first: Vec<FileRow> = rows.collect::<Result<_, _>>()?;
        let head = match (options.header_line, first.first()) {
            (_, None) => return Err(FileError::Empty),
            (None, Some(_)) => header::found(&first, options.kind),
            (Some(0), Some(first)) => header::without(first),
            (Some(line), Some(_)) => self.headers_at(line, options)?,
        };
        // Taken for what stands above a table, it would be lost without a word.
        if let (None, Some(kind), Some(headers)) = (options.header_line, options.kind, head.line)
            && let Some(line) = header::row_above(&first, &head, kind)
        {
            return Err(FileError::RowAboveHeaders { line, headers });
        }
        let line = head.line.map(u32::try_from).transpose();
        self.detected.header_line = line.map_err(|_| FileError::TooManyRows)?;
        self.detected.headers = head.headers;
        let expected = options.headers.as_ref();
        if expected.is_some_and(|headers| *headers != self.detected.headers) {
            return Err(FileError::Changed);
        }
        self.name_hidden();
        let below = |row: &FileRow| head.line.is_none_or(|line| row.line > line);
        if first.last().is_some_and(below) {
            return Ok(());
        }
        let mut rows = self.rows_below(head.line.unwrap_or_default(), false)?;
        rows.next().ok_or(FileError::Empty)?.map(drop)
    }

    /// Reports which rows below the headers are hidden.
    fn name_hidden(&mut self) {
        let Body::Book { marks, .. } = &self.body else {
            return;
        };
        let above = self.detected.header_line.unwrap_or_default();
        let hidden = &marks.hidden[marks.hidden.partition_point(|line| *line <= above)..];
        self.detected.hidden_rows = u32::try_from(hidden.len()).unwrap_or(u32::MAX);
        self.detected.hidden_lines = hidden.iter().copied().take(HIDDEN_NAMED).collect();
    }

    fn headers_at(&mut self, line: u32, options: &ReadOptions) -> Result<Head, FileError> {
        let mut above: Option<FileRow> = None;
        for row in self.rows_below(0, false)? {
            let row = row?;
            match row.line.cmp(&line.into()) {
                Ordering::Less => above = Some(row),
                Ordering::Equal => return Ok(header::at(&row, above.as_ref(), options.kind)),
                Ordering::Greater => break,
            }
        }
        Err(FileError::NoSuchLine { line })
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<FileRow, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let next = self.step();
        self.over = !matches!(next, Ok(Some(_)));
        match next {
            Ok(Some(row)) => Some(Ok(row)),
            Ok(None) => self.origin.unchanged().err().map(Err),
            Err(error) => Some(Err(self.origin.or_changed(error))),
        }
    }
}

impl Rows<'_> {
    fn step(&mut self) -> Result<Option<FileRow>, FileError> {
        loop {
            let row = match &mut self.from {
                Reading::Text(text) => text.next()?,
                Reading::Sheet(sheet) => sheet.next()?,
            };
            let Some(row) = row else { return Ok(None) };
            let hidden =
                u32::try_from(row.line).is_ok_and(|line| self.hidden.binary_search(&line).is_ok());
            if row.line <= self.below || hidden || row.is_blank() || names_separator(&row) {
                continue;
            }
            self.count += 1;
            if self.count > MAX_ROWS {
                return Err(FileError::TooManyRows);
            }
            return Ok(Some(row));
        }
    }
}

/// The first sheet that has headers, else the first that has rows; and the others that have headers
/// with rows below them, or need none, or have values among their first rows: their headers may be
/// names of the shop's own.
fn sheets_of_rows(
    book: &mut Book,
    sheets: &[String],
    options: &ReadOptions,
) -> Result<Option<(String, Vec<String>)>, FileError> {
    let (mut found, mut others, mut filled) = (None::<String>, Vec::new(), None);
    for sheet in sheets {
        let first = match first_rows(book, sheet) {
            Ok(first) => first,
            // A sheet that is not read need not be readable.
            Err(_) if found.is_some() => continue,
            Err(error) => return Err(error),
        };
        match header::named_at(&first, options.kind) {
            Some(_) if found.is_none() => found = Some(sheet.clone()),
            Some(line) if first.last().is_some_and(|row| row.line > line) => {
                others.push(sheet.clone());
            }
            None if !first.is_empty() => {
                let is_nameless = header::found(&first, options.kind).line.is_none();
                let mut cells = first.iter().flat_map(|row| row.cells.iter());
                if is_nameless || cells.any(validation::is_value) {
                    others.push(sheet.clone());
                }
                filled.get_or_insert_with(|| sheet.clone());
            }
            Some(_) | None => {}
        }
    }
    let chosen = found.or(filled);
    others.retain(|other| Some(other) != chosen.as_ref());
    Ok(chosen.map(|sheet| (sheet, others)))
}

/// The rows in which headers are looked for, and one more.
fn first_rows(book: &mut Book, sheet: &str) -> Result<Vec<FileRow>, FileError> {
    let mut rows = SheetRows::of(book, sheet, false)?;
    let mut first = Vec::new();
    while first.len() <= header::LOOKED_AT
        && let Some(row) = rows.next()?
    {
        first.push(row);
    }
    Ok(first)
}

/// Excel's own line above the headers, `sep=;`, is not a row.
fn names_separator(row: &FileRow) -> bool {
    let mut cells = row.cells.iter();
    row.line == 1
        && cells.next().is_some_and(|first| first.trim() == "sep=")
        && cells.all(str::is_empty)
}
