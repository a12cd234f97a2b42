//! No command goes round what an organization locked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{PLAN, PRODUCT, Service, TOKEN};
use crate::policy::{Managed, policy};

/// Each command, what locks it, and all of its ways past a lock; of a command named twice, both must keep to it.
/// `OWN` is a profile that a person made before. What is not run never ends, and needs no desk.
const COMMANDS: &str = "\
contracts-enter       | profilesLocked | --profile OWN contracts enter sales.csv
contracts-list        | exportAllowed  | contracts list --export list.csv
contracts-show        | free           | contracts show C-1
day                   | exportAllowed  | day --export list.csv
doctor                | free           | doctor
imports-cancel        | free           | imports cancel 1
imports-list          | free           | imports list
imports-rejected      | free           | imports rejected 1 --out rejected.csv
imports-remove        | free           | imports remove 1
imports-resume        | free           | imports resume 1
journal               | exportAllowed  | journal --export list.csv
key-renew             | free           | key renew
key-status            | free           | key status
leads-again           | free           | leads again 1
leads-cancel          | free           | leads cancel 1
leads-create          | profilesLocked | --profile OWN leads create --transaction-id t --product PRODUCT --purchase-price 1 --quantity 1
leads-list            | exportAllowed  | leads list --export list.csv
leads-show            | free           | leads show 1
manual                | free           | manual manual
outbox-list           | exportAllowed  | outbox list --export list.csv
outbox-resolve        | free           | outbox resolve 1 --cancel
outbox-run            | free           | --profile OWN outbox run
outbox-show           | free           | outbox show 1
outbox-status         | free           | --profile OWN outbox status
plans-link            | profilesLocked | --profile OWN plans link PLAN sample
plans-link-file       | profilesLocked | --profile OWN plans link-file links.csv
plans-list            | exportAllowed  | plans list --product PRODUCT --export list.csv
plans-search          | exportAllowed  | plans search a --export list.csv
plans-show            | free           | plans show PLAN
policy-check          | free           | policy check sales.csv
policy-show           | free           | policy show
products-import       | profilesLocked | --profile OWN products import products.csv
products-list         | exportAllowed  | products list --export list.csv
products-put          | profilesLocked | --profile OWN products put --reference-id r --title t --price 1 --image-url https://sample.invalid/p --category c
products-references   | profilesLocked | --profile OWN products references references.csv
profile-add           | profilesLocked | profile add another --base-url https://elsewhere.sample.invalid --store-id s
profile-list          | free           | profile list
profile-remove        | profilesLocked | profile remove OWN
profile-remove        | profiles       | profile remove KEY
profile-use           | profilesLocked | profile use OWN
reconcile             | free           | reconcile sales.csv
rescue-done           | free           | rescue done
rescue-show           | free           | rescue show
sandbox-serve         | not run        |
settings              | retentionDays  | settings --retention-days 31
support-bundle        | free           | support bundle --out bundle.zip
token-remove          | free           | token remove
token-set             | free           | --profile KEY token set
token-status          | free           | token status";

/// Name, lock and line of each command.
fn commands() -> impl Iterator<Item = [&'static str; 3]> {
    let rows = COMMANDS.lines();
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        cells.try_into().unwrap()
    })
}

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
    for [name, lock, line] in commands().filter(|[_, lock, _]| *lock != "not run") {
        let key = Some(lock).filter(|lock| *lock != "free");
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

    let tried: BTreeSet<String> = commands().map(|[name, ..]| name.to_owned()).collect();
    assert_eq!(tried, all(&desk.path("manual")));
}

/// What nobody here can change.
fn state(managed: &Managed) -> Vec<Value> {
    let shown = |line: &str| managed.desk.reports(line).value().clone();
    vec![
        shown("profile list"),
        shown("settings"),
        shown("policy show"),
    ]
}
