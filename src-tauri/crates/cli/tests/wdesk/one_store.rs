//! One store under two profiles, one sale under two entries: sold once, unless a person says that
//! both are wanted.

use crate::harness::{Desk, shop};

#[test]
fn a_sale_is_entered_once_whichever_profile_of_its_store_it_is_entered_under() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "").exits(0).has("confirmed", 1);

    let added = desk
        .uses("second", &service.base_url, &service.store)
        .says("\"counter\"");
    let added = added.has("warnings/0/kind", "sameStore");
    added
        .has("warnings/0/profile", "counter")
        .has("warnings/0/removed", false);
    desk.enter(["t-1"], "").exits(0).has("alreadyEntered", 1);
    service.has_sold(1);

    let removed = desk.reports("profile remove counter").says("1 sale was");
    removed
        .has("warnings/0/kind", "recentSales")
        .has("warnings/0/count", 1);
    desk.does("profile remove second");
    let added = desk.uses("counter", &service.base_url, &service.store);
    let mut warnings = added["warnings"].as_array().unwrap().iter();
    assert!(
        warnings.all(|warning| warning["removed"] == true),
        "{}",
        added.value()
    );
    desk.enter(["t-1"], "").exits(0).has("alreadyEntered", 1);
    service.has_sold(1);
}

#[test]
fn a_server_is_the_same_with_a_dot_at_the_end_of_its_name() {
    let desk = Desk::fresh();
    let add = |to: &str| desk.reports(format!("profile add {to} --store-id store-1"));
    add("one --base-url https://service.invalid");
    let added = add("two --base-url https://SERVICE.invalid.:443/");
    added.has("warnings/0/kind", "sameStore");
    // Nor does the version matter with which each path of the interface begins.
    let added = add("three --base-url https://service.invalid/v1/");
    added.has("warnings/0/kind", "sameStore");
}

#[test]
fn what_waits_under_another_profile_is_said_to_be_sent_under_that_one() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    let case = desk.of("t-1", "id");
    desk.uses("second", &service.base_url, &service.store);
    let sends = "`wdesk --profile \"counter\" outbox run` sends";
    let elsewhere = "unfinished under other profiles: counter.";
    let status = desk.reports("outbox status").says(elsewhere);
    status
        .has("nothingWaits", false)
        .has("otherProfiles/0", "counter");
    let run = desk.run("contracts enter sales.csv").exits(5);
    run.prints(sends).does_not_print("`wdesk outbox run` sends");
    desk.run("reconcile sales.csv").exits(5).says(sends);
    let resolved = desk.resolve(&case, "--send-now").exits(5).says(sends);
    resolved.does_not_say("`wdesk outbox run`");
    // No profile is selected any more: what waits is named all the same.
    desk.does("profile remove second");
    let status = desk.reports("outbox status").says(elsewhere);
    status.has("nothingWaits", false).has("unsent", 1);
    desk.does("--profile counter outbox run");
    service.has_sold(1);
    let status = desk.reports("outbox status");
    status.has("nothingWaits", true);
}

#[test]
fn a_profile_that_is_kept_for_its_work_is_named_in_what_shows_that_work() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    desk.uses("second", &service.base_url, &service.store);
    let kept = desk.json("profile remove counter").exits(4);
    let kept = kept.fails_with("profileHasOpenContracts");
    kept.says("`wdesk --profile \"counter\" outbox list`")
        .does_not_say("1 sale");
}

#[test]
fn an_import_of_another_profile_is_called_so() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    desk.uses("second", &service.base_url, &service.store);
    let import: String = desk.value("SELECT id FROM run");
    for command in ["cancel", "remove", "resume"] {
        let refused = desk.json(["imports", command, &import]).exits(2);
        refused
            .has("error/mayHaveChanged", "no")
            .says("`wdesk --profile NAME imports list`")
            .does_not_say("In the meantime");
    }
}

#[test]
fn the_outbox_of_a_new_desk_waits_for_nothing() {
    let status = Desk::fresh().reports("outbox status");
    status.has("nothingWaits", true);
}
