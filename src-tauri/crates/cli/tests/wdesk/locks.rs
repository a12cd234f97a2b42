//! No command goes round what an organization locked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{PLAN, PRODUCT, Service, TOKEN};
use crate::policy::{Managed, policy};

/// How a command meets the locks.
enum Meets {
    /// It is refused, naming this key.
    Lock(&'static str),
    /// Nothing of it is locked.
    Free,
    /// It is not run: it never ends, and needs no desk.
    NotRun,
}
use Meets::{Free, Lock, NotRun};

const PROFILES: Meets = Lock("profilesLocked");
const EXPORT: Meets = Lock("exportAllowed");

/// Each command with all of its ways past a lock; of a command named twice, both must keep to it. `OWN` is a
/// profile that a person made before.
const COMMANDS: &[(&str, &str, Meets)] = &[
    (
        "contracts-enter",
        "--profile OWN contracts enter sales.csv",
        PROFILES,
    ),
    ("contracts-list", "contracts list --export list.csv", EXPORT),
    ("contracts-show", "contracts show C-1", Free),
    ("day", "day --export list.csv", EXPORT),
    ("doctor", "doctor", Free),
    ("journal", "journal --export list.csv", EXPORT),
    ("key-renew", "key renew", Free),
    ("key-status", "key status", Free),
    ("leads-again", "leads again 1", Free),
    ("leads-cancel", "leads cancel 1", Free),
    (
        "leads-create",
        "--profile OWN leads create --transaction-id t --product PRODUCT --purchase-price 1 --quantity 1",
        PROFILES,
    ),
    ("leads-list", "leads list --export list.csv", EXPORT),
    ("leads-token", "leads token 1", Free),
    ("manual", "manual manual", Free),
    ("outbox-list", "outbox list --export list.csv", EXPORT),
    ("outbox-resolve", "outbox resolve 1 --cancel", Free),
    ("outbox-run", "--profile OWN outbox run", Free),
    ("outbox-show", "outbox show 1", Free),
    ("outbox-status", "--profile OWN outbox status", Free),
    (
        "plans-link",
        "--profile OWN plans link PLAN sample",
        PROFILES,
    ),
    (
        "plans-link-file",
        "--profile OWN plans link-file links.csv",
        PROFILES,
    ),
    (
        "plans-list",
        "plans list --product PRODUCT --export list.csv",
        EXPORT,
    ),
    ("plans-search", "plans search a --export list.csv", EXPORT),
    ("plans-show", "plans show PLAN", Free),
    ("policy-check", "policy check sales.csv", Free),
    ("policy-show", "policy show", Free),
    (
        "products-import",
        "--profile OWN products import products.csv",
        PROFILES,
    ),
    ("products-list", "products list --export list.csv", EXPORT),
    (
        "products-put",
        "--profile OWN products put --reference-id r --title t --price 1 --image-url https://sample.invalid/p --category c",
        PROFILES,
    ),
    (
        "products-references",
        "--profile OWN products references references.csv",
        PROFILES,
    ),
    (
        "profile-add",
        "profile add another --base-url https://elsewhere.sample.invalid --store-id s",
        PROFILES,
    ),
    ("profile-list", "profile list", Free),
    ("profile-remove", "profile remove OWN", PROFILES),
    ("profile-remove", "profile remove KEY", Lock("profiles")),
    ("profile-test", "profile test", Free),
    ("profile-use", "profile use OWN", PROFILES),
    ("reconcile", "reconcile sales.csv", Free),
    ("rescue-done", "rescue done", Free),
    ("rescue-show", "rescue show", Free),
    ("sandbox-catalogue", "sandbox catalogue", Free),
    ("sandbox-personalities", "sandbox personalities", Free),
    ("sandbox-serve", "", NotRun),
    (
        "settings",
        "settings --retention-days 31",
        Lock("retentionDays"),
    ),
    ("support-bundle", "support bundle --out bundle.zip", Free),
    ("token-remove", "token remove", Free),
    ("token-set", "--profile KEY token set", Free),
    ("token-status", "token status", Free),
];

/// The commands that do something themselves, from their manual pages.
fn all(manual: &Path) -> BTreeSet<String> {
    let pages = fs::read_dir(manual.join("man1")).unwrap();
    let mut names: BTreeSet<String> = pages
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_prefix("wdesk-")?.strip_suffix(".1")?.to_owned()))
        .collect();
    let groups = names.clone();
    let is_group = |name: &String| {
        let inner = format!("{name}-");
        groups.iter().any(|other| other.starts_with(&inner))
    };
    // One command has a name that another begins with.
    names.retain(|name| !is_group(name) || name == "plans-link");
    names
}

#[test]
fn no_command_goes_round_a_lock() {
    let service = Service::start();
    let managed = Managed::new(&json!({}));
    let desk = &managed.desk;
    desk.add_profile(&service.base_url, &service.store);
    desk.set_token(TOKEN);
    let mut locks = policy(&service);
    locks["retentionDays"] = json!({ "value": 30 });
    managed.set(&locks.to_string());
    managed.gets_token(&service);

    desk.sales("sales.csv", ["t-1"]);
    desk.file(
        "links.csv",
        &format!("planId,storeReferenceId\n{PLAN},sample\n"),
    );
    desk.file("references.csv", &format!("referenceId\n{PRODUCT}\n"));
    let product = "referenceId,title,price,imageUrl,category\nr,t,1,https://sample.invalid/p,c\n";
    desk.file("products.csv", product);
    // Sets the managed profile up.
    desk.send().exits(0);
    let before = state(&managed);
    for (name, line, meets) in COMMANDS {
        let key = match meets {
            NotRun => continue,
            Free => None,
            Lock(key) => Some(*key),
        };
        let line = line
            .replace("OWN", "counter")
            .replace("KEY", locks["profiles"][0]["key"].as_str().unwrap())
            .replace("PRODUCT", PRODUCT)
            .replace("PLAN", PLAN);
        let run = desk.json_line(&line).input(TOKEN).run();
        let said: Value = serde_json::from_str(&run.stdout()).unwrap_or_default();
        let refused = said["error"]["code"] == "managed";
        assert_eq!(refused, key.is_some(), "{name}: {line}: {said}");
        if let Some(key) = key {
            run.exits(2).says(key);
        }
    }
    assert_eq!(state(&managed), before);
    service.has_sold(0);
    assert!(!desk.path("list.csv").exists());

    let tried: BTreeSet<String> = COMMANDS
        .iter()
        .map(|(name, ..)| (*name).to_owned())
        .collect();
    assert_eq!(tried, all(&desk.path("manual")));
}

/// What nobody here can change.
fn state(managed: &Managed) -> Vec<Value> {
    let shown = |line: &str| managed.desk.json(line).exits(0).value().clone();
    vec![
        shown("profile list"),
        shown("settings"),
        shown("policy show"),
    ]
}
