//! What a file of rows comes to.
#![allow(clippy::unwrap_used, clippy::panic)]

use encoding_rs::SHIFT_JIS;
use proptest::prelude::*;

use super::*;

const HEADERS: &str = "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
                       productReferenceId,productPurchasePrice,planId,planPurchasePrice";

fn parse(text: &str) -> Table {
    Table::parse(text.as_bytes(), Encoding::Detect).unwrap()
}

#[test]
fn a_file_from_a_japanese_excel_is_read_as_it_was_typed() {
    let text =
        format!("{HEADERS}\r\n00123,98000,,髙橋 ①郎,t@example.jp,2000000000015,98000,p-1,4900\r\n");
    let (bytes, _, unmappable) = SHIFT_JIS.encode(&text);
    assert!(!unmappable);
    let table = Table::parse(&bytes, Encoding::Detect).unwrap();
    assert_eq!(table.encoding, Encoding::Cp932);
    let entries = table.contract_entries().unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].transaction_id, "00123");
    assert_eq!(entries[0].customer_name, "髙橋 ①郎");
    assert_eq!(entries[0].plan_purchase_price, "4900");
}

#[test]
fn utf8_is_read_with_and_without_its_mark() {
    for mark in ["", "\u{feff}"] {
        let table = parse(&format!("{mark}a,b\n延長,保証\n"));
        assert_eq!(table.encoding, Encoding::Utf8);
        assert_eq!(table.headers, ["a", "b"]);
        assert_eq!(table.rows, [["延長", "保証"]]);
    }
}

#[test]
fn a_chosen_encoding_is_not_second_guessed() {
    let (cp932, _, _) = SHIFT_JIS.encode("a\n延長\n");
    assert!(matches!(
        Table::parse(&cp932, Encoding::Utf8),
        Err(FileError::NotText)
    ));
    // These bytes are legal in both.
    let bytes = "a\nﾃｽﾄ\n".as_bytes();
    assert_eq!(
        Table::parse(bytes, Encoding::Detect).unwrap().rows[0],
        ["ﾃｽﾄ"]
    );
    assert_ne!(
        Table::parse(bytes, Encoding::Cp932)
            .map(|table| table.rows)
            .ok(),
        Some(vec![vec!["ﾃｽﾄ".to_owned()]])
    );
}

#[test]
fn what_is_no_text_is_refused() {
    for bytes in [b"a,b\n1,\0\n".as_slice(), b"a\n\x81\x0a"] {
        assert!(matches!(
            Table::parse(bytes, Encoding::Detect),
            Err(FileError::NotText)
        ));
    }
}

#[test]
fn what_a_spreadsheet_saves_beside_csv_is_named() {
    let parse = |bytes: &[u8]| Table::parse(bytes, Encoding::Detect).unwrap_err();
    for text in [b"\xff\xfea\0,\0".as_slice(), b"\xfe\xff\0a\0,"] {
        assert!(matches!(parse(text), FileError::Utf16));
    }
    assert!(matches!(parse(b"PK\x03\x04\x14\0"), FileError::Archive));
}

#[test]
fn a_column_that_is_there_twice_is_named() {
    let table = parse(&format!(
        "{HEADERS},reason, PLANID ,reason\n1,2,,4,5,6,7,8,9\n"
    ));
    let error = table.contract_entries().unwrap_err();
    assert!(
        matches!(&error, FileError::RepeatedColumns(names) if names == &["planId"]),
        "{error:?}"
    );
    let table = parse(&format!("{HEADERS},transactionDate\n1,2,,4,5,6,7,8,9\n"));
    assert!(matches!(
        table.contract_entries(),
        Err(FileError::RepeatedColumns(_))
    ));
}

#[test]
fn a_row_with_more_than_the_columns_is_named_at_its_line() {
    let table = parse(&format!(
        "{HEADERS}\n1,2,,4,5,6,7,8,9, ,\n1,2,,Y, T,5,6,7,8,9\n"
    ));
    let error = table.contract_entries().unwrap_err();
    assert!(
        matches!(error, FileError::ExtraCells { line: 3 }),
        "{error:?}"
    );
    let table = parse("referenceId,title,price,imageUrl,category\nr,t,1,000,u,c\n");
    assert!(matches!(
        table.product_drafts(),
        Err(FileError::ExtraCells { line: 2 })
    ));
}

#[test]
fn the_separator_is_the_one_the_header_line_has_most_of() {
    for (text, separator) in [
        ("a,b;c,d\n", b','),
        ("a;b;c\n1,2,3,4,5;;\n", b';'),
        ("a\tb\n", b'\t'),
        ("\"a,b,c\";d\n", b';'),
        ("\"x\ny,z\";d\n", b';'),
        ("\n\na;b\n", b';'),
        ("one\n", b','),
    ] {
        assert_eq!(decode::separator(text), separator, "{text:?}");
    }
}

#[test]
fn quoted_cells_keep_separators_quotes_and_line_breaks() {
    let table = parse("a,b\n\"x, \"\"y\"\"\nz\",1\n2,3\n");
    assert_eq!(table.rows, [["x, \"y\"\nz", "1"], ["2", "3"]]);
    assert_eq!(table.lines, [2, 4]);
}

