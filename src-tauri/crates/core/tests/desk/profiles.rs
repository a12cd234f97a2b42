//! Profiles, their tokens, and the test of a connection.

use warranty_core::contracts::EntryDraft;

use warranty_core::api::Token;
use warranty_core::profile::{Display, Finding, ProfileKind, TokenState};
use warranty_core::settings::{Language, ListColumn, Settings, Theme};
use warranty_core::vault::VaultError;
use warranty_core::{DeskOptions, Error, Field, Problem};
use warranty_sandbox::{Action, Operation, TokenSeen, sample};

use crate::canary::{Canary, assert_none, search_tree};
use crate::harness::{Stage, plan, product};

#[tokio::test]
async fn first_run_asks_for_a_profile_and_practising_needs_nothing() {
    let stage = Stage::empty().await;
    let status = stage.desk.status().await.unwrap();
    assert_eq!(status.profile, None);
    assert_eq!(status.token, TokenState::Absent);
    let early = stage
        .desk
        .profiles
        .practise("練習".to_owned(), Display::default())
        .await;
    assert!(matches!(early, Err(Error::PracticeNotRunning)));

    stage.attach_practice();
    let profile = stage
        .desk
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
    let status = stage.desk.status().await.unwrap();
    assert_eq!(status.profile.as_ref(), Some(&profile));
    assert_eq!(status.token, TokenState::Present);
    // Practising twice is the same profile.
    let again = stage
        .desk
        .profiles
        .practise("別名".to_owned(), Display::default())
        .await
        .unwrap();
    assert_eq!(again, profile);
    assert_eq!(stage.desk.profiles.all().await.unwrap(), [profile]);
}

#[tokio::test]
async fn profiles_are_kept_chosen_and_listed_by_name() {
    let stage = Stage::empty().await;
    let first = stage.desk.profiles.add(stage.draft("B店")).await.unwrap();
    let second = stage.desk.profiles.add(stage.draft("A店")).await.unwrap();
    assert_eq!(
        stage.desk.profiles.current().await.unwrap().as_ref(),
        Some(&first),
        "the first profile is chosen by itself, the second is not"
    );
    assert_eq!(
        stage.desk.profiles.all().await.unwrap(),
        [second.clone(), first.clone()]
    );
    assert_eq!(stage.desk.profiles.choose("ａ店").await.unwrap(), second);
    let stage = stage.restarted().await;
    assert_eq!(
        stage.desk.profiles.current().await.unwrap(),
        Some(second.clone())
    );
    assert_eq!(stage.desk.profiles.choose(&first.id).await.unwrap(), first);
    assert!(matches!(
        stage.desk.profiles.choose("C店").await,
        Err(Error::UnknownProfile(name)) if name == "C店"
    ));
}

#[tokio::test]
async fn a_desk_can_be_opened_under_another_profile_than_the_chosen_one() {
    let stage = Stage::empty().await;
    stage.desk.profiles.add(stage.draft("本店")).await.unwrap();
    let other = stage.desk.profiles.add(stage.draft("支店")).await.unwrap();
    let options = |name: &str| DeskOptions {
        profile: Some(name.to_owned()),
        ..DeskOptions::new(stage.folder.path().to_owned(), stage.vault.clone())
    };
    let beside = warranty_core::Desk::open_to_read(options("支店"))
        .await
        .unwrap();
    assert_eq!(beside.profiles.current().await.unwrap(), Some(other));
    let lost = warranty_core::Desk::open_to_read(options("無い店"))
        .await
        .unwrap();
    assert!(matches!(
        lost.profiles.current().await,
        Err(Error::UnknownProfile(_))
    ));
    assert!(matches!(
        beside.profiles.add(stage.draft("新店")).await,
        Err(Error::InUse)
    ));
}

