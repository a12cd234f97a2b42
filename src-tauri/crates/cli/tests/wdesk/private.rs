//! What wdesk writes is its owner's alone, whatever the session lets others read.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::harness::{Desk, Line, Sale, Service, TOKEN, sales};

/// A session in which new files are everybody's.
const EVERYBODYS: [&str; 3] = ["sh", "-c", r#"umask 000; exec "$0" "$@""#];

fn line(data: &Path, arguments: &[&str]) -> Line {
    let place = ["--data-dir", data.to_str().unwrap()];
    Desk::bare(&[&place, arguments].concat()).through(&EVERYBODYS)
}

/// Fails where anybody but the owner may do anything with a file or folder below.
fn assert_owners_alone(folder: &Path, seen: &mut Vec<String>) {
    for found in std::fs::read_dir(folder).unwrap() {
        let found = found.unwrap();
        let metadata = found.metadata().unwrap();
        let mode = metadata.permissions().mode() & 0o777;
        let lawful = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, lawful, "{} is {mode:o}", found.path().display());
        seen.push(found.file_name().to_str().unwrap().to_owned());
        if metadata.is_dir() {
            assert_owners_alone(&found.path(), seen);
        }
    }
}

#[test]
fn everything_in_the_data_folder_is_its_owners_alone() {
    let service = Service::start();
    let home = Desk::fresh();
    let data = home.folder().join("data");
    let add = ["profile", "add", "counter", "--base-url"];
    let at = [&service.base_url, "--store-id", &service.store];
    line(&data, &[add.as_slice(), &at].concat()).run().exits(0);
    line(&data, &["token", "set"]).input(TOKEN).run().exits(0);
    let rows = [Sale::of("t-1"), Sale::of("t-2")];
    let file = home.file("sales.csv", &(sales(&rows) + "t-3,x,,,,,,,\n"));
    let returned = data.join("rejected.csv");
    let enter = ["contracts", "enter", &file, "--rejected"];
    let into = [returned.to_str().unwrap()];
    line(&data, &[enter.as_slice(), &into].concat()).run();
    line(
        &data,
        &["plans", "list", "--product", crate::harness::PRODUCT],
    )
    .run()
    .exits(0);

    let mut seen = Vec::new();
    assert_owners_alone(&data, &mut seen);
    let mode = std::fs::metadata(&data).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "the folder itself is {mode:o}");
    for name in ["desk.db", "desk.lock", "cache.db", "rejected.csv", "backup"] {
        assert!(
            seen.iter().any(|seen| seen == name),
            "no {name} in {seen:?}"
        );
    }
}
