//! Files as real programs save them: what can be used is entered once, what cannot comes back in the
//! same form, and a corrected file sells each sale once.

use std::path::{Path, PathBuf};

use warranty_core::files::export::{Cell, write};
use warranty_core::files::private_file::Existing;
use warranty_core::files::{Format, ReadOptions, open};

use crate::harness::{Desk, PLAN, PRODUCT, Sale, Service, sales};

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/files");
    folder.join(name).to_str().unwrap().to_owned()
}

/// The transactions sold, each as often as it was.
fn sold(service: &Service) -> Vec<String> {
    let mut sold: Vec<String> = service.sold().into_iter().map(|sale| sale.0).collect();
    sold.sort();
    sold
}

/// What a person makes of a file that came back: these cells instead of those.
fn corrected(path: &Path, changes: &[(usize, &str, &str)]) -> PathBuf {
    let mut source = open(path, &ReadOptions::default()).unwrap();
    let (format, headers) = (source.detected().kind, source.detected().headers.clone());
    let width = headers.len();
    let rows: Vec<Vec<Cell>> = source
        .rows()
        .unwrap()
        .map(|row| {
            let mut cells = row.unwrap().cells.to_vec();
            cells.resize(width, String::new());
            for (column, from, to) in changes {
                if cells[*column] == *from {
                    cells[*column] = (*to).to_owned();
                }
            }
            cells.into_iter().map(Cell::from).collect()
        })
        .collect();
    let corrected =
        path.with_file_name(format!("corrected-{}", path.file_name().unwrap().display()));
    write(&corrected, format, Existing::Refuse, &headers, rows).unwrap();
    corrected
}

/// Enters a sample file, corrects what came back, and enters both once more.
fn round(file: &str, form: Format, good: &[&str], bad: &[&str], changes: &[(usize, &str, &str)]) {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let enter = |file: &str, rejected: &str, code: i32| {
        let place = desk.folder().join(rejected);
        let line = [
            "contracts",
            "enter",
            file,
            "--rejected",
            place.to_str().unwrap(),
        ];
        desk.wdesk(&line).run().exits(code);
        place
    };
    let ending = Path::new(file).extension().unwrap().display().to_string();
    let rejected = enter(&fixture(file), &format!("rejected.{ending}"), 4);
    assert_eq!(sold(&service), good);

    let mut returned = open(&rejected, &ReadOptions::default()).unwrap();
    assert_eq!(returned.detected().kind, form);
    assert_eq!(returned.detected().headers.last().unwrap(), "reason");
    assert_eq!(returned.rows().unwrap().count(), bad.len());

    let corrected = corrected(&rejected, changes);
    desk.wdesk(&["contracts", "enter", corrected.to_str().unwrap()])
        .run()
        .exits(0);
    let mut all = [good, bad].concat();
    all.sort_unstable();
    assert_eq!(sold(&service), all);

    enter(&fixture(file), &format!("again.{ending}"), 4);
    desk.wdesk(&["contracts", "enter", corrected.to_str().unwrap()])
        .run()
        .exits(0);
    assert_eq!(sold(&service), all);
}

#[test]
fn a_csv_of_a_japanese_excel_goes_round_and_sells_each_sale_once() {
    round(
        "excel-cp932.csv",
        Format::Csv,
        &["000000000101", "000000000102"],
        &["000000000103"],
        &[(4, "taro.example.jp", "taro@example.jp")],
    );
}

#[test]
fn a_workbook_of_libreoffice_goes_round_and_sells_each_sale_once() {
    round(
        "libreoffice-sales.xlsx",
        Format::Xlsx,
        &[
            "000000001001",
            "000000001002",
            "000000001003",
            "000000001004",
            "000000001010",
            "1005",
        ],
        &[
            "000000001006",
            "000000001007",
            "000000001008",
            "000000001009",
        ],
        &[
            (0, "1.23456789012346E+15", "000000001006"),
            (8, "#N/A", "6640"),
            (1, "200000.5", "200000"),
            (4, "", "taro@example.jp"),
        ],
    );
}

#[test]
fn lost_leading_zeros_are_named_where_the_code_with_zeros_is_known() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    desk.wdesk(&[
        "products",
        "put",
        "--reference-id",
        "0049000000017",
        "--title",
        "見本の時計",
        "--price",
        "9800",
        "--image-url",
        "https://sample.invalid/a.png",
        "--category",
        "時計",
    ])
    .run()
    .exits(0);
    let run = desk
        .wdesk(&["--json", "contracts", "enter", &fixture("lost-zeros.csv")])
        .run()
        .exits(2);
    let rejected = run.json()["rejected"].clone();
    assert_eq!(rejected.as_array().unwrap().len(), 1, "{rejected}");
    assert_eq!(rejected[0]["line"], 2);
    assert_eq!(
        rejected[0]["problems"],
        serde_json::json!([{"field": "productReferenceId", "problem": "leadingZerosLost"}])
    );
    assert!(run.stderr().contains("zeros"), "{}", run.stderr());
    assert!(sold(&service).is_empty());
}

#[test]
fn a_person_may_say_how_a_file_is_to_be_read() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let text = sales(&[Sale::of("t-1")]);
    let text = text.replace("transactionId", "A").replace("planId", "B");
    let file = desk.file("odd.txt", &text.replace(',', ";"));
    let enter = |more: &[&str], code: i32| {
        let line = [&["--json", "contracts", "enter", &file][..], more].concat();
        desk.wdesk(&line).run().exits(code)
    };
    assert_eq!(enter(&[], 2).error_code(), "file");
    let map = ["--map", "transactionId=A", "--map", "planId=8"];
    let bad = ["--map", "transactionId=C", "--map", "planId=8"];
    assert_eq!(enter(&bad, 2).error_code(), "badColumn");
    assert_eq!(enter(&["--map", "price=A"], 2).error_code(), "badColumn");
    assert_eq!(enter(&["--map", "price"], 2).error_code(), "usage");
    assert_eq!(
        enter(&[&map[..], &["--separator", "comma"]].concat(), 2).error_code(),
        "badColumn"
    );
    enter(
        &[
            &map[..],
            &["--separator", "semicolon", "--header-line", "1"],
        ]
        .concat(),
        0,
    );
    assert_eq!(
        service.sold(),
        [("t-1".to_owned(), PRODUCT.to_owned(), PLAN.to_owned())]
    );
    let book = fixture("libreoffice-sales.xlsx");
    let line = ["--json", "contracts", "enter", &book, "--sheet", "ない"];
    assert_eq!(desk.wdesk(&line).run().exits(2).error_code(), "file");
}

#[test]
#[cfg(unix)]
fn a_pipe_is_read_like_a_file() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let text = sales(&[Sale::of("t-1")]);
    desk.wdesk(&["contracts", "enter", "/dev/stdin"])
        .input(&text)
        .run()
        .exits(0);
    assert_eq!(sold(&service), ["t-1"]);
}
