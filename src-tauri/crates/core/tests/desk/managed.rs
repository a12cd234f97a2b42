//! Computers that an organization manages: two accounts of one computer, whose policy is the same for both,
//! tokens that come from outside, and a computer that moves to another store.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;
use warranty_core::api::{ContractId, Token};
use warranty_core::bulk::RunState;
use warranty_core::clock::{Clock, SystemClock};
use warranty_core::contracts::{CustomerState, EnterMode};
use warranty_core::notice::Notice;
use warranty_core::policy::store_id::Computer;
use warranty_core::policy::{Level, PolicyFile, PolicyFinding, PolicyFolders, PolicySource};
use warranty_core::profile::{Display, TokenState, set_managed_token};
use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions, Error, policy};

use crate::harness::{Stage, TestClock, until};
use crate::keychain_reset::reset;
use crate::leads::draft as lead_draft;
use crate::plans::Told;
use crate::run_guards::{handed_in, unanswered};
use crate::sales::{id, sale, sales};
use crate::steps::{Steps as _, refused};
use crate::{run_kinds, runs};

/// An account of the computer.
struct Account {
    vault: Arc<MemoryVault>,
    folder: TempDir,
}

impl Account {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let vault = Arc::default();
        Self { vault, folder }
    }

    async fn logs_in(&self, policies: &Path) -> Desk {
        self.logs_in_by(Arc::new(SystemClock::default()), policies)
            .await
    }

    async fn logs_in_by(&self, clock: Arc<dyn Clock>, policies: &Path) -> Desk {
        let data_dir = self.folder.path().to_owned();
        let options = DeskOptions {
            clock,
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
    program(&helper, &format!("echo {}", stage.sandbox.token()));
    let policy = json!({
        "profiles": [{
            "key": "shops", "name": "Sample shops", "baseUrl": stage.sandbox.base_url(),
            "storeId": ["machine-env:STORE"], "utcOffset": "+09:00",
            "tokenHelper": with_helper.then_some(helper),
        }],
    });
    fs::create_dir(root.path().join("managed")).unwrap();
    fs::write(root.path().join("managed/10.json"), policy.to_string()).unwrap();
    stands_in(&root, stage.sandbox.store_id());
    root
}

/// The same stage on a computer whose organization locked the profiles, working under the profile of this
/// name or the chosen one.
async fn locked(stage: Stage, policies: TempDir, profile: Option<String>) -> Stage {
    let file = policies.path().join("managed/10.json");
    let mut policy: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    policy["profilesLocked"] = json!(true);
    fs::write(&file, policy.to_string()).unwrap();
    let source = PolicyFolders::of_this_user(policies.path().to_owned());
    stage
        .reopened(|options| DeskOptions {
            policies: Arc::new(source),
            profile,
            ..options
        })
        .await
}

fn stands_in(policies: &TempDir, store: &str) {
    let line = format!("STORE={store}\n");
    fs::write(policies.path().join("environment"), line).unwrap();
}

fn program(path: &Path, line: &str) {
    fs::write(path, format!("#!/bin/sh\n{line}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
}

async fn all_is_confirmed(desk: &Desk, count: u32) {
    desk.outbox.start();
    until("all is confirmed", async || {
        desk.overview().await.open.outbox.confirmed == count
    })
    .await;
}

#[tokio::test]
async fn at_a_shift_change_each_account_sees_and_sends_its_own_and_none_is_forgotten() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, true);
    let (morning, evening) = (Account::new(), Account::new());

    // The first account leaves while its sale is not sent, and is told so before.
    let desk = morning.logs_in(policies.path()).await;
    desk.register(&sale(1)).await;
    assert_eq!(desk.unsent().await.unwrap(), 1);
    desk.close().await;

    // The second one has the profile and the token without being asked anything, and nothing of the first.
    let desk = evening.logs_in(policies.path()).await;
    assert!(desk.entered().await.is_empty());
    desk.register(&sale(2)).await;
    all_is_confirmed(&desk, 1).await;
    assert_eq!(desk.unsent().await.unwrap(), 0);
    desk.close().await;
    stage.assert_sold_once(&[sale(2)]).await;

    // Back again, the first one sees at once what waits, and it goes.
    let desk = morning.logs_in(policies.path()).await;
    let open = desk.overview().await.open;
    assert_eq!((open.outbox.waiting, open.outbox.confirmed), (1, 0));
    all_is_confirmed(&desk, 1).await;
    assert_eq!(desk.unsent().await.unwrap(), 0);
    desk.close().await;
    stage.assert_sold_once(&[sale(1), sale(2)]).await;
}

#[tokio::test]
async fn a_running_desk_sends_what_waits_with_the_token_that_another_program_stores() {
    // Without any token before, and with one that the service refuses.
    for before in [None, Some("not-the-token")] {
        let stage = Stage::empty().await;
        let policies = policies(&stage, false);
        let account = Account::new();
        let clock = TestClock::new();
        let desk = account.logs_in_by(clock.clone(), policies.path()).await;
        let profile = desk.profile().await;
        let source = PolicyFolders::of_this_user(policies.path().to_owned());
        let state = policy::load(&source, account.folder.path(), false);
        let stores = async |token| {
            let stored = set_managed_token(&*account.vault, &state, "shops", None, &token).await;
            assert_eq!(stored.unwrap().as_deref(), Some("Sample shops"));
            assert_eq!(desk.token_state(&profile).await, TokenState::Present);
        };
        assert_eq!(desk.token_state(&profile).await, TokenState::Absent);
        if let Some(refused) = before {
            stores(Token::new(refused).unwrap()).await;
        }
        desk.outbox.start();
        desk.register(&sale(1)).await;
        if before.is_some() {
            let held = async || desk.overview().await.open.outbox.held;
            until("the first is held", async || held().await == 1).await;
        }

        stores(stage.token()).await;
        if before.is_some() {
            clock.pass(61);
        }
        // A sale that is entered is a try at once, and what waited goes with it.
        desk.register(&sale(2)).await;
        all_is_confirmed(&desk, 2).await;
        stage.assert_sold_once(&[sale(1), sale(2)]).await;
    }
}

#[tokio::test]
async fn a_window_that_opens_is_told_of_the_token_of_the_helper_before_there_is_a_sale() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, true);
    let desk = Account::new().logs_in(policies.path()).await;
    let profile = desk.profile().await;
    let mut notices = desk.notices();
    desk.outbox.start();
    until("the end of what kept it from sending", async || {
        let told = notices.try_recv();
        matches!(told, Ok(Notice::BlockerChanged { blocker: None, .. }))
    })
    .await;
    let token = desk.token_state(&profile).await;
    assert_eq!(token, TokenState::Present);
}

