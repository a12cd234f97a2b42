//! One store under two profiles, one sale under two entries: sold once, unless a person says that
//! both are wanted.

use crate::harness::{Desk, shop};

#[test]
fn a_sale_is_entered_once_whichever_profile_of_its_store_it_is_entered_under() {
    let (service, desk) = shop();
    desk.enter(["t-1"], "").exits(0).has("confirmed", 1);

    desk.uses("second", &service.base_url, &service.store);
    desk.enter(["t-1"], "").exits(0).has("alreadyEntered", 1);
    service.has_sold(1);

    desk.does("profile remove counter");
    desk.does("profile remove second");
    desk.uses("counter", &service.base_url, &service.store);
    desk.enter(["t-1"], "").exits(0).has("alreadyEntered", 1);
    service.has_sold(1);
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
