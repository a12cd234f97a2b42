//! What an organization sets for all of its computers.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Desk, PRODUCT, Run, Service, TOKEN, status};
use crate::support::opened;

/// A computer whose policy lies in a folder of its own.
pub struct Managed {
    pub desk: Desk,
    folder: TempDir,
}

impl Managed {
    pub fn new(policy: &Value) -> Self {
        let mut managed = Self {
            desk: Desk::fresh(),
            folder: TempDir::new().unwrap(),
        };
        let root = managed.root().to_owned();
        managed.desk.has_env("WARRANTY_DESK_POLICIES", &root);
        fs::create_dir(root.join("managed")).unwrap();
        managed.set(&policy.to_string());
        managed.stands_in("store-sample-001");
        managed
    }

    /// One with a managed profile for a service, and its token.
    fn by(service: &Service) -> Self {
        let managed = Self::new(&policy(service));
        managed.gets_token(service);
        managed
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn set(&self, policy: &str) {
        fs::write(self.root().join("managed/10.json"), policy).unwrap();
    }

    /// Lets only authorities of a file count that is not there, so that no connection can be set up.
    fn without_authorities(&self, service: &Service) -> PathBuf {
        let file = self.root().join("authorities.pem");
        let mut policy = policy(service);
        policy["tls"] = json!({ "extraRoots": [&file], "only": true });
        self.set(&policy.to_string());
        file
    }

    fn stands_in(&self, stores: &str) {
        fs::write(self.root().join("environment"), format!("STORE={stores}\n")).unwrap();
    }

    /// Gives the managed profile of a service its token.
    pub fn gets_token(&self, service: &Service) {
        let set = self.desk.wdesk(["--profile", key(service), "token", "set"]);
        set.input(TOKEN).run().exits(0);
    }

    fn enter(&self, transaction: &str) -> Run {
        self.desk.enter([transaction], "")
    }

    /// One with a managed profile for a service, whose token a helper prints.
    #[cfg(unix)]
    fn with_helper(service: &Service) -> Self {
        let managed = Self::new(&json!({}));
        let mut policy = policy(service);
        policy["profiles"][0]["tokenHelper"] = json!(managed.root().join("helper"));
        managed.set(&policy.to_string());
        managed
    }

    /// From now on the helper prints this; the mode says who may change it.
    #[cfg(unix)]
    fn helper_prints(&self, words: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;

        let helper = self.root().join("helper");
        let script = format!("#!/bin/sh\necho noise >&2\nprintf '{words}\\n'\n");
        fs::write(&helper, script).unwrap();
        fs::set_permissions(&helper, fs::Permissions::from_mode(mode)).unwrap();
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
            "key": key(service), "name": "Shops", "baseUrl": service.base_url,
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
    let managed = Managed::by(&service);
    let desk = &managed.desk;
    managed.enter("t-1").exits(0);
    service.has_sold(1);

    // Longer than is allowed is refused, and the usual 90 days are shortened to it.
    desk.reports("settings").has("retentionDays", 30);
    let longer = desk.json("settings --retention-days 31").exits(2);
    longer.fails_with("managed").says("retentionDays");
    desk.does("settings --retention-days 29");
    assert_eq!(desk.reports("profile list").count("profiles"), 1);

    let shown = desk.reports("policy show");
    let of = |key: &str| {
        let mut keys = shown["keys"].as_array().unwrap().iter();
        keys.find(|shown| shown["key"] == key).unwrap()
    };
    assert_eq!(of("exportAllowed")["level"], "mandatory");
    let source = of("exportAllowed")["source"].as_str().unwrap();
    assert!(source.ends_with("10.json"), "{source}");
    assert_eq!(of("language")["level"], "builtIn");
    let log = json!({ "level": "info", "keepDays": 14, "maxMiB": 20 });
    assert_eq!(
        (&of("log")["level"], &of("log")["value"]),
        (&json!("builtIn"), &log)
    );
    let pace = json!({ "spreadMinutes": 15, "unattendedCapSeconds": 300 });
    assert_eq!(of("pace")["value"], pace);
}

#[test]
fn policy_show_says_the_retention_that_deletes_whoever_set_it() {
    for (level, set, days, counts, by) in [
        ("managed", json!({ "max": 90 }), 29, 29, "person"),
        ("managed", json!({ "max": 90 }), 0, 90, "mandatory"),
        (
            "recommended",
            json!({ "value": 30, "max": 30 }),
            60,
            60,
            "person",
        ),
        (
            "recommended",
            json!({ "value": 30, "max": 20 }),
            0,
            20,
            "recommended",
        ),
    ] {
        let managed = Managed::new(&json!({}));
        let folder = managed.root().join(level);
        fs::create_dir_all(&folder).unwrap();
        let policy = json!({ "retentionDays": set }).to_string();
        fs::write(folder.join("20.json"), policy).unwrap();
        let desk = &managed.desk;
        if days > 0 {
            desk.does(format!("settings --retention-days {days}"));
        }
        desk.reports("settings").has("retentionDays", counts);
        let shown = desk.reports("policy show");
        let mut keys = shown["keys"].as_array().unwrap().iter();
        let shown = keys.find(|shown| shown["key"] == "retentionDays").unwrap();
        assert_eq!(shown["value"]["value"], counts, "{shown}");
        assert_eq!(shown["level"], by, "{shown}");
        let mut overruled = shown["overruled"].as_array().unwrap().iter();
        assert!(
            overruled.all(|other| other["value"]["value"] != counts),
            "{shown}"
        );
    }
}

#[test]
fn a_shorter_time_for_the_log_is_kept_at_the_next_start_also_when_nothing_is_written() {
    let managed = Managed::new(&json!({}));
    managed.desk.does("settings");
    let (old, log) = (
        managed.desk.path("logs/2020-01-01.jsonl"),
        json!({ "level": "error" }),
    );
    managed.set(&json!({ "log": log }).to_string());
    fs::create_dir_all(managed.desk.path("logs")).unwrap();
    fs::write(&old, "{}\n").unwrap();
    managed.desk.does("settings");
    assert!(!old.exists());
}

#[test]
fn the_token_of_a_managed_profile_is_stored_while_another_program_has_the_data_folder() {
    let service = Service::start();
    let managed = Managed::new(&policy(&service));
    managed.desk.send();
    let window = managed.desk.open_window();
    let set = |options: &str| {
        let line = managed.desk.json_line(format!("{options} token set"));
        line.input(TOKEN).run().exits(2)
    };
    set("").fails_with("inUse");
    managed.gets_token(&service);
    drop(window);
    managed.enter("t-1").exits(0);
    set("--profile other").fails_with("unknownProfile");
}

#[test]
fn a_profile_that_a_person_named_is_meant_before_one_that_the_organization_calls_so() {
    let (service, other) = (Service::start(), Service::start());
    let managed = Managed::new(&json!({}));
    let (name, to) = (
        key(&service),
        format!("--base-url {} --store-id s", other.base_url),
    );
    let added = managed
        .desk
        .run(format!("profile add {name} {to} --utc-offset +09:00"));
    added.exits(0);
    managed.set(&policy(&service).to_string());
    managed.gets_token(&service);
    // Nor does it change once the organization's profile is set up, which has its own name.
    for _ in 0..2 {
        let status = managed.desk.json(["--profile", name, "token", "status"]);
        status.exits(0).has("profile", name).has("token", "present");
        managed.desk.send();
    }
    let shops = managed.desk.reports("--profile Shops token status");
    shops.has("profile", "Shops");
    // It is selected when that of the person is removed.
    let mut unlocked = policy(&service);
    unlocked["profilesLocked"] = json!(false);
    managed.set(&unlocked.to_string());
    managed.desk.does(format!("profile use {name}"));
    let removed = managed.desk.does(format!("profile remove {name}"));
    removed.says("\"Shops\" is selected now");
}

#[test]
fn nothing_is_sold_where_the_policy_or_the_store_was_never_certain() {
    let service = Service::start();
    // A profile of a person, and a policy that cannot be read.
    let managed = Managed::new(&json!({}));
    managed.desk.add_profile(&service.base_url, &service.store);
    managed.desk.set_token(TOKEN);
    fs::remove_file(managed.desk.path("policy.json")).unwrap();
    managed.set("{");
    managed.enter("t-1").exits(2).fails_with("sellingClosed");

    // A managed profile whose store is one of two.
    let managed = Managed::by(&service);
    managed.stands_in("store-sample-001,store-sample-002");
    managed.enter("t-1").exits(2).fails_with("sellingClosed");
    // Known before, it is not certain any more.
    managed.stands_in("store-sample-001");
    managed.enter("t-1").exits(0);
    managed.stands_in("");
    managed.enter("t-2").exits(2).fails_with("sellingClosed");
    service.has_sold(1);
}

#[test]
fn a_policy_that_fails_at_the_first_start_is_named_and_no_missing_profile() {
    let service = Service::start();
    let mut wrong = policy(&service);
    wrong["profilesLocked"] = json!("yes");
    for (policy, why) in [
        (policy(&service), "no source names its store"),
        (wrong, "there never was a good one"),
    ] {
        let managed = Managed::new(&policy);
        managed.stands_in("");
        let desk = &managed.desk;
        desk.sales("sales.csv", ["t-1"]);
        for command in [
            "contracts enter sales.csv",
            "outbox run",
            "day",
            "token status",
        ] {
            let run = desk.json(command).exits(2).fails_with("sellingClosed");
            run.says(why).does_not_say("profile add");
        }
        let doctor = desk.run("doctor").exits(2).prints(why);
        doctor
            .does_not_print("profile add")
            .does_not_print("outbox run");
    }
}

#[test]
fn rows_that_wait_because_nothing_may_be_sold_need_a_person_who_is_told_why() {
    let service = Service::start();
    let managed = Managed::by(&service);
    let desk = &managed.desk;
    desk.file("references.csv", &format!("referenceId\n{PRODUCT}\n"));
    service.answers("listPlans", &status(503));
    desk.run("products references references.csv").exits(5);
    service.is_well();
    managed.stands_in("");
    let run = desk.send().exits(4).says("`wdesk policy show` says why");
    run.does_not_say("Nothing was entered");
    managed.stands_in("store-sample-001");
    desk.send().exits(0);
}

#[test]
fn doctor_passes_no_computer_on_which_the_policy_is_not_in_force() {
    let service = Service::start();
    let managed = Managed::by(&service);
    let doctor = format!("doctor --product {PRODUCT}");
    managed.desk.send().exits(0);
    managed.desk.reports(&*doctor);
    managed.set("{");
    managed.desk.json(&*doctor).exits(2).has("isLastGood", true);
    managed.set(&policy(&service).to_string());
    managed.stands_in("");
    let found = managed.desk.json(&*doctor).exits(2);
    found.has("closedProfiles/0/reason", "noStore");
    let said = managed.desk.run(&*doctor);
    said.prints("Contracts cannot be registered under");
    fs::remove_file(managed.desk.path("policy.json")).unwrap();
    managed.set("{");
    managed.desk.json(&*doctor).exits(2).has("isClosed", true);
}

#[test]
fn a_computer_that_has_no_profile_yet_is_told_how_the_organizations_are_set_up() {
    let service = Service::start();
    let managed = Managed::new(&json!({}));
    let desk = &managed.desk;
    desk.run("doctor").exits(2).prints("wdesk profile add");
    managed.set(&policy(&service).to_string());
    let told = desk.run("doctor").exits(2).prints("`wdesk outbox run`");
    told.does_not_print("profile add");
    let missing = desk.run("token status").exits(2);
    missing.says("`wdesk outbox run`");
}

#[test]
fn doctor_passes_no_computer_on_which_only_a_profile_that_is_not_allowed_is_left() {
    let service = Service::start();
    let managed = Managed::new(&json!({}));
    let desk = &managed.desk;
    desk.add_profile(&service.base_url, &service.store);
    desk.set_token(TOKEN);
    let doctor = format!("doctor --product {PRODUCT}");
    desk.reports(&*doctor);
    managed.set(&policy(&service).to_string());
    managed.stands_in("");
    desk.send().exits(0);
    let found = desk.json(&*doctor).exits(2);
    found.has("profile", "counter").has("nothingSold", true);
    let said = desk.run(&*doctor);
    said.prints("no contracts can be registered under it");
}

#[test]
fn a_managed_profile_takes_its_name_from_one_that_was_set_up_by_hand() {
    let service = Service::start();
    let managed = Managed::new(&json!({}));
    let desk = &managed.desk;
    for name in ["Shops (2)", "Shops"] {
        let to = format!("--base-url {} --store-id s", service.base_url);
        desk.does((["profile", "add", name, "--utc-offset", "+09:00"], to));
    }
    managed.set(&policy(&service).to_string());
    managed.gets_token(&service);
    managed.enter("t-1").exits(0);
    service.has_sold(1);
    let profiles = desk.reports("profile list");
    let mut names: Vec<&str> = profiles["profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["Shops", "Shops (2)", "Shops (3)"]);
}

#[cfg(unix)]
#[test]
fn no_other_source_tells_the_store_while_one_before_it_cannot_be_relied_on() {
    use std::os::unix::fs::PermissionsExt as _;

    let service = Service::start();
    let managed = Managed::by(&service);
    let mut policy = policy(&service);
    policy["profiles"][0]["storeId"] = json!([
        "table:stores.csv",
        "machine-env:STORE",
        "hostname:{store:1}*"
    ]);
    managed.set(&policy.to_string());
    managed.enter("t-1").exits(0);
    // A table that others may change, and variables that are not UTF-8.
    for (name, content, mode) in [
        (
            "stores.csv",
            &b"host,store\nanother-host,another-store"[..],
            0o664,
        ),
        ("environment", &b"STORE=\xff"[..], 0o644),
    ] {
        let file = managed.root().join(name);
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        managed.enter("t-2").exits(2).fails_with("sellingClosed");
        let shown = managed.desk.reports("policy show");
        shown
            .has("closedProfiles/0/reason", "unusable")
            .has("findings/0/source", file.display().to_string());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    }
    service.has_sold(1);
}

#[test]
fn a_store_that_the_policy_changed_is_said_until_it_is_in_use() {
    let service = Service::start();
    let managed = Managed::by(&service);
    let desk = &managed.desk;
    desk.send();
    desk.does("policy show").does_not_print("old one");
    managed.stands_in("store-sample-002");
    desk.run("policy show").prints("still uses the old one");
    desk.run("doctor").prints("still uses the old one");
    desk.json("doctor").has("moved", true);
    desk.send();
    desk.does("policy show").does_not_print("old one");
    desk.json("doctor").has("moved", false);
}

#[test]
fn a_profile_kept_by_an_imports_rejected_rows_says_that_the_import_keeps_it() {
    let service = Service::start();
    let managed = Managed::by(&service);
    let desk = &managed.desk;
    desk.send();
    let change = |sql| desk.database().execute(sql, []).unwrap();
    change(
        "INSERT INTO run (id, profile_id, kind, source, name, state, created_at, created_by,
             layout_key, layout, rows, rejected, whole)
         SELECT 'run', id, 'contracts', 'file', '', 'done', 0, '', '', x'', 1, 1, 1 FROM profile
         WHERE kind = 'live'",
    );
    managed.stands_in("store-sample-002");
    desk.send();
    let shown = desk.does("policy show");
    shown
        .prints("still uses the old one")
        .prints("imports list");
    change("UPDATE run SET rejected_taken = 1");
    desk.send();
    desk.does("policy show").does_not_print("old one");
}

#[test]
fn a_policy_is_checked_strictly_before_it_goes_out() {
    let desk = Desk::fresh();
    let bypass = ".shops.example, till-1,10.0.0.0/8, fd00::/8,*";
    let proxy = json!({ "mode": "direct", "bypass": bypass });
    let good = json!({ "exportAllowed": false, "proxy": proxy });
    desk.file("good.json", &good.to_string());
    desk.does("policy check good.json");
    // Some editors put a mark in front.
    desk.file("marked.json", "\u{feff}{ \"exportAllowed\": false }");
    desk.does("policy check marked.json");
    desk.file("long.json", &format!("{{{}}}", " ".repeat(1 << 20)));
    let long = desk.json("policy check long.json").exits(2);
    long.has("findings/0/problem", "unreadable")
        .has("findings/0/detail", "file too large");
    for (wrong, problem) in [
        ("{", "notJson"),
        (r#"{ "newer": 1 }"#, "unknownKey"),
        // The program does not update itself: no key pretends that it does.
        (r#"{ "update": { "channel": "stable" } }"#, "unknownKey"),
        (r#"{ "exportAllowed": 1 }"#, "wrongValue"),
        (r#"{ "profiles": [], "token": "sample" }"#, "secret"),
    ] {
        desk.file("wrong.json", wrong);
        let checked = desk.json("policy check wrong.json").exits(2);
        checked.has("findings/0/problem", problem);
    }
    let profile = |address: &str, store: &str| {
        let profile = json!({
            "key": "shops", "name": "Shops", "baseUrl": address, "storeId": [store], "utcOffset": "+09:00",
        });
        format!("\"profiles\": [{profile}]")
    };
    let secure = "https://a.example";
    let good = profile(secure, "machine-env:STORE");
    let no_source = |source: &str| {
        let detail = format!("shops: {source} is no source of the store id");
        (profile(secure, source), detail)
    };
    let by_no_proxy = |bypass: &str| {
        let proxy =
            json!({ "mode": "fixed", "url": "http://proxy.example:8080", "bypass": bypass });
        let detail = "`bypass` has hosts, domains and networks without ports, separated by commas";
        (format!("\"proxy\": {proxy}"), detail.to_owned())
    };
    for (keys, detail) in [
        (
            profile("http://a.example", "machine-env:STORE"),
            "shops: baseUrl does not start with https".to_owned(),
        ),
        by_no_proxy("*.shops.example,10.0.0.0/8"),
        by_no_proxy(".shops.example;10.0.0.0/8"),
        by_no_proxy(".shops.example 10.0.0.0/8"),
        by_no_proxy("10.0.0.0/8,<local>"),
        by_no_proxy("https://shops.example"),
        by_no_proxy("shops.example:443"),
        no_source("table:/etc/warranty-desk/stores.csv"),
        no_source("table:"),
        no_source("hostname:*-{store:4}"),
        no_source("hostname:JP-{store:4}-*-x"),
        no_source("hostname:JP-{store:0}"),
        (
            r#""tls": { "extraRoots": ["corp.pem"] }"#.to_owned(),
            "a path in `extraRoots` is not absolute".to_owned(),
        ),
        (
            [good.as_str(), &good].join(","),
            "duplicate field `profiles` at line 1 column 140".to_owned(),
        ),
    ] {
        desk.file("wrong.json", &format!("{{ {keys} }}"));
        let checked = desk.json("policy check wrong.json").exits(2);
        checked.has("findings/0/detail", detail);
    }
    let missing = desk.json("policy check missing.json").exits(2);
    missing.has("findings/0/problem", "unreadable");
}

#[cfg(unix)]
#[test]
fn the_helper_gives_each_user_the_token_at_first_need_and_after_a_refusal() {
    let service = Service::start();
    let managed = Managed::with_helper(&service);
    // Not while others may change it, and not what is no token.
    let too_long = "x".repeat(2_048);
    for (words, mode, why) in [
        (TOKEN, 0o777, "only the administrator can change it"),
        ("", 0o755, "the token must not be empty"),
        (&too_long, 0o755, "the token is too long"),
    ] {
        managed.helper_prints(words, mode);
        managed.enter("t-1").exits(5);
        assert!(managed.desk.logged(why), "{why}");
    }
    managed.helper_prints("sample-of-an-old-token", 0o755);
    managed.desk.send();
    assert_eq!(managed.desk.token(), "present");
    service.has_sold(0);
    managed.helper_prints(TOKEN, 0o755);
    let run = managed.desk.send().does_not_print(TOKEN);
    run.does_not_say(TOKEN).does_not_say("noise");
    managed.desk.send();
    service.has_sold(1);
}

#[cfg(unix)]
#[test]
fn a_helper_that_is_not_run_is_named_with_the_reason_to_whoever_looks_at_the_policy() {
    let service = Service::start();
    let managed = Managed::with_helper(&service);
    let helper = managed.root().join("helper");
    let is_named = |problem: &str| {
        for command in ["doctor", "policy show"] {
            let found = managed.desk.json(command);
            found
                .has("findings/0/source", helper.display().to_string())
                .has("findings/0/problem", problem);
        }
    };
    is_named("unreadable");
    managed.helper_prints(TOKEN, 0o777);
    is_named("notTrusted");
    managed.helper_prints(TOKEN, 0o755);
    managed
        .desk
        .reports("policy show")
        .has("findings", json!([]));
    fs::rename(&helper, managed.root().join("program")).unwrap();
    std::os::unix::fs::symlink("program", &helper).unwrap();
    is_named("notTrusted");
    // Once, however many profiles have it.
    let mut policy = policy(&service);
    let mut one = policy["profiles"][0].take();
    one["tokenHelper"] = json!(helper);
    let mut other = one.clone();
    (other["key"], other["name"]) = (json!("other"), json!("Other shops"));
    policy["profiles"] = json!([one, other]);
    managed.set(&policy.to_string());
    let shown = managed.desk.reports("policy show");
    assert_eq!(shown.count("findings"), 1);
}

#[cfg(unix)]
#[test]
fn a_refused_lookup_lead_or_product_asks_the_helper_as_a_refused_sale_does() {
    let service = Service::start();
    let managed = Managed::with_helper(&service);
    managed.helper_prints(TOKEN, 0o755);
    managed.enter("t-1").exits(0);
    let desk = &managed.desk;
    let token_is_renewed = || {
        let set = desk.wdesk(["--profile", key(&service), "token", "set"]);
        set.input("sample-of-an-old-token").run().exits(0);
    };
    token_is_renewed();
    let look_up = format!("contracts show {}", service.contract());
    desk.run(&*look_up).exits(3);
    desk.does(&*look_up);
    token_is_renewed();
    let lead = desk.create_lead("").exits(5).text("id");
    desk.does(["leads", "again", &lead]);
    token_is_renewed();
    desk.put_product("r-1").exits(3);
    desk.put_product("r-1").exits(0);
}

#[cfg(unix)]
#[test]
fn outbox_run_with_nothing_to_send_lets_the_helper_give_its_token_and_doctor_then_exits_0() {
    let service = Service::start();
    let managed = Managed::with_helper(&service);
    managed.helper_prints(TOKEN, 0o755);
    managed.desk.run("doctor").exits(2);
    managed.desk.send().exits(0);
    let with_product = format!("doctor --product {PRODUCT}");
    managed.desk.does(&*with_product);
}

#[test]
fn authorities_that_cannot_be_read_are_named_to_whoever_asks_why_nothing_is_sent() {
    let service = Service::start();
    let managed = Managed::by(&service);
    let desk = &managed.desk;
    let file = managed.without_authorities(&service);
    let file = file.to_str().unwrap();
    managed.enter("t-1").exits(5);
    desk.does("outbox status").says("`wdesk doctor`");
    desk.run("doctor").exits(2).prints(file);
    let found = desk.json("doctor").exits(2);
    found
        .has("findings/0/source", file)
        .has("service", Value::Null);
    desk.does("support bundle --out bundle.zip");
    let files = opened(&desk.path("bundle.zip"));
    assert!(files.contains_key("doctor.json") && files.contains_key("outbox.json"));
    service.has_sold(0);
}

#[test]
fn doctor_is_not_content_with_a_policy_that_is_used_in_part_only() {
    let service = Service::start();
    let managed = Managed::by(&service);
    let desk = &managed.desk;
    let doctor = format!("doctor --product {PRODUCT}");
    desk.send();
    desk.does(&*doctor);
    let mut policy = policy(&service);
    policy["exportsAllowed"] = json!(false);
    managed.set(&policy.to_string());
    let run = desk.run(&*doctor).exits(2);
    run.prints("exportsAllowed: is unknown and ignored");
    managed.enter("t-1").exits(0);
}

#[test]
fn rows_of_a_file_wait_for_a_person_while_no_connection_can_be_set_up() {
    let service = Service::start();
    let managed = Managed::by(&service);
    managed.without_authorities(&service);
    let desk = &managed.desk;
    desk.file("references.csv", &format!("referenceId\n{PRODUCT}\n"));
    desk.json("products references references.csv")
        .exits(4)
        .has("waits/code", "networkSetup");
    desk.run("outbox run").exits(4).says("1 row of a file");
}
