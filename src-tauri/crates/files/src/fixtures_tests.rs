//! Every sample file: what it was found to be, which rows can be used, which cannot and why.

use std::path::{Path, PathBuf};

use chrono::DateTime;

use super::export::Writer;
use super::layout::NumberedRow;
use super::private_file::Existing;
use super::whole_file::{Table, write};
use super::*;
use warranty_model::contracts::validation::{self, KnownCodes};
use warranty_model::profile::Zone;
use warranty_model::{Field, FieldProblem};

pub(super) fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/files");
    folder.join(name)
}

/// What a file of sales was found to be, and what each of its rows came to.
fn look(path: &Path) -> Result<String, FileError> {
    let options = ReadOptions {
        kind: Some(RunKind::Contracts),
        ..ReadOptions::default()
    };
    let table = Table::read(path, &options)?;
    let detected = &table.detected;
    let now = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
    let line = detected.header_line.unwrap();
    let mut seen = match (detected.encoding, detected.separator) {
        (Some(encoding), Some(separator)) => format!("{encoding:?} {separator:?} {line}"),
        _ => format!("{} {line}", detected.sheets.join(" ")),
    };
    let (layout, rows) = table.rows_of(RunKind::Contracts)?;
    for row in rows.iter().map(|row| layout.judged(row, Vec::new())) {
        let entry = match row.broken {
            Some(broken) => Err(vec![broken]),
            None => validation::entry(row.texts, now, Zone::fixed(540), &KnownCodes::default()),
        };
        match entry {
            Ok(item) => {
                let total = item.transaction_total.get() + item.plan.purchase_price.get();
                let (name, date) = (item.customer.name.expose(), item.transaction_date);
                seen += &format!("\n{} {date} {name} {total}", item.transaction_id);
            }
            Err(problems) => {
                for FieldProblem { field, problem } in problems {
                    seen += &format!("\nline {}: {field:?} {problem:?}", row.line);
                }
            }
        }
    }
    Ok(seen)
}

/// Each file with what it is found to be, and below it what becomes of its rows.
const SEEN: &str = "\
excel-cp932.csv: Cp932 Comma 1
000000000101 2026-11-20T18:05:00.000+09:00 髙見本 ﾊﾅｺ 206640
000000000102 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
line 4: CustomerEmail NotEmail

excel-utf8-bom.csv: Utf8 Comma 1
T-201 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-202 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

excel-tabs-cp932.txt: Cp932 Tab 1
T-301 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

sep-semicolon.csv: Utf8 Semicolon 2
T-311 2026-11-20T18:05:00.000+09:00 見本, 太郎 206640

lost-zeros.csv: Utf8 Comma 1
T-401 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-402 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

rounded.csv: Utf8 Comma 1
line 2: TransactionId SpreadsheetRounded
line 3: ProductReferenceId SpreadsheetRounded
line 4: PlanPurchasePrice SpreadsheetError
line 5: TransactionDate SpreadsheetError

dates.csv: Utf8 Comma 1
T-600 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
T-601 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
T-602 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
T-603 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-604 2019-04-30T00:00:00.000+09:00 見本 太郎 206640
T-605 2019-04-30T00:00:00.000+09:00 見本 太郎 206640
T-606 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
T-607 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
T-608 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
T-609 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-610 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-611 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-612 2026-11-18T20:06:40.000+09:00 見本 太郎 206640
line 15: TransactionDate NotDateTime
line 16: TransactionDate NotDateTime
line 17: TransactionDate NotDateTime

full-width.csv: Utf8 Comma 1
T-701 2026-11-20T18:05:00.000+09:00 ＳＡＭＰＬＥ　太郎 206640

line-breaks.csv: Utf8 Comma 1
T-801 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-802 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
T-803 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

merged-headers.csv: Utf8 Comma 4
T-901 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

one-row.csv: Utf8 Comma 1
T-921 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

libreoffice-sales.xlsx: 説明 売上 控え 3
000000001001 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
000000001002 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
000000001003 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
000000001004 2026-11-20T18:05:00.000+09:00 見本 太郎 206640
1005 2026-11-20T00:00:00.000+09:00 見本 太郎 206640
line 9: TransactionId SpreadsheetRounded
line 10: PlanPurchasePrice SpreadsheetError
line 11: TransactionTotal NotWholeNumber
line 12: CustomerEmail Missing
000000001010 2026-11-20T18:05:00.000+09:00 見本 太郎 206640

libreoffice-1904.xlsx: Sheet1 1
T-1904 2026-11-20T00:00:00.000+09:00 見本 太郎 206640";

