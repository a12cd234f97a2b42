//! Profiles, their tokens, and the test of a connection.

use warranty_core::api::Token;
use warranty_core::day::{CloseItem, CloseLine};
use warranty_core::profile::{Display, Finding, ProfileDraft, ProfileKind, TokenState};
use warranty_core::settings::{Language, Settings, Theme};
use warranty_core::{CallFailure, Desk, DeskOptions, Error};
use warranty_sandbox::{
    Action,
    Operation::{GetContract, ListPlans, UpsertProduct},
    TokenSeen,
};

use crate::harness::{Stage, drip, html, until, verbatim};
use crate::leads;
use crate::products::draft as product_draft;
use crate::sales::sale;
use crate::steps::{Steps, refused, with};

#[tokio::test]
async fn first_run_asks_for_a_profile_and_practising_needs_nothing() {
    let stage = Stage::empty().await;
    let status = stage.status().await.unwrap();
    assert_eq!(status.profile, None);
    assert_eq!(status.token, TokenState::Absent);
    refused!(stage.practise().await, Error::PracticeNotRunning);

    stage.attach_practice();
    let display = Display {
        currency: " 円".to_owned(),
        term_unit: "か月".repeat(100),
    };
    let profile = stage.profiles.practise("別名".to_owned(), display).await;
    let profile = profile.unwrap();
    assert_eq!(profile.kind, ProfileKind::Practice);
    assert_eq!(profile.display.currency, "円");
    assert_eq!(profile.display.term_unit.chars().count(), 20);
    assert_eq!(profile.base_url, "practice");
    assert_eq!(profile.store_id, stage.sandbox.store_id());
    let status = stage.status().await.unwrap();
    assert_eq!(status.profile.as_ref(), Some(&profile));
    assert_eq!(status.token, TokenState::Present);
    // Practising twice is the same profile.
    assert_eq!(stage.practise().await.unwrap(), profile);
    assert_eq!(stage.profiles.all().await.unwrap(), [profile]);
}

#[tokio::test]
async fn a_profile_is_chosen_by_a_name_that_is_used_once_whatever_its_case_and_width() {
    let stage = Stage::empty().await;
    let first = stage.add("Store B").await;
    let second = stage.add("Store A").await;
    assert_eq!(
        stage.profile().await,
        first,
        "the first is chosen by itself"
    );
    let by_name = [second.clone(), first.clone()];
    assert_eq!(stage.profiles.all().await.unwrap(), by_name);
    for same in ["ｓｔｏｒｅ a", "STORE A"] {
        let added = stage.profiles.add(stage.draft(same)).await;
        refused!(added, Error::ProfileNameTaken(_));
        let connected = stage.profiles.connect(stage.draft(same), stage.token());
        refused!(connected.await, Error::ProfileNameTaken(_));
    }
    assert!(stage.vault.names().is_empty(), "a token without a profile");
    let chosen = stage.profiles.choose("ｓｔｏｒｅ Ａ").await;
    assert_eq!(chosen.unwrap(), second);

    // A desk opened under a name has that profile, and leaves the chosen one as it is.
    let beside = async |name: &str| {
        let profile = Some(name.to_owned());
        let options = stage.options();
        let desk = Desk::open_to_read(DeskOptions { profile, ..options });
        desk.await.unwrap()
    };
    let other = beside("store b").await;
    assert_eq!(other.profile().await, first);
    refused!(other.profiles.add(stage.draft("新店")).await, Error::InUse);
    let lost = beside("無い店").await;
    refused!(lost.profiles.current().await, Error::UnknownProfile(_));

    let stage = stage.restarted().await;
    assert_eq!(stage.profile().await, second);
    assert_eq!(stage.profiles.choose(&first.id).await.unwrap(), first);
    refused!(
        stage.profiles.choose("C店").await,
        Error::UnknownProfile(name) if name == "C店"
    );
    // A removed profile gives its name free.
    stage.profiles.remove("store a").await.unwrap();
    stage.add("Store A").await;
}

