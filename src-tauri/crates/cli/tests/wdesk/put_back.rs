//! An older copy of the desk's file, or of the whole folder, put back by hand: what may have been sold
//! since is not sold again, by the program or by a file that is entered again.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Desk, Sale, Service, sales};

/// What a provider may do with keys: keep them for good, or ignore them.
const PROVIDERS: [&str; 2] = ["default", "keys-ignored"];

struct Stage {
    service: Service,
    desk: Desk,
}

impl Stage {
    fn with(provider: &str) -> Self {
        let service = Service::start_with(&["--personality", provider]);
        let desk = Desk::connected(&service);
        Self { service, desk }
    }

    fn file(&self, transaction: &str) -> String {
        let name = format!("{transaction}.csv");
        self.desk.file(&name, &sales(&[Sale::of(transaction)]))
    }

    fn enter(&self, transaction: &str, more: &[&str], code: i32) -> Value {
        let file = self.file(transaction);
        let line = [&["--json", "contracts", "enter", &file][..], more].concat();
        self.desk.wdesk(&line).run().exits(code).json()
    }

    fn send(&self, code: i32) -> String {
        self.desk
            .wdesk(&["outbox", "run"])
            .run()
            .exits(code)
            .stderr()
    }

    fn rescue(&self) -> Value {
        let shown = self.desk.wdesk(&["--json", "rescue", "show"]).run();
        shown.exits(4).json()["rescue"].clone()
    }

    fn read_the_report(&self) {
        self.desk.wdesk(&["rescue", "done"]).run().exits(0);
    }

    fn sold(&self) -> usize {
        self.service.sold().len()
    }

    fn sold_times(&self) -> usize {
        self.service.ledger().len()
    }
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

fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&place).unwrap();
            copy_all(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

fn copy_of_the_folder(desk: &Desk) -> TempDir {
    let kept = TempDir::new().unwrap();
    copy_all(desk.folder(), kept.path());
    kept
}

fn put_the_folder_back(desk: &Desk, kept: &TempDir) {
    for entry in fs::read_dir(desk.folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
    copy_all(kept.path(), desk.folder());
}

fn of<'a>(report: &'a Value, transaction: &str) -> &'a Value {
    let rows = report["pending"].as_array().unwrap();
    let row = rows.iter().find(|row| row["transactionId"] == transaction);
    row.unwrap_or_else(|| panic!("{transaction} is not in {report}"))
}

#[test]
fn a_queued_copy_of_the_file_put_back_after_its_sale_sells_nothing_again() {
    for provider in PROVIDERS {
        let stage = Stage::with(provider);
        stage.enter("t-1", &["--no-wait"], 5);
        let kept = copy_of_the_file(&stage.desk);
        stage.send(0);
        assert_eq!(stage.sold(), 1);
        let sold = stage.desk.entries()[0]["contractId"].clone();

        put_the_file_back(&stage.desk, &kept);
        let told = stage.send(4);
        assert!(told.contains("wdesk rescue show"), "{told}");
        assert!(told.contains("older copy"), "{told}");
        assert_eq!(stage.sold(), 1, "{provider}: sold again");
        assert_eq!(stage.desk.entries()[0]["case"], "olderFilePutBack");
        // What was sold since is known from the newer copy beside the file.
        let report = stage.rescue();
        assert_eq!(report["cause"], "putBack");
        assert_eq!(report["complete"], true);
        let row = of(&report, "t-1");
        let entry = stage.desk.entries()[0].clone();
        assert_eq!(entry["contractId"], sold);
        let replay = [
            "outbox",
            "resolve",
            entry["id"].as_str().unwrap(),
            "--replay-once",
        ];
        stage.desk.wdesk(&replay).run().exits(2);
        assert_eq!(
            (&row["contractId"], &row["inBackup"]),
            (&sold, &json!(true))
        );

        stage.read_the_report();
        stage.enter("t-1", &[], 4);
        stage.send(4);
        assert_eq!(stage.sold(), 1, "{provider}: sold again");
        // The newer copy told all that was sold since, so new sales are not asked about.
        stage.enter("t-2", &[], 0);
        assert_eq!(stage.sold(), 2);
    }
}