#[test]
fn every_sample_file_is_read_as_its_program_meant_it() {
    for file in SEEN.split("\n\n") {
        let (name, expected) = file.split_once(": ").unwrap();
        assert_eq!(look(&fixture(name)).unwrap(), expected, "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    for (name, words) in [
        ("picture-named.csv", "not text"),
        ("no-rows.csv", "no rows"),
        ("libreoffice-no-rows.xlsx", "no rows"),
        ("libreoffice-old.xls", ".xls"),
        ("libreoffice.ods", ".ods"),
    ] {
        let error = look(&fixture(name)).unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
    let seen = look(&fixture("extra-cells.csv")).unwrap();
    let ends = "206640\nline 3: TransactionId ExtraCells";
    assert!(seen.ends_with(ends), "{seen}");
}

#[test]
fn a_list_of_references_needs_no_headers() {
    let kind = RunKind::ProductReferences;
    let options = ReadOptions {
        kind: Some(kind),
        ..ReadOptions::default()
    };
    let table = Table::read(&fixture("references.csv"), &options).unwrap();
    assert_eq!(table.detected.header_line, None);
    let (layout, rows) = table.rows_of(kind).unwrap();
    let reference = |row: &NumberedRow| {
        layout
            .cell(&row.cells, Field::ProductReferenceId)
            .to_owned()
    };
    let references = rows.iter().map(reference).collect::<Vec<_>>();
    assert_eq!(
        references.join(" "),
        "2000000000015 2000000000022 0000000000017"
    );
    // Which of several columns has them is asked.
    let guess = guess(&["", ""].map(str::to_owned), kind);
    assert_eq!(guess.missing, [Field::ProductReferenceId]);
}

#[test]
fn the_sheet_and_the_line_of_the_headers_can_be_chosen() {
    let path = fixture("libreoffice-sales.xlsx");
    let with = |sheet: &str, header_line| {
        let options = ReadOptions {
            sheet: Some(sheet.to_owned()),
            header_line,
            ..ReadOptions::default()
        };
        open(&path, &options).map(|source| source.detected().clone())
    };
    assert_eq!(with("控え", None).unwrap().headers[0], "transactionId");
    assert_eq!(with("売上", Some(1)).unwrap().headers[0], "11月の売上");
    assert_eq!(with("売上", Some(0)).unwrap().header_line, None);
    let refused = |sheet, line| format!("{:?}", with(sheet, line).unwrap_err());
    let no_sheet = r#"NoSuchSheet { name: "8月", sheets: ["説明", "売上", "控え"] }"#;
    assert_eq!(refused("8月", None), no_sheet);
    assert_eq!(refused("売上", Some(99)), "NoSuchLine { line: 99 }");
}

#[test]
fn of_very_many_sheets_only_the_first_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    for _ in 0..30 {
        book.add_worksheet().write_string(0, 0, "a").unwrap();
    }
    book.save(&path).unwrap();
    let options = ReadOptions {
        sheet: Some("none".to_owned()),
        ..ReadOptions::default()
    };
    let Err(FileError::NoSuchSheet { sheets, .. }) = open(&path, &options) else {
        panic!("a sheet of that name");
    };
    assert_eq!(
        (sheets.len(), &sheets[19..]),
        (21, &["Sheet20".into(), "…".into()][..])
    );
}

#[test]
fn ten_thousand_and_one_rows_go_out_and_come_back_in_both_forms() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Csv, Format::Xlsx] {
        let path = folder.path().join(format!("{format:?}"));
        let rows = (1..=10_001_i64).map(|row| vec![format!("{row:08}").into(), row.into()]);
        let written = write(&path, format, &["planId", "n"], rows).unwrap();
        assert_eq!(written, 10_001);
        let mut source = open(&path, &ReadOptions::default()).unwrap();
        let mut count = 0_u64;
        for row in source.rows().unwrap() {
            count += 1;
            let FileRow { line, cells, .. } = row.unwrap();
            assert_eq!(cells.to_vec(), [format!("{count:08}"), count.to_string()]);
            assert_eq!(line, count + 1);
        }
        assert_eq!(count, 10_001);
    }
}

#[test]
fn a_file_that_was_changed_between_two_passes_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one-row.csv", "libreoffice-1904.xlsx"] {
        let path = folder.path().join(name);
        std::fs::copy(fixture(name), &path).unwrap();
        let mut source = open(&path, &ReadOptions::default()).unwrap();
        assert!(source.rows().unwrap().all(|row| row.is_ok()));
        let mut under_way = source.rows().unwrap();
        std::fs::write(&path, b"a,b\n1,2\n").unwrap();
        let ends: Vec<_> = under_way.by_ref().filter(Result::is_err).collect();
        assert!(matches!(ends[..], [Err(FileError::Changed)]), "{name}");
        drop(under_way);
        assert!(matches!(source.rows().err(), Some(FileError::Changed)));
    }
}

#[test]
fn a_separator_that_came_to_be_inside_a_character_moves_no_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sales.csv");
    std::fs::write(&path, b"transactionId,planId\nt-1,p-1\ny,zz\n").unwrap();
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let mut source = open(&path, &ReadOptions::default()).unwrap();
    // The same length, and a time that does not tell.
    std::fs::write(&path, b"transactionId,planId\nt-1,p-1\n\xE3,\x81\x82\n").unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(before).unwrap();
    let rows: Vec<_> = source.rows().unwrap().collect();
    let last = rows.last().unwrap();
    assert!(matches!(last, Err(FileError::Changed)), "{rows:?}");
}

#[test]
fn an_archive_of_something_else_and_a_damaged_workbook_are_told_apart() {
    let whole = std::fs::read(fixture("libreoffice-1904.xlsx")).unwrap();
    let of = |bytes: &[u8]| Source::of_bytes(bytes, &ReadOptions::default()).err();
    let half = of(&whole[..whole.len() / 2]);
    assert!(matches!(half, Some(FileError::BadWorkbook)));
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file("sales.csv", zip::write::SimpleFileOptions::default())
        .unwrap();
    let bytes = archive.finish().unwrap().into_inner();
    assert!(matches!(of(&bytes), Some(FileError::Archive)));
}

#[test]
fn a_writer_refuses_what_a_workbook_cannot_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.xlsx");
    let mut writer = Writer::create(&path, Format::Xlsx, Existing::Refuse, &["a"]).unwrap();
    let written = writer.row(&["あ".repeat(32_768).into()]);
    assert!(matches!(written, Err(WriteError::TooLong)));
    drop(writer);
    assert!(!path.exists());
}
