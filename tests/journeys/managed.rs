//! A computer that an organization manages: what staff see of it, and what they cannot change.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use warranty_sandbox::STORE_ID;

use crate::harness::{Desk, Sale, Service, Setup, journey};

/// What an organization sets that locks all that can be locked.
fn policy(service: &Service) -> Value {
    json!({
        "profiles": [{
            "key": service.address(), "name": "Sample shops", "baseUrl": service.address(),
            "storeId": ["machine-env:STORE"], "utcOffset": "+09:00",
        }],
        "profilesLocked": true,
        "practiceAllowed": false,
        "exportAllowed": false,
        "retentionDays": { "value": 30 },
        "support": { "text": "Sample help desk, extension 1234", "url": "https://help.sample.invalid" },
    })
}

/// Every other command of the bridge than those tried below: what it does is not locked, or is refused like a
/// sale where the profile is. A command that is new must be put here, or tried.
const NOT_LOCKED: &str = "\
    status staff_policy_change staff_enter encryption_key_renew rescue rescue_seen profiles practice_try_out
    token_set token_remove plans_cached plans_refresh
    plans_search plan_cached plan_open plan_page_open plan_link store_reference_used_by plans_refresh_all
    plans_refresh_cancel products_list product_last_known product_put contract_check
    contracts_check_rows contract_register submission contracts_list contract_lookup
    contract_recents day draft_keep drafts draft_drop paper paper_print file_choose file_look
    file_stage file_reconcile run_rejected_save lead_create lead leads lead_send_again lead_cancel lead_follow_up
    diagnose policy support_files support_save outbox_case outbox_resolve attended sheet_stage
    run_check run_check_stop run_start run_pause run_resume run_cancel run_answer sheet_follows run_forget runs run run_rows";

impl Desk {
    /// Starts again on a computer that has this policy and stands in these stores.
    async fn managed(&mut self, policy: &Value, stores: &str) {
        let root = self.folder().join("policies");
        self.start_again_after(|_| {
            std::fs::create_dir_all(root.join("managed")).expect("a folder can be made");
            let written = [
                ("managed/10.json", policy.to_string()),
                ("environment", format!("STORE={stores}\n")),
            ];
            for (name, text) in written {
                std::fs::write(root.join(name), text).expect("the policy can be written");
            }
        })
        .await;
    }

