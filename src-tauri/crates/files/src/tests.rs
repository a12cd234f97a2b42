//! What a file of rows comes to.

use encoding_rs::{EUC_JP, SHIFT_JIS};

use super::whole_file::Table;
use super::*;
use warranty_model::products::ProductDraft;

const HEADERS: &str = "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
                       productReferenceId,productPurchasePrice,planId,planPurchasePrice";

fn parse(text: &str) -> Table {
    Table::parse(text.as_bytes(), Encoding::Detect).unwrap()
}

fn refusal(bytes: &[u8]) -> FileError {
    Table::parse(bytes, Encoding::Detect).unwrap_err()
}

fn cells(table: &Table) -> Vec<Vec<String>> {
    table.rows.iter().map(|row| row.cells.to_vec()).collect()
}

fn lines(table: &Table) -> Vec<u64> {
    table.rows.iter().map(|row| row.line).collect()
}

#[test]
fn a_chosen_encoding_is_not_second_guessed() {
    let (cp932, _, _) = SHIFT_JIS.encode("a\n延長\n");
    let utf8 = Table::parse(&cp932, Encoding::Utf8);
    assert!(matches!(utf8, Err(FileError::NotText { line: Some(2) })));
    // These bytes are legal in both.
    let read = |encoding| Table::parse("a\nﾃｽﾄ\n".as_bytes(), encoding).map(|table| cells(&table));
    assert_eq!(read(Encoding::Detect).unwrap(), [["ﾃｽﾄ"]]);
    assert!(!read(Encoding::Cp932).is_ok_and(|read| read == [["ﾃｽﾄ"]]));
}

#[test]
fn the_mark_at_the_end_of_files_that_windows_joined_is_no_row() {
    for end in ["\r\n\x1a", "\x1a"] {
        assert_eq!(cells(&parse(&format!("a,b\r\n1,2{end}"))), [["1", "2"]]);
    }
}

#[test]
fn what_cannot_be_read_is_refused_by_what_is_wrong_with_it() {
    let (wide, long) = (",".repeat(300), "x\n".repeat(9 * 1024 * 1024 / 2));
    let (wide, long) = (format!("a,b\n{wide}\n"), format!("a,b\n1,\"{long}"));
    let rows = format!("a\n{}", "1\n".repeat(MAX_ROWS + 1));
    let cut = [b"1,2\n".repeat(40_000).as_slice(), b"\x8e,"].concat();
    let late = [b"\x89\x84\n".repeat(900).as_slice(), b"1,\0\n"].concat();
    for (bytes, error) in [
        (b"a,b\n1,\0\n".as_slice(), "NotText { line: None }"),
        (b"\x89PNG\r\n\x1a\n\0\0", "NotText { line: None }"),
        // Half of a character, by its line.
        (b"a\n\x81\x0a", "NotText { line: Some(2) }"),
        (b"\x89\x84,b\n1,2\n3,\x8e,\n", "NotText { line: Some(3) }"),
        (cut.as_slice(), "NotText { line: Some(40001) }"),
        (late.as_slice(), "NotText { line: Some(901) }"),
        (
            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\xff\n",
            "NotText { line: None }",
        ),
        // What a spreadsheet saves beside CSV.
        (b"\xff\xfea\0,\0", "Utf16"),
        (b"\xfe\xff\0a\0,", "Utf16"),
        (b"PK\x03\x04\x14\0", "BadWorkbook"),
        // A quote that is never closed, by its line.
        (b"a,b\n1,2\n3,\"4\n5,6\n", "BadRow { line: 3 }"),
        // Rows that stray quotes may have made one: a broken cell with a separator.
        (
            b"a,b\n1,2\n3,\"4\n5,\"6\n7,8\n",
            "OpenQuote { line: 3, last: 4 }",
        ),
        (
            b"a;b\r\n1;2\r\n3;\"4\r\n5;6\"",
            "OpenQuote { line: 3, last: 4 }",
        ),
        (b"a,b\n\"1,2\n\n3\",4\n", "OpenQuote { line: 2, last: 4 }"),
        // Headers without rows.
        (b"", "Empty"),
        (b"\n", "Empty"),
        (b"a,b\n", "Empty"),
        (b"a,b\n,\n", "Empty"),
        // What would fill the memory.
        (wide.as_bytes(), "BadRow { line: 2 }"),
        (long.as_bytes(), "BadRow { line: 2 }"),
        (rows.as_bytes(), "TooManyRows"),
    ] {
        let start = bytes[..bytes.len().min(30)].escape_ascii();
        assert_eq!(format!("{:?}", refusal(bytes)), error, "{start}");
    }
}

