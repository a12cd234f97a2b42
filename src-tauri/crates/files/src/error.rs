//! Why a file cannot be read, or cannot be written.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum FileError {
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// Larger than 256 MiB, or a workbook that unpacks to more than 512 MiB in a sheet or 128 MiB
    /// in another part, or holds more sheets, styles or long names than fit in the memory.
    #[error("the file is larger than 256 MiB, or unpacks to more than can be read")]
    TooLarge,
    #[error("the file is not text in UTF-8 or CP932")]
    NotText {
        /// Line from 1 with the first bytes that are no character, in the encoding that fits longest;
        /// `None` if the whole file is something else.
        line: Option<u64>,
    },
    #[error("the file is text in UTF-16 (Excel's \"Unicode text\"): save it as CSV UTF-8")]
    Utf16,
    #[error("the file is an archive and no workbook: unpack it, or save the sheet as CSV UTF-8")]
    Archive,
    /// A workbook of another format than xlsx (xls, xlsb, ods), or one that is protected by a
    /// password.
    #[error(
        "the file is a workbook of another kind (.xls, .xlsb, .ods) or has a password: save it as \
         .xlsx without one"
    )]
    OtherWorkbook,
    #[error("the workbook is damaged: open it in the spreadsheet and save it again")]
    BadWorkbook,
    #[error("the workbook has no sheet {name:?}")]
    NoSuchSheet {
        name: String,
        /// The first sheets that it has, hidden ones last.
        sheets: Vec<String>,
    },
    /// No visible sheet has a row, but a hidden one does.
    #[error("only the hidden sheet {0:?} holds rows: name it, or show it in the spreadsheet")]
    HiddenSheet(String),
    /// The line given as the header line is blank or after the end of the file.
    #[error("line {line} holds no headers")]
    NoSuchLine {
        /// Line from 1.
        line: u32,
    },
    /// A row above the line that was found to name the columns looks like one of the rows below it.
    #[error("line {line} looks like a row, and the headers are below it, on line {headers}")]
    RowAboveHeaders {
        /// Line from 1.
        line: u64,
        headers: u64,
    },
    #[error("columns are missing: {}", .0.join(", "))]
    MissingColumns(Vec<String>),
    /// Columns that occur more than once: the program must not guess which one counts.
    #[error("columns are there more than once: {}", .0.join(", "))]
    RepeatedColumns(Vec<String>),
    /// A row that cannot be read: a quote that is never closed, more than 256 cells, more than 8
    /// MiB, or a cell of an unknown kind.
    #[error("line {line} cannot be read: a quote is not closed, or the row is too long")]
    BadRow {
        /// Line from 1.
        line: u64,
    },
    /// A row over several lines with a separator in the broken cell, where not every cell is
    /// quoted: two stray quotes would merge several rows into one, and sales would be lost.
    #[error(
        "a quote is not closed: lines {line} to {last} were read as one row; take stray quotes out, \
         or quote every cell"
    )]
    OpenQuote {
        /// First line of the row, from 1.
        line: u64,
        /// Last line of the row.
        last: u64,
    },
    #[error("the file holds no rows")]
    Empty,
    #[error("the file holds more than 1,000,000 rows")]
    TooManyRows,
    #[error("the file was changed while it was read: open it again")]
    Changed,
}

/// Why a file could not be written. The target path is then unchanged.
#[derive(Debug, Error)]
pub enum WriteError {
    /// An error of the operating system; `AlreadyExists` when the target exists.
    #[error("the file cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// A workbook holds at most 1,048,576 rows.
    #[error("a workbook cannot hold that many rows: export as CSV")]
    TooManyRows,
    /// A cell of a workbook holds at most 32,767 characters.
    #[error("a workbook cannot hold a text of that length: export as CSV")]
    TooLong,
    #[error("the workbook could not be made: {0}")]
    Workbook(String),
}
