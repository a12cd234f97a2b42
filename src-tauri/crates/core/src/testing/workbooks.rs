//! Random bytes as the parts of a workbook, and hostile texts exported and imported again.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::engine;
use super::texts::{combined, corpus};
use super::whole_file::write;
use crate::files::{Format, ReadOptions, Source, open};

const TYPES: &str =
    r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;

/// The parts that are read; short, so that mutations combine them.
const PARTS: [(&str, &str); 5] = [
    (
        "xl/workbook.xml",
        r#"<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="1"/><sheets><sheet name="売上" sheetId="1" r:id="s" state="visible"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
    ),
    (
        "xl/worksheets/sheet1.xml",
        r#"<worksheet><dimension ref="A1:C3"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>planId</t></is></c></row><row r="2"><c r="A2" s="1"><v>46346.5</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="e"><v>#N/A</v></c></row><row r="3"><c t="str"><f>A1</f><v>_x000D_</v></c><c><v>1e300</v></c></row></sheetData></worksheet>"#,
    ),
    (
        "xl/sharedStrings.xml",
        r#"<sst count="2"><si><t>transactionId</t></si><si><r><t>a</t></r><r><t>b</t></r></si></sst>"#,
    ),
    (
        "xl/styles.xml",
        r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-411]ge\.m\.d;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>"#,
    ),
];

fn workbook(odd: usize, bytes: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let fixed = [("[Content_Types].xml", TYPES), ("_rels/.rels", ROOT)];
    for (name, text) in fixed {
        archive.start_file(name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    for (index, (name, text)) in PARTS.iter().enumerate() {
        archive.start_file(*name, options).unwrap();
        let part = if index == odd { bytes } else { text.as_bytes() };
        archive.write_all(part).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn rows(bytes: &[u8]) -> Option<Vec<Vec<String>>> {
    let mut source = Source::of_bytes(bytes, &ReadOptions::default()).ok()?;
    let rows = source.rows().ok()?;
    Some(
        rows.map_while(Result::ok)
            .map(|row| row.cells.to_vec())
            .collect(),
    )
}

#[test]
fn no_bytes_make_the_reader_of_workbooks_fail() {
    let sound = rows(&workbook(usize::MAX, &[])).unwrap();
    assert_eq!(sound[0], ["2030-11-21 12:00:00", "TRUE", "#N/A"]);
    assert_eq!(sound[1], ["\r", "1E+300"]);
    let seeds: Vec<Vec<u8>> = PARTS
        .iter()
        .map(|(_, text)| text.as_bytes().to_vec())
        .collect();
    engine::run("workbooks", 2_000, &seeds, |bytes| {
        let _ = rows(bytes);
        // Mutated bytes are tried as the part that they resemble most.
        let like = |(_, text): &&(&str, &str)| bytes.starts_with(&text.as_bytes()[..5]);
        let part = PARTS.iter().position(|part| like(&part)).unwrap_or(2);
        let _ = rows(&workbook(part, bytes));
    });
}

#[test]
fn a_hostile_text_goes_out_and_comes_back_as_it_was_and_never_calculates() {
    let mut texts: Vec<String> = corpus()
        .iter()
        .filter_map(|hostile| hostile.text())
        .collect();
    texts.extend(combined(200).iter().filter_map(|hostile| hostile.text()));
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Csv, Format::Xlsx] {
        let fits = |text: &&String| match format {
            // A text file cannot contain a NUL; a workbook cell is limited in length.
            Format::Csv => !text.contains('\0'),
            Format::Xlsx => text.chars().count() <= 32_767,
        };
        let texts: Vec<&String> = texts.iter().filter(fits).collect();
        let path = folder.path().join(format!("{format:?}"));
        let out = texts
            .iter()
            .map(|text| vec!["x".into(), text.as_str().into()]);
        write(&path, format, &["planId", "title"], out).unwrap();
        let mut source = open(&path, &ReadOptions::default()).unwrap();
        let mut back = source.rows().unwrap();
        for text in texts {
            let mut cells = back.next().unwrap().unwrap().cells.to_vec();
            cells.resize(2, String::new());
            assert!(
                cells[1] == *text,
                "{format:?}: {text:?} came back as {:?}",
                cells[1]
            );
        }
        assert!(back.next().is_none());
    }
    let written = std::fs::read_to_string(folder.path().join("Csv")).unwrap();
    let mut reader = csv::Reader::from_reader(written.as_bytes());
    for record in reader.records() {
        let first = record.unwrap()[1].chars().next();
        assert!(!first.is_some_and(|first| "=+-@\t\r\n＝＋－＠".contains(first)));
    }
}
