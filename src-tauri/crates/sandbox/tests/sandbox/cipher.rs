//! Encryption of customer data in the file.

use std::{path::Path, sync::Arc};

use serde_json::Value;
use tempfile::TempDir;
use warranty_sandbox::{Cipher, Database, Options, Sandbox, Visibility};

use crate::client::{bulk, get, sale, sold};

/// The customer of every sale in these tests.
fn customer() -> [String; 2] {
    let sale = sale("T-1");
    ["name", "email"].map(|field| sale["customer"][field].as_str().unwrap().to_owned())
}

/// Inverts bytes and prepends the number of the key: enough to tell ciphertext from plaintext. Key 3 is
/// temporary.
#[derive(Debug)]
struct InvertingCipher(u8);

impl Cipher for InvertingCipher {
    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        let inverted = plaintext.iter().map(|byte| !byte);
        Some(std::iter::once(self.0).chain(inverted).collect())
    }
    fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        let (key, inverted) = ciphertext.split_first()?;
        (*key == self.0).then(|| inverted.iter().map(|byte| !byte).collect())
    }
    fn is_persistent(&self) -> bool {
        self.0 != 3
    }
}

async fn start(folder: &TempDir, database: fn(std::path::PathBuf) -> Database) -> Sandbox {
    let database = database(folder.path().join("practice.db"));
    let mut options = Options::default();
    options.personality.visibility = Visibility::AfterMs(0);
    options.database = database;
    Sandbox::start(options).await.unwrap()
}

fn encrypted(path: std::path::PathBuf) -> Database {
    Database::Encrypted(path, Arc::new(InvertingCipher(1)))
}

fn encrypted_with_another_key(path: std::path::PathBuf) -> Database {
    Database::Encrypted(path, Arc::new(InvertingCipher(2)))
}

/// How often the customer's plaintext occurs in the files of a folder.
fn plaintext_in(folder: &Path) -> usize {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|file| std::fs::read(file.unwrap().path()).unwrap_or_default())
        .map(|bytes| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            customer()
                .iter()
                .map(|one| text.matches(one).count())
                .sum::<usize>()
        })
        .sum()
}

async fn sell(sandbox: &Sandbox) -> Value {
    bulk(sandbox, &[sale("T-1")]).key("k").success().await
}

async fn looked_up(sandbox: &Sandbox, sold: &Value) -> Value {
    let id = sold[0]["id"].as_str().unwrap();
    get(sandbox, &format!("/v1/contracts/{id}")).success().await
}

#[tokio::test]
async fn customer_data_is_encrypted_in_the_file_and_decrypted_in_answers() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(&folder, encrypted).await;
    let made = sell(&first).await;
    assert_eq!(plaintext_in(folder.path()), 0);
    first.stop().await;
    assert_eq!(plaintext_in(folder.path()), 0);

    let again = start(&folder, encrypted).await;
    assert_eq!(looked_up(&again, &made).await, made[0]);
    assert_eq!(sell(&again).await, made, "the answer is kept for its key");
    assert_eq!(sold(&again).await.len(), 1);
    assert_eq!(
        again.ledger().await.unwrap()[0].customer_email,
        customer()[1]
    );
}

#[tokio::test]
async fn a_contract_that_cannot_be_decrypted_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(&folder, encrypted).await;
    let made = sell(&first).await;
    first.stop().await;
    let other = start(&folder, encrypted_with_another_key).await;
    let id = made[0]["id"].as_str().unwrap();
    let answer = get(&other, &format!("/v1/contracts/{id}")).send().await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn a_persistent_key_deletes_what_it_cannot_decrypt_and_a_temporary_key_deletes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(&folder, encrypted).await;
    let made = sell(&first).await;
    first.stop().await;
    let temporary = |path| Database::Encrypted(path, Arc::new(InvertingCipher(3)));
    start(&folder, temporary).await.stop().await;
    let first = start(&folder, encrypted).await;
    assert_eq!(looked_up(&first, &made).await, made[0]);
    first.stop().await;
    let another = start(&folder, encrypted_with_another_key).await;
    another.stop().await;
    let first = start(&folder, encrypted).await;
    assert_eq!(sold(&first).await, [""; 0]);
    assert_ne!(sell(&first).await, made, "no answer is kept either");
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let sandbox = start(&folder, Database::File).await;
    sell(&sandbox).await;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", file.file_name());
    }
}

#[tokio::test]
async fn damaged_practice_data_gives_way_to_a_new_file_and_a_file_that_a_person_named_does_not() {
    for is_header_whole in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("practice.db");
        start(&folder, encrypted).await.stop().await;
        let mut damaged = std::fs::read(&file).unwrap();
        damaged[if is_header_whole { 100 } else { 0 }..].fill(7);
        std::fs::write(&file, &damaged).unwrap();
        let options = Options {
            database: Database::File(file.clone()),
            ..Options::default()
        };
        assert!(Sandbox::start(options).await.is_err());
        assert_eq!(std::fs::read(&file).unwrap(), damaged);

        let anew = start(&folder, encrypted).await;
        let made = sell(&anew).await;
        assert_eq!(looked_up(&anew, &made).await, made[0]);
    }
}