#[test]
fn a_folder_put_back_whole_sells_nothing_again() {
    for provider in PROVIDERS {
        let stage = Stage::with(provider);
        stage.enter("t-1", &["--no-wait"], 5);
        let kept = copy_of_the_folder(&stage.desk);
        stage.send(0);
        stage.enter("t-2", &[], 0);
        assert_eq!(stage.sold(), 2);

        put_the_folder_back(&stage.desk, &kept);
        stage.send(4);
        assert_eq!(stage.sold(), 2, "{provider}: sold again");
        assert_eq!(stage.desk.entries()[0]["case"], "olderFilePutBack");
        let report = stage.rescue();
        assert_eq!(
            (&report["cause"], &report["complete"]),
            (&json!("putBack"), &json!(false))
        );
        of(&report, "t-1");

        // Nothing here knows the second sale: it is asked about, read or not.
        let refused = stage.enter("t-2", &[], 4);
        assert_eq!(refused["error"]["code"], "rescueNotSeen");
        stage.read_the_report();
        let refused = stage.enter("t-2", &[], 2);
        assert_eq!(refused["entered"], 0, "{refused}");
        assert_eq!(stage.sold(), 2, "{provider}: sold again");
        // Both copies of the mark are level again: nothing more is rescued.
        stage.send(4);
        stage.desk.wdesk(&["rescue", "show"]).run().exits(0);
    }
}

#[test]
fn a_file_entered_again_over_a_copy_from_before_its_sale_sells_nothing_again() {
    for provider in PROVIDERS {
        let stage = Stage::with(provider);
        stage.enter("t-0", &[], 0);
        let kept = copy_of_the_file(&stage.desk);
        stage.enter("t-1", &[], 0);
        assert_eq!(stage.sold(), 2);

        put_the_file_back(&stage.desk, &kept);
        let refused = stage.enter("t-1", &[], 4);
        assert_eq!(refused["error"]["code"], "rescueNotSeen");
        assert_eq!(of(&stage.rescue(), "t-1")["inBackup"], false);
        stage.read_the_report();
        stage.enter("t-1", &[], 2);
        assert_eq!(stage.sold(), 2, "{provider}: sold again");
        // The same rows again, which were not lost, sell nothing whatever is answered.
        stage.enter("t-0", &["--confirm", "second-contract"], 0);
        assert_eq!(stage.sold(), 2, "{provider}: sold again");
        // Only a person's yes sells what may have been sold before.
        stage.enter("t-1", &["--confirm", "second-contract"], 0);
        assert_eq!(stage.sold(), 3, "{provider}");
    }
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
        let stage = Stage::with("default");
        stage.enter("t-1", &[], 0);
        let kept = copied(&stage.desk);
        let both = |more: &[&str], code: i32| {
            let rows = [Sale::of("t-1"), Sale::of("t-1")];
            let file = stage.desk.file("both.csv", &sales(&rows));
            let yes = [
                "--json",
                "contracts",
                "enter",
                &file,
                "--repeated-lines",
                "3",
            ];
            let line = [&yes[..], more].concat();
            stage.desk.wdesk(&line).run().exits(code).json()
        };
        both(&[], 0);
        assert_eq!(stage.sold_times(), 2);

        put_back(&stage.desk, &kept);
        both(&[], 4);
        stage.read_the_report();
        let refused = both(&[], 2);
        let question = &refused["rejected"][0]["questions"][0];
        assert_eq!(question["kind"], "secondContract", "{refused}");
        assert_eq!(question["submissionId"], Value::Null, "{refused}");
        assert_eq!(stage.sold_times(), 2);
        for _ in 0..2 {
            both(&["--confirm", "second-contract"], 0);
            assert_eq!(stage.sold_times(), 3);
        }
    }
}

#[test]
fn nothing_is_called_finished_before_the_report_was_read() {
    let stage = Stage::with("default");
    let kept = copy_of_the_file(&stage.desk);
    stage.enter("t-1", &[], 0);
    put_the_file_back(&stage.desk, &kept);
    let status = || stage.desk.wdesk(&["--json", "outbox", "status"]).run();
    let unread = status().exits(0);
    assert_eq!(unread.json()["nothingWaits"], false);
    assert!(!unread.stderr().contains("Nothing waits here"));
    stage.read_the_report();
    assert_eq!(status().exits(0).json()["nothingWaits"], true);
}

#[test]
fn a_look_at_a_file_put_back_says_so() {
    let stage = Stage::with("default");
    stage.enter("t-1", &["--no-wait"], 5);
    let kept = copy_of_the_file(&stage.desk);
    stage.send(0);
    put_the_file_back(&stage.desk, &kept);
    assert_eq!(stage.rescue()["cause"], "putBack");
}

#[test]
fn a_file_that_the_program_restored_itself_is_not_taken_for_one_put_back() {
    let stage = Stage::with("default");
    stage.enter("t-1", &[], 0);
    fs::write(stage.desk.folder().join("desk.db"), vec![7; 20_000]).unwrap();
    stage.send(0);
    assert_eq!(stage.rescue()["cause"], "damaged");
    stage.read_the_report();
    stage.send(0);
    stage.desk.wdesk(&["rescue", "show"]).run().exits(0);
    assert_eq!(stage.sold(), 1);
}
