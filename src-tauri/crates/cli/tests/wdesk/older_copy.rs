//! An older copy of the desk's file, or of the whole folder, put back by hand: what may have been sold
//! since is not sold again, by the program or by a file that is entered again.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::copies::{copy_all, put_back};
use crate::harness::{Desk, PRODUCT, Run, Service, shop, status};

/// A shop at a provider that ignores idempotency keys, so that whatever is sent again is sold again.
fn shop_without_keys() -> (Service, Desk) {
    let (service, desk) = shop();
    service.behave(&json!({"visibility": {"afterMs": 0}, "keyPolicy": "ignore"}));
    (service, desk)
}

/// What is reported of a file that was put back, and its row of a transaction.
fn rescue(desk: &Desk) -> Run {
    desk.json("rescue show").exits(4)
}

fn row(report: &Run, transaction: &str) -> Value {
    let mut rows = report.at("rescue/pending").as_array().unwrap().iter();
    let row = rows.find(|row| row["transactionId"] == transaction);
    row.unwrap().clone()
}

fn report_is_read(desk: &Desk) {
    desk.does("rescue done");
}

/// A copy of the file that is complete: the process that wrote it has ended.
fn copy_of_the_file(desk: &Desk) -> TempDir {
    let kept = TempDir::new().unwrap();
    fs::copy(desk.folder().join("desk.db"), kept.path().join("desk.db")).unwrap();
    kept
}

fn put_the_file_back(desk: &Desk, kept: &TempDir) {
    fs::copy(kept.path().join("desk.db"), desk.folder().join("desk.db")).unwrap();
}

fn copy_of_the_folder(desk: &Desk) -> TempDir {
    let kept = TempDir::new().unwrap();
    copy_all(desk.folder(), kept.path());
    kept
}

fn put_the_folder_back(desk: &Desk, kept: &TempDir) {
    put_back(kept.path(), desk.folder());
}

#[test]
fn a_queued_copy_of_the_file_put_back_after_its_sale_sells_nothing_again() {
    let (service, desk) = shop_without_keys();
    desk.keep(["t-1"]);
    let kept = copy_of_the_file(&desk);
    desk.send().exits(0);
    service.has_sold(1);
    let sold = desk.of("t-1", "contractId");

    put_the_file_back(&desk, &kept);
    desk.send()
        .exits(4)
        .says("wdesk rescue show")
        .says("older copy");
    service.has_sold(1);
    desk.shows("needsPerson", Some("olderFilePutBack"));
    // What was sold since is known from the newer copy beside the file.
    let report = rescue(&desk).has("rescue/cause", "putBack");
    let report = report.has("rescue/complete", true);
    assert_eq!(desk.of("t-1", "contractId"), sold);
    desk.resolve(&desk.of("t-1", "id"), "--replay-once")
        .exits(2);
    assert_eq!(row(&report, "t-1")["contractId"], sold);
    assert_eq!(row(&report, "t-1")["inBackup"], true);

    // A try is reported, and then refused as the file itself is.
    for options in ["--dry-run", "--dry-run --rejected back.csv"] {
        let tried = desk.enter(["t-2"], options).exits(4);
        tried.has("rows", 1).says("wdesk rescue show");
    }
    report_is_read(&desk);
    desk.enter(["t-1"], "").exits(4);
    desk.send().exits(4);
    service.has_sold(1);
    // The newer copy told all that was sold since, so new sales are not asked about.
    desk.enter(["t-2"], "").exits(0);
    service.has_sold(2);
}

#[test]
fn a_contract_given_for_a_case_of_an_older_file_is_called_a_possible_duplicate_for_that_reason() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    let kept = copy_of_the_file(&desk);
    desk.send().exits(0);
    put_the_file_back(&desk, &kept);
    rescue(&desk);
    report_is_read(&desk);
    let case = desk.of("t-1", "id");
    let given = ["--give-contract-id", &service.contract()];
    desk.resolve(&case, given)
        .exits(0)
        .has("attempts", json!([]));
    let why = "the data file was replaced by an older copy";
    desk.does("outbox list").prints(why);
    desk.does(["outbox", "show", &case]).prints(why);
    desk.send().exits(4).says(why);
}