#[tokio::test]
async fn a_name_is_used_once_whatever_its_case_and_width() {
    let stage = Stage::empty().await;
    stage
        .desk
        .profiles
        .add(stage.draft("Store A"))
        .await
        .unwrap();
    let taken = stage.desk.profiles.add(stage.draft("ｓｔｏｒｅ a")).await;
    assert!(matches!(taken, Err(Error::ProfileNameTaken(_))));
    let token = stage.token();
    let taken = stage
        .desk
        .profiles
        .connect(stage.draft("STORE A"), token)
        .await;
    assert!(matches!(taken, Err(Error::ProfileNameTaken(_))));
    assert_eq!(stage.desk.profiles.all().await.unwrap().len(), 1);
    // A removed profile gives its name free.
    stage.desk.profiles.remove("store a").await.unwrap();
    stage
        .desk
        .profiles
        .add(stage.draft("Store A"))
        .await
        .unwrap();
}

#[tokio::test]
async fn bad_input_is_named_by_field_and_nothing_is_kept() {
    let stage = Stage::empty().await;
    let mut draft = stage.draft(" ");
    draft.base_url = "http://service.example".to_owned();
    let Err(Error::Input(problems)) = stage.desk.profiles.add(draft).await else {
        panic!("it was kept");
    };
    let named: Vec<_> = problems
        .iter()
        .map(|found| (found.field, found.problem))
        .collect();
    assert_eq!(
        named,
        [
            (Field::ProfileName, Problem::Missing),
            (Field::BaseUrl, Problem::NotSecure)
        ]
    );
    assert!(stage.desk.profiles.all().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_token_lives_in_the_vault_and_in_no_file() {
    let (stage, profile) = Stage::live().await;
    let canary = Token::new("canary-token-5f2a-kq9w").unwrap();
    stage
        .desk
        .profiles
        .set_token(&profile.id, canary)
        .await
        .unwrap();
    // It is used, refused, and so passes through everything that could write it down.
    let refused = stage
        .desk
        .plans
        .open(&plan(sample::REFRIGERATOR_PLAN_3_YEARS))
        .await;
    assert!(matches!(refused, Err(Error::Service { .. })));
    let journal = stage.desk.journal(10).await.unwrap();
    assert!(journal.iter().any(|line| line.action == "token.set"));
    assert!(!format!("{journal:?}{:?}", stage.desk).contains("canary"));
    let stage = stage.restarted().await;
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Present
    );
    let canaries = [Canary::new("token", "canary-token-5f2a-kq9w")];
    assert_none(&search_tree(&canaries, stage.folder.path(), &[]));

    stage.desk.profiles.remove_token(&profile.id).await.unwrap();
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Absent
    );
}

#[tokio::test]
async fn without_a_working_keychain_no_live_profile_is_half_made() {
    let stage = Stage::empty().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    let connected = stage
        .desk
        .profiles
        .connect(stage.draft("本店"), stage.token())
        .await;
    assert!(matches!(connected, Err(Error::Vault(VaultError::Locked))));
    assert!(stage.desk.profiles.all().await.unwrap().is_empty());
    assert_eq!(
        stage.desk.status().await.unwrap().keychain,
        Some(VaultError::Locked)
    );
}

#[tokio::test]
async fn what_needs_no_token_works_without_a_keychain() {
    let (stage, profile) = Stage::live().await;
    stage.vault.fail_with(Some(VaultError::NoKeychain));
    let plan_list = stage
        .desk
        .plans
        .refresh(
            &product(sample::PRODUCT_REFRIGERATOR),
            warranty_core::api::PlanFilter::Any,
        )
        .await
        .unwrap();
    assert_eq!(plan_list.plans.len(), 3);
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Unavailable
    );
    let token = stage.token();
    assert!(matches!(
        stage.desk.profiles.set_token(&profile.id, token).await,
        Err(Error::Vault(VaultError::NoKeychain))
    ));
    assert!(matches!(
        stage
            .desk
            .plans
            .open(&plan(sample::REFRIGERATOR_PLAN_3_YEARS))
            .await,
        Err(Error::Vault(VaultError::NoKeychain))
    ));
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
    let changed = stage
        .desk
        .profiles
        .change(&profile.id, draft.clone())
        .await
        .unwrap();
    assert_eq!(changed.id, profile.id);
    assert_eq!(changed.display.currency, "円");
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Present
    );
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    stage
        .desk
        .profiles
        .change(&profile.id, draft)
        .await
        .unwrap();
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Absent
    );
}

