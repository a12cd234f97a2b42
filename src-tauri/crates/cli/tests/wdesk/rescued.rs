//! A desk file that is damaged between two runs: set aside, replaced by its copy, told to a person, and
//! nothing of it sent by the program.

use std::fs;
use std::io::Write as _;

use crate::harness::shop;

#[test]
fn a_damaged_file_is_set_aside_and_what_waited_becomes_a_persons() {
    let (service, desk) = shop();
    desk.enter(["t-sold"], "").exits(0);
    desk.keep(["t-waits"]);
    let path = desk.path("desk.db");
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all(&[0xA5; 5_000]).unwrap();
    drop(file);
    let damaged = fs::read(&path).unwrap();

    // A look touches nothing and says so.
    desk.json("contracts list")
        .exits(2)
        .fails_with("dataDamaged");
    assert_eq!(fs::read(&path).unwrap(), damaged);

    desk.send().exits(4).says("wdesk rescue show");
    assert_eq!(service.bulk_requests(), 1, "sent by itself");
    let report = desk.json("rescue show").exits(4);
    let aside = desk.path(&report.text("rescue/setAside"));
    assert_eq!(
        fs::read(aside).unwrap(),
        damaged,
        "the damaged file was changed"
    );
    let mut pending = report.at("rescue/pending").as_array().unwrap().iter();
    let waits = pending
        .find(|row| row["transactionId"] == "t-waits")
        .unwrap();
    assert_eq!(waits["inBackup"], true);
    assert_eq!(desk.of("t-sold", "state"), "confirmed");
    assert_eq!(desk.of("t-waits", "case"), "restoredFromBackup");
    // No file is entered before somebody has read what the damaged file knew.
    desk.enter(["t-later"], "")
        .exits(4)
        .fails_with("rescueNotSeen");
    desk.enter(["t-later"], "--dry-run").exits(0);

    desk.run("rescue done").exits(0);
    desk.run("rescue show").exits(0);
    // Nor does the file entered again sell anything by itself afterwards.
    desk.enter(["t-sold"], "").exits(0);
    desk.enter(["t-waits"], "").exits(4);
    service.has_sold(1);
    assert_eq!(service.bulk_requests(), 1);
    let none = ["--provider-has-none", "desk 4711"];
    desk.resolve(&desk.of("t-waits", "id"), none).exits(5);
    desk.send().exits(0);
    service.has_sold(2);
}