#[test]
fn a_quote_that_is_never_closed_is_named_by_its_line() {
    let error = Table::parse(b"a,b\n1,2\n3,\"4\n5,6\n", Encoding::Detect).unwrap_err();
    assert!(matches!(error, FileError::BadRow { line: 3 }), "{error:?}");
}

#[test]
fn blank_rows_are_passed_over_and_short_rows_are_kept() {
    let table = parse("a,b\n\n,\n \u{3000},\n1\n");
    assert_eq!(table.rows, [vec!["1".to_owned()]]);
    assert_eq!(table.lines, [5]);
}

#[test]
fn headers_without_rows_are_an_empty_file() {
    for text in ["", "\n", "a,b\n", "a,b\n,\n"] {
        assert!(matches!(
            Table::parse(text.as_bytes(), Encoding::Detect),
            Err(FileError::Empty)
        ));
    }
}

#[test]
fn a_row_of_hundreds_of_cells_is_refused() {
    let text = format!("a,b\n{}\n", ",".repeat(300));
    assert!(matches!(
        Table::parse(text.as_bytes(), Encoding::Detect),
        Err(FileError::BadRow { line: 2 })
    ));
}

#[test]
fn more_than_a_million_rows_are_refused() {
    let text = format!("a\n{}", "1\n".repeat(MAX_ROWS + 1));
    assert!(matches!(
        Table::parse(text.as_bytes(), Encoding::Detect),
        Err(FileError::TooManyRows)
    ));
}

#[test]
fn headers_are_known_in_any_order_case_and_width() {
    let table =
        parse("planid, TITLE ,ｒｅｆｅｒｅｎｃｅＩｄ,imageurl,CATEGORY,Price\nx,T,R,U,C,1\n");
    let drafts = table.product_drafts().unwrap();
    assert_eq!(
        drafts,
        [ProductDraft {
            reference_id: "R".to_owned(),
            title: "T".to_owned(),
            price: "1".to_owned(),
            image_url: "U".to_owned(),
            category: "C".to_owned(),
        }]
    );
}

#[test]
fn every_missing_column_is_named_and_the_date_may_be_missing() {
    let table = parse("transactionId,planId\n1,2\n");
    let FileError::MissingColumns(missing) = table.contract_entries().unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(
        missing,
        [
            "transactionTotal",
            "customerName",
            "customerEmail",
            "productReferenceId",
            "productPurchasePrice",
            "planPurchasePrice"
        ]
    );
    let table = parse(&format!(
        "{}\n1,2,3,4,5,6,7,8\n",
        HEADERS.replace("transactionDate,", "")
    ));
    assert_eq!(table.contract_entries().unwrap()[0].transaction_date, "");
}

#[test]
fn rejected_rows_come_back_with_their_reason_and_can_go_round_again() {
    let table = parse("a;b\n=1+1;x\n00;\"y;\"\"\n\"\n2;z;more\n");
    let bytes = table.with_reasons(&[
        (1, "price: missing".to_owned()),
        (2, "不明".to_owned()),
        (9, "no such row".to_owned()),
    ]);
    assert!(bytes.starts_with(decode::UTF8_BOM));
    let again = Table::parse(&bytes, Encoding::Detect).unwrap();
    assert_eq!(again.headers, ["a", "b", "", "reason"]);
    assert_eq!(
        again.rows,
        [
            ["00", "y;\"\n", "", "price: missing"],
            ["2", "z", "more", "不明"]
        ]
    );
    let third = Table::parse(
        &again.with_reasons(&[(0, "new".to_owned())]),
        Encoding::Detect,
    );
    assert_eq!(third.unwrap().rows, [["00", "y;\"\n", "", "new"]]);
}

#[test]
fn a_missing_file_is_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        Table::read(&folder.path().join("none.csv"), Encoding::Detect),
        Err(FileError::Unreadable(_))
    ));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(table) = Table::parse(&bytes, Encoding::Detect) {
            prop_assert_eq!(table.rows.len(), table.lines.len());
            prop_assert!(!table.rows.is_empty());
        }
    }

    #[test]
    fn any_cells_survive_the_way_out_and_back(cell in "[^\0]{0,40}") {
        prop_assume!(!cell.trim().is_empty());
        let table = Table {
            headers: vec!["a".to_owned(), "b".to_owned()],
            rows: vec![vec![cell.clone(), "x".to_owned()]],
            lines: vec![2],
            encoding: Encoding::Utf8,
        };
        let again = Table::parse(&table.with_reasons(&[(0, "r".to_owned())]), Encoding::Detect).unwrap();
        prop_assert_eq!(&again.rows[0][0], &cell);
    }
}

#[test]
fn a_row_is_named_by_the_line_an_editor_shows() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["a,b", "1,2", "", "3,\"x", "y\"", "5,6", ""].join(end);
        assert_eq!(parse(&text).lines, [2, 4, 6], "{end:?}");
    }
}
