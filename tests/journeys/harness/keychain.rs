//! The session's keychain, spoken to as another program would.

use std::path::Path;
use std::process::Command;

/// Deletes the keys that this desk's customers are encrypted with; tokens and other desks' keys stay.
pub fn lose_the_keys_of_customers(data_dir: &Path) {
    let names = key_names(data_dir);
    assert!(!names.is_empty(), "no key was made yet");
    let items = ask(
        "/org/freedesktop/secrets/aliases/default",
        "org.freedesktop.DBus.Properties.Get",
        &["string:org.freedesktop.Secret.Collection", "string:Items"],
    );
    let keys: Vec<&str> = quoted(&items)
        .filter(|item| item.starts_with("/org/freedesktop/secrets"))
        .filter(|item| {
            let attributes = ask(
                item,
                "org.freedesktop.DBus.Properties.Get",
                &["string:org.freedesktop.Secret.Item", "string:Attributes"],
            );
            quoted(&attributes).any(|value| names.iter().any(|name| name == value))
        })
        .collect();
    assert_eq!(keys.len(), names.len(), "keys of {names:?}");
    for key in keys {
        ask(key, "org.freedesktop.Secret.Item.Delete", &[]);
    }
}

/// The names under which the keychain holds the keys of a data folder.
fn key_names(data_dir: &Path) -> Vec<String> {
    let own = rusqlite::Connection::open(data_dir.join("desk.db")).unwrap();
    let mut ids = own
        .prepare("SELECT id FROM encryption_key WHERE kept = 1")
        .unwrap();
    ids.query_map([], |row| row.get::<_, String>(0))
        .unwrap()
        .map(|id| format!("customers {}", id.unwrap()))
        .collect()
}

/// The texts in quotation marks of an answer.
fn quoted(answer: &str) -> impl Iterator<Item = &str> {
    answer.split('"').skip(1).step_by(2)
}

fn ask(path: &str, method: &str, arguments: &[&str]) -> String {
    let asked = Command::new("dbus-send")
        .args([
            "--session",
            "--print-reply",
            // A deletion is a write to disk, which a busy machine may put off.
            "--reply-timeout=120000",
            "--dest=org.freedesktop.secrets",
            path,
            method,
        ])
        .args(arguments)
        .output()
        .expect("dbus-send can be run");
    assert!(
        asked.status.success(),
        "{method} of {path}: {}",
        String::from_utf8_lossy(&asked.stderr)
    );
    String::from_utf8_lossy(&asked.stdout).into_owned()
}