#[tokio::test]
async fn a_change_that_is_refused_for_its_name_leaves_the_token_where_it_is() {
    let (stage, profile) = Stage::live().await;
    stage.desk.profiles.add(stage.draft("支店")).await.unwrap();
    let mut draft = stage.draft("支店");
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    let taken = stage.desk.profiles.change(&profile.id, draft).await;
    assert!(matches!(taken, Err(Error::ProfileNameTaken(name)) if name == "支店"));
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Present
    );
    assert_eq!(stage.desk.profiles.current().await.unwrap(), Some(profile));
}

#[tokio::test]
async fn the_practice_profile_keeps_its_address_and_takes_no_token() {
    let stage = Stage::practising().await;
    let profile = stage.desk.profiles.current().await.unwrap().unwrap();
    let mut draft = stage.draft("練習 2");
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    draft.utc_offset_minutes = 0;
    let changed = stage
        .desk
        .profiles
        .change(&profile.id, draft)
        .await
        .unwrap();
    assert_eq!(
        (
            changed.name.as_str(),
            changed.base_url.as_str(),
            changed.utc_offset_minutes
        ),
        ("練習 2", "practice", 0)
    );
    let token = stage.token();
    assert!(matches!(
        stage.desk.profiles.set_token(&profile.id, token).await,
        Err(Error::NotLawful)
    ));
}

#[tokio::test]
async fn a_removed_profile_takes_its_token_along() {
    let (stage, profile) = Stage::live().await;
    stage.desk.profiles.remove(&profile.name).await.unwrap();
    assert_eq!(stage.desk.profiles.current().await.unwrap(), None);
    assert!(matches!(
        stage.desk.profiles.token_state(&profile.id).await,
        Err(Error::UnknownProfile(_))
    ));
    let vault: &dyn warranty_core::vault::Vault = stage.vault.as_ref();
    assert!(vault.token(&profile.id).await.unwrap().is_none());
}

#[tokio::test]
async fn a_connection_test_finds_address_and_token_good_and_creates_nothing() {
    let stage = Stage::empty().await;
    let report = stage
        .desk
        .profiles
        .test_connection(&stage.draft(""), Some(stage.token()), None)
        .await
        .unwrap();
    assert_eq!(
        (report.address, report.token),
        (Finding::Good, Finding::Good)
    );
    let requests = stage.sandbox.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.method == "GET"));
    assert_eq!(requests[0].token, TokenSeen::Absent);
    assert!(stage.sandbox.ledger().await.unwrap().is_empty());
    assert!(stage.desk.profiles.all().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_connection_test_tells_a_wrong_token_from_a_wrong_address() {
    let stage = Stage::empty().await;
    let wrong = Token::new("wrong").unwrap();
    let report = stage
        .desk
        .profiles
        .test_connection(&stage.draft("x"), Some(wrong.clone()), None)
        .await
        .unwrap();
    assert_eq!(
        (report.address, report.token),
        (Finding::Good, Finding::Bad)
    );
    assert!(report.detail.unwrap().contains("401"));

    // Nobody listens there.
    let mut draft = stage.draft("x");
    draft.base_url = "http://127.0.0.1:1".to_owned();
    let report = stage
        .desk
        .profiles
        .test_connection(&draft, Some(wrong), None)
        .await
        .unwrap();
    assert_eq!(
        (report.address, report.token),
        (Finding::Bad, Finding::Unclear)
    );
    assert!(report.detail.is_some());
}

#[tokio::test]
async fn a_token_is_not_shown_to_an_address_that_does_not_answer_as_the_service() {
    let stage = Stage::empty().await;
    for action in [
        Action::HtmlWith200 {
            after_commit: false,
        },
        Action::Redirect {
            status: 302,
            location: "https://elsewhere.sample.invalid/login".to_owned(),
            after_commit: false,
        },
    ] {
        stage.next(Operation::ListPlans, action);
        let report = stage
            .desk
            .profiles
            .test_connection(&stage.draft("x"), Some(stage.token()), None)
            .await
            .unwrap();
        assert_eq!(
            (report.address, report.token),
            (Finding::Bad, Finding::Unclear)
        );
    }
    let shown = stage
        .sandbox
        .requests()
        .into_iter()
        .filter(|request| request.token != TokenSeen::Absent)
        .count();
    assert_eq!(shown, 0);
}

#[tokio::test]
async fn an_answer_that_asks_to_wait_does_not_tell_whose_address_it_is() {
    let stage = Stage::empty().await;
    let busy = Action::Verbatim {
        status: 429,
        content_type: "text/plain".to_owned(),
        headers: Vec::new(),
        body: String::new(),
        after_commit: false,
    };
    stage.next(Operation::ListPlans, busy);
    let report = stage
        .desk
        .profiles
        .test_connection(&stage.draft("x"), Some(stage.token()), None)
        .await
        .unwrap();
    let found = (report.address, report.token);
    assert_eq!(found, (Finding::Unclear, Finding::Unclear));
    let requests = stage.sandbox.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.token == TokenSeen::Absent)
    );
}

