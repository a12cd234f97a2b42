//! The support bundle holds what is on its list, and nothing of what is not.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::harness::{Desk, TOKEN, shop};

/// The files of a bundle.
pub fn opened(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|number| {
            let mut file = archive.by_index(number).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            let name = file.name().unwrap().into_owned();
            (name, bytes)
        })
        .collect()
}

#[test]
fn a_bundle_holds_the_list_and_its_manifest_tells_size_and_digest_of_each_file() {
    let (service, desk) = shop();
    desk.enter(["sample-sale-4711", "sample-sale-4712"], "")
        .exits(0);
    let bundle = "support bundle --out bundle.zip";
    desk.does(bundle);

    let mut files = opened(&desk.path("bundle.zip"));
    let day = files
        .keys()
        .find(|name| name.starts_with("logs/"))
        .unwrap()
        .clone();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let listed = [
        "about.json",
        "database.json",
        "doctor.json",
        "journal.json",
        &day,
        "manifest.json",
        "outbox.json",
        "policy.json",
        "profiles.json",
    ];
    assert_eq!(names, listed);
    // Neither the token nor a transaction nor the user's name is in any of them.
    let user: String = desk.value("SELECT user FROM journal LIMIT 1");
    for (name, bytes) in &files {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(
            !text.contains(TOKEN) && !text.contains("sample-sale-47"),
            "{name}: {text}"
        );
        // As a word: the name may be part of another.
        let mut words = text.split(|character: char| !character.is_alphanumeric());
        assert!(!words.any(|word| word == user), "{name}: {text}");
    }
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
    let manifest = read(&files.remove("manifest.json").unwrap());
    for told in manifest["files"].as_array().unwrap() {
        let bytes = &files[told["name"].as_str().unwrap()];
        assert_eq!(told["bytes"], bytes.len());
        assert_eq!(told["sha256"], format!("{:x}", Sha256::digest(bytes)));
    }
    assert_eq!(manifest["files"].as_array().unwrap().len(), files.len());
    let outbox = read(&files["outbox.json"]);
    assert_eq!(outbox["states"][0]["state"], "confirmed");
    assert_eq!(outbox["states"][0]["count"], 2);
    assert_eq!(outbox["attempts"][0]["class"], "accepted");
    assert_eq!(read(&files["database.json"])["check"]["sound"], true);
    assert_eq!(read(&files["journal.json"])[0]["user"], 1);
    let host = read(&files["profiles.json"])[0]["host"].clone();
    assert!(service.base_url.ends_with(host.as_str().unwrap()), "{host}");

    // An existing file stays as it is.
    desk.run(bundle).exits(2);
}

#[test]
fn a_bundle_tells_why_nothing_left_and_counts_imports_and_what_a_replaced_file_lacked() {
    let (_address, desk) = Desk::offline();
    desk.enter(["t-1"], "--wait 1").exits(5);
    let older = desk.path("older.db");
    std::fs::copy(desk.path("desk.db"), &older).unwrap();
    let told = |name: &str| -> Value {
        desk.does(format!("support bundle --out {name}"));
        let files = opened(&desk.path(name));
        serde_json::from_slice(&files["outbox.json"]).unwrap()
    };
    let outbox = told("offline.zip");
    let reason = "not sent: no connection could be made";
    assert_eq!(outbox["attempts"][0]["reason"], reason, "{outbox}");
    let run = &outbox["runs"][0];
    assert_eq!(run["kind"], "contracts", "{outbox}");
    assert_eq!((&run["rows"], &run["entered"]), (&1.into(), &1.into()));
    assert!(outbox["rescues"].as_array().unwrap().is_empty());
    assert!(!outbox.to_string().contains("sales.csv"));

    desk.keep(["t-2"]);
    std::fs::copy(older, desk.path("desk.db")).unwrap();
    desk.run("outbox run --wait 1").exits(4);
    let outbox = told("replaced.zip");
    let rescue = &outbox["rescues"][0];
    assert_eq!(rescue["cause"], "putBack", "{outbox}");
    assert!(rescue["pending"].as_u64() > Some(0), "{outbox}");
    assert!(rescue["complete"].is_boolean());
}

#[test]
fn masked_ids_are_told_apart_and_differ_in_each_bundle() {
    let (_service, desk) = shop();
    let subjects = |name: &str, options: &str| -> Vec<String> {
        desk.does(format!("support bundle --out {name} {options}"));
        let files = opened(&desk.path(name));
        let journal: Value = serde_json::from_slice(&files["journal.json"]).unwrap();
        let mut lines = journal.as_array().unwrap().clone();
        lines.retain(|line| line["action"] != "support.bundled");
        let subject = |line: &Value| line["subject"].as_str().unwrap().to_owned();
        lines.iter().map(subject).collect()
    };
    let (plain, masked, again) = (
        subjects("plain.zip", ""),
        subjects("masked.zip", "--mask-ids"),
        subjects("again.zip", "--mask-ids"),
    );
    assert!(plain.len() > 1);
    for (line, id) in plain.iter().enumerate() {
        assert!(masked[line] != *id && masked[line] != again[line], "{id}");
        for (other, same) in plain.iter().zip(&masked) {
            assert_eq!(id == other, masked[line] == *same);
        }
    }
}

#[test]
fn a_desk_that_cannot_be_opened_still_gives_its_log_and_the_error() {
    let (_service, desk) = shop();
    let newer = desk.database().pragma_update(None, "user_version", 9_999);
    newer.unwrap();
    let reader = "UPDATE setting SET value = '9999' WHERE name = 'minReader'";
    assert_eq!(desk.change(reader, []), 1);
    desk.does("support bundle --out bundle.zip");
    let files = opened(&desk.path("bundle.zip"));
    let error: Value = serde_json::from_slice(&files["error.json"]).unwrap();
    assert_eq!(error["code"], "databaseNewer");
    assert!(files.keys().any(|name| name.starts_with("logs/")));
    assert!(files.contains_key("manifest.json") && files.contains_key("about.json"));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_log_does_not_stop_the_desk_and_is_not_followed() {
    let desk = Desk::fresh();
    let elsewhere = TempDir::new().unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), desk.path("logs")).unwrap();
    desk.does("profile list");
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn a_bundle_of_a_profile_that_does_not_exist_is_not_written() {
    let (_service, desk) = shop();
    desk.json("--profile mistyped support bundle --out bundle.zip")
        .exits(2)
        .fails_with("unknownProfile");
    assert!(!desk.path("bundle.zip").exists());
}
