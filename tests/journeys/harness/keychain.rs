//! The session's keychain, spoken to as another program would.

use std::process::Command;

/// Deletes every key that customers' data is sealed with; tokens stay. Returns how many there were.
pub fn lose_the_keys_of_customers() -> usize {
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
            quoted(&attributes).any(|value| value.starts_with("customers "))
        })
        .collect();
    for key in &keys {
        ask(key, "org.freedesktop.Secret.Item.Delete", &[]);
    }
    keys.len()
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
