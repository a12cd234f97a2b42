//! The journal: who did what, whoever they say they are, and whoever else works on the folder.

use std::fs::File;
use std::process::Command;

use crate::harness::{Desk, Sale, Service, sales};

/// Action, user and subject of every line.
fn journal(desk: &Desk) -> Vec<(String, String, String)> {
    let db = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
    let mut lines = db
        .prepare("SELECT action, user, subject FROM journal ORDER BY number")
        .unwrap();
    let lines = lines.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    lines.unwrap().map(Result::unwrap).collect()
}

fn actions(desk: &Desk, action: &str) -> usize {
    let of = |line: &&(String, String, String)| line.0 == action;
    journal(desk).iter().filter(of).count()
}

#[cfg(unix)]
#[test]
fn the_user_is_the_account_of_the_process_and_not_what_the_environment_says() {
    let desk = Desk::fresh();
    let mut line = desk.wdesk(&[
        "profile",
        "add",
        "counter",
        "--base-url",
        "https://service.example.invalid",
        "--store-id",
        "s-1",
    ]);
    for name in ["USER", "LOGNAME", "USERNAME"] {
        line = line.env(name, "the-manager");
    }
    line.run().exits(0);
    let account = Command::new("id").arg("-un").output().unwrap().stdout;
    let account = String::from_utf8(account).unwrap();
    let users: Vec<String> = journal(&desk).into_iter().map(|line| line.1).collect();
    assert_eq!(users, [account.trim()]);
}

#[test]
fn a_list_that_is_exported_beside_an_open_window_is_in_the_journal() {
    let desk = Desk::connected_to("https://service.example.invalid", "s-1");
    let held = File::open(desk.folder().join("desk.lock")).unwrap();
    held.try_lock().unwrap();
    let file = desk.folder().join("list.csv");
    let list = ["contracts", "list", "--export", file.to_str().unwrap()];
    desk.wdesk(&list).run().exits(0);
    assert_eq!(actions(&desk, "list.exported"), 1);
    // A list that cannot be noted is not handed out.
    let db = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
    db.execute_batch(
        "CREATE TRIGGER refused BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'x'); END",
    )
    .unwrap();
    std::fs::remove_file(&file).unwrap();
    desk.wdesk(&list).run().exits(2);
    assert!(!file.exists());
}

#[test]
fn rejected_rows_that_are_saved_are_in_the_journal() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &(sales(&[Sale::of("t-1")]) + "t-3,x,,,,,,,\n"));
    let returned = desk.folder().join("returned.csv");
    let returned = returned.to_str().unwrap();
    desk.wdesk(&["contracts", "enter", &file, "--rejected", returned])
        .run()
        .exits(4);
    assert_eq!(actions(&desk, "rejected.exported"), 1);
}
