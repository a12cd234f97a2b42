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
    for name in [
        "desk.db",
        "desk.lock",
        "cache.db",
        "rejected.csv",
        "backup",
        "logs",
    ] {
        assert!(
            seen.iter().any(|seen| seen == name),
            "no {name} in {seen:?}"
        );
    }
}

/// A folder in which a profile was set up.
fn used() -> (Desk, std::path::PathBuf) {
    let home = Desk::fresh();
    let data = home.folder().join("data");
    open(&data).run().exits(0);
    (home, data)
}

fn open(data: &Path) -> Line {
    line(data, &["--json", "settings", "--retention-days", "30"])
}

fn permit(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_others_could_use_before_is_its_owners_alone_from_the_next_start() {
    let (home, data) = used();
    for folder in [data.clone(), data.join("backup")] {
        for found in std::fs::read_dir(&folder).unwrap() {
            let found = found.unwrap();
            permit(
                &found.path(),
                if found.path().is_dir() { 0o777 } else { 0o666 },
            );
        }
        permit(&folder, 0o777);
    }
    // A file of a person's own stays as it is.
    let own = data.join("sales.csv");
    std::fs::write(&own, "").unwrap();
    permit(&own, 0o644);
    open(&data).run().exits(0);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&data), mode(&own)), (0o700, 0o644));
    std::fs::remove_file(own).unwrap();
    assert_owners_alone(&data, &mut Vec::new());
    drop(home);
}

#[test]
fn a_link_in_place_of_a_file_of_the_desk_is_refused_and_not_followed() {
    for name in ["desk.db", "desk.lock", "cache.db", "practice.db", "backup"] {
        let (home, data) = used();
        let elsewhere = home.folder().join("elsewhere");
        let path = data.join(name);
        if path.exists() {
            std::fs::rename(&path, &elsewhere).unwrap();
        }
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        let was = elsewhere.exists();
        for command in [open(&data), line(&data, &["--json", "profile", "list"])] {
            let run = command.run().exits(2);
            assert_eq!(run.error_code(), "dataLink", "{name}");
        }
        assert_eq!(elsewhere.exists(), was, "{name} was followed");
    }
}

#[test]
fn a_file_of_the_desk_with_another_name_besides_is_refused_under_both() {
    for name in ["desk.db", "desk.lock"] {
        let (home, data) = used();
        let beside = home.folder().join("beside");
        std::fs::create_dir(&beside).unwrap();
        std::fs::hard_link(data.join(name), beside.join(name)).unwrap();
        for folder in [&data, &beside] {
            let run = open(folder).run().exits(2);
            assert_eq!(run.error_code(), "dataLink", "{name}");
        }
        std::fs::remove_file(beside.join(name)).unwrap();
        open(&data).run().exits(0);
    }
}

#[test]
fn files_of_others_with_names_like_the_desks_own_are_left_alone() {
    let (home, data) = used();
    let elsewhere = home.folder().join("elsewhere");
    std::fs::write(&elsewhere, "").unwrap();
    permit(&elsewhere, 0o644);
    for name in [
        "backup-2025.zip",
        "desk.db.bak",
        "desk.lockers",
        "cache.db.old",
        "backup/desk.db",
        "backup/notes.txt",
    ] {
        std::os::unix::fs::symlink(&elsewhere, data.join(name)).unwrap();
        open(&data).run().exits(0);
    }
    let mode = std::fs::metadata(&elsewhere).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    for name in ["desk.db.damaged-20261121T090000Z", "backup/high-water"] {
        let path = data.join(name);
        if path.exists() {
            std::fs::remove_file(&path).unwrap();
        }
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        let run = open(&data).run().exits(2);
        assert_eq!(run.error_code(), "dataLink", "{name}");
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_data_folder_may_be_a_link_to_a_folder_of_the_same_user() {
    let (home, data) = used();
    let link = home.folder().join("link");
    std::os::unix::fs::symlink(&data, &link).unwrap();
    open(&link).run().exits(0);
    let shown = line(&data, &["--json", "profile", "list"]).run();
    shown.exits(0);
}

#[test]
fn a_file_or_folder_of_another_user_is_refused() {
    let owner = |path: &Path, user: u32| std::os::unix::fs::chown(path, Some(user), None);
    for name in ["", "desk.db", "backup"] {
        let (_home, data) = used();
        let path = if name.is_empty() {
            data.clone()
        } else {
            data.join(name)
        };
        if owner(&path, 65_534).is_err() {
            // Only an administrator can give a file away; anybody else is shown one that is not
            // theirs: the system's own folder.
            let run = open(Path::new("/usr")).run().exits(2);
            assert_eq!(run.error_code(), "dataNotOwned");
            return;
        }
        let run = open(&data).run().exits(2);
        assert_eq!(run.error_code(), "dataNotOwned", "{name}");
        assert!(run.stderr().contains("another user"), "{}", run.stderr());
    }
}