#[tokio::test]
async fn with_the_token_of_the_helper_a_keychain_that_was_reset_has_the_key_of_an_open_desk_again()
{
    let stage = Stage::empty().await;
    let policies = policies(&stage, true);
    let account = Account::new();
    let clock = TestClock::new();
    let desk = account.logs_in_by(clock.clone(), policies.path()).await;
    desk.register(&sale(1)).await;
    reset(&account.vault).await;
    // The helper runs at most once an hour.
    clock.pass(4_501);
    all_is_confirmed(&desk, 1).await;
    desk.close().await;
    let desk = account.logs_in(policies.path()).await;
    assert_eq!(desk.only().await.customer, CustomerState::Known);
}

#[tokio::test]
async fn a_helper_runs_once_in_an_hour_and_again_after_minutes_while_it_gives_no_token() {
    let stage = Stage::empty().await;
    // Each wait, and up to a quarter more, after the run before.
    let an_hour = [(0, 1), (1, 1), (3_599, 1), (4_501, 2), (4_502, 2)];
    let minutes = [
        (0, 1),
        (59, 1),
        (76, 2),
        (195, 2),
        (227, 3),
        (466, 3),
        (528, 4),
    ];
    let too_much = "head -c 70000 /dev/zero | tr '\\0' x";
    for (prints, counts) in [
        ("echo not-the-token", &an_hour[..]),
        (too_much, &minutes),
        ("exit 1", &minutes),
    ] {
        let policies = policies(&stage, true);
        let runs = policies.path().join("runs");
        let line = format!("echo run >>{}; {prints}", runs.display());
        program(&policies.path().join("helper"), &line);
        let start = SystemClock::default().now().timestamp();
        let clock = Arc::new(Told(start.into()));
        let account = Account::new();
        let desk = account.logs_in_by(clock.clone(), policies.path()).await;
        for (seconds, count) in counts {
            clock.0.store(start + seconds, Ordering::SeqCst);
            let contract = ContractId::new("C-1").unwrap();
            let looked_up = desk.contracts.look_up(&contract).await;
            assert!(looked_up.is_err(), "there is no good token");
            let ran = fs::read_to_string(&runs).unwrap().lines().count();
            assert_eq!(ran, *count, "{prints} after {seconds} s");
        }
    }
}

