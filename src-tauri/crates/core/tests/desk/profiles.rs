//! Profiles, their tokens, and the test of a connection.

use warranty_core::api::Token;
use warranty_core::profile::{Display, Finding, ProfileDraft, ProfileKind, TokenState};
use warranty_core::settings::{Language, ListColumn, Settings, Theme};
use warranty_core::vault::VaultError;
use warranty_core::{DeskOptions, Error, Field, Problem};
use warranty_sandbox::{Action, Operation::ListPlans, TokenSeen, sample};

use crate::harness::{Stage, html, plan, product};
use crate::sales::sale;
use crate::steps::{Steps, problems, refused};

#[tokio::test]
async fn first_run_asks_for_a_profile_and_practising_needs_nothing() {
    let stage = Stage::empty().await;
    let status = stage.status().await.unwrap();
    assert_eq!(status.profile, None);
    assert_eq!(status.token, TokenState::Absent);
    refused!(
        stage
            .profiles
            .practise("練習".to_owned(), Display::default())
            .await,
        Error::PracticeNotRunning
    );

    stage.attach_practice();
    let profile = stage
        .profiles
        .practise(
            "練習".to_owned(),
            Display {
                currency: " 円".to_owned(),
                term_unit: "か月".repeat(100),
            },
        )
        .await
        .unwrap();
    assert_eq!(profile.kind, ProfileKind::Practice);
    assert_eq!(profile.display.currency, "円");
    assert_eq!(profile.display.term_unit.chars().count(), 20);
    assert_eq!(profile.base_url, "practice");
    assert_eq!(profile.store_id, stage.sandbox.store_id());
    let status = stage.status().await.unwrap();
    assert_eq!(status.profile.as_ref(), Some(&profile));
    assert_eq!(status.token, TokenState::Present);
    // Practising twice is the same profile.
    let again = stage
        .profiles
        .practise("別名".to_owned(), Display::default())
        .await
        .unwrap();
    assert_eq!(again, profile);
    assert_eq!(stage.profiles.all().await.unwrap(), [profile]);
}

#[tokio::test]
async fn profiles_are_kept_chosen_and_listed_by_name() {
    let stage = Stage::empty().await;
    let first = stage.add("B店").await;
    let second = stage.add("A店").await;
    assert_eq!(
        stage.profiles.current().await.unwrap().as_ref(),
        Some(&first),
        "the first profile is chosen by itself, the second is not"
    );
    assert_eq!(
        stage.profiles.all().await.unwrap(),
        [second.clone(), first.clone()]
    );
    assert_eq!(stage.profiles.choose("ａ店").await.unwrap(), second);
    let stage = stage.restarted().await;
    assert_eq!(
        stage.profiles.current().await.unwrap(),
        Some(second.clone())
    );
    assert_eq!(stage.profiles.choose(&first.id).await.unwrap(), first);
    assert!(matches!(
        stage.profiles.choose("C店").await,
        Err(Error::UnknownProfile(name)) if name == "C店"
    ));
}

#[tokio::test]
async fn a_desk_can_be_opened_under_another_profile_than_the_chosen_one() {
    let stage = Stage::empty().await;
    stage.add("本店").await;
    let other = stage.add("支店").await;
    let options = |name: &str| DeskOptions {
        profile: Some(name.to_owned()),
        ..stage.options()
    };
    let beside = warranty_core::Desk::open_to_read(options("支店"))
        .await
        .unwrap();
    assert_eq!(beside.profiles.current().await.unwrap(), Some(other));
    let lost = warranty_core::Desk::open_to_read(options("無い店"))
        .await
        .unwrap();
    refused!(lost.profiles.current().await, Error::UnknownProfile(_));
    refused!(beside.profiles.add(stage.draft("新店")).await, Error::InUse);
}

#[tokio::test]
async fn a_name_is_used_once_whatever_its_case_and_width() {
    let stage = Stage::empty().await;
    stage.add("Store A").await;
    refused!(
        stage.profiles.add(stage.draft("ｓｔｏｒｅ a")).await,
        Error::ProfileNameTaken(_)
    );
    let token = stage.token();
    refused!(
        stage.profiles.connect(stage.draft("STORE A"), token).await,
        Error::ProfileNameTaken(_)
    );
    assert_eq!(stage.profiles.all().await.unwrap().len(), 1);
    // A removed profile gives its name free.
    stage.profiles.remove("store a").await.unwrap();
    stage.add("Store A").await;
}

