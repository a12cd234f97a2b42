//! Reads what the cell reader leaves out of a sheet: hidden rows and columns, and whether
//! conditional formatting may change how numbers are displayed.
//!
//! Finds the part of the archive that holds a sheet. Reads no cell.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use memchr::memmem;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::read::ZipFile;

use super::input::{Bytes, Origin};
use super::{FileError, MAX_ROWS};

/// Path of the workbook unless the archive names another.
const WORKBOOK: &str = "xl/workbook.xml";

#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Lines, from 1, of hidden rows that contain something, in ascending order.
    pub hidden: Vec<u32>,
    /// Hidden columns, from 0: the first and the last of each range.
    pub hidden_columns: Vec<(u32, u32)>,
    /// Whether a conditional format may display numbers differently from the format of their cells.
    pub conditional: bool,
}

type Archive = ZipArchive<BufReader<Bytes>>;

pub(super) fn read(origin: &Origin, sheet: &str) -> Result<Marks, FileError> {
    let mut archive =
        ZipArchive::new(BufReader::new(origin.open()?)).map_err(|_| FileError::BadWorkbook)?;
    let book = workbook(&mut archive)?;
    let path = sheet_path(&mut archive, &book, sheet)?;
    let mut marks = Marks::default();
    if !may_be_marked(part(&mut archive, &path)?).map_err(damaged)? {
        return Ok(marks);
    }
    let formats = conditional_formats(&mut archive, &book)?;
    let mut row = Row::default();
    each(part(&mut archive, &path)?, |event| match event {
        Tag::Open("row", tag) => {
            let next = row.line + 1;
            row = Row {
                line: number(tag, "r").unwrap_or(next),
                hidden: is_true(tag, "hidden") || is_zero_at(tag, "ht"),
                filled: false,
            };
        }
        Tag::Open("c", tag) => {
            if let Some(line) = attribute(tag, "r").and_then(|cell| line_of(&cell)) {
                row.line = line;
            }
        }
        Tag::Open("v" | "is", _) => row.filled = true,
        Tag::Close("row") if row.hidden && row.filled && marks.hidden.len() <= MAX_ROWS => {
            marks.hidden.push(row.line);
        }
        Tag::Open("col", tag) if is_true(tag, "hidden") || is_zero_at(tag, "width") => {
            let from_one = |name| number(tag, name).and_then(|at| at.checked_sub(1));
            let range = from_one("min").zip(from_one("max"));
            marks.hidden_columns.extend(range);
        }
        Tag::Open("cfRule", tag) => {
            let rule = number(tag, "dxfId").and_then(|at| usize::try_from(at).ok());
            marks.conditional |= rule.is_some_and(|rule| formats.get(rule) == Some(&true));
        }
        Tag::Open(..) | Tag::Close(_) => {}
    })?;
    if marks.hidden.len() > MAX_ROWS {
        return Err(FileError::TooManyRows);
    }
    marks.hidden.sort_unstable();
    Ok(marks)
}

/// What a part names that holds a mark. A height or a width that is none begins with a 0.
const NAMES: [&[u8]; 6] = [
    b"hidden",
    b"cfRule",
    br#" ht="0"#,
    b" ht='0",
    br#" width="0"#,
    b" width='0",
];
const LONGEST_NAME: usize = br#" width="0"#.len();

/// Whether a part may hold a mark. Most sheets hold none, and their bytes are searched several times
/// faster than their tags are read.
fn may_be_marked(mut part: impl Read) -> std::io::Result<bool> {
    let mut window = vec![0; 64 * 1024];
    let mut kept = 0;
    loop {
        let read = part.read(&mut window[kept..])?;
        if read == 0 {
            return Ok(false);
        }
        let end = kept + read;
        let read = &window[..end];
        if NAMES.iter().any(|name| memmem::find(read, name).is_some()) {
            return Ok(true);
        }
        // A name may go on in the next bytes.
        kept = end.min(LONGEST_NAME - 1);
        window.copy_within(end - kept..end, 0);
    }
}

/// The row that is being read.
#[derive(Default)]
struct Row {
    line: u32,
    hidden: bool,
    filled: bool,
}

fn workbook(archive: &mut Archive) -> Result<String, FileError> {
    let mut found = None;
    if let Some(relations) = part_if_there(archive, "_rels/.rels")? {
        each(relations, |event| {
            if let Tag::Open("Relationship", tag) = event
                && attribute(tag, "Type").is_some_and(|of| of.ends_with("/officeDocument"))
            {
                let target = attribute(tag, "Target");
                found = target.map(|target| target.trim_start_matches('/').to_owned());
            }
        })?;
    }
    Ok(found.unwrap_or_else(|| WORKBOOK.to_owned()))
}

fn sheet_path(archive: &mut Archive, book: &str, sheet: &str) -> Result<String, FileError> {
    let mut relation = None;
    each(part(archive, book)?, |event| {
        if let Tag::Open("sheet", tag) = event
            && attribute(tag, "name").is_some_and(|name| name == sheet)
        {
            relation = attribute(tag, "id").map(Cow::into_owned);
        }
    })?;
    let (folder, name) = book.rsplit_once('/').unwrap_or(("", book));
    let mut found = None;
    let relations = joined(folder, &format!("_rels/{name}.rels"));
    each(part(archive, &relations)?, |event| {
        if let Tag::Open("Relationship", tag) = event
            && attribute(tag, "Id").as_deref() == relation.as_deref()
        {
            found = attribute(tag, "Target").map(Cow::into_owned);
        }
    })?;
    let target = found.ok_or(FileError::BadWorkbook)?;
    Ok(match target.strip_prefix('/') {
        Some(whole) => whole.to_owned(),
        None => joined(folder, &target),
    })
}

