//! What wdesk writes is its owner's alone, whatever the session lets others read.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use crate::harness::{Desk, Line, PRODUCT, Service, TOKEN, Words, sales};

/// A session in which new files are everybody's.
const EVERYBODYS: [&str; 3] = ["sh", "-c", r#"umask 000; exec "$0" "$@""#];

fn line(data: &Path, words: impl Words) -> Line {
    let place = ["--data-dir", data.to_str().unwrap()];
    Desk::bare((place, words)).through(&EVERYBODYS)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|found| found.unwrap().path());
    paths
        .flat_map(|path| {
            let inside = if path.is_dir() {
                below(&path)
            } else {
                Vec::new()
            };
            [vec![path], inside].concat()
        })
        .collect()
}

/// Fails where anybody but the owner may do anything with a folder or what is below.
fn assert_owners_alone(folder: &Path) {
    for path in [vec![folder.to_owned()], below(folder)].concat() {
        let lawful = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), lawful, "{}", path.display());
    }
}

#[test]
fn everything_in_the_data_folder_is_its_owners_alone() {
    let service = Service::start();
    let home = Desk::fresh();
    let data = home.path("data");
    let (url, store) = (&service.base_url, &service.store);
    let add = format!("profile add counter --base-url {url} --store-id {store}");
    line(&data, add).run().exits(0);
    line(&data, "token set").input(TOKEN).run().exits(0);
    let file = home.file("sales.csv", &(sales(["t-1", "t-2"]) + "t-3,x,,,,,,,\n"));
    let returned = data.join("rejected.csv");
    let enter = format!("contracts enter {file} --rejected {}", returned.display());
    line(&data, enter).run();
    line(&data, format!("plans list --product {PRODUCT}"))
        .run()
        .exits(0);

    assert_owners_alone(&data);
    for name in ["desk.db", "cache.db", "rejected.csv", "backup", "logs"] {
        assert!(data.join(name).exists(), "no {name}");
    }
}

/// A folder in which a profile was set up.
fn used() -> (Desk, PathBuf) {
    let home = Desk::fresh();
    let data = home.path("data");
    open(&data).run().exits(0);
    (home, data)
}

fn open(data: &Path) -> Line {
    line(data, "--json settings --retention-days 30")
}

#[test]
fn what_others_could_use_before_is_its_owners_alone_from_the_next_start() {
    let (_home, data) = used();
    for folder in [data.clone(), data.join("backup")] {
        for found in fs::read_dir(&folder).unwrap() {
            let path = found.unwrap().path();
            permit(&path, if path.is_dir() { 0o777 } else { 0o666 });
        }
        permit(&folder, 0o777);
    }
    // A file of a person's own stays as it is.
    let own = data.join("sales.csv");
    fs::write(&own, "").unwrap();
    permit(&own, 0o644);
    open(&data).run().exits(0);
    assert_eq!(mode(&own), 0o644);
    fs::remove_file(own).unwrap();
    assert_owners_alone(&data);
}

#[test]
fn a_link_in_place_of_a_file_of_the_desk_is_refused_and_not_followed() {
    for name in ["desk.db", "cache.db", "practice.db", "backup"] {
        let (home, data) = used();
        let elsewhere = home.path("elsewhere");
        let path = data.join(name);
        if path.exists() {
            fs::rename(&path, &elsewhere).unwrap();
        }
        symlink(&elsewhere, &path).unwrap();
        let was = elsewhere.exists();
        for command in [open(&data), line(&data, "--json profile list")] {
            command.run().exits(2).fails_with("diskLink");
        }
        assert_eq!(elsewhere.exists(), was, "{name} was followed");
    }
}

#[test]
fn a_file_of_the_desk_with_another_name_besides_is_refused_under_both() {
    let (home, data) = used();
    let beside = home.path("beside");
    fs::create_dir(&beside).unwrap();
    fs::hard_link(data.join("desk.db"), beside.join("desk.db")).unwrap();
    for folder in [&data, &beside] {
        open(folder).run().exits(2).fails_with("diskLink");
    }
    fs::remove_file(beside.join("desk.db")).unwrap();
    open(&data).run().exits(0);
}

#[test]
fn files_of_others_with_names_like_the_desks_own_are_left_alone() {
    let (home, data) = used();
    let elsewhere = home.path("elsewhere");
    fs::write(&elsewhere, "").unwrap();
    permit(&elsewhere, 0o644);
    for name in [
        "backup-2025.zip",
        "desk.db.bak",
        "cache.db.old",
        "backup/desk.db",
        "backup/notes.txt",
    ] {
        symlink(&elsewhere, data.join(name)).unwrap();
        open(&data).run().exits(0);
    }
    assert_eq!(mode(&elsewhere), 0o644);
    for name in ["desk.db.damaged-20261121T090000Z", "backup/high-water"] {
        let path = data.join(name);
        let _ = fs::remove_file(&path);
        symlink(&elsewhere, &path).unwrap();
        open(&data).run().exits(2).fails_with("diskLink");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_data_folder_may_be_a_link_to_a_folder_of_the_same_user() {
    let (home, data) = used();
    let link = home.path("link");
    symlink(&data, &link).unwrap();
    open(&link).run().exits(0);
    line(&data, "--json profile list").run().exits(0);
}

#[test]
fn a_file_or_folder_of_another_user_is_refused() {
    for name in ["", "desk.db", "backup"] {
        let (_home, data) = used();
        let path = if name.is_empty() {
            data.clone()
        } else {
            data.join(name)
        };
        if chown(path, Some(65_534), None).is_err() {
            // Only an administrator can give a file away; anybody else is shown one that is not
            // theirs: the system's own folder.
            open(Path::new("/usr"))
                .run()
                .exits(2)
                .fails_with("diskNotOwned");
            return;
        }
        let run = open(&data).run().exits(2).fails_with("diskNotOwned");
        run.says("another user");
    }
}