#[test]
fn a_short_file_in_euc_jp_is_refused_and_half_width_names_in_cp932_are_read() {
    let file = |name: &str, encoding: &'static encoding_rs::Encoding| {
        let text = format!("{HEADERS}\nT-1,1,,{name},a@example.jp,490,1,p-1,1\n");
        encoding.encode(&text).0.into_owned()
    };
    let name = |table: &Table| table.rows[0].cells.get(3).map(str::to_owned);
    for written in ["佐藤 太郎", "山田　花子", "加藤", "すずき", "齋藤 太郎"] {
        let bytes = file(written, EUC_JP);
        // These bytes are valid in both.
        assert!(Table::parse(&bytes, Encoding::Cp932).is_ok(), "{written}");
        let refused = format!("{:?}", refusal(&bytes));
        assert_eq!(refused, "NotText { line: None }", "{written}");
    }
    // Some of these pairs are none of CP932, but no line of the file is to be corrected.
    let named = EUC_JP.encode("取引番号,合計\nT-1,500\n").0;
    assert_eq!(format!("{:?}", refusal(&named)), "NotText { line: None }");
    for written in [
        "ｻﾄｳ ﾀﾛｳ",
        "ﾔﾏﾀﾞ ｲﾁﾛｳ",
        "ﾜﾀﾅﾍﾞ ﾏｻﾋﾛ",
        "ｽｽﾞｷ",
        "ﾊｾｶﾞﾜ ｴﾐ",
        "ｻｲﾄｳ",
        "ﾀｶﾊｼ ｼﾞﾛｳ",
        "ｼｮｳｼﾞ",
        "ﾃﾚﾋﾞ",
        "ﾏｲｸ･ｽﾐｽ",
        "山田 太郎",
        "髙橋 一",
    ] {
        let table = Table::parse(&file(written, SHIFT_JIS), Encoding::Detect).unwrap();
        assert_eq!(name(&table).as_deref(), Some(written));
    }
    // Who knows better says so.
    let chosen = Table::parse(&file("佐藤 太郎", EUC_JP), Encoding::Cp932).unwrap();
    assert_ne!(name(&chosen).as_deref(), Some("佐藤 太郎"));
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
    let entries = table.contract_entries();
    assert!(matches!(entries, Err(FileError::RepeatedColumns(_))));
}

#[test]
fn an_exported_list_is_known_by_its_contract_or_inquiry_code_also_without_its_other_columns() {
    for (headers, cells, is_exported) in [
        ("contractId", "c-1", true),
        ("inquiryCode", "q-1", true),
        ("contractId,state", "c-1,", true),
        ("contractId,state", ",queued", true),
        ("inquiryCode,state", ",queued", true),
        ("contractId,state", ",rejected", false),
        ("contractId", " ", false),
        ("state", "confirmed", false),
        ("memo", "c-1", false),
    ] {
        let table = parse(&format!("{HEADERS},{headers}\n1,2,,4,5,6,7,8,9,{cells}\n"));
        let (layout, rows) = table.rows_of(RunKind::Contracts).unwrap();
        let exported = layout.judged(&rows[0], Vec::new()).exported;
        assert_eq!(exported, is_exported, "{headers} {cells}");
    }
}

#[test]
fn a_separator_at_the_end_of_each_line_makes_no_column() {
    let table = parse(&format!(
        "{HEADERS},\n1,2,,4,5,6,7,8,9,\n1,2,,4,5,6,7,8,189,800,\n"
    ));
    let (layout, rows) = table.rows_of(RunKind::Contracts).unwrap();
    let broken = |row| layout.judged(row, Vec::new()).broken.is_some();
    assert_eq!([broken(&rows[0]), broken(&rows[1])], [false, true]);
}