#[tokio::test]
async fn a_connection_test_without_a_token_tries_the_kept_one_or_none() {
    let (stage, _) = Stage::live().await;
    let report = stage
        .desk
        .profiles
        .test_connection(&stage.draft("x"), None, None)
        .await
        .unwrap();
    assert_eq!(
        (report.address, report.token),
        (Finding::Good, Finding::Good)
    );
    let stage = Stage::empty().await;
    let report = stage
        .desk
        .profiles
        .test_connection(&stage.draft("x"), None, None)
        .await
        .unwrap();
    assert_eq!(
        (report.address, report.token),
        (Finding::Good, Finding::Unclear)
    );
}

#[tokio::test]
async fn settings_are_kept() {
    let stage = Stage::empty().await;
    assert_eq!(stage.desk.settings().await.unwrap(), Settings::default());
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
    stage.desk.settings_change(settings.clone()).await.unwrap();
    let stage = stage.restarted().await;
    assert_eq!(stage.desk.settings().await.unwrap(), settings);
    stage
        .desk
        .settings_change(Settings::default())
        .await
        .unwrap();
    assert_eq!(stage.desk.settings().await.unwrap(), Settings::default());
}

#[tokio::test]
async fn a_profile_with_unfinished_contracts_stays_where_it_is() {
    let (stage, profile) = Stage::live().await;
    let price = |amount: i64| amount.to_string();
    let catalogue = sample::catalogue();
    let sold = &catalogue[0];
    let entry = EntryDraft {
        transaction_id: "T-1".to_owned(),
        transaction_total: price(sold.price),
        transaction_date: String::new(),
        customer_name: "見本 花子".to_owned(),
        customer_email: "hanako@sample.invalid".to_owned(),
        product_reference_id: sold.reference_id.clone(),
        product_purchase_price: price(sold.price),
        plan_id: sold.plans[0].id.clone(),
        plan_purchase_price: price(sold.plans[0].price),
    };
    let id = "7d9f3b52-6a0e-4c55-9d0a-1f1d4b8f2a10";
    // Nothing carries the outbox out here, so it stays queued.
    stage
        .desk
        .contracts
        .register(id, &entry, &[])
        .await
        .unwrap();
    assert!(matches!(
        stage.desk.profiles.remove(&profile.id).await,
        Err(Error::ProfileHasOpenContracts(1))
    ));
    let mut draft = stage.draft("新しい名前");
    draft.store_id = "another-store".to_owned();
    assert!(matches!(
        stage.desk.profiles.change(&profile.id, draft).await,
        Err(Error::ProfileHasOpenContracts(1))
    ));
    // What does not touch address and store can be changed all the same.
    let renamed = stage.draft("新しい名前");
    let changed = stage
        .desk
        .profiles
        .change(&profile.id, renamed)
        .await
        .unwrap();
    assert_eq!(changed.name, "新しい名前");
    assert_eq!(
        stage.desk.profiles.token_state(&profile.id).await.unwrap(),
        TokenState::Present
    );
}
