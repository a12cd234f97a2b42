//! The journal: who did what, whoever they say they are, and whoever else works on the folder.

use std::process::Command;

use crate::harness::{Desk, sales, shop};

/// How often an action is in the journal.
fn times(desk: &Desk, action: &str) -> u32 {
    desk.value(&format!(
        "SELECT COUNT(*) FROM journal WHERE action = '{action}'"
    ))
}

#[cfg(unix)]
#[test]
fn the_user_is_the_account_of_the_process_and_not_what_the_environment_says() {
    let desk = Desk::fresh();
    let to = "--base-url https://service.example.invalid --store-id s-1";
    let mut line = desk.wdesk(format!("profile add counter {to}"));
    for name in ["USER", "LOGNAME", "USERNAME"] {
        line = line.env(name, "the-manager");
    }
    line.run().exits(0);
    let account = Command::new("id").arg("-un").output().unwrap().stdout;
    let account = String::from_utf8(account).unwrap();
    let users: String = desk.value("SELECT group_concat(user) FROM journal");
    assert_eq!(users, account.trim());
}

#[test]
fn what_is_entered_with_a_staff_code_is_that_persons_in_list_and_journal() {
    let (_service, desk) = shop();
    desk.sales("sales.csv", ["t-1"]);
    desk.does("contracts enter sales.csv --staff ４２");
    assert_eq!(desk.of("t-1", "enteredBy"), "42");
    let lines: u32 = desk.value("SELECT COUNT(*) FROM journal WHERE user = '42'");
    assert!(lines > 0);
}

#[test]
fn a_staff_code_that_is_none_is_refused_before_anything_is_opened() {
    let desk = Desk::fresh();
    for command in ["contracts list", "token remove", "manual pages"] {
        let given = (command, ["--staff", "4\n2"]);
        let refused = desk.json(given).exits(2).fails_with("input");
        refused.says("--staff");
    }
    assert!(!desk.path("desk.db").exists());
}

#[test]
fn a_list_that_is_exported_beside_an_open_window_is_in_the_journal() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let _window = desk.open_window();
    let list = "contracts list --export list.csv";
    desk.does(list);
    assert_eq!(desk.read("list.csv").lines().count(), 2);
    assert_eq!(times(&desk, "list.exported"), 1);
    // A list that cannot be noted is not handed out.
    let refused =
        "CREATE TRIGGER refused BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'x'); END";
    desk.change(refused, []);
    std::fs::remove_file(desk.path("list.csv")).unwrap();
    desk.run(list).exits(2);
    assert!(!desk.path("list.csv").exists());
}

#[test]
fn rejected_rows_that_are_saved_are_in_the_journal() {
    let (_service, desk) = shop();
    desk.file("sales.csv", &(sales(["t-1"]) + "t-3,x,,,,,,,\n"));
    desk.run("contracts enter sales.csv --rejected returned.csv")
        .exits(4);
    assert_eq!(times(&desk, "rejected.exported"), 1);
}

#[test]
fn the_journal_is_listed_and_exported_whole() {
    let (_service, desk) = shop();
    let listed = desk.reports("journal").list();
    assert!(listed.len() > 1);
    assert_eq!(desk.reports("journal --limit 1").list(), listed[..1]);
    desk.does("journal --export journal.csv");
    let written = desk.read("journal.csv");
    let newest = listed[0]["action"].as_str().unwrap();
    assert!(
        written.lines().nth(1).unwrap().contains(newest),
        "{written}"
    );
    assert_eq!(written.lines().count(), listed.len() + 1);
}