#[tokio::test]
async fn a_computer_that_moves_keeps_its_store_until_what_was_sold_there_is_done() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, true);
    let account = Account::new();
    let desk = account.logs_in(policies.path()).await;
    desk.register(&sale(1)).await;
    stands_in(&policies, "another-store");
    // An open desk reports it, before anybody starts it again.
    let report = desk.policy().await.unwrap();
    assert_eq!(report.moved_profiles, ["Sample shops"]);
    desk.close().await;
    for (waits, store) in [(true, stage.sandbox.store_id()), (false, "another-store")] {
        let desk = account.logs_in(policies.path()).await;
        let profile = desk.profile().await;
        assert_eq!(profile.store_id, store);
        let moved: &[&str] = if waits { &["Sample shops"] } else { &[] };
        assert_eq!(desk.policy().await.unwrap().moved_profiles, moved);
        if waits {
            all_is_confirmed(&desk, 1).await;
        }
        desk.close().await;
    }
    stage.assert_sold_once(&[sale(1)]).await;
}

#[tokio::test]
async fn the_helper_of_a_server_that_a_profile_has_not_moved_to_gives_no_token_for_the_one_in_use()
{
    let stage = Stage::empty().await;
    let policies = policies(&stage, false);
    let account = Account::new();
    let desk = account.logs_in(policies.path()).await;
    desk.register(&sale(1)).await;
    desk.close().await;
    let file = policies.path().join("managed/10.json");
    let mut policy: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let shops = &mut policy["profiles"][0];
    shops["tokenHelper"] = json!(policies.path().join("helper"));
    shops["baseUrl"] = json!("https://elsewhere.sample.invalid");
    fs::write(&file, policy.to_string()).unwrap();
    let desk = account.logs_in(policies.path()).await;
    let profile = desk.profile().await;
    assert_eq!(desk.run().await.waiting, 1);
    assert_eq!(desk.token_state(&profile).await, TokenState::Absent);
    let moved = desk.policy().await.unwrap().moved_profiles;
    assert_eq!(moved, ["Sample shops"]);
    desk.close().await;

    // With its own server in the policy again, the profile is given the token.
    policy["profiles"][0]["baseUrl"] = json!(stage.sandbox.base_url());
    fs::write(&file, policy.to_string()).unwrap();
    let desk = account.logs_in(policies.path()).await;
    all_is_confirmed(&desk, 1).await;
    stage.assert_sold_once(&[sale(1)]).await;
}

#[tokio::test]
async fn what_was_typed_for_one_store_is_not_sold_for_the_one_a_computer_moves_to() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, true);
    let account = Account::new();
    let desk = account.logs_in(policies.path()).await;
    let profile = desk.profile().await;
    desk.keep_draft(&profile, "sheet/1", "typed", 30).await;
    // A follow-up is sent nowhere.
    desk.keep_draft(&profile, "follow-up/lead", "noted", 0)
        .await;
    stands_in(&policies, "another-store");
    desk.close().await;
    for (typed, store) in [(true, stage.sandbox.store_id()), (false, "another-store")] {
        let desk = account.logs_in(policies.path()).await;
        let profile = desk.profile().await;
        assert_eq!(profile.store_id, store);
        if typed {
            let moved = desk.policy().await.unwrap().moved_profiles;
            assert_eq!(moved, ["Sample shops"]);
            desk.drop_draft(&profile, "sheet/1").await;
        }
        desk.close().await;
    }
}

#[tokio::test]
async fn imports_that_were_started_before_profiles_were_locked_go_on_to_their_end() {
    let (stage, own) = Stage::live().await;
    let run = runs::started(&stage, &sales(3)).await;
    let products = run_kinds::products(&stage, &[("new-1", "1000")]).await;
    let staged = id();
    handed_in(&stage, &staged, vec![unanswered(sale(9))]).await;
    let policies = policies(&stage, false);
    let stage = locked(stage, policies, Some(own.name)).await;
    stage.run().await;
    for run in [run, products] {
        assert_eq!(stage.view(&run.id).await.state, RunState::Done);
    }
    stage.assert_sold_once(&sales(3)).await;
    // What was not started is new.
    let started = stage.try_start(&staged, EnterMode::GoodRows).await;
    refused!(started, Error::Managed("profilesLocked"));
}

