use proptest::prelude::*;

use super::*;
use crate::whole_file::{Table, write};
use crate::{Encoding, ReadOptions, open};

fn there_and_back(format: Format, headers: &[&str], rows: Vec<Vec<Cell>>) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    write(&path, format, headers, rows).unwrap();
    let options = ReadOptions {
        header_line: Some(1),
        ..ReadOptions::default()
    };
    let mut source = open(&path, &options).unwrap();
    assert_eq!(source.detected().kind, format);
    let rows = source.rows().unwrap();
    rows.map(|row| row.unwrap().cells.to_vec()).collect()
}

#[test]
fn what_is_exported_as_csv_opens_in_a_spreadsheet_without_calculating() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.csv");
    let row = vec!["=HYPERLINK(\"x\")".into(), Cell::Number(-5), "0012".into()];
    write(&path, Format::Csv, &["a", "b", "c"], [row]).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let text = bytes.strip_prefix(UTF8_BOM).unwrap();
    assert_eq!(
        std::str::from_utf8(text).unwrap(),
        "\"a\",\"b\",\"c\"\r\n\"'=HYPERLINK(\"\"x\"\")\",\"-5\",\"0012\"\r\n"
    );
}

#[test]
fn a_file_that_was_not_finished_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Csv, Format::Xlsx] {
        let path = folder.path().join("list");
        let mut writer = Writer::create(&path, format, Existing::Refuse, &["a"]).unwrap();
        writer.row(&["x".into()]).unwrap();
        drop(writer);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_workbook_takes_no_row_that_it_would_swallow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.xlsx");
    let mut writer = Writer::create(&path, Format::Xlsx, Existing::Refuse, &["a"]).unwrap();
    for _ in 0..MOST_ROWS {
        writer.row(&["".into()]).unwrap();
    }
    let one_more = writer.row(&["".into()]);
    assert!(matches!(one_more, Err(WriteError::TooManyRows)));
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn rejected_rows_come_back_with_their_reason_and_can_go_round_again() {
    let text = "a;b\n=1+1;x\n\"00\";\"y,\"\"\n\"\n2;z\n";
    let mut bytes = text.as_bytes().to_vec();
    for reason in ["first", "不明"] {
        let table = Table::parse(&bytes, Encoding::Detect).unwrap();
        let returned = Returned::of(&table.detected.headers);
        let rows = table.rows.iter();
        let rows = rows.map(|row| returned.row(&row.cells, reason));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rejected.csv");
        let headers = returned.headers();
        write(&path, Format::Csv, headers, rows).unwrap();
        let mut source = open(&path, &ReadOptions::default()).unwrap();
        assert_eq!(source.detected().headers, ["a", "b", "reason"]);
        let rows = source.rows().unwrap();
        let rows: Vec<_> = rows.map(|row| row.unwrap().cells.to_vec()).collect();
        let expected = [["=1+1", "x"], ["00", "y,\"\n"], ["2", "z"]];
        let expected = expected.map(|[a, b]| [a, b, reason]);
        assert_eq!(rows, expected);
        bytes = std::fs::read(&path).unwrap();
    }
}

#[test]
fn a_row_that_slipped_comes_back_slipped() {
    let returned = Returned::of(&["a".to_owned()]);
    let row = returned.row(&["1", "2"].iter().collect(), "why");
    assert_eq!(row, ["1", "why", "2"].map(Cell::from));
    let short = Returned::of(&["a".to_owned(), "Reason".to_owned(), "b".to_owned()]);
    let row = short.row(&Cells::default(), "why");
    assert_eq!(row, ["", "why", ""].map(Cell::from));
}

proptest! {
    #[test]
    fn every_text_comes_back_from_csv_as_it_was(texts in proptest::collection::vec("['=+@-]{0,2}[^\0]{0,12}", 1..4)) {
        prop_assume!(texts.iter().any(|text| !text.trim().is_empty()));
        let headers = ["h"; 4];
        let row = texts.iter().map(|text| text.as_str().into()).collect();
        let rows = there_and_back(Format::Csv, &headers[..texts.len()], vec![row]);
        prop_assert_eq!(rows, vec![texts]);
    }

    #[test]
    fn every_text_comes_back_from_a_workbook_as_it_was(texts in proptest::collection::vec("['=_x0D]{0,6}\\PC{0,12}[\n\r\t ]{0,2}", 1..4), number in -999_999_999_999_999_i64..=999_999_999_999_999) {
        let mut row: Vec<Cell> = vec![Cell::Number(number)];
        row.extend(texts.iter().map(|text| text.as_str().into()));
        let rows = there_and_back(Format::Xlsx, &["h"; 5], vec![row]);
        let mut expected = vec![number.to_string()];
        expected.extend(texts);
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
        prop_assert_eq!(rows, vec![expected]);
    }
}
