//! Customers at rest: encrypted whatever happens, and never printed.

use std::path::Path;

use warranty_core::api::ContractId;
use warranty_core::contracts::{CustomerState, EntryDraft};
use warranty_core::encryption::Customers;
use warranty_core::outbox::SubmissionState;
use warranty_core::vault::{Vault, VaultError};
use warranty_sandbox::Operation::{BulkCreateContracts, CreateLead, GetContract};

use crate::canary::{Canary, assert_none, search_tree};
use crate::encryption_key::{customers, keys_in};
use crate::harness::{Stage, verbatim};
use crate::leads;
use crate::sales::sale;
use crate::steps::{Steps, edit, with};

const EMAIL: &str = "kanaria.wosagasu@canary-of-mail.invalid";
const NAME: &str = "小鳥遊金糸雀 紅緋色乃介";

/// A sale of a customer to be looked for.
fn canary_sale(number: usize) -> EntryDraft {
    with(sale(number), |it| {
        it.customer_name = NAME.into();
        it.customer_email = EMAIL.into();
    })
}

/// Fails where the customer is in a folder in any form.
fn assert_not_in(folder: &Path) {
    let canaries = [Canary::new("e-mail", EMAIL), Canary::new("name", NAME)];
    assert_none(&search_tree(&canaries, folder, &[]));
}

#[tokio::test]
async fn what_the_service_repeats_of_a_customer_is_masked() {
    const REFUSAL: &str = r#"{"requestId":"r","code":"BadRequestException",
        "error":"Kanaria.Wosagasu@canary-of-mail.invalid, 小鳥遊金糸雀: no such plan"}"#;
    let stage = Stage::answered(&[("POST", REFUSAL), ("GET", "[]")]).await;
    stage.register(&canary_sale(0)).await;
    stage.run().await;
    let entry = stage.only().await;
    assert_eq!(entry.state, SubmissionState::Rejected);
    assert_eq!(entry.refusal.as_deref(), Some("•••, •••: no such plan"));
    assert_not_in(stage.folder.path());
}

#[tokio::test]
async fn a_token_that_the_service_repeats_in_its_refusal_is_kept_and_shown_nowhere() {
    let (stage, _) = Stage::live().await;
    let token = stage.token();
    let words = format!("{0}, %20{0}: not allowed", token.expose());
    let body = serde_json::json!({"requestId": words, "code": words, "error": words});
    for operation in [BulkCreateContracts, CreateLead, GetContract] {
        let refusal = verbatim(400, "application/json", body.to_string());
        stage.next(operation, refusal);
    }
    let sold = stage.register(&canary_sale(0)).await;
    stage.run().await;
    let case = stage.case(&sold.id).await;
    let lead = stage.lead(&leads::draft()).await;
    let contract = ContractId::new("c-1").unwrap();
    let looked_up = stage.contracts.look_up(&contract).await;
    let shown = format!("{case:?}{lead:?}{looked_up:?}");
    assert!(shown.contains("•••, %20•••: not allowed"), "{shown}");
    assert!(!shown.contains(token.expose()));
    stage.assert_not_on_disk(&[token.expose()]);
}

#[tokio::test]
async fn practising_without_a_keychain_encrypts_with_a_key_of_the_process_alone() {
    let stage = Stage::practising().await;
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    stage.enter(&[canary_sale(0), canary_sale(1)]).await;
    stage.run_confirmed().await;
    for entry in stage.entered().await {
        assert_eq!(entry.state, SubmissionState::Confirmed);
        assert_eq!(entry.customer, CustomerState::Known);
    }
    assert_not_in(stage.folder.path());
    let stage = stage.restarted().await;
    for entry in stage.entered().await {
        assert_eq!(entry.customer, CustomerState::Lost);
    }
    assert_eq!(customers(&stage).await, Customers::Readable);
    assert!(keys_in(&stage).is_empty());
}

#[tokio::test]
async fn nothing_that_holds_a_customer_prints_one() {
    let (stage, _) = Stage::live().await;
    let draft = canary_sale(0);
    let entry = stage.register(&draft).await;
    let case = stage.case(&entry.id).await;
    let edit = edit(draft.clone());
    stage.run().await;
    let contract_id = stage.only().await.contract_id.unwrap();
    let contract = crate::harness::until("the contract", async || {
        stage.contracts.look_up(&contract_id).await.is_ok()
    });
    contract.await;
    let contract = stage.contracts.look_up(&contract_id).await.unwrap();
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