#[test]
fn a_shifted_row_that_was_returned_for_correction_is_named_again_until_it_is_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, xlsx) = (Format::Csv, Format::Xlsx);
    for (at, (end, format)) in (0..).zip([("", csv), (",", csv), ("", xlsx), (",", xlsx)]) {
        let (sound, shifted) = ("1,2,,4,5,6,7,8,9", "1,12,800,,4,5,6,7,8,9");
        let table = parse(&format!("{HEADERS}{end}\n{sound}{end}\n{shifted}{end}\n"));
        let (layout, rows) = table.rows_of(RunKind::Contracts).unwrap();
        let back = export::Returned::of(&layout.headers);
        let rows = rows.iter().map(|row| back.row(&row.cells, "why"));
        let path = folder.path().join(at.to_string());
        whole_file::write(&path, format, back.headers(), rows).unwrap();

        let table = Table::read(&path, &ReadOptions::default()).unwrap();
        let (layout, rows) = table.rows_of(RunKind::Contracts).unwrap();
        let broken = |row| layout.judged(row, Vec::new()).broken.is_some();
        let broken = rows.iter().map(broken).collect::<Vec<_>>();
        assert_eq!(broken, [false, true], "{format:?} {end:?}");
    }
}

#[test]
fn a_row_with_more_than_the_columns_is_named_at_its_line() {
    let table = parse(&format!(
        "{HEADERS}\n1,2,,4,5,6,7,8,9, ,\n1,2,,Y, T,5,6,7,8,9\n"
    ));
    let (layout, rows) = table.rows_of(RunKind::Contracts).unwrap();
    let broken = |row| layout.judged(row, Vec::new()).broken;
    assert_eq!(broken(&rows[0]), None);
    let broken = broken(&rows[1]).unwrap();
    assert_eq!(
        (rows[1].line, broken.problem),
        (3, warranty_model::Problem::ExtraCells)
    );
    let table = parse("referenceId,title,price,imageUrl,category\nr,t,1,000,u,c\n");
    let kind = RunKind::Products;
    let (layout, rows) = table.rows_of(kind).unwrap();
    assert!(layout.broken(kind, &rows[0]).is_some());
}

#[test]
fn blank_rows_are_passed_over_and_short_rows_are_kept() {
    let table = parse("a,b\n\n,\n \u{3000},\n1\n");
    assert_eq!(cells(&table), [vec!["1".to_owned()]]);
    assert_eq!(lines(&table), [5]);
}

#[test]
fn headers_are_known_in_any_order_case_and_width() {
    let headers = "planid, TITLE ,ｒｅｆｅｒｅｎｃｅＩｄ,imageurl,CATEGORY,Price";
    let drafts = parse(&format!("{headers}\nx,T,R,U,C,1\n")).product_drafts();
    let expected = ProductDraft {
        reference_id: "R".to_owned(),
        title: "T".to_owned(),
        price: "1".to_owned(),
        image_url: "U".to_owned(),
        category: "C".to_owned(),
    };
    assert_eq!(drafts.unwrap(), [expected]);
}

#[test]
fn every_missing_column_is_named_and_the_date_may_be_missing() {
    let table = parse("transactionId,planId\n1,2\n");
    let FileError::MissingColumns(missing) = table.contract_entries().unwrap_err() else {
        panic!("another error");
    };
    let expected = "transactionTotal customerName customerEmail productReferenceId \
                    productPurchasePrice planPurchasePrice";
    assert_eq!(missing.join(" "), expected);
    let undated = HEADERS.replace("transactionDate,", "");
    let table = parse(&format!("{undated}\n1,2,3,4,5,6,7,8\n"));
    assert_eq!(table.contract_entries().unwrap()[0].transaction_date, "");
}

#[test]
fn a_row_is_named_by_the_line_an_editor_shows() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["a,b", "1,2", "", "3,\"x", "y\"", "5,6", ""].join(end);
        assert_eq!(lines(&parse(&text)), [2, 4, 6], "{end:?}");
    }
}

