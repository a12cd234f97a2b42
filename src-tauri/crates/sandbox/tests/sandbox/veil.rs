//! A veil over what the file keeps of customers.

use std::{path::Path, sync::Arc};

use serde_json::Value;
use tempfile::TempDir;
use warranty_sandbox::{Database, Options, Sandbox, Veil};

use crate::caller::{bulk, request, sale, sold};

/// The customer of every sale in these tests.
fn customer() -> [String; 2] {
    let sale = sale("T-1");
    ["name", "email"].map(|field| sale["customer"][field].as_str().unwrap().to_owned())
}

/// Turns bytes over and notes whose they are: enough to tell what is hidden from what is not. The
/// third lasts as long as its process.
#[derive(Debug)]
struct Over(u8);

impl Veil for Over {
    fn hide(&self, text: &[u8]) -> Option<Vec<u8>> {
        let turned = text.iter().map(|byte| !byte);
        Some(std::iter::once(self.0).chain(turned).collect())
    }
    fn show(&self, hidden: &[u8]) -> Option<Vec<u8>> {
        let (whose, turned) = hidden.split_first()?;
        (*whose == self.0).then(|| turned.iter().map(|byte| !byte).collect())
    }
    fn lasts(&self) -> bool {
        self.0 != 3
    }
}

async fn start(folder: &TempDir, database: fn(std::path::PathBuf) -> Database) -> Sandbox {
    let database = database(folder.path().join("practice.db"));
    Sandbox::start(Options {
        database,
        personality: warranty_sandbox::Personality {
            visibility: warranty_sandbox::Visibility::AfterMs(0),
            ..warranty_sandbox::Personality::default()
        },
        ..Options::default()
    })
    .await
    .unwrap()
}

fn veiled(path: std::path::PathBuf) -> Database {
    Database::Veiled(path, Arc::new(Over(1)))
}

fn veiled_by_another(path: std::path::PathBuf) -> Database {
    Database::Veiled(path, Arc::new(Over(2)))
}

/// How often the customer stands in the files of a folder.
fn open_in(folder: &Path) -> usize {
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
    bulk(sandbox, &[sale("T-1")])
        .key("k")
        .send()
        .await
        .success()
}

async fn shown(sandbox: &Sandbox, sold: &Value) -> Value {
    let id = sold[0]["id"].as_str().unwrap();
    request(sandbox, "GET", &format!("/v1/contracts/{id}"))
        .send()
        .await
        .success()
}

#[tokio::test]
async fn what_came_with_a_customer_is_hidden_in_the_file_and_served_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(&folder, veiled).await;
    let made = sell(&first).await;
    assert_eq!(open_in(folder.path()), 0);
    first.stop().await;
    assert_eq!(open_in(folder.path()), 0);

    let again = start(&folder, veiled).await;
    assert_eq!(shown(&again, &made).await, made[0]);
    assert_eq!(sell(&again).await, made, "the answer is kept for its key");
    assert_eq!(sold(&again).await.len(), 1);
    assert_eq!(
        again.ledger().await.unwrap()[0].customer_email,
        customer()[1]
    );
}

#[tokio::test]
async fn what_was_open_before_is_hidden_and_nothing_of_it_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let open = start(&folder, Database::File).await;
    let made = sell(&open).await;
    open.stop().await;
    assert!(open_in(folder.path()) > 0, "the search finds nothing");
    let covered = start(&folder, veiled).await;
    assert_eq!(open_in(folder.path()), 0);
    assert_eq!(shown(&covered, &made).await, made[0]);
    assert_eq!(sell(&covered).await, made);
}

#[tokio::test]
async fn what_a_veil_cannot_show_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(&folder, veiled).await;
    let made = sell(&first).await;
    first.stop().await;
    let other = start(&folder, veiled_by_another).await;
    let id = made[0]["id"].as_str().unwrap();
    let answer = request(&other, "GET", &format!("/v1/contracts/{id}"))
        .send()
        .await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn what_nothing_shows_any_more_is_deleted_and_a_passing_veil_deletes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(&folder, veiled).await;
    let made = sell(&first).await;
    first.stop().await;
    start(&folder, |path| Database::Veiled(path, Arc::new(Over(3))))
        .await
        .stop()
        .await;
    let first = start(&folder, veiled).await;
    assert_eq!(shown(&first, &made).await, made[0]);
    first.stop().await;
    start(&folder, veiled_by_another).await.stop().await;
    let first = start(&folder, veiled).await;
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