    /// What a command answers: `done`, or the code of the error.
    async fn answers(&self, command: &str, arguments: &Value) -> String {
        match self.calls(command, &arguments.to_string()).await {
            Ok(_) => "done".to_owned(),
            Err(error) => error["code"].as_str().unwrap_or_default().to_owned(),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_managed_computer_asks_nothing_and_offers_nothing_that_is_locked() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let language = desk.language();
        let service = Service::start().await;
        // The store is not certain: that is said, and no first question is asked.
        desk.managed(&policy(&service), "").await;
        desk.page_says(language.word("organization.waiting.title"))
            .await;
        desk.see("policy-findings").await;
        for question in ["first-connect", "first-practise"] {
            assert!(!desk.shows(question).await, "{question}");
        }
        desk.page_says("Sample help desk, extension 1234").await;
        desk.picture("managed-waiting").await;

        desk.managed(&policy(&service), STORE_ID).await;
        // No first question: the counter, and a token is all that is missing.
        desk.see("register-submit").await;
        desk.go_to("settings").await;
        desk.press("policy-show").await;
        for locked in [
            "profile-add",
            "profile-remove",
            "profile-save",
            "retention-save",
        ] {
            assert!(!desk.shows(locked).await, "{locked}");
        }
        assert!(!desk.shows("journal-export-csv").await);
        desk.page_says("Sample help desk, extension 1234").await;
        let shown = desk.text("this-computer").await;
        for part in [
            "retentionDays",
            "10.json",
            desk.language().word("organization.level.builtIn"),
        ] {
            assert!(shown.contains(part), "{shown}");
        }
        desk.picture("managed-profiles").await;
        desk.bring_into_view("this-computer").await;
        desk.picture("managed-computer").await;
        desk.write("token-input", Service::TOKEN).await;
        desk.press("token-set").await;
        desk.go_to("register").await;
        desk.register(&Sale::of_a_refrigerator()).await;
        desk.receipt_is(&["confirmed"]).await;
        assert_eq!(service.sold().await.len(), 1);

        // The store is no longer certain: said before anything is typed, and nothing is sold.
        desk.managed(&policy(&service), "store-1,store-2").await;
        desk.see("closed-banner").await;
        desk.picture("managed-closed").await;
        desk.fill_in(&Sale::of_a_refrigerator()).await;
        desk.press("register-submit").await;
        desk.see("error-notice").await;
        assert_eq!(service.sold().await.len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_of_the_page_goes_round_a_lock() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let profiles = async |desk: &Desk| desk.calls("profiles", "{}").await.expect("a list");
        let own = profiles(desk).await[0]["id"].clone();
        let mut policy = policy(&service);
        policy["language"] = json!("en");
        desk.managed(&policy, STORE_ID).await;
        desk.see("register-submit").await;
        let before = profiles(desk).await;
        let all = before.as_array().expect("a list");
        let managed = &all.iter().find(|profile| profile["id"] != own).expect("it is set up")["id"];
        let draft = json!({
            "name": "Another", "baseUrl": service.address(), "storeId": "store-2", "utcOffsetMinutes": 540,
            "timeZone": null, "display": { "currency": "", "termUnit": "" },
            "facts": { "bulk": "unknown", "keyReplaySeconds": null },
        });
        let mut elsewhere = draft.clone();
        elsewhere["baseUrl"] = json!("https://elsewhere.sample.invalid");
        let settings = |key: &str, value: Value| {
            let mut settings = json!({ "language": "en", "theme": null, "retentionDays": 30 });
            settings[key] = value;
            json!({ "settings": settings })
        };
        let tried = [
            ("connection_test", json!({ "draft": elsewhere, "token": Service::TOKEN })),
            ("profile_connect", json!({ "draft": draft, "token": Service::TOKEN })),
            ("profile_connect", json!({ "draft": elsewhere, "token": Service::TOKEN })),
            ("profile_change", json!({ "id": own, "draft": draft })),
            ("profile_change", json!({ "id": managed, "draft": draft })),
            ("profile_remove", json!({ "id": own })),
            ("profile_remove", json!({ "id": managed })),
            ("profile_use", json!({ "id": own })),
            ("profile_practise", json!({ "name": "Practice", "display": { "currency": "", "termUnit": "" } })),
            ("list_export", json!({ "list": { "kind": "journal" }, "format": "csv", "title": "x" })),
            ("list_export", json!({ "list": { "kind": "products", "filter":
                { "text": "", "sort": "title", "ascending": true, "offset": 0, "limit": 1 } }, "format": "xlsx", "title": "x" })),
            ("settings_change", settings("language", json!("ja"))),
            ("settings_change", settings("retentionDays", json!(31))),
        ];
        for (command, arguments) in &tried {
            assert_eq!(desk.answers(command, arguments).await, "managed", "{command} {arguments}");
        }
        let tried = tried.iter().map(|(command, _)| *command);
        let known: BTreeSet<&str> = tried.chain(NOT_LOCKED.split_whitespace()).collect();
        let all = include_str!("../../src-tauri/permissions/desk.toml").lines();
        let all = all.filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
        assert_eq!(known, all.collect());
        assert_eq!(desk.answers("settings_change", &settings("theme", json!("dark"))).await, "done");
        assert_eq!(profiles(desk).await, before);
        let saved = std::fs::read_dir(desk.saves_into()).expect("a folder");
        assert_eq!(saved.count(), 0, "nothing was exported");
    })
    .await;
}
