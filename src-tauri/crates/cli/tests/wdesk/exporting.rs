//! Lists out of wdesk into files, and back in by wdesk: nothing is lost, nothing calculates, no
//! file is replaced.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::json;
use warranty_core::files::{ReadOptions, Table};

use crate::harness::{Desk, PRODUCT, Sale, Service, sales};

/// Customers as CSV has them, whom a spreadsheet or a separator could make something else of.
const CUSTOMERS: [&str; 6] = [
    "=1+1",
    "'@見本",
    "\"見本, \"\"花子\"\"\"",
    "ﾐﾎﾝ ﾀﾛｳ",
    "０１２",
    "-見本",
];

/// A desk at which such sales were entered and confirmed.
fn desk_with_sales(service: &Service) -> Desk {
    let desk = Desk::connected(service);
    let rows = CUSTOMERS.iter().enumerate().map(|(number, customer)| Sale {
        customer: (*customer).to_owned(),
        ..Sale::of(&format!("000{number}"))
    });
    let file = desk.file("sales.csv", &sales(&rows.collect::<Vec<_>>()));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    desk
}

/// Writes a list and gives its file, which says the same as the answer.
fn exported(desk: &Desk, command: &[&str], name: &str, rows: usize) -> PathBuf {
    let path = desk.folder().join(name);
    let line = [&["--json"], command, &["--export", path.to_str().unwrap()]].concat();
    let told = desk.wdesk(&line).run().exits(0).json();
    assert_eq!(
        told,
        json!({ "file": path.to_str().unwrap(), "rows": rows })
    );
    if rows > 0 {
        assert_eq!(read(&path).rows.len(), rows, "{command:?}");
    }
    path
}

fn read(path: &Path) -> Table {
    Table::read(path, &ReadOptions::default()).unwrap()
}

#[test]
fn a_list_of_contracts_is_entered_again_without_a_difference() {
    let service = Service::start();
    let desk = desk_with_sales(&service);
    for name in ["list.csv", "list.XLSX"] {
        let list = ["contracts", "list"];
        let path = exported(&desk, &list, name, CUSTOMERS.len());
        let enter = ["--json", "contracts", "enter", path.to_str().unwrap()];
        let line = [&enter[..], &["--dry-run"]].concat();
        let report = desk.wdesk(&line).run().exits(0).json();
        assert_eq!(report["alreadyEntered"], CUSTOMERS.len(), "{report}");
        assert_eq!(report["differing"], json!([]), "{name}");
        assert_eq!(report["rejected"], json!([]), "{name}");
    }
    assert_eq!(service.sold().len(), CUSTOMERS.len());
    let text = std::fs::read_to_string(desk.folder().join("list.csv")).unwrap();
    assert!(text.contains("\"'=1+1\""), "{text}");
}

#[test]
fn every_list_becomes_a_file_of_all_that_its_filter_finds() {
    let service = Service::start();
    let desk = desk_with_sales(&service);
    let show = ["--json", "plans", "list", "--product", PRODUCT];
    let plan_list = desk.wdesk(&show).run().exits(0).json();
    let plans = plan_list["plans"].as_array().unwrap().len();
    exported(
        &desk,
        &["contracts", "list", "--text", "花子"],
        "one.csv",
        1,
    );
    let queued = ["contracts", "list", "--state", "queued"];
    exported(&desk, &queued, "none.csv", 0);
    exported(&desk, &["outbox", "list"], "open.xlsx", 0);
    exported(&desk, &["leads", "list"], "leads.csv", 0);
    exported(&desk, &["products", "list"], "products.csv", 1);
    exported(&desk, &["plans", "search", PRODUCT], "found.csv", plans);
    let list = ["plans", "list", "--product", PRODUCT];
    let path = exported(&desk, &list, "plans.csv", plans);
    assert_eq!(
        read(&path).detected.headers[..2],
        ["planId", "storeReferenceId"]
    );
    let offline = [&list[..], &["--offline"]].concat();
    exported(&desk, &offline, "offline.xlsx", plans);
    let line = ["outbox", "list", "--export"];
    let path = desk.folder().join("said.csv");
    let said = desk.wdesk(&[&line[..], &[path.to_str().unwrap()]].concat());
    assert_eq!(
        said.run().exits(0).stdout(),
        format!("0 rows are in {}.\n", path.display())
    );
}

#[test]
fn a_file_is_its_owners_alone_and_replaces_none() {
    let service = Service::start();
    let desk = desk_with_sales(&service);
    let list = ["contracts", "list"];
    let path = exported(&desk, &list, "list.csv", CUSTOMERS.len());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    std::fs::write(&path, "before").unwrap();
    let there = std::fs::read_dir(desk.folder()).unwrap().count();
    let refused = |file: &str, code: &str| {
        let file = desk.folder().join(file);
        let line = ["--json", "contracts", "list", "--export"];
        let line = [&line[..], &[file.to_str().unwrap()]].concat();
        let run = desk.wdesk(&line).run().exits(2);
        assert_eq!(run.error_code(), code);
        run.stderr()
    };
    refused("list.csv", "fileNotWritten");
    refused("nowhere/list.csv", "fileNotWritten");
    for name in ["list.txt", "list", "list.xls"] {
        let said = refused(name, "usage");
        assert!(said.contains(".csv or .xlsx"), "{said}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
    assert_eq!(std::fs::read_dir(desk.folder()).unwrap().count(), there);
}

#[test]
fn a_list_is_exported_beside_the_window_too() {
    let service = Service::start();
    let desk = desk_with_sales(&service);
    // The window holds this lock for as long as it is open.
    let lock = File::options()
        .write(true)
        .open(desk.folder().join("desk.lock"))
        .unwrap();
    lock.try_lock().unwrap();
    exported(&desk, &["contracts", "list"], "list.csv", CUSTOMERS.len());
}
