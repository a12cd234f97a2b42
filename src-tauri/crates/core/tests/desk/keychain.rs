//! The keychain of the operating system, for real: the test run gives each run one of its own.

use warranty_core::api::Token;
use warranty_core::vault::{KeychainVault, Vault, VaultError};

fn token(text: &str) -> Token {
    Token::new(text).unwrap()
}

/// A name no other test and no other run uses.
fn name() -> String {
    format!("test {}", uuid::Uuid::new_v4())
}

#[tokio::test]
async fn a_token_of_any_length_comes_back_from_the_keychain_until_it_is_forgotten_and_no_other() {
    let vault = KeychainVault::new();
    vault.probe().await.expect(
        "this needs a session with an unlocked keychain: run it with `make test` or through \
         src-tauri/setup/session.sh",
    );
    let (one, other) = (name(), name());
    let longest = "t".repeat(2048);
    assert!(vault.token(&one).await.unwrap().is_none());
    for (name, text) in [(&one, "first"), (&one, &longest), (&other, "other")] {
        vault.keep(name, token(text)).await.unwrap();
    }
    // Another start of the program finds it as well.
    let again = KeychainVault::new();
    let found = again.token(&one).await.unwrap().unwrap();
    assert_eq!(found.expose(), longest);
    again.forget(&one).await.unwrap();
    assert!(vault.token(&one).await.unwrap().is_none());
    vault.forget(&one).await.unwrap();
    let found = vault.token(&other).await.unwrap().unwrap();
    assert_eq!(found.expose(), "other");
    vault.forget(&other).await.unwrap();
}

/// The configuration of a session bus that starts nothing by itself.
const BARE_BUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../setup/session-bus.conf");

/// Names the folder of the keyring in the process on the bare bus.
const ON_BARE_BUS: &str = "WARRANTY_TEST_ON_BARE_BUS";

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_keychain_that_starts_after_the_program_is_found() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    if let Some(home) = std::env::var_os(ON_BARE_BUS) {
        let vault = KeychainVault::new();
        assert_eq!(vault.probe().await, Err(VaultError::NoKeychain));
        let mut keyring = Command::new("gnome-keyring-daemon")
            .args(["--unlock", "--foreground", "--components=secrets"])
            .env("HOME", &home)
            .env("XDG_DATA_HOME", &home)
            .env("XDG_RUNTIME_DIR", &home)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        keyring.stdin.take().unwrap().write_all(b"x").unwrap();
        crate::harness::until("the keychain found", async || vault.probe().await.is_ok()).await;
        keyring.kill().unwrap();
        keyring.wait().unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("dbus-run-session")
        .arg(format!("--config-file={BARE_BUS}"))
        .arg("--")
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "keychain::a_keychain_that_starts_after_the_program_is_found",
        ])
        .env(ON_BARE_BUS, folder.path())
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