#[test]
fn a_folder_put_back_whole_sells_nothing_again() {
    let (service, desk) = shop_without_keys();
    desk.keep(["t-1"]);
    let kept = copy_of_the_folder(&desk);
    desk.send().exits(0);
    desk.enter(["t-2"], "").exits(0);
    service.has_sold(2);

    put_the_folder_back(&desk, &kept);
    desk.send().exits(4);
    service.has_sold(2);
    desk.shows("needsPerson", Some("olderFilePutBack"));
    // How often it was sent, this file does not know.
    desk.does("outbox list")
        .prints("  -  ")
        .does_not_print("  0  ");
    let report = rescue(&desk).has("rescue/cause", "putBack");
    row(&report.has("rescue/complete", false), "t-1");

    // Nothing here knows the second sale: it is asked about, read or not.
    desk.enter(["t-2"], "").exits(4).fails_with("rescueNotSeen");
    let resumed = desk.run("imports resume any").exits(4);
    resumed.says("then `wdesk rescue done`, and run this command again");
    report_is_read(&desk);
    desk.enter(["t-2"], "").exits(2).has("entered", 0);
    service.has_sold(2);
    // Both copies of the mark are level again: nothing more is rescued.
    desk.send().exits(4);
    desk.does("rescue show");
}

#[test]
fn an_older_folder_with_nothing_to_send_is_noticed_by_a_run_too() {
    let (service, desk) = shop_without_keys();
    desk.enter(["t-1"], "").exits(0);
    let kept = copy_of_the_folder(&desk);
    desk.enter(["t-2"], "").exits(0);
    put_the_folder_back(&desk, &kept);
    desk.send().exits(4).says("rescue show");
    rescue(&desk).has("rescue/cause", "putBack");
    service.has_sold(2);
}

#[test]
fn an_older_folder_is_noticed_by_whoever_asks_for_its_report_and_not_confirmed_unseen() {
    for command in ["rescue show", "rescue done"] {
        let (_service, desk) = shop();
        desk.enter(["t-1"], "").exits(0);
        let kept = copy_of_the_folder(&desk);
        desk.enter(["t-2"], "").exits(0);
        put_the_folder_back(&desk, &kept);
        let found = desk.json(command).exits(4);
        found.has("rescue/cause", "putBack");
        report_is_read(&desk);
    }
}

#[test]
fn a_lead_is_not_created_over_an_older_folder_before_its_report_was_read() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let kept = copy_of_the_folder(&desk);
    desk.create_lead("").exits(0);
    put_the_folder_back(&desk, &kept);
    for _ in 0..2 {
        desk.create_lead("").exits(4).fails_with("rescueNotSeen");
    }
    assert_eq!(service.requests("POST", "/v1/leads"), 1);
    report_is_read(&desk);
    desk.create_lead("").exits(0);
}

#[test]
fn a_file_entered_again_over_a_copy_from_before_its_sale_sells_nothing_again() {
    let (service, desk) = shop_without_keys();
    desk.enter(["t-0"], "").exits(0);
    let kept = copy_of_the_file(&desk);
    desk.enter(["t-1"], "").exits(0);
    service.has_sold(2);

    put_the_file_back(&desk, &kept);
    desk.enter(["t-1"], "").exits(4).fails_with("rescueNotSeen");
    assert_eq!(row(&rescue(&desk), "t-1")["inBackup"], false);
    report_is_read(&desk);
    desk.enter(["t-1"], "").exits(2);
    service.has_sold(2);
    // The same rows again, which were not lost, sell nothing whatever is answered.
    desk.enter(["t-0"], "--confirm second-contract").exits(0);
    service.has_sold(2);
    // Only a person's yes sells what may have been sold before.
    desk.enter(["t-1"], "--confirm second-contract").exits(0);
    service.has_sold(3);
}

#[test]
fn an_equal_row_that_may_have_been_sold_since_the_copy_is_asked_about_though_its_equal_stands() {
    type Copied = fn(&Desk) -> TempDir;
    type PutBack = fn(&Desk, &TempDir);
    let ways: [(Copied, PutBack); 2] = [
        (copy_of_the_folder, put_the_folder_back),
        (copy_of_the_file, put_the_file_back),
    ];
    for (copied, put_back) in ways {
        let (service, desk) = shop();
        desk.enter(["t-1"], "").exits(0);
        let kept = copied(&desk);
        let both = |more: &str| desk.enter(["t-1", "t-1"], format!("--repeated-lines 3 {more}"));
        both("").exits(0);
        service.has_sold(2);

        put_back(&desk, &kept);
        both("").exits(4);
        report_is_read(&desk);
        let refused = both("").exits(2);
        let refused = refused.has("found/0/questions/0/kind", "secondContract");
        refused.has("found/0/questions/0/submissionId", Value::Null);
        service.has_sold(2);
        for _ in 0..2 {
            both("--confirm second-contract").exits(0);
            service.has_sold(3);
        }
    }
}

