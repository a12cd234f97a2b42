//! What an organization sets for all of its computers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Desk, Line, Sale, Service, TOKEN, sales};

/// A computer whose policy lies in a folder of its own.
pub struct Managed {
    pub desk: Desk,
    folder: TempDir,
}

impl Managed {
    pub fn new(policy: &Value) -> Self {
        let managed = Self {
            desk: Desk::fresh(),
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir(managed.root().join("managed")).unwrap();
        managed.set(&policy.to_string());
        managed.stands_in("store-sample-001");
        managed
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn set(&self, policy: &str) {
        fs::write(self.root().join("managed/10.json"), policy).unwrap();
    }

    fn stands_in(&self, stores: &str) {
        fs::write(self.root().join("environment"), format!("STORE={stores}\n")).unwrap();
    }

    pub fn wdesk(&self, arguments: &[&str]) -> Line {
        let root = self.root().to_str().unwrap();
        let line = self.desk.wdesk(arguments);
        line.env("WARRANTY_DESK_POLICIES", root)
    }

    fn enter(&self, transaction: &str) -> Line {
        let name = format!("{transaction}.csv");
        let file = self.desk.file(&name, &sales(&[Sale::of(transaction)]));
        self.wdesk(&["--json", "contracts", "enter", &file])
    }
}

/// Its own for each service, since all tests share a keychain.
fn key(service: &Service) -> &str {
    &service.base_url
}

/// What locks all that can be locked.
pub fn policy(service: &Service) -> Value {
    json!({
        "profiles": [{
            "key": key(service), "name": "Sample shops", "baseUrl": service.base_url,
            "storeId": ["machine-env:STORE"], "utcOffset": "+09:00",
        }],
        "profilesLocked": true,
        "practiceAllowed": false,
        "exportAllowed": false,
        "retentionDays": { "max": 30 },
    })
}

#[test]
fn a_managed_computer_sells_with_a_token_alone_and_changes_nothing_that_is_set_for_it() {
    let service = Service::start();
    let managed = Managed::new(&policy(&service));
    let set = ["--profile", key(&service), "token", "set"];
    managed.wdesk(&set).input(TOKEN).run().exits(0);
    managed.enter("t-1").run().exits(0);
    assert_eq!(service.sold().len(), 1);

    let out = managed.root().join("list.csv");
    let list = ["contracts", "list", "--export", out.to_str().unwrap()];
    let add = [
        "profile",
        "add",
        "own",
        "--base-url",
        &*service.base_url,
        "--store-id",
        "store-1",
    ];
    for (locked, arguments) in [
        ("profilesLocked", &add[..]),
        ("profiles", &["profile", "remove", "Sample shops"]),
        ("exportAllowed", &list),
        (
            "exportAllowed",
            &["journal", "--export", out.to_str().unwrap()],
        ),
        ("retentionDays", &["settings", "--retention-days", "31"]),
    ] {
        let refused = managed
            .wdesk(&[&["--json"], arguments].concat())
            .run()
            .exits(2);
        assert_eq!(refused.error_code(), "managed", "{arguments:?}");
        assert!(refused.stderr().contains(locked), "{}", refused.stderr());
    }
    assert!(!out.exists());
    managed
        .wdesk(&["settings", "--retention-days", "29"])
        .run()
        .exits(0);
    let profiles = managed
        .wdesk(&["--json", "profile", "list"])
        .run()
        .exits(0)
        .stdout();
    assert_eq!(profiles.matches("\"baseUrl\"").count(), 1, "{profiles}");

    let shown = managed
        .wdesk(&["--json", "policy", "show"])
        .run()
        .exits(0)
        .json();
    let keys = shown["keys"].as_array().unwrap();
    let of = |key: &str| keys.iter().find(|shown| shown["key"] == key).unwrap();
    assert_eq!(of("exportAllowed")["level"], "mandatory");
    assert!(
        of("exportAllowed")["source"]
            .as_str()
            .unwrap()
            .ends_with("10.json")
    );
    assert_eq!(of("retentionDays")["overruled"][0]["level"], "person");
    assert_eq!(of("language")["level"], "builtIn");
}

#[test]
fn the_token_of_a_managed_profile_is_stored_while_another_program_has_the_data_folder() {
    let service = Service::start();
    let managed = Managed::new(&policy(&service));
    managed.wdesk(&["outbox", "run"]).run();
    let lock = fs::File::open(managed.desk.folder().join("desk.lock")).unwrap();
    lock.lock().unwrap();
    let refused = managed
        .wdesk(&["--json", "token", "set"])
        .input(TOKEN)
        .run()
        .exits(2);
    assert_eq!(refused.error_code(), "inUse");
    let set = ["--profile", key(&service), "token", "set"];
    managed.wdesk(&set).input(TOKEN).run().exits(0);
    drop(lock);
    managed.enter("t-1").run().exits(0);
    let unknown = ["--json", "--profile", "other", "token", "set"];
    let unknown = managed.wdesk(&unknown).input(TOKEN).run().exits(2);
    assert_eq!(unknown.error_code(), "unknownProfile");
}

#[test]
fn a_mistake_in_the_policy_closes_no_till_that_had_a_good_one() {
    let service = Service::start();
    let managed = Managed::new(&policy(&service));
    let set = ["--profile", key(&service), "token", "set"];
    managed.wdesk(&set).input(TOKEN).run().exits(0);
    managed.enter("t-1").run().exits(0);
    managed.set("{");
    managed.enter("t-2").run().exits(0);
    let shown = managed
        .wdesk(&["--json", "policy", "show"])
        .run()
        .exits(0)
        .json();
    assert_eq!(
        (&shown["isLastGood"], &shown["isClosed"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(shown["findings"][0]["problem"], "notJson");
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn nothing_is_sold_where_the_policy_or_the_store_was_never_certain() {
    let service = Service::start();
    // A profile of a person, and a policy that cannot be read.
    let managed = Managed::new(&json!({}));
    managed.desk.add_profile(&service.base_url, &service.store);
    managed.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    fs::remove_file(managed.desk.folder().join("policy.json")).unwrap();
    managed.set("{");
    let refused = managed.enter("t-1").run().exits(2);
    assert_eq!(refused.error_code(), "sellingClosed");

    // A managed profile whose store is one of two.
    let managed = Managed::new(&policy(&service));
    let set = ["--profile", key(&service), "token", "set"];
    managed.wdesk(&set).input(TOKEN).run().exits(0);
    managed.stands_in("store-sample-001,store-sample-002");
    let refused = managed.enter("t-1").run().exits(2);
    assert_eq!(refused.error_code(), "noProfile");
    // Known before, it is not certain any more.
    managed.stands_in("store-sample-001");
    managed.enter("t-1").run().exits(0);
    managed.stands_in("");
    let refused = managed.enter("t-2").run().exits(2);
    assert_eq!(refused.error_code(), "sellingClosed");
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_policy_is_checked_strictly_before_it_goes_out() {
    let desk = Desk::fresh();
    let good = desk.file("good.json", r#"{ "exportAllowed": false }"#);
    desk.wdesk(&["policy", "check", &good]).run().exits(0);
    for (wrong, problem) in [
        ("{", "notJson"),
        (r#"{ "newer": 1 }"#, "unknownKey"),
        (r#"{ "exportAllowed": 1 }"#, "wrongValue"),
        (r#"{ "profiles": [], "token": "sample" }"#, "secret"),
    ] {
        let file = desk.file("wrong.json", wrong);
        let checked = desk
            .wdesk(&["--json", "policy", "check", &file])
            .run()
            .exits(2);
        assert_eq!(checked.json()["findings"][0]["problem"], problem, "{wrong}");
    }
    let missing = desk
        .wdesk(&["--json", "policy", "check", "missing.json"])
        .run()
        .exits(2);
    assert_eq!(missing.json()["findings"][0]["problem"], "unreadable");
}

#[test]
fn under_locked_profiles_nothing_is_sold_under_one_that_a_person_made() {
    let service = Service::start();
    let managed = Managed::new(&json!({}));
    managed.desk.add_profile(&service.base_url, &service.store);
    managed.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    managed.enter("t-1").run().exits(0);
    managed.set(&policy(&service).to_string());
    let file = managed.desk.file("t-2.csv", &sales(&[Sale::of("t-2")]));
    for arguments in [
        &["contracts", "enter", &file][..],
        &["profile", "use", "counter"],
        &["profile", "remove", "counter"],
    ] {
        let own = ["--json", "--profile", "counter"];
        let refused = managed.wdesk(&[&own, arguments].concat()).run().exits(2);
        assert_eq!(refused.error_code(), "managed", "{arguments:?}");
    }
    // The managed profile is in use from now on.
    let set = ["--profile", key(&service), "token", "set"];
    managed.wdesk(&set).input(TOKEN).run().exits(0);
    managed.enter("t-3").run().exits(0);
    assert_eq!(service.sold().len(), 2);
}

#[cfg(unix)]
#[test]
fn the_helper_gives_each_user_the_token_at_first_need_and_after_a_refusal() {
    use std::os::unix::fs::PermissionsExt as _;

    let service = Service::start();
    let managed = Managed::new(&json!({}));
    let helper = managed.root().join("helper");
    let prints = |words: &str, mode| {
        fs::write(
            &helper,
            format!("#!/bin/sh\necho noise >&2\nprintf '{words}\\n'\n"),
        )
        .unwrap();
        fs::set_permissions(&helper, fs::Permissions::from_mode(mode)).unwrap();
    };
    let mut policy = policy(&service);
    policy["profiles"][0]["tokenHelper"] = json!(helper);
    managed.set(&policy.to_string());
    // Not while others may change it, and not what is no token.
    for (words, mode) in [(TOKEN, 0o777), ("", 0o755)] {
        prints(words, mode);
        managed.enter("t-1").run().exits(5);
    }
    prints("sample-of-an-old-token", 0o755);
    managed.wdesk(&["outbox", "run"]).run();
    let state = managed
        .wdesk(&["--json", "token", "status"])
        .run()
        .exits(0)
        .json();
    assert_eq!(state["token"], "present");
    assert!(service.sold().is_empty());
    prints(TOKEN, 0o755);
    let run = managed.wdesk(&["outbox", "run"]).run();
    assert!(!run.stdout().contains(TOKEN) && !run.stderr().contains(TOKEN));
    assert!(!run.stderr().contains("noise"));
    managed.wdesk(&["outbox", "run"]).run();
    assert_eq!(service.sold().len(), 1);
}
