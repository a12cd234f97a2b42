//! Rows of a text file, one at a time.
//!
//! Owns the maximum size of a row and its line number as an editor counts it: the csv engine
//! provides neither.

use csv_core::ReadRecordResult;

use super::encoding::{Pieces, Text};
use super::formula_escape;
use super::input::Origin;
use super::{
    Cells, Encoding, FileError, FileRow, MAX_BYTES_IN_ROW, MAX_CELLS_IN_ROW, NumberCell, Separator,
};

/// Appended after the last row. A text file contains no NUL, so if this mark does not come back as
/// a row of its own, a quote was never closed.
const END: &[u8] = b"\n\0";

/// First byte of full-width forms, which include a full-width equals sign.
const FULL_WIDTH: u8 = 0xEF;

/// Reads the rows of a text file from its beginning.
pub(super) struct Delimited {
    pieces: Pieces,
    input: Vec<u8>,
    at: usize,
    end_given: bool,
    separator: char,
    engine: csv_core::Reader,
    fields: Vec<u8>,
    ends: Vec<usize>,
    line: u64,
    after_cr: bool,
    /// Quotes read since the row began, including those around cells.
    quotes: usize,
}

impl Delimited {
    pub(super) fn of(
        origin: &Origin,
        encoding: Encoding,
        separator: Separator,
    ) -> Result<Self, FileError> {
        Ok(Self {
            pieces: Pieces::again(origin, encoding)?,
            input: Vec::new(),
            at: 0,
            end_given: false,
            separator: separator.byte().into(),
            engine: csv_core::ReaderBuilder::new()
                .delimiter(separator.byte())
                .build(),
            fields: vec![0; 1024],
            ends: vec![0; 32],
            line: 1,
            after_cr: false,
            quotes: 0,
        })
    }

    /// The next row, which may be blank; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<FileRow>, FileError> {
        self.pass_line_ends()?;
        let line = self.line;
        self.quotes = 0;
        let (mut bytes, mut cells) = (0, 0);
        loop {
            let (result, read, written, ended) = self.engine.read_record(
                self.input.get(self.at..).unwrap_or_default(),
                self.fields.get_mut(bytes..).unwrap_or_default(),
                self.ends.get_mut(cells..).unwrap_or_default(),
            );
            self.pass(read);
            bytes += written;
            cells += ended;
            match result {
                ReadRecordResult::InputEmpty => self.refill()?,
                ReadRecordResult::OutputFull if self.fields.len() < MAX_BYTES_IN_ROW => {
                    self.fields.resize(self.fields.len() * 2, 0);
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() <= MAX_CELLS_IN_ROW => {
                    self.ends.resize(self.ends.len() * 2, 0);
                }
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    return Err(FileError::BadRow { line });
                }
                // The end mark became part of a cell, so a quote was never closed.
                ReadRecordResult::End => return Err(FileError::BadRow { line }),
                ReadRecordResult::Record => break,
            }
        }
        let fields = self.fields.get(..bytes).unwrap_or_default();
        if fields == [0] {
            return Ok(None);
        }
        // The mark that `copy a+b` of Windows puts at the end of a file; alone it is a blank row.
        let (fields, cells) = match fields.split_last() {
            Some((0x1A, [])) => (&[][..], 0),
            Some((0x1A, before)) if self.end_given => {
                if let Some(end) = self.ends.get_mut(cells.saturating_sub(1)) {
                    *end = before.len();
                }
                (before, cells)
            }
            _ => (fields, cells),
        };
        if cells > MAX_CELLS_IN_ROW || memchr::memchr(0, fields).is_some() {
            return Err(FileError::BadRow { line });
        }
        // The encoding was checked when the file was opened, so the file has changed.
        let text = std::str::from_utf8(fields).map_err(|_| FileError::Changed)?;
        let ends = self.ends.get(..cells).unwrap_or_default();
        if ends.iter().any(|end| !text.is_char_boundary(*end)) {
            return Err(FileError::Changed);
        }
        // The position is after the line end, so the row ended on the line before.
        let last = self.line.saturating_sub(1);
        let all_quoted =
            || self.quotes == 2 * (ends.len() + memchr::memchr_iter(b'"', fields).count());
        let unsure = last > line && !all_quoted();
        // Most rows have no character that a formula or its escape begins with.
        if !unsure && memchr::memchr3(b'=', b'\'', FULL_WIDTH, fields).is_none() {
            return Ok(Some(FileRow {
                line,
                cells: Cells::of(text, ends),
                numbers: Vec::new(),
            }));
        }
        let (mut cells, mut from) = (Cells::with_room(cells, bytes), 0);
        let mut numbers = Vec::new();
        for end in ends {
            let cell = text.get(from..*end).unwrap_or_default();
            // A stray quote produces such a cell: the rest of its line and the beginning of the
            // next. Unless every cell is quoted, a text of two lines that contains a separator
            // looks the same.
            if unsure && cell.contains(['\r', '\n']) && cell.contains(self.separator) {
                return Err(FileError::OpenQuote { line, last });
            }
            let read = formula_escape::restored(cell);
            if read == cell && cell.trim_start().starts_with(['=', '＝']) {
                numbers.push(NumberCell {
                    column: cells.len(),
                    shown: None,
                });
            }
            cells.push(&read);
            from = *end;
        }
        Ok(Some(FileRow {
            line,
            cells,
            numbers,
        }))
    }

    /// Advances to the first byte of the next row that is not empty.
    fn pass_line_ends(&mut self) -> Result<(), FileError> {
        loop {
            match self.input.get(self.at) {
                Some(b'\r' | b'\n') => self.pass(1),
                Some(_) => return Ok(()),
                None if self.end_given => return Ok(()),
                None => self.refill()?,
            }
        }
    }

    /// Counts the lines and quotes in what was read. `\r`, `\n` and `\r\n` each end one line.
    fn pass(&mut self, count: usize) {
        let read = self.input.get(self.at..self.at + count).unwrap_or_default();
        let mut ended_before = self.after_cr.then_some(0);
        for at in memchr::memchr3_iter(b'\r', b'\n', b'"', read) {
            if read.get(at) == Some(&b'"') {
                self.quotes += 1;
                continue;
            }
            let feed = read.get(at) == Some(&b'\n');
            self.line += u64::from(!(feed && ended_before == Some(at)));
            ended_before = (!feed).then_some(at + 1);
        }
        if let Some(last) = read.last() {
            self.after_cr = *last == b'\r';
        }
        self.at += count;
    }

    /// Reads the next piece that is not empty, then the end mark, then nothing: the engine takes an
    /// empty input for the end.
    fn refill(&mut self) -> Result<(), FileError> {
        self.input.clear();
        self.at = 0;
        while self.input.is_empty() && !self.end_given {
            match self.pieces.next()? {
                Some(Text::Sound(text)) => self.input.extend_from_slice(text),
                // The encoding check passed when the file was opened, so the file has changed.
                Some(Text::Malformed(_)) => return Err(FileError::Changed),
                None => {
                    self.input.extend_from_slice(END);
                    self.end_given = true;
                }
            }
        }
        Ok(())
    }
}
