//! What was typed and not sent: it outlives the program, and nobody else reads it.

use warranty_core::Error;
use warranty_core::drafts::{DraftName, DraftPlace, DraftState, MOST_IN_DRAFT};
use warranty_core::profile::Profile;
use warranty_core::vault::{Vault, VaultError};

use crate::encryption_key::{keys_in, lose_key};
use crate::harness::Stage;
use crate::sales::sale;
use crate::steps::{Steps, refused};

const TYPED: &str = "金糸雀 紅緋乃介 <kanaria@canary-of-draft.invalid>";

fn name(text: &str) -> DraftName {
    DraftName::new(text).unwrap()
}

async fn assert_kept(stage: &Stage, profile: &Profile, draft: &str, text: &str, at: DraftPlace) {
    assert_eq!(stage.keep_draft(profile, draft, text, 0).await, at);
}

/// The text under a name, which must be readable.
async fn assert_reads(stage: &Stage, profile: &Profile, draft: &str, text: &str) {
    let found = stage.draft_of(profile, draft).await.unwrap();
    assert_eq!(found.state, DraftState::Known);
    assert_eq!(found.text.unwrap().expose(), text);
}

#[tokio::test]
async fn a_draft_lies_encrypted_and_outlives_the_program_until_it_is_dropped() {
    let (stage, profile) = Stage::live().await;
    assert_eq!(stage.draft_of(&profile, "counter/1").await, None);
    assert_kept(&stage, &profile, "counter/1", "first", DraftPlace::File).await;
    stage.keep_draft(&profile, "counter/1", TYPED, 0).await;
    let personal = ["金糸雀 紅緋乃介", "kanaria@canary-of-draft.invalid"];
    stage.assert_not_on_disk(&personal);
    let draft = stage.draft_of(&profile, "counter/1").await;
    assert!(!format!("{draft:?}{:?}", stage.desk).contains("金糸雀"));
    let stage = stage.restarted().await;
    stage.assert_not_on_disk(&personal);
    assert_reads(&stage, &profile, "counter/1", TYPED).await;
    stage.drop_draft(&profile, "counter/1").await;
    assert_eq!(stage.draft_of(&profile, "counter/1").await, None);
    let stage = stage.restarted().await;
    assert_eq!(stage.draft_of(&profile, "counter/1").await, None);
}

#[tokio::test]
async fn drafts_are_read_and_dropped_by_how_their_names_begin() {
    let (stage, profile) = Stage::live().await;
    for block in ["sheet/2", "sheet/1", "sheets", "counter"] {
        stage.keep_draft(&profile, block, block, 0).await;
    }
    let names = async |prefix: &str| -> Vec<String> {
        let found = stage.drafts.all(&profile.id, &name(prefix)).await;
        let found = found.unwrap().into_iter();
        found.map(|draft| draft.name.as_str().to_owned()).collect()
    };
    assert_eq!(names("sheet/").await, ["sheet/1", "sheet/2"]);
    stage.drop_draft(&profile, "sheet").await;
    assert_eq!(names("sheet").await, ["sheet/1", "sheet/2", "sheets"]);
    assert_eq!(names("counter").await, ["counter"]);
}

#[tokio::test]
async fn each_profile_has_its_own_and_stays_while_something_is_typed_under_it() {
    let (stage, profile) = Stage::live().await;
    let branch = stage.connect("支店").await;
    stage.keep_draft(&profile, "counter", "main", 0).await;
    stage.keep_draft(&branch, "counter", "branch", 0).await;
    assert_reads(&stage, &profile, "counter", "main").await;
    refused!(
        stage.profiles.remove(&branch.id).await,
        Error::ProfileHasOpenContracts(_)
    );
    assert_reads(&stage, &branch, "counter", "branch").await;
    stage.drop_draft(&branch, "counter").await;
    stage.profiles.remove(&branch.id).await.unwrap();
    assert_reads(&stage, &profile, "counter", "main").await;
    refused!(
        stage.try_keep_draft(&branch, "counter", "late", 0).await,
        Error::UnknownProfile(_)
    );
}