#[test]
fn nothing_is_called_finished_before_the_report_was_read() {
    let (_service, desk) = shop();
    let kept = copy_of_the_file(&desk);
    desk.enter(["t-1"], "").exits(0);
    put_the_file_back(&desk, &kept);
    // A look says so too.
    rescue(&desk).has("rescue/cause", "putBack");
    desk.outbox()
        .has("nothingWaits", false)
        .has("unseenReport", true)
        .does_not_say("Nothing waits here");
    desk.does("rescue done").says("The report was confirmed");
    desk.does("rescue done").says("no report");
    desk.outbox().has("nothingWaits", true);
}

#[test]
fn doctor_passes_no_computer_whose_report_was_not_read() {
    let (_service, desk) = shop();
    let kept = copy_of_the_file(&desk);
    desk.enter(["t-1"], "").exits(0);
    put_the_file_back(&desk, &kept);
    let doctor = format!("doctor --product {PRODUCT}");
    let found = desk.json(&*doctor).exits(4).says("wdesk rescue show");
    found.has("rescue/cause", "putBack");
    report_is_read(&desk);
    desk.does(&*doctor);
}

#[test]
fn a_data_file_lost_with_all_its_copies_is_said_wherever_its_profile_is_missed() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    desk.keep(["t-2"]);
    let copies = fs::read_dir(desk.path("backup")).unwrap();
    let copies = copies.map(|copy| copy.unwrap().path());
    let copies = copies.filter(|copy| copy.extension().is_some_and(|ending| ending == "db"));
    for file in copies.chain([desk.path("desk.db")]) {
        fs::write(file, vec![7; 20_000]).unwrap();
    }
    for command in [
        "outbox run",
        "outbox list",
        "day",
        "contracts enter sales.csv",
        "--profile counter outbox run",
        "doctor",
    ] {
        let run = desk.run(command).exits(4).says("rescue show");
        run.says("how many is not known").does_not_say("0 entries");
    }
    desk.run("outbox run").exits(4).says("wdesk profile add");
    let status = desk.does("outbox status").says("how many is not known");
    status.does_not_say("0 entries");
    report_is_read(&desk);
    desk.run("outbox run").exits(2).does_not_say("rescue show");
}

#[test]
fn a_file_that_the_program_restored_itself_is_not_taken_for_one_put_back() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let damaged = vec![7; 20_000];
    fs::write(desk.path("desk.db"), &damaged).unwrap();
    // A look touches nothing and says so.
    let look = desk.json("contracts list").exits(2);
    look.fails_with("databaseDamaged");
    assert_eq!(fs::read(desk.path("desk.db")).unwrap(), damaged);
    desk.send().exits(4).says("damaged or gone");
    rescue(&desk).has("rescue/cause", "damaged");
    report_is_read(&desk);
    desk.send().exits(0);
    desk.does("rescue show");
    service.has_sold(1);
}

#[test]
fn a_case_that_was_open_in_a_copy_is_not_resent_as_if_nothing_had_happened_since() {
    let (service, desk) = shop_without_keys();
    service.answers_sales(&status(500));
    desk.enter(["t-1", "t-2"], "--wait 1");
    desk.machine_starts_anew();
    service.is_well();
    desk.send().exits(4);
    assert_eq!(desk.of("t-1", "case"), "unknownTooLong");
    let kept = copy_of_the_file(&desk);
    let case = desk.of("t-1", "id");
    desk.resolve(&case, "--provider-has-none request-1")
        .exits(5);
    desk.send().exits(4);
    service.has_sold(1);

    put_the_file_back(&desk, &kept);
    rescue(&desk);
    report_is_read(&desk);
    assert_eq!(desk.of("t-1", "case"), "olderFilePutBack");
    desk.resolve(&case, "--replay-once")
        .exits(2)
        .fails_with("notAllowed");
    desk.send().exits(4);
    service.has_sold(1);
}
