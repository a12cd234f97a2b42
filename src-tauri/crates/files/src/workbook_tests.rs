//! Workbooks that are made to fill the memory.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::fixtures_tests::fixture;
use super::input::Origin;
use super::*;

/// A workbook whose table of contents says another size of its shared strings than they have.
fn claiming(size: u32) -> Vec<u8> {
    let mut bytes = std::fs::read(fixture("libreoffice-1904.xlsx")).unwrap();
    let name = b"xl/sharedStrings.xml";
    let entry = (0..bytes.len())
        .find(|at| bytes[*at..].starts_with(b"PK\x01\x02") && bytes[at + 46..].starts_with(name))
        .unwrap();
    bytes[entry + 24..entry + 28].copy_from_slice(&size.to_le_bytes());
    bytes
}

#[test]
fn a_workbook_that_would_fill_the_memory_is_refused_before_it_is_unpacked() {
    let of = |size| Source::of_bytes(&claiming(size), &ReadOptions::default()).err();
    assert!(matches!(of(129 << 20), Some(FileError::TooLarge)));
    // One that unpacks to more than it says is stopped where it said it would end.
    assert!(matches!(of(20), Some(FileError::BadWorkbook)));
}

fn with_strings(strings: &str) -> Vec<u8> {
    with_part("xl/sharedStrings.xml", strings)
}

/// A sample workbook with another text in place of one of its parts.
fn with_part(name: &str, text: &str) -> Vec<u8> {
    let bytes = std::fs::read(fixture("libreoffice-1904.xlsx")).unwrap();
    let mut from = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..from.len() {
        let part = from.by_index_raw(index).unwrap();
        if part.name().unwrap() == name {
            to.start_file(name, SimpleFileOptions::default()).unwrap();
            to.write_all(text.as_bytes()).unwrap();
        } else {
            to.raw_copy_file(part).unwrap();
        }
    }
    to.finish().unwrap().into_inner()
}

#[test]
fn a_workbook_whose_strings_claim_more_than_there_are_is_refused() {
    let of = |count: &str| {
        let texts = "<si><t>a</t></si>".repeat(13);
        let strings = format!("<sst {count}>{texts}</sst>");
        Source::of_bytes(&with_strings(&strings), &ReadOptions::default()).err()
    };
    for count in [
        r#"uniqueCount="1000000000000""#,
        r#"uniqueCount="40000000""#,
        r#"a uniqueCount="40000000""#,
    ] {
        assert!(matches!(of(count), Some(FileError::BadWorkbook)), "{count}");
    }
    // Some programs count how often the texts are used.
    assert!(of(r#"uniqueCount="1000""#).is_none());
}

#[test]
fn a_claim_after_an_end_that_ends_nothing_is_seen() {
    let strings = r#"<a></b><sst uniqueCount="40000000"><si><t>a</t></si></sst>"#;
    let claimed = workbook_limits::claimed_texts(strings.as_bytes());
    assert_eq!(claimed, 40_000_000);
    assert_eq!(workbook_limits::claimed_texts(&b"<a <sst"[..]), u64::MAX);
}

#[test]
fn a_part_that_is_kept_in_memory_many_times_over_is_refused() {
    const STYLES: &str = "xl/styles.xml";
    let long = "x".repeat(3000);
    let styles = |text: String| (STYLES, format!("<styleSheet>{text}</styleSheet>"));
    let sheet = r#"<sheet name="a" r:id="rId3"/>"#;
    for (part, text) in [
        styles(format!(r#"<font><name val="{long}"/></font>"#)),
        styles(format!(r#"<numFmt numFmtId="9" formatCode="{long}"/>"#)),
        styles("<xf/>".repeat(140_000)),
        styles("<border/>".repeat(140_000)),
        ("xl/workbook.xml", sheet.repeat(1025)),
        (
            "xl/_rels/workbook.xml.rels",
            format!(r#"<Relationship Target="{}"/>"#, long.repeat(3)),
        ),
        // Parts of these names are not searched.
        (
            "_rels/.rels",
            r#"<Relationship Type="a/officeDocument" Target="xl/WorkSheets/a.xml"/>"#.to_owned(),
        ),
        (
            "_rels/.rels",
            r#"<Relationship Type="a/officeDocument" Target="aSharedStrings.xml"/>"#.to_owned(),
        ),
    ] {
        let read = workbook::open(&Origin::Memory(with_part(part, &text).into()));
        let shown = text.get(..40).unwrap_or(&text);
        assert!(matches!(read.err(), Some(FileError::TooLarge)), "{shown}");
    }
    let usual = with_part(STYLES, "<styleSheet><cellXfs><xf/></cellXfs></styleSheet>");
    assert!(Source::of_bytes(&usual, &ReadOptions::default()).is_ok());
}

#[test]
fn a_row_that_names_one_long_text_often_is_refused_before_it_fills_the_memory() {
    let long = "x".repeat(1 << 20);
    let texts = format!("<si><t>{long}</t></si>").repeat(64);
    let strings = with_strings(&format!("<sst>{texts}</sst>"));
    let read = Source::of_bytes(&strings, &ReadOptions::default());
    let error = read.and_then(|mut source| source.rows()?.collect::<Result<Vec<_>, _>>());
    let refused = matches!(error, Err(FileError::BadRow { line: 1 }));
    assert!(refused, "{error:?}");
}

/// Two sheets of sales, the second row of each hidden.
fn of_two_months(first: &str) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    for name in [first, "12月"] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        for (line, cells) in (0..).zip(["取引番号,合計", "T-1,1", "T-2,2"]) {
            for (column, cell) in (0..).zip(cells.split(',')) {
                sheet.write_string(line, column, cell).unwrap();
            }
        }
        sheet.set_row_hidden(1).unwrap();
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn what_is_left_out_of_a_workbook_is_its_other_sheets_and_hidden_rows_that_are_not_wanted() {
    let left_out = |include_hidden| {
        let options = ReadOptions {
            include_hidden,
            ..ReadOptions::default()
        };
        let source = Source::of_bytes(&of_two_months("11月"), &options).unwrap();
        let left_out = source.left_out();
        assert_eq!(left_out.other_sheets, ["12月"]);
        (left_out.hidden_rows, left_out.hidden_lines)
    };
    assert_eq!(left_out(false), (1, vec![2]));
    assert_eq!(left_out(true), (0, vec![]));
}

#[test]
fn a_workbook_in_which_another_sheet_is_found_than_before_has_changed() {
    let found = |first| {
        let options = ReadOptions {
            found_sheet: Some("11月".to_owned()),
            ..ReadOptions::default()
        };
        Source::of_bytes(&of_two_months(first), &options)
    };
    assert_eq!(found("11月").unwrap().left_out().other_sheets, ["12月"]);
    assert!(matches!(found("10月").err(), Some(FileError::Changed)));
}