#[tokio::test]
async fn without_the_keychain_a_draft_is_held_in_memory_and_kept_once_it_is_back() {
    let (stage, profile) = Stage::live().await;
    stage.keep_draft(&profile, "counter/0", "before", 0).await;
    let stage = stage.restarted().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    let earlier = stage.draft_of(&profile, "counter/0").await.unwrap();
    assert_eq!((earlier.state, earlier.text), (DraftState::Locked, None));
    assert_kept(&stage, &profile, "counter/1", TYPED, DraftPlace::Memory).await;
    assert_reads(&stage, &profile, "counter/1", TYPED).await;
    stage.vault.fail_with(None);
    // Registering asks the keychain again; a draft alone leaves it in peace for a while.
    stage.register(&sale(0)).await;
    // The first that is kept again takes along what else is in memory alone.
    assert_kept(&stage, &profile, "counter/2", "further", DraftPlace::File).await;
    let stage = stage.restarted().await;
    assert_reads(&stage, &profile, "counter/1", TYPED).await;
    assert_reads(&stage, &profile, "counter/2", "further").await;
    assert_reads(&stage, &profile, "counter/0", "before").await;
}

#[tokio::test]
async fn a_draft_whose_key_is_lost_is_said_to_be_and_is_not_overwritten() {
    let (stage, profile) = Stage::live().await;
    stage.keep_draft(&profile, "counter", "old", 0).await;
    let (key_name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    let lost = stage.draft_of(&profile, "counter").await.unwrap();
    assert_eq!((lost.state, lost.text), (DraftState::Lost, None));
    assert_kept(&stage, &profile, "counter", "new", DraftPlace::Memory).await;
    assert!(keys_in(&stage).is_empty(), "no key is made over a lost one");
    stage.encryption.renew_key().await.unwrap();
    assert_kept(&stage, &profile, "counter", "new", DraftPlace::File).await;
    stage.drop_draft(&profile, "counter").await;
    let lost = stage.draft_of(&profile, "counter").await.unwrap();
    assert_eq!(lost.state, DraftState::Lost);

    stage.vault.keep(&key_name, key).await.unwrap();
    let stage = stage.restarted().await;
    assert_reads(&stage, &profile, "counter", "old").await;
}

#[tokio::test]
async fn a_lost_draft_can_be_dropped_once_it_is_all_there_is() {
    let (stage, profile) = Stage::live().await;
    stage.keep_draft(&profile, "counter", "old", 0).await;
    lose_key(&stage).await;
    let stage = stage.restarted().await;
    stage.drop_draft(&profile, "counter").await;
    assert_eq!(stage.draft_of(&profile, "counter").await, None);
}

#[tokio::test]
async fn practising_without_a_keychain_keeps_drafts_as_long_as_the_program_runs() {
    let stage = Stage::practising().await;
    let profile = stage.profile().await;
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    assert_kept(&stage, &profile, "counter", TYPED, DraftPlace::Memory).await;
    assert_reads(&stage, &profile, "counter", TYPED).await;
    let stage = stage.restarted().await;
    assert_eq!(stage.draft_of(&profile, "counter").await, None);
}

#[tokio::test]
async fn a_text_beyond_the_bound_is_not_kept_and_what_was_kept_stays() {
    let (stage, profile) = Stage::live().await;
    let most = "x".repeat(MOST_IN_DRAFT);
    assert_kept(&stage, &profile, "counter", &most, DraftPlace::File).await;
    let more = format!("{most}x");
    assert_kept(&stage, &profile, "counter", &more, DraftPlace::Nowhere).await;
    let stage = stage.restarted().await;
    assert_reads(&stage, &profile, "counter", &most).await;
}

#[tokio::test]
async fn a_name_says_nothing_of_anybody() {
    let long = "a".repeat(65);
    for bad in ["", "Counter", "山田", "a b", "a*", "a\0", &long, "_"] {
        assert!(DraftName::new(bad).is_err(), "{bad:?}");
    }
    assert!(DraftName::new("sheet/0001.a-b").is_ok());
}
