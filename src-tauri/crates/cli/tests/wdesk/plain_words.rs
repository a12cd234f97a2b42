//! Numbers that mean what they say, and sentences that say what to do.

use crate::harness::{Desk, Sale, shop, slow};

#[test]
fn sales_entered_before_are_counted_as_they_are_though_the_file_enters_nothing() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    let rows = [Sale::of("t-1"), Sale::of("t-2").email("nobody")];
    let run = desk.enter(rows, "").exits(2);
    run.has("alreadyEntered", 1)
        .has("confirmed", 1)
        .has("entered", 0);
}

#[test]
fn what_was_confirmed_earlier_is_no_progress_of_a_run() {
    let (service, desk) = shop();
    desk.enter(["t-1", "t-2"], "").exits(0);
    service.answers_sales(&slow(7_000));
    let run = desk.enter(["t-3"], "--wait 15");
    run.does_not_say("of 3").says("contracts: 0 of 1");
}

#[test]
fn the_sum_of_a_list_and_the_count_of_what_is_unsent_name_what_is_in_them() {
    let (_service, desk) = shop();
    desk.keep(["t-1"]);
    desk.resolve(&desk.of("t-1", "id"), "--cancel").exits(0);
    desk.does("contracts list")
        .says("1 of 1")
        .says("excluding refused and cancelled ones: 0");
    desk.does("outbox status").prints("not sent or unknown");
}

#[test]
fn a_question_about_a_price_names_its_answer_and_a_dry_run_counts_what_can_be_entered() {
    let (_service, desk) = shop();
    let rows = [Sale::of("t-1").fee("1"), Sale::of("t-2")];
    let run = desk.enter(rows, "--dry-run").exits(2);
    run.has("usable", 1).says("--confirm changed-price");
}

#[test]
fn a_date_that_cannot_be_read_is_told_how_to_be_written() {
    let (_service, desk) = shop();
    let text = crate::harness::sales(["t-1"]).replace("2026-11-20T10:00:00+09:00", "soon");
    desk.file("sales.csv", &text);
    desk.run("contracts enter sales.csv")
        .exits(2)
        .says("transactionDate")
        .says("2026-11-21 10:30");
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let (_service, desk) = shop();
    for command in ["contracts enter", "products import", "reconcile"] {
        let run = desk.json(format!("{command} nowhere.csv")).exits(2);
        run.fails_with("file").says("There is no file nowhere.csv");
    }
}

#[test]
fn the_manual_says_where_it_was_written() {
    let desk = Desk::fresh();
    desk.reports("manual pages").has("folder", "pages");
    desk.does("manual pages").prints("are in pages");
}

#[test]
fn a_policy_that_nobody_set_shows_no_value() {
    let (_service, desk) = shop();
    desk.does("policy show").does_not_print("null");
}
