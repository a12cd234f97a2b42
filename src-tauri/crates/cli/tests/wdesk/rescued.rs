//! A desk file that is damaged between two runs: set aside, replaced by its copy, told to a person, and
//! nothing of it sent by the program.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};

use crate::harness::{Desk, Sale, Service, sales};

#[test]
fn a_damaged_file_is_set_aside_and_what_waited_becomes_a_persons() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let enter = |transaction: &str, more: &[&str], code: i32| {
        let file = desk.file("sales.csv", &sales(&[Sale::of(transaction)]));
        let line = [&["contracts", "enter", &file][..], more].concat();
        desk.wdesk(&line).run().exits(code)
    };
    enter("t-sold", &[], 0);
    enter("t-waits", &["--no-wait"], 5);
    let path = desk.folder().join("desk.db");
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(&[0xA5; 5_000]).unwrap();
    drop(file);
    let damaged = fs::read(&path).unwrap();

    // A look touches nothing and says so.
    let run = desk.wdesk(&["--json", "contracts", "list"]).run().exits(2);
    assert_eq!(run.error_code(), "dataDamaged");
    assert_eq!(fs::read(&path).unwrap(), damaged);

    let run = desk.wdesk(&["outbox", "run"]).run().exits(4);
    assert!(
        run.stderr().contains("wdesk rescue show"),
        "{}",
        run.stderr()
    );
    assert_eq!(service.bulk_requests(), 1, "sent by itself");
    let report = desk
        .wdesk(&["--json", "rescue", "show"])
        .run()
        .exits(4)
        .json();
    let report = &report["rescue"];
    let aside = desk.folder().join(report["setAside"].as_str().unwrap());
    assert_eq!(
        fs::read(aside).unwrap(),
        damaged,
        "the damaged file was changed"
    );
    let pending = report["pending"].as_array().unwrap();
    assert!(
        pending
            .iter()
            .any(|row| row["transactionId"] == "t-waits" && row["inBackup"] == true),
        "{report}"
    );
    for entry in desk.entries() {
        match entry["transactionId"].as_str().unwrap() {
            "t-sold" => assert_eq!(entry["state"], "confirmed"),
            _ => assert_eq!(entry["case"], "restoredFromBackup", "{entry}"),
        }
    }
    // No file is entered before somebody has read what the damaged file knew.
    let file = desk.file("later.csv", &sales(&[Sale::of("t-later")]));
    let run = desk.wdesk(&["--json", "contracts", "enter", &file]).run();
    assert_eq!(run.exits(4).error_code(), "rescueNotSeen");
    desk.wdesk(&["contracts", "enter", "--dry-run", &file])
        .run()
        .exits(0);

    desk.wdesk(&["rescue", "done"]).run().exits(0);
    desk.wdesk(&["rescue", "show"]).run().exits(0);
    // Nor does the file entered again sell anything by itself afterwards.
    enter("t-sold", &[], 0);
    enter("t-waits", &[], 4);
    assert_eq!((service.bulk_requests(), service.sold().len()), (1, 1));
    let entries = desk.entries();
    let case = entries
        .iter()
        .find(|entry| entry["transactionId"] == "t-waits");
    let case = case.unwrap()["id"].as_str().unwrap().to_owned();
    let none = [
        "outbox",
        "resolve",
        &case,
        "--provider-has-none",
        "desk 4711",
    ];
    desk.wdesk(&none).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 2);
}