#[tokio::test]
async fn where_no_profile_may_be_used_nobody_is_sent_to_another_one() {
    let (stage, own) = Stage::live().await;
    let policies = policies(&stage, false);
    stands_in(&policies, "");
    let stage = locked(stage, policies, None).await;
    assert_eq!(stage.profile().await.id, own.id);
    let organization = stage.status().await.unwrap().organization;
    assert!(organization.closed);
    let day = stage.days.day(None).await.unwrap();
    assert!(!day.closing.closed);
}

#[tokio::test]
async fn a_locked_profile_can_be_used_until_what_was_entered_under_it_is_finished() {
    let (stage, own) = Stage::live().await;
    let other = stage.add("another").await;
    stage.register(&sale(1)).await;
    let lead = stage.lead(&lead_draft()).await;
    let due = Some("2027-01-15".parse().unwrap());
    stage.leads.follow_up(&lead.id, due, None).await.unwrap();
    let policies = policies(&stage, false);
    let stage = locked(stage, policies, None).await;
    let managed = stage.profile().await;
    assert_ne!(managed.id, own.id);
    let to_finish = async || stage.status().await.unwrap().organization.unfinished;
    assert_eq!(to_finish().await, std::slice::from_ref(&own.id));
    let chosen = stage.profiles.choose(&other.id).await;
    refused!(chosen, Error::Managed("profilesLocked"));

    stage.profiles.choose(&own.id).await.unwrap();
    let registered = stage.try_register(&sale(2), &[]).await;
    refused!(registered, Error::Managed("profilesLocked"));
    stage.run_confirmed().await;
    stage.assert_sold_once(&[sale(1)]).await;

    // A customer of it is still to be contacted.
    stage.profiles.choose(&managed.id).await.unwrap();
    assert_eq!(to_finish().await, std::slice::from_ref(&own.id));
    stage.profiles.choose(&own.id).await.unwrap();
    stage.leads.follow_up(&lead.id, None, None).await.unwrap();

    stage.profiles.choose(&managed.id).await.unwrap();
    assert!(to_finish().await.is_empty());
    let chosen = stage.profiles.choose(&own.id).await;
    refused!(chosen, Error::Managed("profilesLocked"));
}

#[tokio::test]
async fn a_managed_profile_is_selected_again_when_no_other_one_is() {
    let stage = Stage::empty().await;
    let policies = policies(&stage, false);
    let account = Account::new();
    let desk = account.logs_in(policies.path()).await;
    let managed = desk.profile().await;
    stage.attach_practice_to(&desk);
    let practised = desk
        .profiles
        .practise("練習".to_owned(), Display::default());
    let practice = practised.await.unwrap();
    desk.profiles.remove(&practice.id).await.unwrap();
    assert_eq!(desk.profile().await, managed);
    desk.close().await;
    // The end of the program between the two steps of a removal leaves none selected.
    let file = rusqlite::Connection::open(account.folder.path().join("desk.db")).unwrap();
    let left = file.execute("DELETE FROM setting WHERE name = 'currentProfile'", []);
    assert_eq!(left.unwrap(), 1);
    let desk = account.logs_in(policies.path()).await;
    assert_eq!(desk.profile().await, managed);
}

/// A policy that is being written: its one value comes with the second look.
#[derive(Debug, Default)]
struct BeingWritten(AtomicUsize);

impl Computer for BeingWritten {
    fn variable(&self, _: &str) -> Result<Option<String>, PolicyFinding> {
        Ok(None)
    }
    fn table(&self, _: &str) -> Result<Option<String>, PolicyFinding> {
        Ok(None)
    }
}

impl PolicySource for BeingWritten {
    fn read(&self) -> Vec<PolicyFile> {
        let text = match self.0.fetch_add(1, Ordering::SeqCst) {
            0 => r#"{"practiceAllowed": false}"#,
            _ => r#"{"exportAllowed": false}"#,
        };
        vec![PolicyFile {
            level: Level::Mandatory,
            source: "sample".to_owned(),
            text: Ok(text.to_owned()),
        }]
    }
    fn trusts(&self, _: &Path) -> bool {
        false
    }
}

#[test]
fn a_policy_that_is_just_being_written_is_taken_once_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let source = BeingWritten::default();
    let state = policy::load(&source, folder.path(), true);
    assert_eq!(state.value("exportAllowed"), Some(false));
    // What was kept is what counts again at the next start, looked at once.
    let looks = source.0.load(Ordering::SeqCst);
    assert_eq!(policy::load(&source, folder.path(), true), state);
    assert_eq!(source.0.load(Ordering::SeqCst), looks + 1);
}