#[tokio::test]
async fn bad_input_is_named_by_field_and_nothing_is_kept() {
    let stage = Stage::empty().await;
    let mut draft = stage.draft(" ");
    draft.base_url = "http://service.example".to_owned();
    assert_eq!(
        problems(stage.profiles.add(draft).await),
        [
            (Field::ProfileName, Problem::Missing),
            (Field::BaseUrl, Problem::NotSecure)
        ]
    );
    assert!(stage.profiles.all().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_token_lives_in_the_vault_and_in_no_file() {
    let (stage, profile) = Stage::live().await;
    let canary = Token::new("canary-token-5f2a-kq9w").unwrap();
    stage.profiles.set_token(&profile.id, canary).await.unwrap();
    // It is used, refused, and so passes through everything that could write it down.
    refused!(
        stage
            .plans
            .open(&plan(sample::REFRIGERATOR_PLAN_3_YEARS))
            .await,
        Error::Service { .. }
    );
    let journal = stage.journal(10).await.unwrap();
    assert!(journal.iter().any(|line| line.action == "token.set"));
    assert!(!format!("{journal:?}{:?}", stage.desk).contains("canary"));
    let stage = stage.restarted().await;
    assert_eq!(stage.token_state(&profile).await, TokenState::Present);
    stage.assert_not_on_disk(&["canary-token-5f2a-kq9w"]);

    stage.profiles.remove_token(&profile.id).await.unwrap();
    assert_eq!(stage.token_state(&profile).await, TokenState::Absent);
}

#[tokio::test]
async fn without_a_working_keychain_no_live_profile_is_half_made() {
    let stage = Stage::empty().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    refused!(
        stage
            .profiles
            .connect(stage.draft("本店"), stage.token())
            .await,
        Error::Vault(VaultError::Locked)
    );
    assert!(stage.profiles.all().await.unwrap().is_empty());
    assert_eq!(
        stage.status().await.unwrap().keychain,
        Some(VaultError::Locked)
    );
}

#[tokio::test]
async fn what_needs_no_token_works_without_a_keychain() {
    let (stage, profile) = Stage::live().await;
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    let plan_list = stage
        .refresh(
            &product(sample::PRODUCT_REFRIGERATOR),
            warranty_core::api::PlanFilter::Any,
        )
        .await;
    assert_eq!(plan_list.plans.len(), 3);
    assert_eq!(stage.token_state(&profile).await, TokenState::Unavailable);
    let token = stage.token();
    refused!(
        stage.profiles.set_token(&profile.id, token).await,
        Error::Vault(VaultError::NoKeychain)
    );
    refused!(
        stage
            .plans
            .open(&plan(sample::REFRIGERATOR_PLAN_3_YEARS))
            .await,
        Error::Vault(VaultError::NoKeychain)
    );
}

#[tokio::test]
async fn a_changed_profile_keeps_its_token_but_not_for_another_server() {
    let (stage, profile) = Stage::live().await;
    let mut draft = stage.draft("本店 改");
    draft.display = Display {
        currency: "円".to_owned(),
        term_unit: "か月".to_owned(),
    };
    draft.facts.key_replay_seconds = Some(3600);
    let changed = stage.change(&profile, draft.clone()).await;
    assert_eq!(changed.id, profile.id);
    assert_eq!(changed.display.currency, "円");
    assert_eq!(stage.token_state(&profile).await, TokenState::Present);
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    stage.change(&profile, draft).await;
    assert_eq!(stage.token_state(&profile).await, TokenState::Absent);
}

#[tokio::test]
async fn a_change_that_is_refused_for_its_name_leaves_the_token_where_it_is() {
    let (stage, profile) = Stage::live().await;
    stage.add("支店").await;
    let mut draft = stage.draft("支店");
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    let taken = stage.profiles.change(&profile.id, draft).await;
    assert!(matches!(taken, Err(Error::ProfileNameTaken(name)) if name == "支店"));
    assert_eq!(stage.token_state(&profile).await, TokenState::Present);
    assert_eq!(stage.profiles.current().await.unwrap(), Some(profile));
}

#[tokio::test]
async fn the_practice_profile_keeps_its_address_and_takes_no_token() {
    let stage = Stage::practising().await;
    let profile = stage.profile().await;
    let mut draft = stage.draft("練習 2");
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    draft.utc_offset_minutes = 0;
    let changed = stage.change(&profile, draft).await;
    assert_eq!(
        (
            changed.name.as_str(),
            changed.base_url.as_str(),
            changed.utc_offset_minutes
        ),
        ("練習 2", "practice", 0)
    );
    let token = stage.token();
    refused!(
        stage.profiles.set_token(&profile.id, token).await,
        Error::NotLawful
    );
}

#[tokio::test]
async fn a_removed_profile_takes_its_token_along() {
    let (stage, profile) = Stage::live().await;
    stage.profiles.remove(&profile.name).await.unwrap();
    assert_eq!(stage.profiles.current().await.unwrap(), None);
    refused!(
        stage.profiles.token_state(&profile.id).await,
        Error::UnknownProfile(_)
    );
    let vault: &dyn warranty_core::vault::Vault = stage.vault.as_ref();
    assert!(vault.token(&profile.id).await.unwrap().is_none());
}

/// What a test of the connection finds of the address and the token, and what it says of it.
async fn tested(
    stage: &Stage,
    draft: &ProfileDraft,
    token: Option<Token>,
) -> ((Finding, Finding), Option<String>) {
    let report = stage.profiles.test_connection(draft, token, None).await;
    let report = report.unwrap();
    ((report.address, report.token), report.detail)
}

/// Whether any request so far carried a token.
fn token_was_shown(stage: &Stage) -> bool {
    let mut requests = stage.sandbox.requests().into_iter();
    requests.any(|request| request.token != TokenSeen::Absent)
}

#[tokio::test]
async fn a_connection_test_finds_address_and_token_good_and_creates_nothing() {
    let stage = Stage::empty().await;
    let (found, _) = tested(&stage, &stage.draft(""), Some(stage.token())).await;
    assert_eq!(found, (Finding::Good, Finding::Good));
    let requests = stage.sandbox.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.method == "GET"));
    assert_eq!(requests[0].token, TokenSeen::Absent);
    assert!(stage.ledger().await.is_empty());
    assert!(stage.profiles.all().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_connection_test_tells_a_wrong_token_from_a_wrong_address() {
    let stage = Stage::empty().await;
    let wrong = Token::new("wrong").unwrap();
    let mut draft = stage.draft("x");
    let (found, detail) = tested(&stage, &draft, Some(wrong.clone())).await;
    assert_eq!(found, (Finding::Good, Finding::Bad));
    assert!(detail.unwrap().contains("401"));

    // Nobody listens there.
    draft.base_url = "http://127.0.0.1:1".to_owned();
    let (found, detail) = tested(&stage, &draft, Some(wrong)).await;
    assert_eq!(found, (Finding::Bad, Finding::Unclear));
    assert!(detail.is_some());
}

#[tokio::test]
async fn a_token_is_not_shown_to_an_address_that_does_not_answer_as_the_service() {
    let redirect = Action::Redirect {
        status: 302,
        location: "https://elsewhere.sample.invalid/login".to_owned(),
        after_commit: false,
    };
    // One that asks to wait could be anybody's.
    let busy = Action::Verbatim {
        status: 429,
        content_type: "text/plain".to_owned(),
        headers: Vec::new(),
        body: String::new(),
        after_commit: false,
    };
    for (action, address) in [
        (html(), Finding::Bad),
        (redirect, Finding::Bad),
        (busy, Finding::Unclear),
    ] {
        let stage = Stage::empty().await;
        stage.next(ListPlans, action.clone());
        let (found, _) = tested(&stage, &stage.draft("x"), Some(stage.token())).await;
        assert_eq!(found, (address, Finding::Unclear), "{action:?}");
        assert!(!token_was_shown(&stage), "{action:?}");
    }
}

#[tokio::test]
async fn a_connection_test_without_a_token_tries_the_kept_one_or_none() {
    let (live, _) = Stage::live().await;
    let empty = Stage::empty().await;
    for (stage, token) in [(live, Finding::Good), (empty, Finding::Unclear)] {
        let (found, _) = tested(&stage, &stage.draft("x"), None).await;
        assert_eq!(found, (Finding::Good, token));
    }
}

#[tokio::test]
async fn settings_are_kept() {
    let stage = Stage::empty().await;
    assert_eq!(stage.settings().await.unwrap(), Settings::default());
    let settings = Settings {
        language: Some(Language::Ja),
        theme: Some(Theme::Dark),
        retention_days: Some(30),
        list_columns: vec![ListColumn {
            list: "outbox".to_owned(),
            column: "customer".to_owned(),
            shown: Some(false),
            width: Some(240),
        }],
    };
    stage.settings_change(settings.clone()).await.unwrap();
    let stage = stage.restarted().await;
    assert_eq!(stage.settings().await.unwrap(), settings);
    stage.settings_change(Settings::default()).await.unwrap();
    assert_eq!(stage.settings().await.unwrap(), Settings::default());
}

#[tokio::test]
async fn a_profile_with_unfinished_contracts_stays_where_it_is() {
    let (stage, profile) = Stage::live().await;
    // Nothing carries the outbox out here, so it stays queued.
    stage.register(&sale(0)).await;
    refused!(
        stage.profiles.remove(&profile.id).await,
        Error::ProfileHasOpenContracts(1)
    );
    let mut draft = stage.draft("新しい名前");
    draft.store_id = "another-store".to_owned();
    refused!(
        stage.profiles.change(&profile.id, draft).await,
        Error::ProfileHasOpenContracts(1)
    );
    // What does not touch address and store can be changed all the same.
    let renamed = stage.draft("新しい名前");
    let changed = stage.change(&profile, renamed).await;
    assert_eq!(changed.name, "新しい名前");
    assert_eq!(stage.token_state(&profile).await, TokenState::Present);
}