#[tokio::test]
async fn a_profile_stays_while_a_lead_is_to_be_followed_up() {
    let (stage, profile) = Stage::live().await;
    let kept = async || {
        refused!(
            stage.profiles.remove(&profile.id).await,
            Error::ProfileHasOpenContracts(left) if *left == [left_over(CloseItem::LeadsToFollowUp)]
        );
    };
    let lead = stage.lead(&leads::draft()).await;
    let due = Some("2027-01-15".parse().unwrap());
    stage.leads.follow_up(&lead.id, due, None).await.unwrap();
    kept().await;
    stage.leads.follow_up(&lead.id, None, None).await.unwrap();
    stage.profiles.remove(&profile.id).await.unwrap();
}

/// One thing of a kind that is left to finish.
fn left_over(item: CloseItem) -> CloseLine {
    CloseLine { item, count: 1 }
}

#[tokio::test]
async fn a_changed_profile_keeps_its_token_but_not_for_another_server() {
    let (stage, profile) = Stage::live().await;
    let elsewhere = "https://elsewhere.sample.invalid";
    // Another profile of its name is refused, and leaves no token beside its own.
    let again = stage.profiles.connect(stage.draft("本店"), stage.token());
    refused!(again.await, Error::ProfileNameTaken(_));
    assert_eq!(stage.vault.names().len(), 1);
    // A change that is refused for its name leaves the token where it is.
    stage.add("支店").await;
    let taken = with(stage.draft("支店"), |it| {
        it.base_url = elsewhere.to_owned()
    });
    refused!(
        stage.profiles.change(&profile.id, taken).await,
        Error::ProfileNameTaken(name) if name == "支店"
    );
    assert_eq!(stage.token_state(&profile).await, TokenState::Present);
    assert_eq!(stage.profile().await, profile);

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
    draft.base_url = elsewhere.to_owned();
    stage.change(&profile, draft).await;
    assert_eq!(stage.token_state(&profile).await, TokenState::Absent);
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
        Error::NotAllowed
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

#[tokio::test]
async fn a_live_profile_that_is_left_is_selected_for_the_window_alone() {
    let stage = Stage::practising().await;
    let branch = stage.add("支店").await;
    let shop = stage.connect("本店").await;
    stage.profiles.choose_live_if_none().await.unwrap();
    assert_eq!(stage.profile().await, shop, "the one in use stays");
    stage.profiles.remove(&shop.id).await.unwrap();
    let stage = stage.restarted().await;
    assert_eq!(stage.profiles.current().await.unwrap(), None);
    stage.profiles.choose_live_if_none().await.unwrap();
    assert_eq!(stage.profile().await, branch);
}

/// What a test of the connection finds of the address and the token, and what it says of it.
async fn tested(
    stage: &Stage,
    draft: &ProfileDraft,
    token: Option<Token>,
) -> ((Finding, Finding), Option<(CallFailure, String)>) {
    let report = stage.profiles.test_connection(draft, token, None).await;
    let report = report.unwrap();
    let found = (report.address, report.token);
    (found, report.failure.zip(report.detail))
}

#[tokio::test]
async fn a_connection_test_tells_a_wrong_token_from_a_wrong_address_and_creates_nothing() {
    let wrong = || Token::new("wrong").unwrap();
    let (live, _) = Stage::live().await;
    let empty = Stage::empty().await;
    let good = Finding::Good;
    for (stage, token, found) in [
        (&empty, Some(empty.token()), good),
        (&empty, Some(wrong()), Finding::Bad),
        // Without a token the kept one is tried, or none.
        (&live, None, good),
        (&empty, None, Finding::Unclear),
    ] {
        let (seen, said) = tested(stage, &stage.draft(""), token).await;
        assert_eq!(seen, (good, found));
        let refused = said.is_some_and(|(failure, detail)| {
            failure == CallFailure::TokenRefused && detail.contains("HTTP 401")
        });
        assert_eq!(refused, found == Finding::Bad);
    }
    // An error that may be about the token does not show that it is accepted.
    let refused = r#"{"code": "UnauthorizedException", "error": "no", "requestId": "r-1"}"#;
    empty.next(GetContract, verbatim(400, "application/json", refused));
    let (seen, _) = tested(&empty, &empty.draft(""), Some(wrong())).await;
    assert_eq!(seen, (good, Finding::Unclear));
    let requests = empty.sandbox.requests();
    assert!(requests.iter().all(|request| request.method == "GET"));
    assert_eq!(requests[0].token, TokenSeen::Absent);
    assert!(empty.ledger().await.is_empty());
    assert!(empty.profiles.all().await.unwrap().is_empty());

    // Nobody listens there.
    let nowhere = with(empty.draft("x"), |it| {
        it.base_url = "http://127.0.0.1:1".to_owned();
    });
    let (found, said) = tested(&empty, &nowhere, Some(wrong())).await;
    assert_eq!(found, (Finding::Bad, Finding::Unclear));
    assert_eq!(said.unwrap().0, CallFailure::NoNetwork);
}

#[tokio::test]
async fn a_token_is_not_shown_to_an_address_that_does_not_answer_as_the_service() {
    let elsewhere = "https://elsewhere.sample.invalid/login".to_owned();
    let redirect = Action::Verbatim {
        status: 302,
        content_type: "text/plain".to_owned(),
        headers: vec![("location".to_owned(), elsewhere)],
        body: String::new(),
        after_commit: false,
    };
    // One that asks to wait could be anybody's.
    let busy = verbatim(429, "text/plain", "");
    for (action, address) in [
        (html(), Finding::Bad),
        (redirect, Finding::Bad),
        (busy, Finding::Unclear),
    ] {
        let stage = Stage::empty().await;
        stage.next(ListPlans, action.clone());
        let (found, _) = tested(&stage, &stage.draft("x"), Some(stage.token())).await;
        assert_eq!(found, (address, Finding::Unclear), "{action:?}");
        let mut requests = stage.sandbox.requests().into_iter();
        let shown = requests.any(|request| request.token != TokenSeen::Absent);
        assert!(!shown, "{action:?}");
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
        Error::ProfileHasOpenContracts(left) if *left == [left_over(CloseItem::Waiting)]
    );
    let mut draft = stage.draft("新しい名前");
    draft.store_id = "another-store".to_owned();
    refused!(
        stage.profiles.change(&profile.id, draft).await,
        Error::ProfileHasOpenContracts(left) if *left == [left_over(CloseItem::Waiting)]
    );
    // What does not touch address and store can be changed all the same.
    let renamed = stage.draft("新しい名前");
    let changed = stage.change(&profile, renamed).await;
    assert_eq!(changed.name, "新しい名前");
    assert_eq!(stage.token_state(&profile).await, TokenState::Present);
}

#[tokio::test]
async fn a_profile_that_moves_to_another_server_knows_none_of_the_former_ones_products_and_lookups()
{
    let (stage, profile) = Stage::live().await;
    stage.register(&sale(0)).await;
    stage.run_confirmed().await;
    let contract = stage.only().await.contract_id.unwrap();
    stage.contracts.look_up(&contract).await.unwrap();
    let known = async || {
        let lookups = stage.contracts.recent_lookups().await.unwrap();
        (stage.find_products("", 9).await.len(), lookups.len())
    };
    assert_eq!(known().await, (1, 1));
    let mut draft = stage.draft("本店");
    draft.store_id = "another-store".to_owned();
    stage.change(&profile, draft.clone()).await;
    assert_eq!(known().await, (1, 1), "it is the same server");
    // A product is being sent to the former server, whose answer takes a while.
    stage.next(UpsertProduct, drip(1_000_000, 1500));
    let (desk, id) = (stage.desk.clone(), profile.id.clone());
    let put =
        tokio::spawn(async move { desk.products.put(&id, &product_draft("P-1", "Late")).await });
    until("the product", async || stage.arrived(UpsertProduct) == 1).await;
    draft.base_url = "https://elsewhere.sample.invalid".to_owned();
    stage.change(&profile, draft).await;
    put.await.unwrap().unwrap();
    assert_eq!(known().await, (0, 0));
}
