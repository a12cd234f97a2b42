//! Limits what a workbook may unpack to, and how much memory the cell reader may take for it.

use std::io::{BufRead, BufReader, Read, Seek};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use super::FileError;
use super::sheet_marks::{Tag, tags, xml};

/// Maximum unpacked size of a sheet, in bytes, and of all that is no sheet and no table of texts.
const MOST_IN_SHEET: u64 = 512 * 1024 * 1024;

/// Maximum unpacked size of any other part, in bytes; it is held in memory.
const MOST_IN_PART: u64 = 128 * 1024 * 1024;

/// Sheets are streamed; these are their folder and the end of the name of the table of texts.
const SHEETS: &str = "/worksheets/";
const TEXTS: &str = "sharedstrings.xml";

/// Most texts that memory may be reserved for, whatever the size of their table.
const TEXTS_FREE: u64 = 1_000_000;

/// Bytes of the shortest text in the table, `<si/>`.
const SHORTEST_TEXT: u64 = 5;

/// Most sheets, and most styles and relations together.
const MOST_SHEETS: u32 = 1024;
const MOST_KEPT: u32 = 2 * 65_536;

/// Longest tag with a name or a format, in bytes. Each sheet and each style of cells gets a copy.
const LONGEST_TAG: usize = 2048;

/// Fails for an archive of another kind, or one that would fill the memory. The sizes are those in the
/// archive's directory; unpacking enforces them.
pub(super) fn check<R: Read + Seek>(file: R) -> Result<(), FileError> {
    let bad = |_: ZipError| FileError::BadWorkbook;
    let mut archive = ZipArchive::new(file).map_err(bad)?;
    let (mut types, mut book, mut other, mut large) = (false, false, false, false);
    let (mut texts, mut others, mut in_others) = (Vec::new(), Vec::new(), 0);
    for index in 0..archive.len() {
        let part = archive.by_index_raw(index).map_err(bad)?;
        let name = part.name().map_err(bad)?;
        types |= name == "[Content_Types].xml";
        book |= name.starts_with("xl/");
        other |= matches!(&*name, "mimetype" | "xl/workbook.bin");
        let name = name.to_ascii_lowercase();
        let is_sheet = name.contains(SHEETS);
        let most = if is_sheet {
            MOST_IN_SHEET
        } else {
            MOST_IN_PART
        };
        large |= part.size() > most;
        if name.ends_with(TEXTS) {
            texts.push(index);
        } else if !is_sheet {
            in_others = part.size().saturating_add(in_others);
            others.push(index);
        }
    }
    large |= in_others > MOST_IN_SHEET;
    match (other, types && book, large) {
        (true, ..) => return Err(FileError::OtherWorkbook),
        (false, false, _) => return Err(FileError::Archive),
        (false, true, true) => return Err(FileError::TooLarge),
        (false, true, false) => {}
    }
    // Memory is reserved for as many texts as the table claims to have.
    for index in texts {
        let part = archive.by_index(index).map_err(bad)?;
        let most = TEXTS_FREE.max(part.size() / SHORTEST_TEXT);
        if claimed_texts(BufReader::new(part)) > most {
            return Err(FileError::BadWorkbook);
        }
    }
    for index in others {
        let part = archive.by_index(index).map(BufReader::new);
        if part.is_ok_and(|part| !is_modest(part)) {
            return Err(FileError::TooLarge);
        }
    }
    Ok(())
}

/// How many texts the table of them claims to have; the most there can be if it cannot be read.
pub(super) fn claimed_texts(part: impl BufRead) -> u64 {
    let mut reader = xml(part);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) if tag.local_name().as_ref() == "sst" => {
                let mut attributes = tag.attributes();
                let claims = attributes.with_checks(false).map(|claim| match claim {
                    Ok(claim) if claim.key.as_ref() == "uniqueCount" => {
                        claim.value.parse().unwrap_or_default()
                    }
                    Ok(_) => 0,
                    Err(_) => u64::MAX,
                });
                return claims.max().unwrap_or_default();
            }
            Ok(Event::Eof) => return 0,
            Ok(_) => {}
            Err(_) => return u64::MAX,
        }
    }
}

/// Whether the cell reader keeps little of a part. Any part may be the workbook or its styles, but for
/// the sheets and the texts, which are not searched.
fn is_modest(part: impl BufRead) -> bool {
    let (mut sheets, mut kept, mut is_modest) = (0, 0, true);
    // The cell reader can read no further than this does. Most parts that end early are pictures.
    let _ = tags(part, |tag| match tag {
        Tag::Open(name @ ("sheet" | "name" | "numFmt"), tag) => {
            sheets += u32::from(name == "sheet");
            kept += u32::from(name == "numFmt");
            is_modest &= tag.len() <= LONGEST_TAG;
        }
        Tag::Open("xf" | "font" | "fill" | "border", _) => kept += 1,
        Tag::Open("Relationship", tag) => {
            kept += 1;
            // Links of shapes are longer.
            is_modest &= tag.len() <= 4 * LONGEST_TAG && !names_unsearched_book(tag);
        }
        Tag::Open(..) | Tag::Close(_) => {}
    });
    is_modest && sheets <= MOST_SHEETS && kept <= MOST_KEPT
}

fn names_unsearched_book(relation: &BytesStart<'_>) -> bool {
    let has = |is_wanted: fn(&str) -> bool| {
        let mut attributes = relation.attributes();
        let mut known = attributes.with_checks(false).filter_map(Result::ok);
        known.any(|known| {
            let value = known.normalized_value(XmlVersion::Implicit1_0);
            value.is_ok_and(|value| is_wanted(&value.to_ascii_lowercase()))
        })
    };
    has(|value| value.ends_with("/officedocument"))
        && has(|value| value.contains(SHEETS) || value.ends_with(TEXTS))
}
