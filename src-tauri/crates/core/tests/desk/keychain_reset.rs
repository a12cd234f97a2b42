//! A keychain that is emptied while a desk is open, which still has the key.

use std::sync::Arc;

use warranty_core::api::Token;
use warranty_core::contracts::CustomerState;
use warranty_core::vault::{MemoryVault, Vault, VaultError};
use warranty_core::{Desk, Error};

use crate::harness::Stage;
use crate::sales::{sale, sales};
use crate::steps::{Steps, refused};
use crate::vault::{Keychain, Manner, live_over};

/// What is in a keychain after it was reset: nothing.
pub async fn reset(vault: &MemoryVault) {
    for name in vault.names() {
        vault.forget(&name).await.unwrap();
    }
}

#[tokio::test]
async fn an_open_desk_gives_the_key_back_to_a_keychain_that_was_reset_when_it_has_a_token_again() {
    for way in [
        "given",
        "of a new profile",
        "of another program",
        "kept late",
    ] {
        let (stage, profile) = Stage::live().await;
        let token = stage.vault.token(&profile.id).await.unwrap().unwrap();
        stage.register(&sale(0)).await;
        reset(&stage.vault).await;
        match way {
            "given" => stage.give_token(&profile).await,
            "of a new profile" => drop(stage.connect("二号店").await),
            "of another program" => {
                assert_eq!(stage.run().await.waiting, 1);
                stage.vault.keep(&profile.id, token).await.unwrap();
            }
            _ => {
                stage.vault.fail_with(Some(VaultError::Slow));
                refused!(
                    stage.profiles.set_token(&profile.id, stage.token()).await,
                    Error::TokenNotConfirmed
                );
                stage.vault.fail_with(None);
                stage.vault.keep(&profile.id, token).await.unwrap();
            }
        }
        stage.profiles.choose(&profile.id).await.unwrap();
        stage.run().await;
        stage.register(&sale(1)).await;
        let stage = stage.restarted().await;
        stage.give_token(&profile).await;
        stage.run().await;
        for entry in stage.entered().await {
            assert_eq!(entry.customer, CustomerState::Known, "{way}");
        }
        stage.assert_sold_once(&sales(2)).await;
    }
}

#[tokio::test]
async fn a_token_brings_back_no_key_that_the_keychain_has_withholds_or_lost_before_a_renewal() {
    let stage = Stage::empty().await;
    let keychain = Arc::new(Keychain::default());
    let desk = live_over(&stage, &keychain).await;
    let profile = desk.profile().await;
    let give_token = async |desk: &Desk| {
        let kept = desk.profiles.set_token(&profile.id, stage.token()).await;
        kept.unwrap();
    };
    desk.register(&sale(0)).await;
    let mut names = keychain.kept.names();
    names.retain(|name| name.starts_with("customers "));
    let name = names.pop().unwrap();
    let kept = async || {
        let kept = keychain.kept.token(&name).await.unwrap();
        kept.map(|key| key.expose().to_owned())
    };
    let key = kept().await.unwrap();

    let other = "0f".repeat(32);
    let foreign = Token::new(&other).unwrap();
    keychain.kept.keep(&name, foreign).await.unwrap();
    give_token(&desk).await;
    for manner in [Manner::Bare, Manner::Well] {
        keychain.be(manner);
        desk.status().await.unwrap();
    }
    assert_eq!(kept().await, Some(other));

    keychain.kept.forget(&name).await.unwrap();
    keychain.be(Manner::Without("customers "));
    give_token(&desk).await;
    assert_eq!(kept().await, None);
    desk.profiles.remove_token(&profile.id).await.unwrap();
    assert_eq!(kept().await, None);
    keychain.be(Manner::Well);
    desk.status().await.unwrap();
    assert_eq!(kept().await, None);
    give_token(&desk).await;
    assert_eq!(kept().await, Some(key));

    // A key that was lost and renewed, came back and was deleted on purpose.
    let old = keychain.kept.token(&name).await.unwrap().unwrap();
    keychain.kept.forget(&name).await.unwrap();
    desk.close().await;
    let desk = live_over(&stage, &keychain).await;
    desk.encryption.renew_key().await.unwrap();
    keychain.kept.keep(&name, old).await.unwrap();
    desk.close().await;
    let desk = live_over(&stage, &keychain).await;
    assert_eq!(desk.only().await.customer, CustomerState::Known);
    keychain.kept.forget(&name).await.unwrap();
    give_token(&desk).await;
    assert_eq!(kept().await, None);
}