#[test]
fn a_text_longer_than_what_is_read_at_once_is_read_whole() {
    for (character, width) in [("a", 1), ("é", 2), ("延", 3), ("𠮷", 4)] {
        let long = character.repeat(200_000 / width + 1);
        let text = format!("a,b\n1,{long}\n2,\"{long}\"\n");
        let table = parse(&text);
        let mut rows = table.rows.iter();
        assert!(rows.all(|row| row.cells.get(1) == Some(&*long)));
        assert_eq!(lines(&table), [2, 3]);
    }
    let (bytes, ..) = SHIFT_JIS.encode("延ｱa");
    let mut all = b"a\n".to_vec();
    all.extend(bytes.repeat(60_000));
    let table = Table::parse(&all, Encoding::Detect).unwrap();
    assert!(table.rows[0].cells.get(0) == Some(&*"延ｱa".repeat(60_000)));
}

fn of_contracts(text: &str, header_line: Option<u32>) -> Result<Source, FileError> {
    let options = ReadOptions {
        kind: Some(RunKind::Contracts),
        header_line,
        ..ReadOptions::default()
    };
    Source::of_bytes(text.as_bytes(), &options)
}

#[test]
fn sales_above_a_header_that_was_sorted_into_the_list_are_not_dropped_without_a_word() {
    let sale = |number| format!("T-{number},200000,,見本 太郎,a@example.jp,490,189800,p-1,6640\n");
    let sorted = format!("{}{}{HEADERS}\n{}", sale(1), sale(2), sale(3));
    let error = format!("{:?}", of_contracts(&sorted, None).err());
    assert_eq!(error, "Some(RowAboveHeaders { line: 1, headers: 3 })");
    let mut below = of_contracts(&sorted, Some(3)).unwrap();
    assert_eq!(below.rows().unwrap().count(), 1);
    for above in [
        "Sales of 2026-11-20",
        "Store 12,Date,2026-11-20,Rows,1",
        "11月の売上,,,,,,,,\n,,\nTransaction,,,Customer,,Product,,Plan,",
    ] {
        let text = format!("{above}\n{HEADERS}\n{}", sale(3));
        let mut source = of_contracts(&text, None).unwrap();
        assert_eq!(source.rows().unwrap().count(), 1, "{above}");
    }
}

#[test]
fn a_row_above_its_header_is_named_for_every_kind_of_rows_and_a_title_is_passed_over() {
    let products = "referenceId,title,price,imageUrl,category";
    let links = "planId,storeReferenceId";
    let (sales, references) = (HEADERS, "商品コード");
    for (kind, headers, rows, titles) in [
        (
            RunKind::Contracts,
            sales,
            vec!["T-1,200000,,見本 太郎,a@example.jp,KD-55X,189800,plan-5y,6640"],
            vec![
                "合計,200000,,,,,189800,,6640",
                "必須,必須,任意,必須,必須,必須,必須,必須,必須",
            ],
        ),
        (
            RunKind::Products,
            products,
            vec![
                "490,見本,5000,,家電",
                "KD-55X,見本,オープン,https://shop.invalid/a.png,家電",
            ],
            vec![
                "商品一覧,2026-11-20,,,",
                "商品の番号,商品の名前,税込の金額,写真,売り場",
            ],
        ),
        (
            RunKind::PlanLinks,
            links,
            vec!["plan-5y,Ｓ－１"],
            vec!["Store,12", "2026-11-20,", "必須,任意"],
        ),
        (
            RunKind::ProductReferences,
            references,
            vec!["KD-55X"],
            vec!["商品一覧（2026年11月）"],
        ),
    ] {
        let options = ReadOptions {
            kind: Some(kind),
            ..ReadOptions::default()
        };
        for above in rows.iter().chain(&titles) {
            let text = format!("{above}\n{headers}\n{above}\n");
            let error = Source::of_bytes(text.as_bytes(), &options).err();
            let named = format!("{error:?}") == "Some(RowAboveHeaders { line: 1, headers: 2 })";
            assert_eq!(named, rows.contains(above), "{kind:?} {above}");
        }
    }
}