/// Which of the conditional formats include a number format.
fn conditional_formats(archive: &mut Archive, book: &str) -> Result<Vec<bool>, FileError> {
    let folder = book.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut formats = Vec::new();
    let mut within = false;
    if let Some(styles) = part_if_there(archive, &joined(folder, "styles.xml"))? {
        each(styles, |event| match event {
            Tag::Open("dxf", _) => {
                within = true;
                formats.push(false);
            }
            Tag::Close("dxf") => within = false,
            Tag::Open("numFmt", _) if within => {
                if let Some(last) = formats.last_mut() {
                    *last = true;
                }
            }
            Tag::Open(..) | Tag::Close(_) => {}
        })?;
    }
    Ok(formats)
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

type Part<'a> = BufReader<ZipFile<'a, BufReader<Bytes>>>;

fn part<'a>(archive: &'a mut Archive, path: &str) -> Result<Part<'a>, FileError> {
    part_if_there(archive, path)?.ok_or(FileError::BadWorkbook)
}

/// Some programs write the names of parts and the references to them in different case.
fn part_if_there<'a>(archive: &'a mut Archive, path: &str) -> Result<Option<Part<'a>>, FileError> {
    let same = |name: &Cow<'_, str>| name.replace('\\', "/").eq_ignore_ascii_case(path);
    let mut names = archive.file_names().filter_map(Result::ok);
    let found = names.find(same).map(Cow::into_owned);
    drop(names);
    let Some(name) = found else { return Ok(None) };
    match archive.by_name(&name) {
        Ok(part) => Ok(Some(BufReader::new(part))),
        Err(_) => Err(FileError::BadWorkbook),
    }
}

/// The start or the end of an element, by its name without a prefix.
pub(super) enum Tag<'a> {
    Open(&'a str, &'a BytesStart<'a>),
    Close(&'a str),
}

fn each(part: impl BufRead, found: impl FnMut(Tag<'_>)) -> Result<(), FileError> {
    tags(part, found).map_err(damaged)
}

/// Reads as the cell reader does.
pub(super) fn xml<R: BufRead>(part: R) -> quick_xml::Reader<R> {
    let mut reader = quick_xml::Reader::from_reader(part);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = false;
    reader
}

pub(super) fn tags(
    part: impl BufRead,
    mut found: impl FnMut(Tag<'_>),
) -> Result<(), quick_xml::Error> {
    let mut reader = xml(part);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => found(Tag::Open(tag.local_name().as_ref(), &tag)),
            Ok(Event::End(tag)) => found(Tag::Close(tag.local_name().as_ref())),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(error),
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> FileError {
    tracing::info!(%error, "a part of a workbook cannot be read");
    FileError::BadWorkbook
}

fn attribute<'a>(tag: &'a BytesStart<'_>, name: &str) -> Option<Cow<'a, str>> {
    let mut attributes = tag.attributes();
    let found = attributes
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok()
}

fn number(tag: &BytesStart<'_>, name: &str) -> Option<u32> {
    attribute(tag, name)?.parse().ok()
}

fn is_true(tag: &BytesStart<'_>, name: &str) -> bool {
    attribute(tag, name).is_some_and(|value| matches!(&*value, "1" | "true"))
}

fn is_zero_at(tag: &BytesStart<'_>, name: &str) -> bool {
    attribute(tag, name).is_some_and(|size| size.parse::<f64>().is_ok_and(|size| size == 0.0))
}

/// The line in a cell name such as `B12`.
fn line_of(cell: &str) -> Option<u32> {
    cell.trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::may_be_marked;

    /// Returns only so many bytes at once.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let most = into.len().min(self.1);
            self.0.read(&mut into[..most])
        }
    }

    #[track_caller]
    fn assert_marked(tag: &str, marked: bool) {
        let sheet = format!(r#"<sheetData><row r="1">{tag}</row></sheetData>"#);
        for at_once in [1, 2, 3, 5, 9, 4096] {
            let found = may_be_marked(Slow(sheet.as_bytes(), at_once));
            assert_eq!(found.ok(), Some(marked), "{tag} in pieces of {at_once}");
        }
    }

    #[test]
    fn a_sheet_is_passed_over_only_if_nothing_in_it_can_be_hidden() {
        for tag in [
            r#"<row r="2" hidden="1">"#,
            "<x:row x:hidden = 'true'>",
            r#"<row ht="0">"#,
            "<row ht='0.0'>",
            r#"<col min="1" width="0">"#,
            "<col width='0'>",
            r#"<cfRule dxfId="0">"#,
        ] {
            assert_marked(tag, true);
        }
        for tag in [
            r#"<row r="2" ht="15.75" customHeight="1" x14ac:dyDescent="0.2">"#,
            r#"<col min="1" max="3" width="9.140625" style="0">"#,
            r#"<c r="A2" t="s"><v>0</v></c>"#,
            r#"<pageMargins left="0.7" right="0.7" top="0.75"/>"#,
            r#"<sheetFormatPr customHeight="0" defaultRowHeight="0">"#,
        ] {
            assert_marked(tag, false);
        }
    }
}
