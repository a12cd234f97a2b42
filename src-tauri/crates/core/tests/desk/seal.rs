//! Customers at rest: sealed whatever happens, found all the same, and never printed.

use std::path::Path;

use warranty_core::contracts::{CustomerState, EntryDraft, EntryFilter};
use warranty_core::encryption::Customers;
use warranty_core::outbox::{Resolution, SubmissionState};
use warranty_core::vault::{Vault, VaultError};
use warranty_sandbox::{Action, Operation};

use crate::canary::{Canary, assert_none, search_tree};
use crate::harness::{Stage, parrot};
use crate::sales::{enter, entered, run, run_confirmed, sale, sales, unknown_sale};
use crate::seal_key::{customers, keys_in, only, register};

const EMAIL: &str = "kanaria.wosagasu@canary-of-mail.invalid";
const NAME: &str = "小鳥遊金糸雀 紅緋色乃介";

/// A sale of a customer to be looked for.
fn canary_sale(number: usize) -> EntryDraft {
    EntryDraft {
        customer_name: NAME.into(),
        customer_email: EMAIL.into(),
        ..sale(number)
    }
}

/// Fails where the customer is in a folder in any form.
fn assert_not_in(folder: &Path) {
    let canaries = [Canary::new("e-mail", EMAIL), Canary::new("name", NAME)];
    assert_none(&search_tree(&canaries, folder, &[]));
}

#[tokio::test]
async fn a_customer_is_nowhere_in_the_folder_at_any_time() {
    let (stage, _) = Stage::live().await;
    register(&stage, &canary_sale(0)).await.unwrap();
    assert_not_in(stage.folder.path());
    enter(&stage.desk, &[canary_sale(1), canary_sale(2)]).await;
    stage.next(Operation::BulkCreateContracts, Action::DropAfterCommit);
    run_confirmed(&stage.desk).await;
    let bad = EntryDraft {
        customer_email: EMAIL.into(),
        ..unknown_sale(3)
    };
    stage.next(
        Operation::GetPlan,
        Action::Status {
            status: 500,
            after_commit: false,
        },
    );
    enter(&stage.desk, &[bad]).await;
    run(&stage.desk).await;
    let by_name = EntryFilter {
        text: "金糸雀".into(),
        limit: 10,
        ..EntryFilter::default()
    };
    let found = stage.desk.contracts.submissions(&by_name).await.unwrap();
    assert_eq!(found.len(), 3);
    assert_not_in(stage.folder.path());
    let stage = stage.restarted().await;
    assert_not_in(stage.folder.path());
    let shown = entered(&stage.desk).await;
    assert_eq!(shown[0].customer, CustomerState::Known);
    assert_eq!(shown[0].customer_email.as_ref().unwrap().expose(), EMAIL);
}

#[tokio::test]
async fn what_the_service_repeats_of_a_customer_is_masked() {
    const REFUSAL: &str = r#"{"requestId":"r","code":"BadRequestException",
        "error":"Kanaria.Wosagasu@canary-of-mail.invalid, 小鳥遊金糸雀: no such plan"}"#;
    let service = parrot(&[("POST", REFUSAL), ("GET", "[]")]).await;
    let stage = Stage::at(&service).await;
    register(&stage, &canary_sale(0)).await.unwrap();
    run(&stage.desk).await;
    let entry = only(&stage.desk).await;
    assert_eq!(entry.state, SubmissionState::Rejected);
    assert_eq!(entry.refusal.as_deref(), Some("•••, •••: no such plan"));
    assert_not_in(stage.folder.path());
}

#[tokio::test]
async fn practising_without_a_keychain_seals_with_a_key_of_the_process_alone() {
    let stage = Stage::practising().await;
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    enter(&stage.desk, &[canary_sale(0), canary_sale(1)]).await;
    run_confirmed(&stage.desk).await;
    for entry in entered(&stage.desk).await {
        assert_eq!(entry.state, SubmissionState::Confirmed);
        assert_eq!(entry.customer, CustomerState::Known);
    }
    assert_not_in(stage.folder.path());
    let stage = stage.restarted().await;
    for entry in entered(&stage.desk).await {
        assert_eq!(entry.customer, CustomerState::Lost);
    }
    assert_eq!(customers(&stage.desk).await, Customers::Readable);
    assert!(keys_in(&stage).is_empty());
}

#[tokio::test]
async fn customers_are_found_by_words_in_any_width_and_case() {
    let (stage, _) = Stage::live().await;
    enter(&stage.desk, &sales(30)).await;
    let found = async |text: &str| {
        let filter = EntryFilter {
            text: text.into(),
            limit: 10,
            ..EntryFilter::default()
        };
        stage.desk.contracts.submissions(&filter).await.unwrap()
    };
    assert_eq!(found("CUSTOMER１７@Sample").await.len(), 1);
    assert_eq!(found("customer17@ t-00017").await.len(), 1);
    assert_eq!(found("customer17@ t-00018").await.len(), 0);
    let newest: Vec<_> = found("見本")
        .await
        .into_iter()
        .map(|entry| entry.transaction_id)
        .collect();
    assert_eq!(newest.len(), 10);
    assert_eq!(newest[0], "T-00029");
}

#[tokio::test]
async fn nothing_that_holds_a_customer_prints_one() {
    let (stage, _) = Stage::live().await;
    let draft = canary_sale(0);
    let entry = register(&stage, &draft).await.unwrap();
    let case = stage.desk.outbox.case(&entry.id).await.unwrap();
    let edit = Resolution::Edit {
        draft: Box::new(draft.clone()),
        confirmed: Vec::new(),
    };
    run(&stage.desk).await;
    let contract_id = only(&stage.desk).await.contract_id.unwrap();
    let contract = crate::harness::until("the contract", async || {
        stage.desk.contracts.look_up(&contract_id).await.is_ok()
    });
    contract.await;
    let contract = stage.desk.contracts.look_up(&contract_id).await.unwrap();
    let printed = format!(
        "{draft:?}{entry:?}{case:?}{edit:?}{contract:?}{:?}{:?}",
        stage.desk, stage.vault
    );
    let token = stage.token();
    for secret in [EMAIL, NAME, "金糸雀", token.expose()] {
        assert!(!printed.contains(secret), "{secret} is printed");
    }
    for name in keys_in(&stage) {
        let key = stage.vault.token(&name).await.unwrap().unwrap();
        assert!(!printed.contains(key.expose()), "the key is printed");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn every_file_of_an_open_desk_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    let (stage, _) = Stage::live().await;
    enter(&stage.desk, &sales(3)).await;
    run_confirmed(&stage.desk).await;
    let mut seen = Vec::new();
    let mut folders = vec![stage.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap() {
            let file = file.unwrap();
            // A log may go while it is looked at.
            let Ok(metadata) = file.metadata() else {
                continue;
            };
            let mode = metadata.permissions().mode() & 0o777;
            let lawful = if metadata.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, lawful, "{:?} is {mode:o}", file.file_name());
            seen.push(file.file_name().into_string().unwrap());
            if metadata.is_dir() {
                folders.push(file.path());
            }
        }
    }
    for name in ["desk.db", "desk.db-wal", "desk.lock", "cache.db"] {
        assert!(
            seen.iter().any(|seen| seen == name),
            "no {name} in {seen:?}"
        );
    }
}
