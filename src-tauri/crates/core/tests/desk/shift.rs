//! A shift change on one computer with two accounts: each has its own data folder and keychain, and the
//! policy of the computer is the same for both.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;
use warranty_core::policy::PolicyFolders;
use warranty_core::profile::{TokenState, set_managed_token};
use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions, policy};

use crate::harness::{Stage, until};
use crate::sales::{assert_sold_once, entered, id, sale};

/// An account of the computer.
#[derive(Default)]
struct Account {
    vault: Arc<MemoryVault>,
    folder: Folder,
}

struct Folder(TempDir);

impl Default for Folder {
    fn default() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Account {
    async fn logs_in(&self, policies: &Path) -> Desk {
        let data_dir = self.folder.0.path().to_owned();
        let options = DeskOptions {
            policies: Arc::new(PolicyFolders::of_this_user(policies.to_owned())),
            ..DeskOptions::new(data_dir, self.vault.clone())
        };
        Desk::open(options).await.unwrap()
    }
}

/// A policy with one profile for the stage's service, and perhaps a helper that prints its token.
fn policies(stage: &Stage, with_helper: bool) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let helper = root.path().join("helper");
    fs::write(
        &helper,
        format!("#!/bin/sh\necho {}\n", stage.sandbox.token()),
    )
    .unwrap();
    fs::set_permissions(&helper, fs::Permissions::from_mode(0o700)).unwrap();
    let policy = json!({
        "profiles": [{
            "key": "shops", "name": "Sample shops", "baseUrl": stage.sandbox.base_url(),
            "storeId": ["machine-env:STORE"], "utcOffset": "+09:00",
            "tokenHelper": with_helper.then_some(helper),
        }],
    });
    let store = format!("STORE={}\n", stage.sandbox.store_id());
    fs::create_dir(root.path().join("managed")).unwrap();
    fs::write(root.path().join("managed/10.json"), policy.to_string()).unwrap();
    fs::write(root.path().join("environment"), store).unwrap();
    root
}

async fn sells(desk: &Desk, number: usize) {
    let sold = desk.contracts.register(&id(), &sale(number), &[]).await;
    sold.unwrap();
}

async fn all_is_confirmed(desk: &Desk, count: u32) {
    desk.outbox.start();
    until("all is confirmed", async || {
        desk.overviews
            .current()
            .await
            .unwrap()
            .open
            .outbox
            .confirmed
            == count
    })
    .await;
}

#[tokio::test]
async fn at_a_shift_change_each_account_sees_and_sends_its_own_and_none_is_forgotten() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, true);
    let (morning, evening) = (Account::default(), Account::default());

    // The first account leaves while its sale is not sent, and is told so before.
    let desk = morning.logs_in(policies.path()).await;
    sells(&desk, 1).await;
    assert_eq!(desk.unsent().await.unwrap(), 1);
    desk.close().await;

    // The second one has the profile and the token without being asked anything, and nothing of the first.
    let desk = evening.logs_in(policies.path()).await;
    assert!(entered(&desk).await.is_empty());
    sells(&desk, 2).await;
    all_is_confirmed(&desk, 1).await;
    assert_eq!(desk.unsent().await.unwrap(), 0);
    desk.close().await;
    assert_sold_once(&stage.sandbox, &[sale(2)]).await;

    // Back again, the first one sees at once what waits, and it goes.
    let desk = morning.logs_in(policies.path()).await;
    let open = desk.overviews.current().await.unwrap().open;
    assert_eq!((open.outbox.waiting, open.outbox.confirmed), (1, 0));
    all_is_confirmed(&desk, 1).await;
    assert_eq!(desk.unsent().await.unwrap(), 0);
    desk.close().await;
    assert_sold_once(&stage.sandbox, &[sale(1), sale(2)]).await;
}

#[tokio::test]
async fn a_running_desk_takes_a_token_that_another_program_stores() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, false);
    let account = Account::default();
    let desk = account.logs_in(policies.path()).await;
    let profile = desk.profiles.current().await.unwrap().unwrap();
    desk.outbox.start();
    sells(&desk, 1).await;
    let token = async || desk.profiles.token_state(&profile.id).await.unwrap();
    assert_eq!(token().await, TokenState::Absent);

    let source = PolicyFolders::of_this_user(policies.path().to_owned());
    let state = policy::load(&source, account.folder.0.path(), false);
    let stored = set_managed_token(&*account.vault, &state, "shops", &stage.token()).await;
    assert_eq!(stored.unwrap().as_deref(), Some("Sample shops"));
    assert_eq!(token().await, TokenState::Present);
    // A sale that is entered is a try at once, and what waited goes with it.
    sells(&desk, 2).await;
    all_is_confirmed(&desk, 2).await;
    assert_sold_once(&stage.sandbox, &[sale(1), sale(2)]).await;
}
